import { Parser } from 'htmlparser2';
import { timeOf } from '../fields/dates.ts';
import type { RefusedReason } from '../port.ts';
import { identifiedUrl, type WantedUrl, wantedUrl } from './wanted.ts';
import { DATES, fieldOf, IDENTIFIERS, isEntry, linkField, listKindOf } from './xml-fields.ts';
import { prologOf } from './xml-prolog.ts';
import { type XmlName, XmlScopes } from './xml-scopes.ts';

export type XmlEntry =
  | WantedUrl
  | { readonly list: string; readonly lastModified: number | null }
  | { readonly refused: RefusedReason; readonly detail: string; readonly url: null };

/** A prolog that is longer is no list's. */
const PROLOG_CHARACTERS_MAX = 64 * 1024;

interface Value {
  readonly text: string;
  /** Against which it is read; null: nothing says. */
  readonly base: string | null;
}

interface XmlLimits {
  readonly addressBytesMax: number;
  readonly xmlDepthMax: number;
}

export class XmlEntries {
  /** Those that have ended since they were taken. */
  ended: XmlEntry[] = [];
  readonly #limits: XmlLimits;
  readonly #scopes: XmlScopes;
  readonly #parser: Parser;
  /** What was told so far, until the root element begins; null: it has. */
  #prolog: string | null = '';
  #entities: ReadonlySet<string> = new Set();
  #root: XmlName | null = null;
  #kind: ReturnType<typeof listKindOf>;
  /** The one that is open; null: none is. */
  #entry: { readonly name: XmlName; readonly depth: number } | null = null;
  /** The field that is open, and at which depth. */
  #field: { readonly name: string; readonly depth: number } | null = null;
  #values = new Map<string, Value>();
  /** The link of an RSS channel, against which feed readers read those of its items. */
  #channelLink = '';
  #isInChannel = false;
  #depth = 0;
  #isOver = false;

  constructor(limits: XmlLimits, base: string | null) {
    this.#limits = limits;
    this.#scopes = new XmlScopes(base);
    const handler = {
      onopentag: (name: string, attributes: Readonly<Record<string, string>>) => this.#open(name, attributes),
      ontext: (text: string) => this.#text(text),
      // the parser is never told of the end of the text, which would close what is open
      onclosetag: () => this.#close(),
    };
    this.#parser = new Parser(handler, { xmlMode: true });
  }

  write(text: string): void {
    if (this.#isOver) return;
    if (this.#prolog === null) {
      this.#parser.write(text);
      return;
    }
    // the parser takes what an internal subset declares for elements
    const told = this.#prolog + text;
    const prolog = prologOf(told);
    this.#prolog = prolog === null ? told : null;
    if (prolog !== null) {
      this.#entities = prolog.entities;
      this.#parser.write(told.slice(prolog.end));
    } else if (told.length > PROLOG_CHARACTERS_MAX) {
      this.#giveUp('too-large', `No element begins in the first ${PROLOG_CHARACTERS_MAX} characters.`);
    }
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
    this.#scopes.open(this.#depth, attributes);
    const name = this.#scopes.nameOf(tag);
    if (this.#root === null) {
      this.#root = name;
      this.#kind = listKindOf(name);
      if (this.#kind === undefined) this.#giveUp('malformed', `<${tag.slice(0, 40)}> is no sitemap and no feed.`);
    } else if (this.#entry !== null) {
      if (this.#depth === this.#entry.depth + 1)
        this.#openField(fieldOf(name, this.#entry.name, this.#kind!), attributes);
    } else if (isEntry(name, this.#root, this.#kind!)) {
      this.#entry = { name, depth: this.#depth };
      this.#values = new Map();
      for (const [key, value] of Object.entries(attributes)) {
        if (/^\w+:about$/.test(key) && this.#kind!.entry === 'item') this.#set('about', value);
      }
    } else if (this.#depth === 2) {
      this.#isInChannel = this.#kind!.entry === 'item' && name.local === 'channel';
    } else if (this.#isInChannel && this.#depth === 3 && this.#channelLink.trim() === '') {
      if (fieldOf(name, this.#root, this.#kind!) === 'link') this.#field = { name: 'channel', depth: this.#depth };
    }
  }

  #openField(field: string | null, attributes: Readonly<Record<string, string>>): void {
    if (field === null) return;
    const { href, src } = attributes;
    if (field === 'atom:link' || (field === 'link' && href !== undefined)) {
      const link = linkField(attributes);
      if (link !== null && href !== undefined) this.#set(link, href);
    } else if (field === 'content') {
      if (src !== undefined) this.#set(field, src);
    } else if ((field !== 'guid' || isPermaLink(attributes)) && (this.#values.get(field)?.text.trim() ?? '') === '') {
      this.#field = { name: field, depth: this.#depth };
    }
  }

  /** The first that says something counts. */
  #set(field: string, text: string): void {
    const before = this.#values.get(field)?.text ?? '';
    if (before.trim() === '') this.#values.set(field, { text: this.#cut(text), base: this.#base });
  }

  get #base(): string | null {
    if (this.#scopes.isBaseDeclared || this.#channelLink.trim() === '') return this.#scopes.base;
    return URL.parse(this.#channelLink.trim(), this.#scopes.base ?? undefined)?.href ?? this.#scopes.base;
  }

  #cut(text: string): string {
    return text.slice(0, this.#limits.addressBytesMax + 1);
  }

  #text(text: string): void {
    if (this.#field === null || this.#field.depth !== this.#depth) return;
    const { name } = this.#field;
    if (name === 'channel') {
      if (this.#channelLink.length > this.#limits.addressBytesMax) return;
      this.#channelLink = this.#cut(this.#channelLink + text);
      return;
    }
    const before = this.#values.get(name);
    // the parser hands over each reference by itself
    if (before !== undefined && before.text.length > this.#limits.addressBytesMax) return;
    const joined = this.#cut((before?.text ?? '') + text).trimStart();
    this.#values.set(name, { text: joined, base: before?.base ?? this.#base });
  }

  #close(): void {
    if (this.#isOver) return;
    if (this.#field?.depth === this.#depth) this.#field = null;
    if (this.#depth === this.#entry?.depth) {
      this.ended.push(this.#entryOf());
      this.#entry = null;
    }
    this.#scopes.close(this.#depth);
    this.#depth--;
  }

  #entityIn(address: string): string | undefined {
    if (this.#entities.size === 0) return undefined;
    const names = Array.from(address.matchAll(/&([\w.:-]+);/g), ([, name]) => name!);
    return names.find((name) => this.#entities.has(name));
  }

  #entryOf(): XmlEntry {
    const found = this.#kind!.addresses.filter((name) => (this.#values.get(name)?.text.trim() ?? '') !== '');
    const [field = ''] = found;
    const { text = '', base = null } = this.#values.get(field) ?? {};
    const address = text.trim();
    if (address.length > this.#limits.addressBytesMax) {
      const detail = `The address has more than ${this.#limits.addressBytesMax} characters.`;
      return { refused: 'too-large', detail, url: null };
    }
    if (address.includes('\ufffd')) {
      const detail = 'The address has bytes that are not in the character set of the list.';
      return { refused: 'malformed', detail, url: null };
    }
    const entity = this.#entityIn(address);
    if (entity !== undefined) {
      const detail = `The address has the entity &${entity.slice(0, 40)};, and entities of a DOCTYPE are not expanded.`;
      return { refused: 'malformed', detail, url: null };
    }
    const date = DATES.map((name) => this.#values.get(name)?.text).find((value) => value !== undefined);
    const lastModified = timeOf(date);
    const wanted = IDENTIFIERS.has(field)
      ? identifiedUrl(address, lastModified)
      : wantedUrl(address, base, lastModified);
    if (!('wanted' in wanted) || this.#root?.local !== 'sitemapindex') return wanted;
    return { list: wanted.wanted, lastModified: wanted.lastModified };
  }
}

function isPermaLink(attributes: Readonly<Record<string, string>>): boolean {
  return !/^\s*false\s*$/i.test(attributes['isPermaLink'] ?? attributes['ispermalink'] ?? '');
}
