/** What stands before the root element: the declaration, comments, processing instructions and a DOCTYPE. */
export interface XmlProlog {
  /** Where the root element begins, or what is no prolog. */
  readonly end: number;
  /** What the DOCTYPE names, in small letters; null: there is none. */
  readonly doctype: string | null;
  /** The entities that the DOCTYPE declares. None of them is ever expanded. */
  readonly entities: ReadonlySet<string>;
}

/** Within quotes, and within the declarations of an internal subset, neither `]` nor `>` ends a DOCTYPE. */
const DOCTYPE_TOKEN = /"[^"]*"|'[^']*'|<!|<|\[|\]|>|[^"'<[\]>]+/y;

/** @returns null if the prolog goes on behind `text` */
export function prologOf(text: string): XmlProlog | null {
  let doctype: string | null = null;
  let entities: ReadonlySet<string> = new Set();
  let at = 0;
  for (;;) {
    at += text.length - at - text.slice(at).trimStart().length;
    const rest = text.slice(at, at + 9).toLowerCase();
    let end: number | null;
    if (rest.startsWith('<?')) end = behind(text, '?>', at);
    else if (rest.startsWith('<!--')) end = behind(text, '-->', at + 4);
    else if (rest === '<!doctype') {
      end = doctypeEnd(text, at + 9);
      const declaration = text.slice(at, end ?? at);
      doctype = /^<!doctype\s+([^\s[>]+)/i.exec(declaration)?.[1]?.toLowerCase() ?? '';
      entities = new Set(Array.from(declaration.matchAll(/<!ENTITY\s+([\w.:-]+)\s/g), ([, name]) => name!));
    } else if (rest === '' || (rest.length < 9 && '<!doctype'.startsWith(rest))) end = null;
    else if (rest.length < 4 && '<!--'.startsWith(rest)) end = null;
    else return { end: at, doctype, entities };
    if (end === null) return null;
    at = end;
  }
}

function behind(text: string, closing: string, from: number): number | null {
  const found = text.indexOf(closing, from);
  return found < 0 ? null : found + closing.length;
}

function doctypeEnd(text: string, from: number): number | null {
  let at = from;
  let isInSubset = false;
  let declarations = 0;
  while (at < text.length) {
    if (isInSubset && (text.startsWith('<!--', at) || text.startsWith('<?', at))) {
      const end = text[at + 1] === '?' ? behind(text, '?>', at) : behind(text, '-->', at + 4);
      if (end === null) return null;
      at = end;
      continue;
    }
    DOCTYPE_TOKEN.lastIndex = at;
    const token = DOCTYPE_TOKEN.exec(text)?.[0];
    // a quote that does not end
    if (token === undefined) return null;
    at += token.length;
    if (token === '[') isInSubset = true;
    else if (token === ']' && declarations === 0) isInSubset = false;
    else if (token === '<!') declarations++;
    else if (token === '>' && declarations > 0) declarations--;
    else if (token === '>' && !isInSubset) return at;
  }
  return null;
}
