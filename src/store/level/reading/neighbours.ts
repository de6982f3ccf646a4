import { countOverlaps, type PostingList } from '../../../core/query/overlap.ts';
import { overlapNeeded } from '../../../core/query/overlap-needed.ts';
import type { KeptSample } from '../../../core/sketch/narrow.ts';
import { shingleDigestKey, tieOrderFor } from '../../contents.ts';
import type { Content, NeighbourQuery, NeighbourSet } from '../../port.ts';
import type { LevelDatabase } from '../database/level-handle.ts';
import { numberOfLocator, openContent, openContentSteps } from '../format/content-values.ts';
import { contentKey } from '../format/keys.ts';
import { inSteps, nextTurn } from '../next-turn.ts';
import { countOfPresence } from '../segments/content-table.ts';
import { type PostingSource, readLists } from '../segments/read/list-reader.ts';
import type { Surroundings } from './counted-candidates.ts';
import { DECODED_BYTES_MAX } from './family-records.ts';

/*
 * From the look-ups of many contents to those that may be matches of any of them and are not known yet:
 *
 *   keys of all, each once ── lists ── without what is known ── counted for each content by itself ── records
 *
 * Contents of a family share most of their lists, and know each other: each list is read once, and little of it is counted.
 */

/** Records that are read and decoded at a time, before others get the event loop. */
const RECORDS_A_PART = 64;

type Place = Pick<Surroundings, 'description' | 'isBeingForgotten'>;

interface FilteredList extends PostingList {
  readonly share: number;
}

export async function readNeighbours(
  index: PostingSource,
  level: LevelDatabase,
  query: NeighbourQuery,
  place: Place,
): Promise<NeighbourSet> {
  const moment = index.present();
  const { contents } = moment;
  const { limits } = index;
  const { lookUps, thresholds, recordsMax } = query;
  const { indexModulusMax, recordModulusMax } = place.description;
  const keys = distinctKeys(query);
  const found = await readLists({ level, moment, limits }, keys);
  const isSound = found.unreadable === 0;
  const known = new Set(query.known.map(numberOfLocator));
  const lists = new Map<number, FilteredList>();
  for (const [i, list] of found.lists.entries()) {
    // where something could not be read, it may have been any list's
    const share = isSound ? (found.shares[i] ?? 1) : 0;
    lists.set(keys[i]!, { ...list, contents: withoutKnown(list.contents, known), share });
  }
  const shingleCountOf = (content: number) => countOfPresence(contents.shingleCount(content));
  const wanted = new Set<number>();
  let leftOut = 0;
  const read: { shares: Float64Array; twinsCut: boolean }[] = [];
  for (const [i, lookUp] of lookUps.entries()) {
    if (i % RECORDS_A_PART === RECORDS_A_PART - 1) await nextTurn();
    const { shingleDigest } = lookUp;
    const own = Array.from(lookUp.keys, (key) => lists.get(key)!);
    const twins = shingleDigest === null ? null : lists.get(shingleDigestKey(shingleDigest))!;
    const shares = Float64Array.from(own, ({ share }) => share);
    read.push({ shares, twinsCut: twins?.cut === true });
    const counted = countOverlaps(
      own.filter((list) => list.contents.length > 0),
      recordsMax,
      {
        twins: twins?.contents ?? new Uint32Array(0),
        needed: overlapNeeded(lookUp, thresholds, { indexModulusMax, recordModulusMax, shares, undecidedAt: null }),
        shingleCountOf,
        orderOf: tieOrderFor(limits.rankKey, shingleDigest),
      },
    );
    for (const content of counted.contents) wanted.add(content);
    leftOut += counted.cut?.leftOut ?? 0;
  }
  const numbers = [...wanted];
  const isMissing = (number: number) => contents.shingleCount(number) !== 0 && !place.isBeingForgotten(number);
  const records = await readKept(level, numbers.slice(0, recordsMax), query.valuesMax, isMissing);
  return {
    contents: records.contents,
    leftOut: leftOut + numbers.length - records.looked,
    read,
    unreadable: found.unreadable + records.unreadable,
  };
}

/** Of all look-ups and digests, ascending. */
function distinctKeys({ lookUps }: NeighbourQuery): Float64Array {
  const keys = new Set<number>();
  for (const lookUp of lookUps) {
    for (const key of lookUp.keys) keys.add(key);
    if (lookUp.shingleDigest !== null) keys.add(shingleDigestKey(lookUp.shingleDigest));
  }
  return Float64Array.from(keys).sort();
}

function withoutKnown(contents: Uint32Array, known: ReadonlySet<number>): Uint32Array {
  if (known.size === 0) return contents;
  return contents.filter((content) => !known.has(content));
}

/** Records with all that is kept of their samples; `looked`: how many were read before there were too many values. */
async function readKept(
  level: LevelDatabase,
  numbers: readonly number[],
  valuesMax: number,
  isMissing: (number: number) => boolean,
) {
  const contents: Content<KeptSample>[] = [];
  let [unreadable, values, looked] = [0, 0, 0];
  while (looked < numbers.length && values < valuesMax) {
    const part = numbers.slice(looked, looked + RECORDS_A_PART);
    const keys = part.map(contentKey);
    const rows = await level.rows.getEach(keys, undefined);
    for (const [i, row] of rows.entries()) {
      if (values >= valuesMax) break;
      looked++;
      // forgotten a moment ago, or lost
      if (row === undefined) unreadable += Number(isMissing(part[i]!));
      else if (row === null) unreadable++;
      else {
        try {
          const content = row.length <= DECODED_BYTES_MAX ? openContent(keys[i]!, row) : await openLater(keys[i]!, row);
          values += content.sample.values.length;
          contents.push(content);
        } catch {
          unreadable++;
        }
      }
    }
    await nextTurn();
  }
  return { contents, looked, unreadable };
}

async function openLater(key: string, row: Buffer): Promise<Content<KeptSample>> {
  await nextTurn();
  return inSteps(openContentSteps(key, row));
}
