/*
 * What the names of two URLs say of a move. Nobody need keep a name when a page moves, so names prove nothing. But two
 * pages of one name that say nearly the same are hardly ever two documents.
 *
 *   https://www.a.example/manual/v2/functions.html?lang=en
 *           '----------'  '-----------' '-------'  '-----'
 *               host          words       name ────────┘     a name that many pages have (index) is that of its folder
 */

/** What the name of a URL says of its page. */
export interface Whereabouts {
  /** null of a name (urn:), which has none; without `www.` before it. */
  readonly host: string | null;
  /** The last part of the path without its ending, with the query; null where that names nothing. */
  readonly name: string | null;
  /** All words of path and query, as often as they come; those of the last part twice. */
  readonly words: readonly string[];
  /** The first page of a host, or of one of its languages. */
  readonly isHome: boolean;
}

const PARTS = /^https?:\/\/(?:www\.)?([^/?]*)([^?]*)(?:\?(.*))?$/;
const ENDING = /\.[a-z][a-z0-9]{0,4}$/;
/** Names of pages that say nothing of what is on them. */
const GENERIC = /^(?:index|default|home|main|welcome|start|page|view|show|article|print|item|id|[0-9]{1,3})$/;
const HOME = /^\/(?:[a-z]{2}(?:-[a-z]{2})?\/?)?(?:(?:index|default|home|main|welcome)(?:\.[a-z0-9]{1,5})?\/?)?$/;

/** @param url normalised */
export function whereaboutsOf(url: string): Whereabouts {
  const match = PARTS.exec(url);
  const [host, path, query] = match === null ? [null, url, ''] : [match[1]!, match[2]!, match[3] ?? ''];
  const parts = path.toLowerCase().split('/').filter(Boolean);
  const last = (parts.pop() ?? '').replace(ENDING, '');
  const wanted = query.toLowerCase();
  const own = GENERIC.test(last) && wanted === '' ? (parts.at(-1) ?? '') : last;
  const name = wanted === '' ? own : `${own}?${wanted}`;
  const isHome = host !== null && wanted === '' && HOME.test(path.toLowerCase());
  return {
    host,
    name: isHome || name.length < 2 || GENERIC.test(name) ? null : name.replaceAll('_', '-'),
    words: [...wordsOf(parts.join('/')), ...wordsOf(last), ...wordsOf(last), ...wordsOf(wanted)],
    isHome,
  };
}

const wordsOf = (text: string) => text.split(/[^\p{L}\p{N}%]+/u).filter(Boolean);

export const isSameHost = (a: Whereabouts, b: Whereabouts): boolean => a.host !== null && a.host === b.host;

export const isSameName = (a: Whereabouts, b: Whereabouts): boolean => a.name !== null && a.name === b.name;

/** The share of their words that two URLs have in common (Dice), 0..1: 1 where all are the same, in whatever order. */
export function likenessOf(a: Whereabouts, b: Whereabouts): number {
  const all = a.words.length + b.words.length;
  if (all === 0) return 1;
  const left = new Map<string, number>();
  for (const word of b.words) left.set(word, (left.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of a.words) {
    const times = left.get(word) ?? 0;
    if (times === 0) continue;
    left.set(word, times - 1);
    common++;
  }
  return (2 * common) / all;
}
