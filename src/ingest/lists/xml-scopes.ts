/*
 * What the attributes xmlns and xml:base of an element say holds for the elements in it, until they say something else.
 */

interface Scope {
  readonly depth: number;
  readonly base: string | null;
  readonly isBaseDeclared: boolean;
  /** By their prefixes, '' for none: only those that the element itself declares. */
  readonly spaces: ReadonlyMap<string, string>;
}

export interface XmlName {
  /** The namespace; '' if there is none. */
  readonly space: string;
  /** In small letters. */
  readonly local: string;
}

/** Prefixes that many feeds use without declaring them. */
const KNOWN_PREFIXES: ReadonlyMap<string, string> = new Map([
  ['atom', 'http://www.w3.org/2005/Atom'],
  ['dc', 'http://purl.org/dc/elements/1.1/'],
  ['dcterms', 'http://purl.org/dc/terms/'],
  ['feedburner', 'http://rssnamespace.org/feedburner/ext/1.0'],
  ['rdf', 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'],
]);

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
    let { base, isBaseDeclared } = outer;
    let spaces: Map<string, string> | null = null;
    for (const name of Object.keys(attributes)) {
      if (!name.startsWith('xml')) continue;
      const value = attributes[name]!.trim();
      if (name === 'xml:base') {
        const url = URL.parse(value, outer.base ?? undefined);
        if (url !== null) [base, isBaseDeclared] = [url.href, true];
      } else if (name === 'xmlns' || name.startsWith('xmlns:')) {
        spaces ??= new Map();
        spaces.set(name.slice('xmlns:'.length), value);
      }
    }
    if (spaces !== null || isBaseDeclared !== outer.isBaseDeclared || base !== outer.base)
      this.#scopes.push({ depth, base, isBaseDeclared, spaces: spaces ?? new Map() });
  }

  close(depth: number): void {
    if (this.#scopes.at(-1)!.depth === depth) this.#scopes.pop();
  }

  nameOf(tag: string): XmlName {
    const colon = tag.indexOf(':');
    const prefix = tag.slice(0, Math.max(colon, 0));
    const declared = this.#scopes.findLast(({ spaces }) => spaces.has(prefix))?.spaces.get(prefix);
    const undeclared = prefix === '' ? '' : (KNOWN_PREFIXES.get(prefix.toLowerCase()) ?? `${prefix}:`);
    return { space: declared ?? undeclared, local: tag.slice(colon + 1).toLowerCase() };
  }
}
