import { cappedHits, levelOf, wholeHits } from './count-table.ts';
import type { LikelyOverlap } from './overlap-needed.ts';

/*
 * Where the order of contents was cut, because there are more of them than are read.
 *
 *   whole  12 12 12 11 11 11 11 11 | 11 11 11  9  9  8 …      of those with as many hits as the last one returned a keyed hash
 *   cut     3  2  1  4  4  2  2  2 |  2  2  1  3  0  2 …      decided: tiesReturned of ties; then come those with fewer
 *
 * What that means for a match at a threshold: core/query/recall.ts. Cost: a look at all that is worth returning.
 */

/** Between the last content that is returned and the first that is not. */
export interface OverlapCut {
  /** Contents that have the overlap they need and are not returned. */
  readonly leftOut: number;
  /** Hits of the last one returned, in lists that were read to their end and in those that were cut. */
  readonly overlap: number;
  readonly cappedOverlap: number;
  /** How many contents have just as many, and how many of these are returned. */
  readonly ties: number;
  readonly tiesReturned: number;
  /** What is likely to be a match, one for each of `likely`. */
  readonly likely: readonly LikelyCut[];
}

export interface LikelyCut {
  /** Whether any was left out that has fewer hits in whole lists than the last one returned. */
  readonly isBelow: boolean;
  /** Of those with as many hits in whole lists as it: the keys that one shares at the least; Infinity where there are none. */
  readonly keysLeast: number;
}

/** As if what was returned last had more hits than anything. */
const NOTHING_RETURNED = 0xffff_ffff;

/**
 * @param table contents and their hits (core/query/count-table.ts), of which those at `worth` have the overlap they need
 * @param returned hits of those that are returned, most first
 * @param likely for each direction asked for, what is likely to be a match
 */
export function cutThrough(
  table: Uint32Array,
  worth: Uint32Array,
  returned: Uint32Array,
  likely: readonly LikelyOverlap[],
  shingleCountOf: (content: number) => number,
): OverlapCut {
  const last = returned.at(-1) ?? NOTHING_RETURNED;
  const isBelow = likely.map(() => false);
  const keysLeast = likely.map(() => Number.POSITIVE_INFINITY);
  const level = levelOf(last);
  const sizes = new NeededBySize(likely);
  // what has less is below whatever its size: most of what has one or two common shingles
  let least = Math.min(...likely.map((overlap) => overlap.least));
  let ties = 0;
  for (let i = 0; i < worth.length; i++) {
    const hits = table[worth[i]! + 1]!;
    ties += Number(hits === last);
    if (levelOf(hits) > level || (levelOf(hits) < level && wholeHits(hits) < least)) continue;
    const at = sizes.find(shingleCountOf(table[worth[i]!]!));
    const whole = wholeHits(hits);
    for (let direction = 0; direction < likely.length; direction++) {
      if (whole < sizes.needs[at + direction]!) continue;
      if (levelOf(hits) < level) isBelow[direction] = true;
      else if (sizes.keys[at + direction]! < keysLeast[direction]!) keysLeast[direction] = sizes.keys[at + direction]!;
    }
    // of what is below nothing more is asked
    if (!isBelow.includes(false)) least = Number.POSITIVE_INFINITY;
  }
  return {
    leftOut: worth.length - returned.length,
    overlap: wholeHits(last),
    cappedOverlap: cappedHits(last),
    ties,
    tiesReturned: returned.reduce((tied, hits) => tied + Number(hits === last), 0),
    likely: likely.map((_, direction) => ({ isBelow: isBelow[direction]!, keysLeast: keysLeast[direction]! })),
  };
}

/**
 * Some of what is left out, drawn at even steps of the order in which it was met: each as likely as any other, whatever it
 * shares. So of a share of these is told how many of all are like that.
 *
 * @param returned contents that are returned, and their hits, most first
 * @returns `most` of them, or all where there are no more, by `orderOf`: the first few are drawn from all as well
 */
export function drawLeftOut(
  table: Uint32Array,
  worth: Uint32Array,
  returned: { readonly contents: Uint32Array; readonly counts: Uint32Array },
  most: number,
  orderOf: (content: number) => number,
): Uint32Array {
  const { contents, counts } = returned;
  const leftOut = worth.length - counts.length;
  const drawn = new Uint32Array(Math.min(most, leftOut));
  if (drawn.length === 0) return drawn;
  const last = counts.at(-1) ?? NOTHING_RETURNED;
  const tied = new Set(contents.subarray(counts.indexOf(last) < 0 ? counts.length : counts.indexOf(last)));
  let [passed, at] = [0, 0];
  for (let i = 0; at < drawn.length; i++) {
    const hits = table[worth[i]! + 1]!;
    if (hits > last || (hits === last && tied.has(table[worth[i]!]!))) continue;
    // the middle of each step
    if (passed++ === Math.floor(((at + 0.5) * leftOut) / drawn.length)) drawn[at++] = table[worth[i]!]!;
  }
  return drawn.sort((a, b) => orderOf(a) - orderOf(b) || a - b);
}

const KNOWN_SIZES = 256;

/** What is likely, as it was last told of each size: of thousands of contents, most have the size of another. */
class NeededBySize {
  readonly needs: Float64Array;
  readonly keys: Float64Array;
  private readonly sizes = new Float64Array(KNOWN_SIZES).fill(-1);
  private readonly likely: readonly LikelyOverlap[];

  constructor(likely: readonly LikelyOverlap[]) {
    this.likely = likely;
    this.needs = new Float64Array(KNOWN_SIZES * likely.length);
    this.keys = new Float64Array(KNOWN_SIZES * likely.length);
  }

  /** Where in both columns the first direction stands; the others follow. They are there until the next call. */
  find(size: number): number {
    const slot = size & (KNOWN_SIZES - 1);
    const at = slot * this.likely.length;
    if (this.sizes[slot] !== size) {
      this.sizes[slot] = size;
      for (const [direction, overlap] of this.likely.entries()) {
        this.needs[at + direction] = overlap.of(size);
        this.keys[at + direction] = overlap.keys(size);
      }
    }
    return at;
  }
}
