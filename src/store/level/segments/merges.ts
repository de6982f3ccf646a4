import type { Segment } from './rows/segment-list.ts';

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

/** The oldest neighbours that are due, with the level of their merge. */
export function dueMerge(segments: readonly Segment[]): readonly Segment[] | undefined {
  for (let from = 0; from + FAN_IN <= segments.length; from++) {
    const some = segments.slice(from, from + FAN_IN);
    if (some.every(({ level }) => level === some[0]!.level)) return some;
  }
  return undefined;
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
