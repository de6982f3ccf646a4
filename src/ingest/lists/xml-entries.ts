import { Parser } from 'htmlparser2';
import { timeOf } from '../fields/dates.ts';
import type { RefusedReason } from '../port.ts';
import { type WantedUrl, wantedUrl } from './wanted.ts';

/*
 * The entries of lists in XML. What each calls itself, its address and its date:
 *
 *   urlset        url       loc                                lastmod
 *   sitemapindex  sitemap   loc: another list                  lastmod
 *   rss, rdf:RDF  item      link, or guid where that is a URL  pubDate, dc:date
 *   feed          entry     link (rel alternate), or id        updated, published
 */

export type XmlEntry =
  | WantedUrl
  | { readonly list: string; readonly lastModified: number | null }
  | { readonly refused: RefusedReason; readonly detail: string; readonly url: null };

const ENTRIES: Readonly<Record<string, string>> = {
  ...{ urlset: 'url', sitemapindex: 'sitemap', rss: 'item', 'rdf:rdf': 'item', feed: 'entry' },
};
const ADDRESSES = ['loc', 'link', 'guid', 'id'];
const DATES = ['lastmod', 'updated', 'pubdate', 'dc:date', 'published'];
const FIELDS: ReadonlySet<string> = new Set([...ADDRESSES, ...DATES]);

interface XmlLimits {
  readonly addressBytesMax: number;
  readonly xmlDepthMax: number;
}

export class XmlEntries {
  /** Those that have ended since they were taken. */
  ended: XmlEntry[] = [];
  readonly #limits: XmlLimits;
  readonly #base: string | null;
  readonly #parser: Parser;
  #root: string | null = null;
  #prefix = '';
  #entry: string | undefined;
  #depth = 0;
  /** At which the entry that is open began; 0: none is. */
  #entryDepth = 0;
  #field: string | null = null;
  #values = new Map<string, string>();
  #isOver = false;

  constructor(limits: XmlLimits, base: string | null) {
    this.#limits = limits;
    this.#base = base;
    const handler = {
      onopentag: (name: string, attributes: Readonly<Record<string, string>>) => this.#open(name, attributes),
      ontext: (text: string) => this.#text(text),
      // the parser is never told of the end of the text, which would close what is open
      onclosetag: () => this.#close(),
    };
    this.#parser = new Parser(handler, { xmlMode: true });
  }

  write(text: string): void {
    if (!this.#isOver) this.#parser.write(text);
  }

  end(): void {
    if (this.#isOver) return;
    const isCut = this.#depth > 0;
    this.#isOver = true;
    if (this.#root === null) this.#refuse('malformed', 'It is no XML: no element was found.');
    else if (isCut) this.#refuse('malformed', 'The list has no end: the file was cut.');
  }

  #refuse(refused: RefusedReason, detail: string): void {
    this.ended.push({ refused, detail, url: null });
  }

  #giveUp(refused: RefusedReason, detail: string): void {
    this.#refuse(refused, detail);
    this.#isOver = true;
    this.#parser.pause();
  }

  #open(tag: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#isOver) return;
    if (++this.#depth > this.#limits.xmlDepthMax) {
      this.#giveUp('too-large', `Elements are nested more than ${this.#limits.xmlDepthMax} deep.`);
      return;
    }
    const name = this.#nameOf(tag);
    if (this.#root === null) {
      this.#root = name;
      this.#entry = ENTRIES[name];
      if (this.#entry === undefined) this.#giveUp('malformed', `<${name.slice(0, 40)}> is no sitemap and no feed.`);
    } else if (this.#entryDepth === 0 && name === this.#entry) {
      this.#entryDepth = this.#depth;
      this.#values = new Map();
    } else if (this.#depth === this.#entryDepth + 1 && FIELDS.has(name)) {
      this.#field = this.#values.has(name) ? null : name;
      const { href, rel = 'alternate' } = attributes;
      if (name === 'link' && href !== undefined && this.#field !== null) {
        if (rel === 'alternate') this.#values.set('link', href);
        this.#field = null;
      } else if (name === 'guid' && attributes['isPermaLink'] === 'false') this.#field = null;
    }
  }

  /** Without the prefix that the root has. */
  #nameOf(tag: string): string {
    const name = tag.toLowerCase();
    if (this.#root === null && !Object.hasOwn(ENTRIES, name)) this.#prefix = name.slice(0, name.indexOf(':') + 1);
    return this.#prefix !== '' && name.startsWith(this.#prefix) ? name.slice(this.#prefix.length) : name;
  }

  #text(text: string): void {
    if (this.#field === null) return;
    const value = (this.#values.get(this.#field) ?? '') + text;
    this.#values.set(this.#field, value.slice(0, this.#limits.addressBytesMax + 1));
  }

  #close(): void {
    if (this.#isOver) return;
    this.#field = null;
    if (this.#depth === this.#entryDepth) {
      this.ended.push(this.#entryOf());
      this.#entryDepth = 0;
    }
    this.#depth--;
  }

  #entryOf(): XmlEntry {
    const values = ADDRESSES.map((name) => this.#values.get(name)?.trim() ?? '').filter((value) => value !== '');
    const [address = ''] = values;
    if (address.length > this.#limits.addressBytesMax) {
      const detail = `The address has more than ${this.#limits.addressBytesMax} characters.`;
      return { refused: 'too-large', detail, url: null };
    }
    const date = DATES.map((name) => this.#values.get(name)).find((value) => value !== undefined);
    const wanted = wantedUrl(address, this.#base, timeOf(date));
    if (!('wanted' in wanted) || this.#root !== 'sitemapindex') return wanted;
    return { list: wanted.wanted, lastModified: wanted.lastModified };
  }
}
