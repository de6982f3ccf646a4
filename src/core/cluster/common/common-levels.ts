import { type Likeness, postedUnits, sharedLeast, surelyShared } from '../pair-floor.ts';

/*
 * How far the lists of common shingles are counted, pair by pair.
 *
 *   row of a node     0 … | 31 | 40 58 77         its common shingles by the length of their lists (common-rows.ts)
 *                              └ d = 3 are left out: a pair that shares four of them, or one before, meets all the same
 *
 *   d(t)              one less than what two nodes of likeness t share at the least: so they meet before      (prefix filter)
 *   level of a list   a threshold t: each member counts there for which it is not among its last d(t) lists
 *
 * At the floor's level nothing is lost: pairs that share no more than d are no candidates. Where all lists are at that level,
 * pairs of common shingles are found as surely as all others. Counting costs the square of the members that count. Where that
 * is too much, the longest lists rise to the first level at which they have few enough members, so that the likest pairs are
 * still found. Where there is no such level they have none, and only pivots meet all others (pivots.ts).
 *
 * Lists are ranked by length, and no level is below one before it. So what a node leaves out is the end of its row.
 *
 * Cost: a step a posting of a common shingle, and some a list for each bound that is tried.
 */

/** Likenesses for which lists have levels, above the floor. */
const LEVELS = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95] as const;
/** In place of a level: no pair is counted, but those with pivots. */
export const NO_LEVEL = 255;

export interface CommonLevels {
  /** By rank: which of {@link levelsFrom}; {@link NO_LEVEL}. */
  readonly levels: Uint8Array;
  /** Members that count in the list of most of them. */
  readonly membersMost: number;
  /** Steps of counting all of them, about. */
  readonly steps: number;
  /** Whether any list is above the floor, so that pairs may be left out. */
  readonly isLeaving: boolean;
}

/** The floor, and what is above it. */
export const levelsFrom = (floor: number): readonly number[] => [floor, ...LEVELS.filter((level) => level > floor)];

/**
 * d by level, and within it by size: row of {@link postedUnits}.
 *
 * By containment a text may be in one that is much longer, so nothing can be left out, and there is one level.
 */
export function dropsOf(by: Likeness, floor: number): Uint8Array[] {
  if (by === 'containment') return [new Uint8Array(UNITS)];
  const levels = levelsFrom(floor);
  const drops = levels.map(() => new Uint8Array(UNITS));
  for (let units = 1; units < UNITS; units++) {
    for (const [level, threshold] of levels.entries()) {
      const least = level === 0 ? sharedLeast(units, 1, by, floor) : surelyShared(units, threshold);
      drops[level]![units] = Math.max(least - 1, drops[level - 1]?.[units] ?? 0);
    }
  }
  return drops;
}

/** Postings of a node are expected to be fewer than this. */
const UNITS = 64;

/** Which size a node has in {@link dropsOf}. */
export const unitsOf = (shingleCount: number, modulus: number) =>
  Math.min(UNITS - 1, postedUnits(shingleCount, modulus));

/** Counts, by list and level, the members for which it is the highest level at which they count. */
export class LevelCounts {
  private readonly counts: Float64Array;
  private readonly lists: number;
  private readonly levels: number;

  constructor(lists: number, levels: number) {
    this.lists = lists;
    this.levels = levels;
    this.counts = new Float64Array(lists * levels);
  }

  /** A member with so many lists behind it in its row. @param drops d by level, of its size */
  add(rank: number, behind: number, dropAt: (level: number) => number): void {
    let level = this.levels - 1;
    while (level >= 0 && behind < dropAt(level)) level--;
    if (level >= 0) this.counts[rank * this.levels + level]!++;
  }

  /**
   * Levels within which no list counts more members, and pairs together no more steps.
   *
   * @param membersMax whatever it is, lists of so few count at the first level
   */
  choose(membersMax: number, stepsMax: number, membersLeast: number): CommonLevels {
    const sizes = this.sizes();
    let [low, high] = [membersLeast, Math.max(membersLeast, Math.min(membersMax, this.most(sizes)))];
    if (this.steps(sizes, this.within(sizes, high)) <= stepsMax) low = high;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.steps(sizes, this.within(sizes, middle)) <= stepsMax) low = middle;
      else high = middle - 1;
    }
    const levels = this.within(sizes, low);
    let membersMost = 0;
    for (const [rank, level] of levels.entries()) {
      if (level !== NO_LEVEL) membersMost = Math.max(membersMost, sizes[rank * this.levels + level]!);
    }
    return { levels, membersMost, steps: this.steps(sizes, levels), isLeaving: levels.some((level) => level > 0) };
  }

  /** Members that count by list and level: those of this level and of all above. */
  private sizes(): Float64Array {
    const sizes = this.counts.slice();
    for (let rank = 0; rank < this.lists; rank++) {
      for (let at = (rank + 1) * this.levels - 2; at >= rank * this.levels; at--) sizes[at]! += sizes[at + 1]!;
    }
    return sizes;
  }

  private most(sizes: Float64Array): number {
    let most = 0;
    for (const size of sizes) most = Math.max(most, size);
    return most;
  }

  private within(sizes: Float64Array, membersMax: number): Uint8Array {
    const levels = new Uint8Array(this.lists);
    let level = 0;
    for (let rank = 0; rank < this.lists; rank++) {
      while (level < this.levels && sizes[rank * this.levels + level]! > membersMax) level++;
      levels[rank] = level < this.levels ? level : NO_LEVEL;
    }
    return levels;
  }

  private steps(sizes: Float64Array, levels: Uint8Array): number {
    let steps = 0;
    for (const [rank, level] of levels.entries()) {
      if (level !== NO_LEVEL) steps += sizes[rank * this.levels + level]! ** 2 / 2;
    }
    return steps;
  }
}
