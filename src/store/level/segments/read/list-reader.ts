import { listShare, type PostingList } from '../../../../core/query/overlap.ts';
import type { LevelDatabase } from '../../database/level-handle.ts';
import type { Snapshot } from '../../database/near-rows.ts';
import { overflowsPrefix } from '../../format/keys.ts';
import { nextTurn } from '../../next-turn.ts';
import { leftOut } from '../../outage/failures.ts';
import type { ContentTable } from '../content-table.ts';
import { bucketsToRead, type PresentSegment } from '../filter.ts';
import { bucketOf, type LongList, openPart, overflowKeys } from '../rows/bucket.ts';
import { BucketReader } from '../rows/bucket-reader.ts';
import { lowestByRank } from '../rows/lowest.ts';
import type { Tail } from '../tail.ts';
import type { ListLimits } from '../write/segment-writer.ts';

/*
 * From fingerprints to posting lists, at one moment: all segments and tails of that moment, one snapshot.
 *
 *   keys      f1  f2  f3 …
 *   segment 1 [b] [b] [b]    one getMany over (key, segment)      binary search in each bucket
 *   segment 2 [b]  –  [b]    but where its filter says no         rows q too where contents of the segment were forgotten
 *   tail       #   #   #     hashing                              and a list goes on outside of its bucket
 *             ─────────────
 *              of each column the K lowest by (rank, content) of all that are not forgotten
 *
 * Each segment gives its own K lowest and says how many more it has. While none of a segment's contents was forgotten,
 * these hold the K lowest of all; and the length of the list is known, though most of it was not read.
 *
 * Cost: a row and about a microsecond for each key and segment, a few nanoseconds a posting.
 */

const ROWS_AT_ONCE = 1024;
/** Postings taken in between two iterations of the event loop: about a millisecond. */
const POSTINGS_A_SLICE = 65_536;
const EMPTY: PostingList = { contents: new Uint32Array(0), cut: false };

/** Room for one list, of whichever query: a list is put together without waiting. */
let scratch = new Uint32Array(4096);

export interface PostingLists {
  readonly lists: readonly PostingList[];
  /**
   * For each list: undefined where all of it was read, else the share of its contents that was, K / df, in (0, 1). It
   * is exact unless merges have dropped a part of the list; then it is estimated by the rank at which the list ends.
   */
  readonly shares: readonly (number | undefined)[];
  /** Values that could not be trusted: lists may lack some of their contents. */
  readonly unreadable: number;
}

/** What there is at one moment. */
export interface Moment {
  readonly segments: readonly PresentSegment[];
  readonly tails: readonly { readonly tail: Tail; readonly count: number }[];
}

export interface ListReaderParts {
  readonly level: LevelDatabase;
  readonly snapshot: Snapshot;
  readonly moment: Moment;
  readonly contents: ContentTable;
  readonly limits: ListLimits;
}

export class ListReader {
  private readonly parts: ListReaderParts;
  private readonly readers: readonly BucketReader[];
  private readonly long = new Map<number, LongList>();
  private readonly beyond = new Map<number, Uint32Array[]>();
  private unreadable = 0;

  constructor(parts: ListReaderParts) {
    this.parts = parts;
    this.readers = parts.moment.segments.map(({ segment }) => new BucketReader(segment));
  }

  async read(keys: Float64Array): Promise<PostingLists> {
    const found = await this.find(keys);
    await this.readBeyond(keys);
    const made: MadeLists = { lists: [], shares: [] };
    let sliceEnd = POSTINGS_A_SLICE;
    let taken = 0;
    for (let i = 0; i < keys.length; i++) {
      taken += this.addList(keys[i]!, i, found, made);
      if (taken < sliceEnd) continue;
      sliceEnd = taken + POSTINGS_A_SLICE;
      await nextTurn();
    }
    return { ...made, unreadable: this.unreadable };
  }

  /** The position of every list in its buckets, key by key and segment by segment. */
  private async find(keys: Float64Array): Promise<Found> {
    const { readers } = this;
    const width = readers.length;
    const { rows, places } = bucketsToRead(this.parts.moment.segments, keys);
    const read = await this.getMany(rows);
    const values = new Array<Buffer | undefined>(keys.length * width);
    const starts = new Uint32Array(keys.length * width);
    const counts = new Uint32Array(keys.length * width);
    for (let row = 0; row < rows.length; row++) {
      const value = read[row];
      const at = places[row]!;
      const key = keys[Math.floor(at / width)]!;
      const reader = readers[at % width]!;
      if (value === undefined || !reader.open(bucketOf(key, reader.geometry.bits), value)) {
        this.unreadable++;
        continue;
      }
      reader.find(key);
      values[at] = value;
      starts[at] = reader.start;
      counts[at] = reader.count;
      const long = reader.longLists === 0 ? undefined : reader.longListOf(key);
      if (long !== undefined) this.long.set(at, long);
    }
    return { values, starts, counts };
  }

  /** Rows q of the lists whose first K may not all be live. */
  private async readBeyond(keys: Float64Array): Promise<void> {
    const wanted: { at: number; rows: string[] }[] = [];
    for (const [at, { beyond }] of this.long) {
      const { segment, dead } = this.parts.moment.segments[at % this.readers.length]!;
      if (beyond === 0 || dead === 0) continue;
      const fingerprint = keys[Math.floor(at / this.readers.length)]!;
      wanted.push({ at, rows: overflowKeys(overflowsPrefix(segment.segment), fingerprint, beyond) });
    }
    const values = await this.getMany(wanted.flatMap(({ rows }) => rows));
    let next = 0;
    for (const { at, rows } of wanted) {
      const parts: Uint32Array[] = [];
      for (const row of rows) {
        const part = openPart(row, values[next++]);
        if (part === undefined) this.unreadable++;
        else parts.push(part);
      }
      this.beyond.set(at, parts);
    }
  }

  /** @returns how many postings were read for it */
  private addList(key: number, index: number, { values, starts, counts }: Found, made: MadeLists): number {
    const width = this.readers.length;
    let size = 0;
    let unread = 0;
    let before = Number.POSITIVE_INFINITY;
    for (let s = 0; s < width; s++) {
      const at = index * width + s;
      const count = counts[at]!;
      if (count > 0) size = this.takeBucket(this.readers[s]!, values[at]!, starts[at]!, count, size);
      const long = this.long.size === 0 ? undefined : this.long.get(at);
      if (long === undefined) continue;
      if (long.cut > 0) before = Math.min(before, long.cut);
      const parts = this.beyond.get(at);
      if (parts === undefined) unread += long.beyond;
      else for (const part of parts) size = this.takeContents(part, size);
    }
    size = this.takeTails(key, size);
    const isCut = before !== Number.POSITIVE_INFINITY;
    if (isCut || size + unread > this.parts.limits.listPostingsMax) this.addCapped(key, size, unread, before, made);
    else {
      made.lists.push(size === 0 ? EMPTY : { contents: scratch.slice(0, size), cut: false });
      made.shares.push(undefined);
    }
    return size;
  }

  private addCapped(key: number, size: number, unread: number, before: number, { lists, shares }: MadeLists): void {
    const { rankKey, listPostingsMax } = this.parts.limits;
    const { contents, lastRank } = lowestByRank(rankKey, key, scratch, size, listPostingsMax, before);
    lists.push({ contents, cut: true });
    if (before === Number.POSITIVE_INFINITY) {
      shares.push(contents.length / (size + unread));
      return;
    }
    // a list that ran out before K ends where merges have cut it
    const end = contents.length < listPostingsMax ? Math.floor(before / 0x1_0000_0000) : lastRank;
    shares.push(listShare(Math.max(1, contents.length), end));
  }

  private takeBucket(reader: BucketReader, value: Buffer, start: number, count: number, size: number): number {
    reserve(size + count, size);
    reader.turnTo(value);
    const { contents } = this.parts;
    let at = size;
    for (let place = start; place < start + count; place++) {
      const content = reader.contentAt(place);
      if (contents.isLive(content)) scratch[at++] = content;
    }
    return at;
  }

  private takeContents(numbers: Uint32Array, size: number): number {
    reserve(size + numbers.length, size);
    const { contents } = this.parts;
    let at = size;
    for (let i = 0; i < numbers.length; i++) {
      const content = numbers[i]!;
      if (contents.isLive(content)) scratch[at++] = content;
    }
    return at;
  }

  private takeTails(key: number, size: number): number {
    let at = size;
    for (const { tail, count } of this.parts.moment.tails) at = this.takeContents(tail.list(key, count), at);
    return at;
  }

  /** Values in the order of their keys; undefined where LevelDB has none, or cannot read it. */
  private async getMany(keys: string[]): Promise<(Buffer | undefined)[]> {
    const { level, snapshot } = this.parts;
    const values: (Buffer | undefined)[] = [];
    for (let from = 0; from < keys.length; from += ROWS_AT_ONCE) {
      const slice = keys.length <= ROWS_AT_ONCE ? keys : keys.slice(from, from + ROWS_AT_ONCE);
      const some = await level
        .getMany(slice, { snapshot })
        .catch(() => Promise.all(slice.map((key) => level.get(key, { snapshot }).catch(leftOut(undefined)))));
      if (some.length === keys.length) return some;
      values.push(...some);
    }
    return values;
  }
}

interface MadeLists {
  readonly lists: PostingList[];
  readonly shares: (number | undefined)[];
}

interface Found {
  readonly values: readonly (Buffer | undefined)[];
  readonly starts: Uint32Array;
  readonly counts: Uint32Array;
}

/** Makes room for `size` contents, of which the first `taken` are there. */
function reserve(size: number, taken: number): void {
  if (size <= scratch.length) return;
  const grown = new Uint32Array(2 * size);
  grown.set(scratch.subarray(0, taken));
  scratch = grown;
}
