/*
 * How many pairs were left out where common lists are too long to count all of their pairs (common-levels.ts). A sample of
 * nodes says it, of which all pairs were looked at.
 *
 *   likeness    .25 … .3    .3 … .35    …    .95 … 1
 *   found       81,022      40,310           22,417
 *   missed      190,400     31,020           0           of the sample, times the nodes for which each of it stands
 */

export interface LeftOutBin {
  /** Likeness from … to, without the latter but in the last bin. */
  readonly from: number;
  readonly to: number;
  readonly found: number;
  /** Pairs that the sample says were not found. */
  readonly missed: number;
}

export interface LeftOutPairs {
  /** Sets of shingles of which not all pairs were looked at. */
  readonly nodes: number;
  /** So many of them were drawn, and all of their pairs looked at. */
  readonly sampled: number;
  readonly bins: readonly LeftOutBin[];
}

/** Bins of a likeness of 1. */
const STEPS = 20;

/** Counts of pairs by likeness, from a floor up. */
export class LikenessBins {
  readonly counts = new Float64Array(STEPS);
  private readonly floor: number;

  constructor(floor: number) {
    this.floor = floor;
  }

  add(likeness: number, count: number): void {
    this.counts[stepOf(likeness)]! += count;
  }

  /** With what was missed, by the same steps. */
  with(missed: LikenessBins): LeftOutBin[] {
    const bins: LeftOutBin[] = [];
    for (let step = stepOf(this.floor); step < STEPS; step++) {
      const from = Math.max(this.floor, step / STEPS);
      const [found, more] = [this.counts[step]!, Math.round(missed.counts[step]!)];
      bins.push({ from, to: (step + 1) / STEPS, found, missed: more });
    }
    return bins;
  }
}

// no share that is a whole number of steps has a product a little below that number
const stepOf = (likeness: number) => Math.min(STEPS - 1, Math.floor(likeness * STEPS));

/** Of pairs of a threshold or more, down to the bin that has it, the share that was found; 1 where nothing was left out. */
export function foundShare(leftOut: LeftOutPairs | undefined, threshold: number): number {
  const bins = leftOut?.bins.filter(({ to }) => to > threshold || to === 1) ?? [];
  const sum = (of: (bin: LeftOutBin) => number) => bins.reduce((total, bin) => total + of(bin), 0);
  const found = sum((bin) => bin.found);
  const missed = sum((bin) => bin.missed);
  return missed === 0 ? 1 : found / (found + missed);
}
