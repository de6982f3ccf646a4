import { whereaboutsOf } from '../../core/moved/whereabouts.ts';
import type { TimedContext } from '../context.ts';
import { comparePair } from '../document/pair.ts';
import type { LikePage } from './live-pages.ts';
import type { RefusedPage } from './moved-api.ts';
import type { Asked, Candidate } from './moved-candidates.ts';

/*
 * Where the old URL was seen to lead, where that is not among the pages that are like it (landings.ts):
 *
 *   the index does not know it       what the old URL said was said there: offered, less surely once the old URL is gone
 *   it is gone                       not offered
 *   it says something else by now    refused
 *   it is the first page of a host   refused, where the old URL was none
 */

interface Redirect {
  readonly candidates: readonly Candidate[];
  readonly refused: readonly RefusedPage[];
}

const NOWHERE: Redirect = { candidates: [], refused: [] };

/** @param pages those that are like what is looked for: of them all is said */
export async function redirectOf(
  { store, deadline }: TimedContext,
  asked: Asked,
  pages: readonly LikePage[],
  found: readonly Candidate[],
): Promise<Redirect> {
  const { leadsTo: url, where, query } = asked;
  // what is there now was compared with what was there before
  if (url === null || asked.state === 'replaced') return NOWHERE;
  if (pages.some(({ holder }) => holder.url === url) || found.some(({ how }) => how === 'redirect')) return NOWHERE;
  const there = whereaboutsOf(url);
  if (there.isHome && !where.isHome) {
    return { candidates: [], refused: [{ url, reason: 'home-page', sharedBy: null }] };
  }
  const source = await deadline.race(store.source(url));
  if (source?.state === 'gone') return NOWHERE;
  if (source !== undefined) return { candidates: [], refused: [{ url, reason: 'other-document', sharedBy: null }] };
  const pair = comparePair(query, query);
  const candidate = {
    url,
    how: 'redirect',
    sure: 'possible',
    likeness: 0,
    record: query,
    pair,
    ...{ deciding: null, content: null },
    holder: null,
    via: null,
    asked,
  } as const;
  return { candidates: [candidate], refused: [] };
}
