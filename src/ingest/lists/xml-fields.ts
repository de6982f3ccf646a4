import type { XmlName } from './xml-scopes.ts';

/*
 * The entries of lists in XML, and what in them is the address of the page, the best first:
 *
 *   urlset        url       loc                                                              lastmod
 *   sitemapindex  sitemap   loc: another list                                                lastmod
 *   rss, rdf:RDF  item      feedburner:origLink, link, atom:link, guid, rdf:about            pubDate, dc:date
 *   feed          entry     feedburner:origLink, link (rel alternate), content (src), id     updated, published
 *
 * Elements count by their namespace, never by their prefix: image:loc, media:content and xhtml:link are no pages.
 */

interface ListKind {
  readonly entry: string;
  /** The fields of an entry in its own namespace. */
  readonly own: ReadonlySet<string>;
  readonly addresses: readonly string[];
}

const SITEMAP = { own: new Set(['loc', 'lastmod']), addresses: ['loc'] };
const RSS: ListKind = {
  entry: 'item',
  own: new Set(['link', 'guid', 'pubdate']),
  addresses: ['origlink', 'link', 'link html', 'link any', 'link other', 'guid', 'about'],
};
const ATOM: ListKind = {
  entry: 'entry',
  own: new Set(['link', 'content', 'id', 'updated', 'modified', 'published', 'issued']),
  addresses: ['origlink', 'link html', 'link any', 'link other', 'link', 'content', 'id'],
};
const KINDS: ReadonlyMap<string, ListKind> = new Map([
  ['urlset', { ...SITEMAP, entry: 'url' }],
  ['sitemapindex', { ...SITEMAP, entry: 'sitemap' }],
  ['rss', RSS],
  ['rdf', RSS],
  ['feed', ATOM],
]);

const ATOM_SPACES: ReadonlySet<string> = new Set(['http://www.w3.org/2005/Atom', 'http://purl.org/atom/ns#']);
const RSS_SPACES =
  /^(?:$|https?:\/\/(?:purl\.org\/(?:rss\/1\.0\/|net\/rss1\.1#)|(?:my|channel)\.netscape\.com\/rdf\/simple\/0\.9\/|backend\.userland\.com\/|blogs\.law\.harvard\.edu\/tech\/rss))/i;
const FOREIGN: ReadonlyMap<string, string> = new Map([
  ['http://purl.org/dc/elements/1.1/ date', 'dc:date'],
  ['http://purl.org/dc/elements/1.0/ date', 'dc:date'],
  ['http://purl.org/dc/terms/ modified', 'modified'],
  ['http://rssnamespace.org/feedburner/ext/1.0 origlink', 'origlink'],
]);

/** The fields with dates; the one that says most about the last change stands first. */
export const DATES = ['lastmod', 'updated', 'modified', 'pubdate', 'dc:date', 'published', 'issued'];
/** Names of things, which are addresses only where they are whole URLs. */
export const IDENTIFIERS: ReadonlySet<string> = new Set(['guid', 'id', 'about']);

export function listKindOf({ local }: XmlName): ListKind | undefined {
  return KINDS.get(local);
}

export function isEntry(name: XmlName, root: XmlName, kind: ListKind): boolean {
  if (name.local !== kind.entry) return false;
  if (name.space === root.space) return true;
  if (kind === RSS) return RSS_SPACES.test(name.space);
  return kind === ATOM && ATOM_SPACES.has(name.space);
}

/** @returns which field of the entry an element in it is; null: none */
export function fieldOf(name: XmlName, entry: XmlName, kind: ListKind): string | null {
  const { space, local } = name;
  const isOwn = space === entry.space || (kind === RSS && RSS_SPACES.test(space));
  if (isOwn) return kind.own.has(local) ? local : null;
  if (ATOM_SPACES.has(space))
    return kind === ATOM && kind.own.has(local) ? local : local === 'link' ? 'atom:link' : null;
  return FOREIGN.get(`${space} ${local}`) ?? null;
}

/** @returns as which address the `href` of a link counts; null: it leads to something else than the page */
export function linkField({ rel, type }: Readonly<Record<string, string>>): string | null {
  const relation = (rel ?? '').trim().toLowerCase();
  if (!['', 'alternate', 'http://www.iana.org/assignments/relation/alternate'].includes(relation)) return null;
  const mediaType = (type ?? '').split(';', 1)[0]!.trim().toLowerCase();
  if (mediaType === 'text/html' || mediaType === 'application/xhtml+xml') return 'link html';
  return mediaType === '' ? 'link any' : 'link other';
}
