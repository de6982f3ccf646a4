import { countOverlaps, listShare, type PostingList } from '../../core/overlap.ts';
import { postingRank } from '../../core/rank.ts';
import type { Candidate, CandidateQuery, CandidateSet, ContentRecord } from '../port.ts';
import { LIST_POSTINGS_MAX, type StoreSettings } from '../settings.ts';
import type { LevelDatabase } from './database.ts';
import { contentKey, isPostingKey, placeInList, postingsPrefix, under } from './keys.ts';
import { Turns } from './turns.ts';
import { openContent } from './values.ts';

/*
 * From looked-up fingerprints to candidates: their posting lists, as far as K, in one snapshot; counted (core/overlap.ts);
 * the records of the best.
 *
 *   fingerprints ── lists, a slice at a time ── contents counted ── best contents ── records ── CandidateSet
 *
 * Many short range reads in parallel are the fastest way through LevelDB (one iterator that seeks is slower), but each key
 * costs the event loop about a microsecond when it comes back, and 64 queries of a family ask for 800,000 keys. So lists
 * are read in slices, and few slices of all queries together are under way at a time, in turn: a query waits for others,
 * the event loop for nobody.
 */

/** Lists a slice. */
const SLICE_LISTS = 24;
/** Slices under way, of all queries: enough to keep the four threads that read for us busy. */
const SLICES_IN_FLIGHT = 2;
const RECORDS_A_SLICE = 64;
/** A list of K keys fits. */
const HIGH_WATER_BYTES = 64 * 1024;

const CONTENTS = 2 ** 32;

export class CandidateReader {
  private readonly settings: StoreSettings;
  private readonly turns = new Turns(SLICES_IN_FLIGHT);

  constructor(settings: StoreSettings) {
    this.settings = settings;
  }

  async read(level: LevelDatabase, { keys, candidatesMax }: CandidateQuery): Promise<CandidateSet> {
    const snapshot = level.snapshot();
    try {
      const lists: PostingList[] = [];
      const cappedShares: number[] = [];
      let unreadable = 0;
      for (let from = 0; from < keys.length; from += SLICE_LISTS) {
        const slice = Array.from(keys.subarray(from, from + SLICE_LISTS));
        const read = await this.turns.take(() =>
          Promise.all(slice.map((fingerprint) => this.list(level, snapshot, fingerprint))),
        );
        for (const { list, share, bad } of read) {
          lists.push(list);
          if (share !== undefined) cappedShares.push(share);
          unreadable += bad;
        }
      }
      const counted = countOverlaps(lists, candidatesMax);
      const candidates: Candidate[] = [];
      for (let from = 0; from < counted.contents.length; from += RECORDS_A_SLICE) {
        const slice = counted.contents.subarray(from, from + RECORDS_A_SLICE);
        const records = await this.turns.take(() => readRecords(level, snapshot, slice));
        for (const [i, record] of records.entries()) {
          const overlap = counted.overlaps[from + i]!;
          const cappedOverlap = counted.cappedOverlaps[from + i]!;
          if (record === undefined) unreadable++;
          else candidates.push({ record, overlap, cappedOverlap });
        }
      }
      return { candidates, found: counted.found, cappedShares: Float64Array.from(cappedShares), unreadable };
    } finally {
      await snapshot.close();
    }
  }

  /** The first K contents of a list by rank. A list that cannot be read counts as one unreadable value and is empty. */
  private async list(level: LevelDatabase, snapshot: Snapshot, fingerprint: number): Promise<ListRead> {
    const most = this.settings.listPostingsMax ?? LIST_POSTINGS_MAX;
    const range = { ...under(postingsPrefix(fingerprint), most + 1), snapshot, highWaterMarkBytes: HIGH_WATER_BYTES };
    const iterator = level.keys(range);
    let keys: string[];
    try {
      keys = await iterator.nextv(most + 1);
    } catch {
      return { list: { contents: new Uint32Array(0), cut: false }, share: undefined, bad: 1 };
    } finally {
      await iterator.close();
    }
    return readList(keys, fingerprint, most, this.settings.rankKey);
  }
}

type Snapshot = ReturnType<LevelDatabase['snapshot']>;

interface ListRead {
  readonly list: PostingList;
  /** K / df of a list that was cut. */
  readonly share: number | undefined;
  readonly bad: number;
}

/**
 * Postings carry no checksum: their rank is a keyed hash of all the rest, so that 65,535 of 65,536 damaged ones betray
 * themselves, and the others name a content whose record shows that it does not belong.
 */
function readList(
  keys: readonly string[],
  fingerprint: number,
  most: number,
  rankKey: StoreSettings['rankKey'],
): ListRead {
  const cut = keys.length > most;
  const contents = new Uint32Array(Math.min(keys.length, most));
  let count = 0;
  let rank = 0;
  for (let i = 0; i < contents.length; i++) {
    const key = keys[i]!;
    if (!isPostingKey(key)) continue;
    const place = placeInList(key);
    rank = Math.floor(place / CONTENTS);
    const content = place % CONTENTS;
    if (postingRank(rankKey, fingerprint, content) === rank) contents[count++] = content;
  }
  return {
    list: { contents: contents.subarray(0, count), cut },
    share: cut ? listShare(most, rank) : undefined,
    bad: contents.length - count,
  };
}

/** Records in the order of their numbers; undefined where one is missing or damaged. */
async function readRecords(
  level: LevelDatabase,
  snapshot: Snapshot,
  numbers: Uint32Array,
): Promise<(ContentRecord | undefined)[]> {
  const keys = Array.from(numbers, contentKey);
  const values = await level
    .getMany(keys, { snapshot })
    .catch(() => Promise.all(keys.map((key) => level.get(key, { snapshot }).catch(() => undefined))));
  return values.map((value, i) => {
    try {
      return value === undefined ? undefined : openContent(keys[i]!, value);
    } catch {
      return undefined;
    }
  });
}
