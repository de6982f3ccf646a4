import { describe, expect, it } from 'vitest';
import { DEFAULT_EXTRACT_LIMITS } from '../../../src/extract/limits.ts';
import { extractSelected } from '../../../src/extract/select/select.ts';
import { readParts, words } from '../../support/pages/page.ts';

const PAGE = `<!doctype html><html lang=fr><head><title>The &amp; title</title><style>no</style></head><body>
<nav><a href=/>menu</a></nav>
<article id=a class="größe main" data-kind="news"><h1>Head</h1>
<p>one <b>two</b>th<sup>1</sup>ree</p><div><p>inner</p></div><script>no</script></article>
<article id=b><p>second<aside>advertisement</aside></article></body></html>`;
const chosen = (select: string | null, remove: string | null = null, page = PAGE) =>
  words(readParts(page, select, remove).text).join(' ');

describe('select', () => {
  it.each([
    ['article', 'Head one twoth1ree inner second advertisement'],
    ['ARTICLE#a', 'Head one twoth1ree inner'],
    ['.größe > p', 'one twoth1ree'],
    ['[data-kind="news"] h1, #b p', 'Head second'],
    ['article:has(h1)', 'Head one twoth1ree inner'],
    ['body > :not(nav):not(#b)', 'Head one twoth1ree inner'],
    ['h1 + p', 'one twoth1ree'],
    ['h1 ~ div', 'inner'],
    ['article:nth-of-type(2)', 'second advertisement'],
    ['article:first-of-type p:is(:first-child, h1 + *)', 'one twoth1ree inner'],
    ['article:has(> h1, ~ article) h1', 'Head'],
    ['p:not(:last-child):where(h1 ~ *)', 'one twoth1ree'],
    ['ARTICLE:Nth-Child(2) > P:FIRST-CHILD', ''],
    ['a:link, a:any-link:not(:visited, :hover, :active)', 'menu'],
    [':root > head', 'The title'],
    ['title', 'The title'],
  ])('%s', (selector, text) => {
    expect(chosen(selector)).toBe(text);
  });

  it('counts text once however many selected elements hold it', () => {
    expect(chosen('article, article p, p, b, div, #a')).toBe(chosen('article'));
    expect(chosen('*')).toBe('The title menu Head one twoth1ree inner second advertisement');
  });

  it('keeps the order of the page, not of the selector', () => {
    expect(chosen('#b, #a h1')).toBe('Head second advertisement');
  });

  it('separates what it takes from one place and from another', () => {
    expect(chosen('b, i', null, '<p>x<b>one</b><i>two</i>y')).toBe('one two');
  });

  it('finds nothing: no text, and that is no error here', () => {
    expect(chosen('video')).toBe('');
  });

  it('does not make text of what is none', () => {
    expect(
      chosen('style, script, template', null, '<style>no</style><script>no</script><template><p>no</template>'),
    ).toBe('');
  });

  it('leaves title and language to the whole page', () => {
    expect(readParts(PAGE, '#b')).toMatchObject({
      title: 'The & title',
      language: 'fr',
      charset: 'utf-8',
      kind: 'html',
    });
  });
});

describe('remove', () => {
  it.each([
    [null, 'nav, aside, title', 'Head one twoth1ree inner second'],
    ['#a', 'sup, h1', 'one twothree inner'],
    ['article', 'p', 'Head advertisement'],
    ['#a', '#a', ''],
    ['p', '*', ''],
  ])('select %s, remove %s', (select, remove, text) => {
    expect(chosen(select, remove)).toBe(text);
  });

  it('separates at a removed block, not at a removed inline element', () => {
    expect(chosen(null, 'sup, div', '<p>wo<sup>1</sup>rd</p>one<div>x</div>two')).toBe('word one two');
  });
});

describe('the tree', () => {
  const limited = (page: string, limits: object) => () => readParts(page, 'p', null, limits);

  it('is no deeper than depthMax', () => {
    expect(limited('<div><div><p>x', { depthMax: 3 })).not.toThrow();
    expect(limited('<div><div><div><p>x', { depthMax: 3 })).toThrow(
      expect.objectContaining({ code: 'document-too-complex', limit: { name: 'depthMax', value: 3 } }),
    );
  });

  it('has no more nodes than nodesMax', () => {
    expect(limited('<p>x</p>y<!-- z -->', { nodesMax: 4.5 })).not.toThrow();
    expect(limited('<p>x</p>y<!-- z --><br>', { nodesMax: 4.5 })).toThrow(
      expect.objectContaining({ code: 'document-too-complex', limit: { name: 'nodesMax', value: 4.5 } }),
    );
  });

  it('counts attributes and parts of a text by quarters', () => {
    // <p>, its text and "a" = "1" .. "d" = "4" are two nodes and four quarters; the text is one part, or four
    const page = (text: string) => `<p a=1 b=2 c=3 d=4>${text}</p>`;
    expect(limited(page('x'), { nodesMax: 3.25 })).not.toThrow();
    expect(limited(page('x'), { nodesMax: 3 })).toThrow(expect.objectContaining({ code: 'document-too-complex' }));
    expect(limited(page('x&amp;y&lt;'), { nodesMax: 4 })).not.toThrow();
    expect(limited(page('x&amp;y&lt;'), { nodesMax: 3.75 })).toThrow(
      expect.objectContaining({ code: 'document-too-complex' }),
    );
  });

  it('may be as deep as its limit without any recursion', () => {
    const deep = `${'<div>'.repeat(20_000)}x`;
    expect(readParts(deep, 'div', null, { depthMax: 20_000 }).text.trim()).toBe('x');
  });
});

describe('a selector that cannot be used', () => {
  it.each(['', '  ', 'p[', 'p,,b', ':unheard-of', 'p::before', '#', 'p:nth-child(x)', ':not(', '> p', 'p >', 'p ~, b'])(
    '%j is refused by the name of its field',
    (selector) => {
      for (const field of ['select', 'remove'] as const) {
        const [select, remove] = field === 'select' ? [selector, null] : [null, selector];
        expect(() => readParts(PAGE, select, remove)).toThrow(
          expect.objectContaining({ code: 'invalid-selector', field }),
        );
      }
    },
  );

  it('is too long', () => {
    expect(() => readParts(PAGE, 'p', 'a'.repeat(1001))).toThrow(
      expect.objectContaining({ field: 'remove', limit: { name: 'selectorCharactersMax', value: 1000 } }),
    );
  });

  it('is any selector for a plain text', () => {
    const plain = { bytes: Buffer.from('words'), contentType: 'text/plain' };
    expect(() => extractSelected(plain, { select: null, remove: 'p' }, DEFAULT_EXTRACT_LIMITS)).toThrow(
      expect.objectContaining({
        code: 'invalid-selector',
        field: 'remove',
        message: expect.stringContaining('plain text'),
      }),
    );
  });
});
