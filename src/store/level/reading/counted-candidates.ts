import { countOverlaps, type PostingList } from '../../../core/query/overlap.ts';
import { type OverlapNeeded, overlapNeeded } from '../../../core/query/overlap-needed.ts';
import { postedKey } from '../../../core/query/posted-key.ts';
import { shingleDigestKey, tieOrderFor } from '../../contents.ts';
import { deepPostings } from '../../list-depth.ts';
import type { Candidate, CandidateQuery, CandidateSet, Content, IndexDescription } from '../../port.ts';
import type { LevelDatabase } from '../database/level-handle.ts';
import { countOfPresence } from '../segments/content-table.ts';
import { type PostingLists, type PostingSource, readLists } from '../segments/read/list-reader.ts';
import { type FamilyRecords, readFirstRecords } from './family-records.ts';

/*
 * From looked-up fingerprints to candidates. Lists are of one moment; records are what there is when they are read, which is
 * all of that moment but what was forgotten since:
 *
 *   keys, and the digest's own ── lists (segments/) ── contents counted (core/query/overlap.ts) ── records of those that
 *                                                      and their sizes, from memory          may be matches or twins
 *
 * A content is posted under the key of its shingle digest as well. A fingerprint may be the same number, once in
 * 10^5 look-ups at ten million documents, so what is in that list is a twin when its record says so.
 */

const NO_LIST: PostingList = { contents: new Uint32Array(0), cut: false };

export interface Surroundings {
  readonly description: IndexDescription;
  readonly families: FamilyRecords;
  /** Whether its deletion is under way. */
  isBeingForgotten(content: number): boolean;
}

export async function readCandidates(
  index: PostingSource,
  level: LevelDatabase,
  query: CandidateQuery,
  surroundings: Surroundings,
): Promise<CandidateSet> {
  const moment = index.present();
  const { contents } = moment;
  const { keys, thresholds, undecidedAt, candidatesMax, valuesMax, drawnMax, drawnValuesMax, shingleDigest } = query;
  const { indexModulusMax, recordModulusMax } = surroundings.description;
  const { limits } = index;
  const { listPostingsMax, keptPostingsMax } = limits;
  const most = query.isDeep ? deepPostings(listPostingsMax, keptPostingsMax, keys.length) : listPostingsMax;
  const read = await readLists({ level, moment, limits, most }, withDigest(keys, shingleDigest));
  const lists = read.lists.slice(0, keys.length);
  const twins = read.lists[keys.length] ?? NO_LIST;
  const shares = sharesOf(read, keys.length);
  const needed = overlapNeeded(query, thresholds, { indexModulusMax, recordModulusMax, shares, undecidedAt });
  const shingleCountOf = (content: number) => countOfPresence(contents.shingleCount(content));
  const orderOf = tieOrderFor(limits.rankKey, shingleDigest);
  const selection = { twins: twins.contents, needed, shingleCountOf, orderOf };
  let counted = countOverlaps(lists, candidatesMax, selection, drawnMax);
  const posted = new Set(twins.contents);
  const candidates: Candidate[] = [];
  let { unreadable } = read;
  const records = await readFirstRecords(level, [...counted.contents], surroundings.families, valuesMax);
  if (records.length < counted.contents.length) counted = countOverlaps(lists, records.length, selection, drawnMax);
  for (let i = 0; i < counted.contents.length; i++) {
    const number = counted.contents[i]!;
    const record = records[i];
    const overlap = counted.overlaps[i]!;
    if (record === null) unreadable++;
    // forgotten a moment ago, or lost
    else if (record === undefined) {
      unreadable += Number(contents.shingleCount(number) !== 0 && !surroundings.isBeingForgotten(number));
    } else {
      if (posted.has(number) && record.shingleDigest !== shingleDigest && !isWorth(needed, overlap, record)) continue;
      candidates.push({ record, overlap, cappedOverlap: counted.cappedOverlaps[i]! });
    }
  }
  const drawn = await readFirstRecords(level, [...counted.drawn], surroundings.families, drawnValuesMax);
  return {
    candidates,
    drawn: drawn.filter((record) => record !== null && record !== undefined),
    found: counted.found,
    passedOver: counted.passedOver,
    passedOverHits: counted.passedOverHits,
    cut: counted.cut,
    twinsCut: twins.cut || twins.contents.length > Math.min(candidatesMax, records.length),
    shares,
    unreadable,
  };
}

/** For one that has the digest's number among its fingerprints, and was taken for a twin. */
const isWorth = ({ least, of }: OverlapNeeded, overlap: number, { shingleCount }: Content) =>
  overlap >= least && overlap >= of(shingleCount);

function withDigest(keys: Float64Array, shingleDigest: string | null): Float64Array {
  const all = new Float64Array(keys.length + Number(shingleDigest !== null));
  for (let i = 0; i < keys.length; i++) all[i] = postedKey(keys[i]!);
  if (shingleDigest !== null) all[keys.length] = shingleDigestKey(shingleDigest);
  return all;
}

/** What of each list was read. Where something could not be, it may have been any list's: nothing is passed over for that. */
function sharesOf({ shares, unreadable }: PostingLists, count: number): Float64Array {
  const read = new Float64Array(count);
  if (unreadable === 0) for (let i = 0; i < count; i++) read[i] = shares[i] ?? 1;
  return read;
}
