import { countOverlaps, type PostingList } from '../../../core/query/overlap.ts';
import { overlapNeeded } from '../../../core/query/overlap-needed.ts';
import { postedKey } from '../../../core/query/posted-key.ts';
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
import { KeyNumbers } from './key-numbers.ts';

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

/** Postings looked at before others get the event loop: about a millisecond. */
const POSTINGS_A_SLICE = 65_536;
/** Postings counted before that: some 10 ms on a slow machine, since each that is a content of its own is ranked. */
const COUNTED_A_SLICE = 32_768;
/** What a look-up counts for beside its postings. */
const COUNTED_BESIDE = COUNTED_A_SLICE / RECORDS_A_PART;
const NO_CONTENTS = new Uint32Array(0);
/** No place: it has no digest. */
const NONE = -1;

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
  const { keys, own, twins } = numbersOf(query);
  const found = await readLists({ level, moment, limits }, keys);
  const isSound = found.unreadable === 0;
  const known = new Set<number>();
  for (const content of query.known) known.add(numberOfLocator(content));
  const unknownOf = await withoutKnown(found.lists, known);
  const shingleCountOf = (content: number) => countOfPresence(contents.shingleCount(content));
  const wanted = new Set<number>();
  let leftOut = 0;
  const read: { shares: Float64Array; twinsCut: boolean }[] = [];
  let counting = 0;
  for (const [i, lookUp] of lookUps.entries()) {
    // of a large family each look-up may count thousands
    if (counting >= COUNTED_A_SLICE) {
      counting = 0;
      await nextTurn();
    }
    counting += COUNTED_BESIDE;
    const lists: PostingList[] = [];
    const shares = new Float64Array(own[i]!.length);
    for (const [at, number] of own[i]!.entries()) {
      // where something could not be read, it may have been any list's
      shares[at] = isSound ? (found.shares[number] ?? 1) : 0;
      const unknown = unknownOf[number]!;
      counting += unknown.length;
      if (unknown.length > 0) lists.push({ contents: unknown, cut: found.lists[number]!.cut });
    }
    const twin = twins[i]!;
    read.push({ shares, twinsCut: twin !== NONE && found.lists[twin]!.cut });
    const counted = countOverlaps(lists, recordsMax, {
      twins: twin === NONE ? NO_CONTENTS : unknownOf[twin]!,
      needed: overlapNeeded(lookUp, thresholds, { indexModulusMax, recordModulusMax, shares, undecidedAt: null }),
      shingleCountOf,
      orderOf: tieOrderFor(limits.rankKey, lookUp.shingleDigest),
    });
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

/** The keys of all look-ups and digests, each once; of each look-up the places of its keys and of its digest among them. */
function numbersOf({ lookUps }: NeighbourQuery) {
  const most = lookUps.reduce((sum, lookUp) => sum + lookUp.keys.length + 1, 0);
  const numbers = new KeyNumbers(most);
  const own = lookUps.map((lookUp) => {
    const places = new Uint32Array(lookUp.keys.length);
    for (let i = 0; i < places.length; i++) places[i] = numbers.numberOf(postedKey(lookUp.keys[i]!));
    return places;
  });
  const twins = lookUps.map(({ shingleDigest }) =>
    shingleDigest === null ? NONE : numbers.numberOf(shingleDigestKey(shingleDigest)),
  );
  return { keys: numbers.keys, own, twins };
}

/** Of each list what is not known; the list's own contents where nothing of it is. */
async function withoutKnown(lists: readonly PostingList[], known: ReadonlySet<number>): Promise<Uint32Array[]> {
  const unknown: Uint32Array[] = [];
  let taken = 0;
  for (const { contents } of lists) {
    let kept = 0;
    for (let i = 0; i < contents.length; i++) kept += Number(!known.has(contents[i]!));
    if (kept === contents.length) unknown.push(contents);
    else unknown.push(kept === 0 ? NO_CONTENTS : contents.filter((content) => !known.has(content)));
    taken += contents.length;
    if (taken < POSTINGS_A_SLICE) continue;
    taken = 0;
    await nextTurn();
  }
  return unknown;
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
