import { listShare, type PostingList } from '../../../../core/query/overlap.ts';
import type { LevelDatabase } from '../../database/level-handle.ts';
import { nextTurn } from '../../next-turn.ts';
import type { ContentTable } from '../content-table.ts';
import type { PresentSegment } from '../filter.ts';
import { lowestByRank } from '../rows/lowest.ts';
import type { Tail } from '../tail.ts';
import type { ListLimits } from '../write/segment-writer.ts';
import { SegmentLists } from './segment-lists.ts';

/*
 * From fingerprints to posting lists, at one moment: all segments and tails of that moment; one snapshot, where rows are read.
 *
 *   keys       f1  f2  f3 …
 *   segments    #   #   #     where each list lies (segment-lists.ts)
 *   tails       #   #   #     hashing
 *              ─────────────
 *               of each column the K lowest by (rank, content) of all that are not forgotten
 *
 * Each segment gives its own K lowest and says how many more it has. While none of a segment's contents was forgotten,
 * these hold the K lowest of all; and the length of the list is known, though most of it was not read. Where more than K
 * of a list are read (store/list-depth.ts), each segment gives as many as that, and K stands for that in all of this.
 *
 * Cost: that of finding them, and a few nanoseconds a posting.
 */

/** Postings taken in between two iterations of the event loop: about a millisecond. */
const POSTINGS_A_SLICE = 65_536;
const EMPTY: PostingList = { contents: new Uint32Array(0), cut: false };

/** Room for one list, of whichever query: a list is put together without waiting. */
let scratch = new Uint32Array(4096);
/** Kept, so that what is read only to have it near is read. */
const touched = new Uint32Array(1);

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
  /** Whose counts may change: of what is forgotten later it says so. */
  readonly contents: ContentTable;
}

export interface ListReaderParts {
  readonly level: LevelDatabase;
  readonly moment: Moment;
  readonly limits: ListLimits;
  /** So many of each list are read: K where not given, at most what is kept. */
  readonly most?: number;
}

/** Where lists are read from, whichever thread asks. */
export interface PostingSource {
  readonly limits: ListLimits;
  /** What there is now: to be used at once. */
  present(): Moment;
  /** Names that, as far as contents have come: see Store.edition. */
  edition(): string;
}

/**
 * The posting lists of `keys` (fingerprints or digest postings, below 2^40), in their order. Of each the K lowest by
 * (rank, content) of all that are live. Within `database.read((level) => …)`, so that the handle is not exchanged meanwhile.
 *
 * A content of a list may have been forgotten since the moment was taken. Where there is no record of it, ask
 * `moment.contents` again before it counts as unreadable.
 */
export function readLists(parts: ListReaderParts, keys: Float64Array): Promise<PostingLists> {
  return new ListReader(parts).read(keys);
}

class ListReader {
  private readonly parts: ListReaderParts;
  private readonly most: number;
  /** Those that have anything. */
  private readonly tails: Moment['tails'];

  constructor(parts: ListReaderParts) {
    this.parts = parts;
    this.most = parts.most ?? parts.limits.listPostingsMax;
    this.tails = parts.moment.tails.filter(({ count }) => count > 0);
  }

  async read(keys: Float64Array): Promise<PostingLists> {
    const { level, moment, limits } = this.parts;
    const { segments, contents } = moment;
    const beyondMax = this.most - limits.listPostingsMax;
    const found = await SegmentLists.find({ level, contents, segments, beyondMax }, keys);
    const made: MadeLists = { lists: [], shares: [] };
    for (const { tail } of this.tails) touched[0]! ^= tail.touch(keys);
    let sliceEnd = POSTINGS_A_SLICE;
    let taken = 0;
    for (let i = 0; i < keys.length; i++) {
      taken += this.addList(keys[i]!, i, found, made);
      if (taken < sliceEnd) continue;
      sliceEnd = taken + POSTINGS_A_SLICE;
      await nextTurn();
    }
    return { ...made, unreadable: found.unreadable };
  }

  /** @returns how many postings were read for it */
  private addList(key: number, index: number, found: SegmentLists, made: MadeLists): number {
    let size = 0;
    let unread = 0;
    let before = Number.POSITIVE_INFINITY;
    for (let s = 0; s < this.parts.moment.segments.length; s++) {
      const count = found.countOf(s, index);
      if (count > 0) {
        reserve(size + count, size);
        size = found.take(s, index, scratch, size);
      }
      const outside = found.outsideOf(s, index);
      if (outside === undefined) continue;
      if (outside.cut > 0) before = Math.min(before, outside.cut);
      unread += outside.unread;
      for (const part of outside.read) size = this.takeContents(part, size);
    }
    size = this.takeTails(key, size);
    const isCut = before !== Number.POSITIVE_INFINITY;
    if (isCut || size + unread > this.most) this.addCapped(key, size, unread, before, made);
    else {
      made.lists.push(size === 0 ? EMPTY : { contents: scratch.slice(0, size), cut: false });
      made.shares.push(undefined);
    }
    return size;
  }

  private addCapped(key: number, size: number, unread: number, before: number, { lists, shares }: MadeLists): void {
    const { most } = this;
    const { rankKey } = this.parts.limits;
    if (before === Number.POSITIVE_INFINITY && size <= most) {
      // one segment has most of the list, and gave as many of it as are read: they need not be ranked again
      lists.push({ contents: scratch.slice(0, size), cut: true });
      shares.push(size / (size + unread));
      return;
    }
    const { contents, lastRank } = lowestByRank(rankKey, key, scratch, size, most, before);
    lists.push({ contents, cut: true });
    if (before === Number.POSITIVE_INFINITY) {
      shares.push(contents.length / (size + unread));
      return;
    }
    // a list that ran out before K ends where merges have cut it
    const end = contents.length < most ? Math.floor(before / 0x1_0000_0000) : lastRank;
    shares.push(listShare(Math.max(1, contents.length), end));
  }

  private takeContents(numbers: Uint32Array, size: number): number {
    reserve(size + numbers.length, size);
    const { contents } = this.parts.moment;
    let at = size;
    for (let i = 0; i < numbers.length; i++) {
      const content = numbers[i]!;
      if (contents.isLive(content)) scratch[at++] = content;
    }
    return at;
  }

  private takeTails(key: number, size: number): number {
    let at = size;
    for (const { tail, count } of this.tails) at = this.takeContents(tail.list(key, count), at);
    return at;
  }
}

interface MadeLists {
  readonly lists: PostingList[];
  readonly shares: (number | undefined)[];
}

/** Makes room for `size` contents, of which the first `taken` are there. */
function reserve(size: number, taken: number): void {
  if (size <= scratch.length) return;
  const grown = new Uint32Array(2 * size);
  grown.set(scratch.subarray(0, taken));
  scratch = grown;
}
