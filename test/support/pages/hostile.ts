/** A page or text that is meant to hurt whoever reads it. */
export interface HostileDocument {
  readonly name: string;
  readonly contentType: 'text/html' | 'text/plain';
  readonly bytes: Uint8Array;
}

/**
 * One document of each hostile shape known to us.
 *
 * @param scale how often the unit of a shape is repeated; 200,000 makes documents of about a megabyte.
 */
export function hostileDocuments(scale: number): HostileDocument[] {
  const times = (text: string, share = 1) => text.repeat(Math.ceil(scale * share));
  const numbered = (make: (i: number) => string) => Array.from({ length: scale }, (_, i) => make(i)).join('');
  const pages: Record<string, string> = {
    'nested divs': `${times('<div>')}seen`,
    'nested formatting elements': `${times('<b><a><i>', 0.2)}seen`,
    'adoption agency': `${numbered((i) => `<b id=${i}><p>`)}${times('</b>')}seen`,
    'misnested pairs': `${times('<b ai>', 0.3)}${times('<i ai>', 0.3)}${times('x</b>', 0.3)}`,
    'nested tables': `${times('<table><tr><td>', 0.2)}seen`,
    'nested templates': `${times('<template>', 0.2)}hidden`,
    'nested drawings': `${times('<svg><title>', 0.2)}hidden`,
    'nested forms': `${times('<form>', 0.5)}seen`,
    'distinct attributes': `<p ${numbered((i) => `a${i}=1 `)}>seen`,
    'one attribute again and again': `<p ${times('a=1 ')}>seen`,
    'language given again and again': `<html ${times('lang=en ')}>seen`,
    'distinct font tags': `${numbered((i) => `<font c=${i}>`)}seen`,
    'unclosed comment': `<p>seen</p><!--${times('-', 5)}`,
    'comment that nearly ends': `<p>seen</p><!--${times('--!', 3)}`,
    'unclosed tag': `<p>seen</p><a href="${times('x', 5)}`,
    'unclosed title': `<title>${times('seen ')}`,
    'unclosed script': `<p>seen</p><script>${times('</scrip ')}`,
    'unclosed CDATA': `<svg>seen<![CDATA[${times(']]', 3)}`,
    'less-than signs': times('<', 5),
    'tags without names': times('</>', 2),
    ampersands: `${times('&', 3)}${times('&amp', 0.5)}`,
    'entity of very many digits': `seen&#${times('9', 5)};&#x110000;&#xD800;&#0;`,
    'entity without an end': `seen&${times('a', 5)}`,
    'entities that grow': times('&nLt;'),
    'line breaks': times('<br>'),
    'stray end tags': `${times('</p></b></div>', 0.3)}seen`,
    NULs: `<p>seen ${times('\0')}`,
    'soft hyphens': `<p>se${times('&shy;\u00ad', 0.5)}en`,
    'white space title': `<title>${times(' ', 5)}</title>seen`,
    'combining marks': `<p>seen e${times('\u0301\u0316', 0.5)}`,
  };
  const texts: Record<string, string> = {
    'one word': times('a', 5),
    'one word again and again': times('rose ', 1),
    'distinct words': numbered((i) => `w${i} `),
    'accents on one letter': `e${times('\u0301')}`,
    'white space': times(' ', 5),
  };
  const named = (documents: Record<string, string>, contentType: HostileDocument['contentType']) =>
    Object.entries(documents).map(([name, text]) => ({ name, contentType, bytes: Buffer.from(text) }));
  return [...named(pages, 'text/html'), ...named(texts, 'text/plain')];
}
