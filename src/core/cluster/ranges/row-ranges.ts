import { PIVOTS } from '../common/pivots.ts';

/*
 * Pairs are counted in ranges of rows, so that what is held at a time fits the memory: of each list what is behind its first
 * member in the range. How much that is, is told before, by 64 bins of rows.
 *
 *   list      3 . . 40 | 77 . 90 | . . | 130          '|' where bins end
 *   suffixes  4          2         -     -             those that a range which begins in a bin, or before, would hold
 *
 *   members(x, y) = Σ over lists: what is behind the first member in bins x..y, where it is not the last one
 *
 * The first such member of a list is in one bin for all x of an interval: so two sums a bin of a list tell all 2,080 ranges.
 */

const BINS = 64;

/** What ranges of rows would hold. Plain data. */
export interface RowSurvey {
  /** Row >>> shift: its bin. */
  readonly shift: number;
  /** By x · BINS + y: differences, by x, of what lists whose first member from x on is in y have from there. */
  readonly suffixes: Float64Array;
  /** Members by bin that are not the last of their lists. */
  readonly entries: Float64Array;
  /** Shingles that have pivots, where this survey is of such. */
  common: number;
}

export interface RowRange {
  /** Rows from … to - 1. */
  readonly from: number;
  readonly to: number;
  /** Words that its lists, and its entries, take at the most. */
  readonly members: number;
  readonly entries: number;
}

export function createSurvey(rows: number): RowSurvey {
  let shift = 0;
  while (rows > BINS * 2 ** shift) shift++;
  return { shift, suffixes: new Float64Array((BINS + 1) * BINS), entries: new Float64Array(BINS), common: 0 };
}

/** Adds a list: nodes from … to - 1, ascending. */
export function surveyList(
  { shift, suffixes, entries }: RowSurvey,
  nodes: Uint32Array,
  from: number,
  to: number,
): void {
  let before = -1;
  for (let i = from; i < to - 1; i++) {
    const bin = nodes[i]! >>> shift;
    entries[bin]!++;
    if (bin === before) continue;
    suffixes[(before + 1) * BINS + bin]! += to - i;
    suffixes[(bin + 1) * BINS + bin]! -= to - i;
    before = bin;
  }
}

export function mergedSurvey(surveys: readonly RowSurvey[]): RowSurvey {
  const { shift, suffixes } = surveys[0]!;
  const all = { shift, suffixes: new Float64Array(suffixes.length), entries: new Float64Array(BINS), common: 0 };
  for (const one of surveys) {
    for (let i = 0; i < suffixes.length; i++) all.suffixes[i]! += one.suffixes[i]!;
    for (let bin = 0; bin < BINS; bin++) all.entries[bin]! += one.entries[bin]!;
    all.common += one.common;
  }
  return all;
}

/** Bytes that a range holds: its lists and its entries, and where those of each row begin. */
export const rangeBytes = ({ from, to, members, entries }: RowRange) => 4 * (members + entries + to - from + 1);

/** Words that an index of 32 bits reaches, and places of members beside a bit that says what they are. */
const WORDS_MAX = 2 ** 32 - 1;
const MEMBERS_MAX = 2 ** 31 - 1;

/**
 * All rows in as few ranges as hold so much each.
 *
 * @returns null where a range of the fewest rows holds more: {@link leastBytes}
 */
export function rangesWithin(survey: RowSurvey, rows: number, bytesMax: number): RowRange[] | null {
  const rangeOf = rangesOf(survey, rows);
  const ranges: RowRange[] = [];
  for (let x = 0; x * 2 ** survey.shift < rows; ) {
    let range: RowRange | null = null;
    let y = x;
    for (; y < BINS; y++) {
      const wider = rangeOf(x, y);
      if (rangeBytes(wider) > bytesMax || wider.members > MEMBERS_MAX || wider.entries > WORDS_MAX) break;
      range = wider;
    }
    if (range === null) return null;
    ranges.push(range);
    x = y;
  }
  return ranges;
}

/** With less no range can be held. */
export function leastBytes(survey: RowSurvey, rows: number): number {
  const rangeOf = rangesOf(survey, rows);
  let least = 0;
  for (let x = 0; x < BINS && x * 2 ** survey.shift < rows; x++) least = Math.max(least, rangeBytes(rangeOf(x, x)));
  return least;
}

/** Ranges of bins x..y, by these. */
function rangesOf({ shift, suffixes, entries, common }: RowSurvey, rows: number): (x: number, y: number) => RowRange {
  const sums = new Float64Array(BINS * BINS);
  for (let y = 0; y < BINS; y++) {
    let sum = 0;
    for (let x = 0; x <= y; x++) {
      sum += suffixes[x * BINS + y]!;
      sums[x * BINS + y] = sum;
    }
  }
  return (x, y) => {
    const range = { from: x * 2 ** shift, to: Math.min(rows, (y + 1) * 2 ** shift), members: 0, entries: 0 };
    for (let bin = x; bin <= y; bin++) {
      range.members += sums[x * BINS + bin]!;
      range.entries += entries[bin]!;
    }
    // pivots of a common list lie apart, and have an entry for each other and one for the rest; its last member may have one
    range.members += 2 * PIVOTS * common;
    range.entries += (2 * PIVOTS + 1) * common;
    return range;
  };
}
