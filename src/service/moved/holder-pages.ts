import {
  type Replacement,
  SHARED_LEAST,
  type SharedPage,
  SUSPECT_LEAST,
  sharedPageOf,
} from '../../core/moved/shared-page.ts';
import { SAME_DOCUMENT } from '../../core/moved/sureness.ts';
import { whereaboutsOf } from '../../core/moved/whereabouts.ts';
import type { ContentId, ContentRef, Holder, VersionChange } from '../../store/port.ts';
import type { TimedContext } from '../context.ts';
import { pairOf } from '../document/pair.ts';

/*
 * The sources of a content, and whether it took the place of many documents. Most contents have one or two sources; of one
 * that has very many the first 1,000 say what it is.
 *
 * Of most sources their row says what came before. Of those that are gone or past it says only that something did: whether
 * that was another document, or this one before an edit, their versions say. They are read of a few, where it matters.
 */

/** Most contents have fewer sources: one read. */
export const FIRST_HOLDERS = 16;
/** The next reads. */
const LATER_HOLDERS = [48, 192, 744];
/** All of them: that many sources of a content are looked at. */
export const HOLDERS_MAX = 1000;
/** Sources whose versions are read; where most tell of documents of their own, the others are taken to as well. */
const LOOKED_INTO = 24;
/** Versions of each: a page that is gone was seen a few times since. */
const VERSIONS_READ = 16;

export async function firstHolders({ store, deadline }: TimedContext, of: ContentRef): Promise<readonly Holder[]> {
  const { id, locator } = of;
  return deadline.race(store.holders({ id, locator }, { limit: FIRST_HOLDERS }));
}

/**
 * The first 1,000 sources, less where it is known sooner that they show no document.
 *
 * @param first those that are read already
 */
export async function moreHolders(
  { store, deadline, turns }: TimedContext,
  { id }: ContentRef,
  first: readonly Holder[],
): Promise<readonly Holder[]> {
  const all = [...first];
  let wanted = FIRST_HOLDERS;
  for (const limit of LATER_HOLDERS) {
    if (all.length < wanted || sharedPageOf(told(all)).count >= SHARED_LEAST) break;
    if (turns.spent()) await turns.next();
    all.push(...(await deadline.race(store.holders({ id }, { limit, after: all.at(-1)!.url }))));
    wanted += limit;
  }
  return all;
}

/** Whether the source showed another document before, as far as its row says. What was edited, was the same. */
export function replacementOf({ url, change, contentsBefore }: Holder): Replacement | null {
  if (change !== null) return replacedBy(url, change);
  return contentsBefore > 0 ? { host: whereaboutsOf(url).host, before: null } : null;
}

function replacedBy(url: string, { evidence, from }: Omit<VersionChange, 'since'>): Replacement | null {
  return pairOf(evidence).resemblance < SAME_DOCUMENT ? { host: whereaboutsOf(url).host, before: from } : null;
}

const told = (holders: readonly Holder[]): readonly Replacement[] =>
  holders.flatMap((holder) => (holder.change === null ? [] : (replacementOf(holder) ?? [])));

/** A content, and sources of it. */
export interface Held {
  readonly id: ContentId;
  readonly holders: readonly Holder[];
}

/** What contents took the place of, all together. */
export async function sharedBy(context: TimedContext, held: readonly Held[]): Promise<SharedPage> {
  const known = held.flatMap(({ holders }) => told(holders));
  const unknown = held.flatMap(({ id, holders }) =>
    holders
      .filter(({ change, contentsBefore }) => change === null && contentsBefore > 0)
      .map(({ url }) => ({ id, url })),
  );
  const { count } = sharedPageOf(known);
  if (unknown.length === 0 || count >= SHARED_LEAST || count + unknown.length < SUSPECT_LEAST) {
    return sharedPageOf(known);
  }
  const looked = await Promise.all(
    unknown.slice(0, LOOKED_INTO).map((source) => readReplacement(context, source.id, source.url)),
  );
  const found = looked.filter((replacement) => replacement !== null);
  // mirrors of one document say by the dozen that it was replaced: that is one
  const isUsual = sharedPageOf(found).count * 2 >= looked.length;
  const others = isUsual
    ? unknown.slice(LOOKED_INTO).map(({ url }) => ({ host: whereaboutsOf(url).host, before: null }))
    : [];
  return sharedPageOf([...known, ...found, ...others]);
}

/** What a source showed before it first showed a content, by its versions. */
async function readReplacement(
  { store, deadline }: TimedContext,
  id: ContentId,
  url: string,
): Promise<Replacement | null> {
  const versions = await deadline.race(store.versions(url, { limit: VERSIONS_READ }));
  const began = versions.findLastIndex(({ contentId }) => contentId === id);
  const [evidence, from] = [versions[began]?.overlap ?? null, versions[began + 1]?.contentId ?? null];
  if (evidence === null || from === null) return { host: whereaboutsOf(url).host, before: null };
  return replacedBy(url, { evidence, from });
}
