/*
 * What the attributes xmlns and xml:base of an element say holds for the elements in it, until they say something else.
 */

interface Scope {
  readonly depth: number;
  readonly base: string | null;
  readonly isBaseDeclared: boolean;
  readonly spaces: ReadonlyMap<string, string>;
}

export interface XmlName {
  /** The namespace; '' if there is none. */
  readonly space: string;
  /** In small letters. */
  readonly local: string;
}

/** Prefixes that many feeds use without declaring them. */
const KNOWN_PREFIXES: Readonly<Record<string, string>> = {
  atom: 'http://www.w3.org/2005/Atom',
  dc: 'http://purl.org/dc/elements/1.1/',
  dcterms: 'http://purl.org/dc/terms/',
  feedburner: 'http://rssnamespace.org/feedburner/ext/1.0',
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
};

export class XmlScopes {
  readonly #scopes: Scope[];

  constructor(base: string | null) {
    this.#scopes = [{ depth: 0, base, isBaseDeclared: false, spaces: new Map() }];
  }

  /** Against which addresses in the element are read; null: nothing says. */
  get base(): string | null {
    return this.#scopes.at(-1)!.base;
  }

  /** Whether an xml:base says so, not the address of the list. */
  get isBaseDeclared(): boolean {
    return this.#scopes.at(-1)!.isBaseDeclared;
  }

  open(depth: number, attributes: Readonly<Record<string, string>>): void {
    const outer = this.#scopes.at(-1)!;
    let { base, isBaseDeclared, spaces } = outer;
    for (const [name, value] of Object.entries(attributes)) {
      if (name === 'xml:base') {
        const url = URL.parse(value.trim(), outer.base ?? undefined);
        if (url !== null) [base, isBaseDeclared] = [url.href, true];
      } else if (name === 'xmlns' || name.startsWith('xmlns:')) {
        spaces = new Map([...spaces, [name.slice('xmlns:'.length), value.trim()]]);
      }
    }
    if (base !== outer.base || isBaseDeclared !== outer.isBaseDeclared || spaces !== outer.spaces)
      this.#scopes.push({ depth, base, isBaseDeclared, spaces });
  }

  close(depth: number): void {
    if (this.#scopes.at(-1)!.depth === depth) this.#scopes.pop();
  }

  nameOf(tag: string): XmlName {
    const colon = tag.indexOf(':');
    const prefix = tag.slice(0, Math.max(colon, 0));
    const declared = this.#scopes.at(-1)!.spaces.get(prefix);
    const undeclared = prefix === '' ? '' : (KNOWN_PREFIXES[prefix.toLowerCase()] ?? `${prefix}:`);
    return { space: declared ?? undeclared, local: tag.slice(colon + 1).toLowerCase() };
  }
}
