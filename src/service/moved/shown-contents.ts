import { SAME_DOCUMENT } from '../../core/moved/sureness.ts';
import type { ContentId, Source, Version } from '../../store/port.ts';
import type { ContentWish } from '../api.ts';
import { decidingShares, isKnownContent } from '../content/content-pair.ts';
import { contentsBetween } from '../content/match-contents.ts';
import type { TimedContext } from '../context.ts';
import { asQuery } from '../document/obtain.ts';
import { comparePairInTurns, pairOf } from '../document/pair.ts';
import { type Query, unknownUrl } from '../document/query.ts';

/*
 * What a URL showed, as far as it is kept: contents by when they were seen last, each once.
 *
 *   versions, newest first   gone(C)  C  B  forgotten  C  A
 *   contents                          C  B                A     and one that is forgotten
 *   older                                                 A     what was there before C first was: C came back after B
 */

/** Versions that are looked at: more than are kept by default. */
const VERSIONS_READ = 128;
/** Least share of a document that a page has which it was taken into. */
const CONTAINED = 0.8;

export interface ShownContent {
  readonly id: ContentId;
  readonly bytesDigest: string;
  /** When the URL was last seen with it, or a little later: when it was first seen with the next one. */
  readonly until: number;
}

export interface ShownContents {
  readonly source: Source;
  /** The newest first: the one that it shows, or showed before it was gone. Never empty. */
  readonly contents: readonly ShownContent[];
  /** Those of them that it showed before it first showed the present one. */
  readonly older: readonly ShownContent[];
  /** Whether the present one, when it first came, took the place of another document, kept or not. */
  readonly tookPlace: boolean;
  /** What was there before the present one first came, and whether both have the same main text; null: not known. */
  readonly replaced: { readonly id: ContentId; readonly hasSameMain: boolean } | null;
  /** Contents of its versions that are not kept. */
  readonly forgotten: number;
}

/** @throws ShingledError `unknown-url` */
export async function shownBy({ store, deadline }: TimedContext, url: string): Promise<ShownContents> {
  const [source, versions] = await deadline.race(
    Promise.all([store.source(url), store.versions(url, { limit: VERSIONS_READ })]),
  );
  if (source === undefined) throw unknownUrl('url', 'Only of URLs that are in it is known what they said.');
  const present = { id: source.contentId, bytesDigest: source.bytesDigest, until: source.lastSeen };
  const began = versions.findLastIndex(({ contentId }) => contentId === present.id);
  const older = contentsOf(versions.slice(began + 1), versions[began]?.observedAt ?? source.firstSeen, [present]);
  const contents = contentsOf(versions, source.observedAt, []);
  const { overlap = null, hasSameMain = false } = versions[began] ?? {};
  const replacedId = versions[began + 1]?.contentId ?? null;
  return {
    source,
    contents: [present, ...contents.filter(({ id }) => id !== present.id)],
    older,
    replaced: replacedId === null ? null : { id: replacedId, hasSameMain },
    tookPlace: overlap !== null && pairOf(overlap).resemblance < SAME_DOCUMENT,
    forgotten: new Set(versions.filter(isForgotten).map(({ contentId }) => contentId)).size,
  };
}

const isForgotten = ({ contentId, contentKept }: Version) => contentId !== null && !contentKept;

/**
 * Contents of versions, each once.
 *
 * @param later when the version after the first of them began
 * @param not contents that do not count
 */
function contentsOf(versions: readonly Version[], later: number, not: readonly ShownContent[]): ShownContent[] {
  const found: ShownContent[] = [];
  let until = later;
  for (const { contentId: id, contentKept, bytesDigest, state, observedAt } of versions) {
    // of a version that says that it was gone, the content is that of the one before, which comes next
    const isShown = state === 'live' && contentKept && id !== null && bytesDigest !== null;
    if (isShown && ![...not, ...found].some((other) => other.id === id)) found.push({ id, bytesDigest, until });
    until = observedAt;
  }
  return found;
}

/** A content as what is looked for; null where it was forgotten meanwhile. */
export type ReadContent = (content: ShownContent) => Promise<Query | null>;

/** Reads contents of a URL, each once. */
export function contentReader({ store, deadline }: TimedContext, url: string): ReadContent {
  const read = new Map<ContentId, Query | null>();
  return async ({ id, bytesDigest }) => {
    const known = read.get(id);
    if (known !== undefined) return known;
    const content = await deadline.race(store.content(id));
    const query = content === undefined ? null : asQuery(url, content, bytesDigest, null);
    read.set(id, query);
    return query;
  };
}

/**
 * Whether two contents of a URL are one document, changed: one resembles the other, or nearly all of it is there. By contents
 * where these are asked for and known: under a new frame an article is the same document.
 */
export async function isSameDocument(
  context: TimedContext,
  before: Query,
  after: Query,
  content: ContentWish,
): Promise<boolean> {
  const pair = await comparePairInTurns(before, after, context.turns);
  const outcome = content === 'page' ? null : await contentsBetween(context, before, after);
  const { shares } = decidingShares(content === 'page' ? 'page' : 'auto', pair, outcome)!;
  return shares.resemblance >= SAME_DOCUMENT || shares.aInB >= CONTAINED;
}

/** The least resemblance of contents that say the same, under whichever frame. */
export const SAME_CONTENT = 0.9;

/** By contents, whether a document says the same as one that was looked for before: then it finds nothing else. */
export async function isLookedFor(
  context: TimedContext,
  query: Query,
  before: readonly Query[],
  content: ContentWish,
): Promise<boolean> {
  if (content === 'page') return false;
  for (const other of before) {
    const outcome = await contentsBetween(context, query, other);
    if (isKnownContent(outcome) && outcome.resemblance >= SAME_CONTENT) return true;
  }
  return false;
}
