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

/** At most 2,064 keys of lists come back at once: 2 ms of work on the event loop. */
const LISTS_A_SLICE = 16;
const RECORDS_A_SLICE = 64;
/** Of all queries: enough to keep the four threads busy that read for us. */
const SLICES_IN_FLIGHT = 2;
/**
 * So many postings are read at first; most lists have fewer. An iterator keeps 64 bytes for every key that it was asked for
 * until it is collected, and the collector does not see them: at 129 a list, queries alone took 500 MB.
 */
const SHORT_LIST = 16;
/** A list of K keys fits. (Values are asked for as text: an empty buffer for each would cost as much as the key.) */
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
      const lists = await this.lists(level, snapshot, keys);
      const counted = countOverlaps(
        lists.map(({ list }) => list),
        candidatesMax,
      );
      let unreadable = lists.reduce((sum, { bad }) => sum + bad, 0);
      const candidates: Candidate[] = [];
      for (const [at, record] of (await this.records(level, snapshot, counted.contents)).entries()) {
        const [overlap, cappedOverlap] = [counted.overlaps[at]!, counted.cappedOverlaps[at]!];
        if (record === undefined) unreadable++;
        else candidates.push({ record, overlap, cappedOverlap });
      }
      const cappedShares = Float64Array.from(lists.flatMap(({ share }) => (share === undefined ? [] : [share])));
      return { candidates, found: counted.found, cappedShares, unreadable };
    } finally {
      await snapshot.close();
    }
  }

  private lists(level: LevelDatabase, snapshot: Snapshot, keys: Float64Array): Promise<ListRead[]> {
    return this.inSlices(keys, LISTS_A_SLICE, (slice) =>
      Promise.all(Array.from(slice, (fingerprint) => this.list(level, snapshot, fingerprint))),
    );
  }

  private records(level: LevelDatabase, snapshot: Snapshot, numbers: Uint32Array) {
    return this.inSlices(numbers, RECORDS_A_SLICE, (slice) => readRecords(level, snapshot, slice));
  }

  /** Reads slices in turn with those of other queries, two of this query at a time, so that one is read while the other is taken in. */
  private async inSlices<Keys extends Float64Array | Uint32Array, T>(
    keys: Keys,
    size: number,
    read: (slice: Keys) => Promise<T[]>,
  ): Promise<T[]> {
    const slices: T[][] = [];
    let next = 0;
    const lane = async () => {
      while (next < keys.length) {
        const from = next;
        next += size;
        slices[from / size] = await this.turns.take(() => read(keys.subarray(from, from + size) as Keys));
      }
    };
    await Promise.all([lane(), lane()]);
    return slices.flat();
  }

  /** The first K contents of a list by rank. A list that cannot be read counts as one unreadable value and is empty. */
  private async list(level: LevelDatabase, snapshot: Snapshot, fingerprint: number): Promise<ListRead> {
    const most = this.settings.listPostingsMax ?? LIST_POSTINGS_MAX;
    const iterator = level.iterator<string, string>({
      ...under(postingsPrefix(fingerprint), most + 1),
      ...{ snapshot, values: false, valueEncoding: 'utf8', fillCache: true, highWaterMarkBytes: HIGH_WATER_BYTES },
    });
    let entries: [string, string][];
    try {
      const first = Math.min(SHORT_LIST, most + 1);
      entries = await iterator.nextv(first);
      const more = most + 1 - first;
      if (entries.length === first && more > 0) entries.push(...(await iterator.nextv(more)));
    } catch {
      return { list: { contents: new Uint32Array(0), cut: false }, share: undefined, bad: 1 };
    } finally {
      await iterator.close();
    }
    return readList(entries, fingerprint, most, this.settings.rankKey);
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
  entries: readonly (readonly [string, string])[],
  fingerprint: number,
  most: number,
  rankKey: StoreSettings['rankKey'],
): ListRead {
  const cut = entries.length > most;
  const contents = new Uint32Array(Math.min(entries.length, most));
  let count = 0;
  let rank = 0;
  for (let i = 0; i < contents.length; i++) {
    const key = entries[i]![0];
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
