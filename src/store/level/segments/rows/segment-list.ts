import { segmentsKey } from '../../format/keys.ts';
import { ValueReader, ValueWriter } from '../../format/value-bytes.ts';
import type { Geometry } from './bucket.ts';

/*
 * Row g: which segments there are. It alone decides what counts: rows of a segment that it does not list do not exist.
 *
 *   list     = nextSegment flushedUpTo  gones gone*  segments segment*             all varints
 *   segment  = number level bits contentBytes firstContent lastContent postings bytes deadBefore
 *              lists (fingerprint contents)*
 */

/** One segment. Segments of a list are in the order of their contents, whose ranges do not overlap. */
export interface Segment extends Geometry {
  /** 0 = a flushed tail; a merge of segments of level l has level l + 1. */
  readonly level: number;
  readonly lastContent: number;
  readonly postings: number;
  readonly bytes: number;
  /** Numbers of its range that were forgotten before it was begun: their postings are not in it. */
  readonly deadBefore: number;
  readonly longest: readonly ListLength[];
}

export interface SegmentList {
  /** Segments from this number on were never finished. */
  readonly nextSegment: number;
  /** The first content that no segment holds. */
  readonly flushedUpTo: number;
  /** Segments below nextSegment that are not listed, but may have rows still: begun and not finished, or merged away. */
  readonly gone: readonly number[];
  readonly segments: readonly Segment[];
}

export const NO_SEGMENTS: SegmentList = { nextSegment: 1, flushedUpTo: 0, gone: [], segments: [] };

export function sealSegmentList({ nextSegment, flushedUpTo, gone, segments }: SegmentList): Buffer {
  const writer = new ValueWriter().varint(nextSegment).varint(flushedUpTo);
  writer.varint(gone.length);
  for (const segment of gone) writer.varint(segment);
  writer.varint(segments.length);
  for (const segment of segments) {
    for (const field of FIELDS) writer.varint(segment[field]);
    writer.varint(segment.longest.length);
    for (const { fingerprint, contents } of segment.longest) writer.varint(fingerprint).varint(contents);
  }
  return writer.seal(segmentsKey);
}

/** @throws ShingledError `index-unreadable` */
export function openSegmentList(value: Buffer): SegmentList {
  const reader = new ValueReader(segmentsKey, value);
  const many = <T>(one: () => T): T[] => Array.from({ length: reader.varint() }, one);
  const list = {
    nextSegment: reader.varint(),
    flushedUpTo: reader.varint(),
    gone: many(() => reader.varint()),
    segments: many((): Segment => {
      const fields = Object.fromEntries(FIELDS.map((field) => [field, reader.varint()])) as Record<Field, number>;
      const longest = many(() => ({ fingerprint: reader.varint(), contents: reader.varint() }));
      return { ...fields, longest };
    }),
  };
  reader.end();
  return list;
}

const FIELDS = [
  'segment',
  'level',
  'bits',
  'contentBytes',
  'firstContent',
  'lastContent',
  'postings',
  'bytes',
  'deadBefore',
] as const;
type Field = (typeof FIELDS)[number];

export interface ListLength {
  readonly fingerprint: number;
  readonly contents: number;
}

const KEPT = 10;

export class LongestLists {
  /** What a list must exceed to be taken. */
  least = 1;
  private lists: ListLength[] = [];

  offer(fingerprint: number, contents: number): void {
    if (contents <= this.least) return;
    this.lists.push({ fingerprint, contents });
    this.lists.sort((a, b) => b.contents - a.contents);
    if (this.lists.length < KEPT) return;
    this.lists.length = KEPT;
    this.least = this.lists[KEPT - 1]!.contents;
  }

  get all(): readonly ListLength[] {
    return this.lists;
  }
}

/** The longest of several parts, those of one fingerprint added up. */
export function addUpLongest(parts: Iterable<readonly ListLength[]>): ListLength[] {
  const lengths = new Map<number, number>();
  for (const part of parts) {
    for (const { fingerprint, contents } of part) {
      lengths.set(fingerprint, (lengths.get(fingerprint) ?? 0) + contents);
    }
  }
  const lists = Array.from(lengths, ([fingerprint, contents]) => ({ fingerprint, contents }));
  return lists.sort((a, b) => b.contents - a.contents || a.fingerprint - b.fingerprint).slice(0, KEPT);
}

/*
 * Which segments are merged, so that a query reads few and a posting is rewritten seldom:
 *
 *   level   2   1   1   1   0   0   0   0        four neighbours of one level become one of the next: N postings are
 *                           └───────────┘        rewritten log4(N / tail) times, and there are at most three of a level
 *
 * Neighbours, so that the contents of a segment stay one range. When nothing is added, more is merged: a query costs as
 * much again for every segment.
 */

const FAN_IN = 4;
/** A tail is flushed when its contents span so many numbers: after a kill its postings are made again within a second. */
export const FLUSH_CONTENTS = 57_344;

/** The oldest neighbours that are due, with the level of their merge. */
export function dueMerge(segments: readonly Segment[]): readonly Segment[] | undefined {
  for (let from = 0; from + FAN_IN <= segments.length; from++) {
    const some = segments.slice(from, from + FAN_IN);
    if (some.every(({ level }) => level === some[0]!.level)) return some;
  }
  return undefined;
}

/** The level that a segment of so many contents has, where it came of merges of flushed tails. */
export function mergedLevel(contents: number): number {
  return Math.max(0, Math.ceil(Math.log(contents / FLUSH_CONTENTS) / Math.log(FAN_IN)));
}

/** A large segment is left alone by idle merges until the others have grown to this share of it. */
const IDLE_SHARE = 1 / 4;

/** Down to two while nothing else is to be done, or to one where the first is not much larger than the rest. */
export function idleMerge(segments: readonly Segment[]): readonly Segment[] | undefined {
  const [first, ...others] = segments;
  if (first === undefined || others.length === 0) return undefined;
  const rest = others.reduce((sum, { postings }) => sum + postings, 0);
  if (rest > first.postings * IDLE_SHARE) return segments;
  return others.length > 1 ? others : undefined;
}

/** Postings that a slice of a merge reads, about: as many as bound the memory and the time of a step. */
const SLICE_POSTINGS = 1 << 19;

/** The bits of a slice: so that each has about as many postings as it may. */
export function sliceBits(inputs: readonly Segment[], bits: number): number {
  const postings = inputs.reduce((sum, segment) => sum + segment.postings, 0);
  const wanted = Math.ceil(Math.log2(Math.max(1, postings / SLICE_POSTINGS)));
  return Math.min(wanted, bits, ...inputs.map((segment) => segment.bits));
}
