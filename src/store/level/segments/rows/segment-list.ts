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

/** A fingerprint and how many contents hold it. */
export interface ListLength {
  readonly fingerprint: number;
  readonly contents: number;
}

const KEPT = 10;

/** The longest of many lists. */
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
