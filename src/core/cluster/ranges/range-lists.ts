import { pivotsOf } from '../common/pivots.ts';
import { LAST } from '../shingle-lists.ts';

/*
 * The lists of a range of rows, in memory that threads share. A pair a < b is counted in the row of a, by an entry that says
 * where in `members` those behind a begin.
 *
 *   members   3 9'   0 4 7'        p1 p2 … p16'   1 2 5 … n'          ' = the last one of a list
 *             └ plain lists ┘      └ pivots ┘     └ others ┘  of a star
 *   ends      of each row how many entries it has, then where they end, at last where they begin
 *   entries   | row 0: 12 377 | row 3: 9' | …                         in no order within a row; ' = the only member behind it
 *
 *   plain lists   each member but the last: what is behind itself; of common lists, members that count there
 *   stars         a pivot: the pivots behind itself, and the others from the first larger one on
 *                 another: the pivots from the first larger one on
 *
 * Of a list what is before the range is left out. Threads take places of `members` by a cursor: so what lies where is chance,
 * and what is counted is not. Entries are counted, and entered, in slices of the rows, each by one thread that goes over all
 * members. A row may lie anywhere, and a thread that shares it with nobody need not wait for one before it goes to the next.
 *
 * Cost: some 10 ns a member; 4 bytes each, and 4 an entry.
 */

/** Rows of a block, of which each is in one slice. */
const BLOCK_BITS = 8;

/** Plain data, in memory that threads share. */
export interface RangeMemory {
  /** Rows from … to - 1. */
  readonly from: number;
  readonly to: number;
  readonly members: Uint32Array;
  /** Words of `members` that are taken. */
  readonly cursor: Uint32Array;
  /** to - from + 1 of them. */
  readonly ends: Uint32Array;
  readonly entries: Uint32Array;
}

/** What one thread has added: places of `members`. Plain data. */
export interface AddedLists {
  /** First and end of each run of plain lists. */
  readonly runs: readonly number[];
  /** Of each common list with pivots where these, and its others, begin, and where it ends. */
  readonly stars: readonly number[];
}

/** Every so many blocks of rows. Plain data. */
export interface RowSlice {
  readonly slice: number;
  /** Of them all: a power of two. */
  readonly slices: number;
}

/** What is known of common lists. */
export interface CommonChoice {
  /** Lists of more members are common. */
  readonly listMax: number;
  /** Whether a member counts in the list of a rank. */
  isCounted(node: number, rank: number): boolean;
  /** Whether all members are counted against pivots of the list. */
  hasPivots(rank: number): boolean;
  /** Of a node: those with the lowest are pivots. */
  pivotRank(node: number): number;
}

/** Adds lists to a range. */
export class RangeLists implements AddedLists {
  readonly runs: number[] = [];
  readonly stars: number[] = [];
  private readonly memory: RangeMemory;
  private readonly choice: CommonChoice;

  constructor(memory: RangeMemory, choice: CommonChoice) {
    this.memory = memory;
    this.choice = choice;
  }

  /**
   * @param lists one behind the other, each marked by its last member; what they were is lost
   * @param ranks of the common ones, in their order
   */
  add(lists: Uint32Array, ranks: ArrayLike<number>): void {
    const { from, to } = this.memory;
    let [size, common] = [0, 0];
    for (let at = 0, next = 0; at < lists.length; at = next) {
      let [first, last] = [at, at];
      while (lists[last]! < LAST) last++;
      next = last + 1;
      if (next - first > this.choice.listMax)
        last = this.addCommon(lists.subarray(first, next), ranks[common++]!) + first - 1;
      while (first < last && lists[first]! < from) first++;
      if (first >= last || lists[first]! >= to) continue;
      for (let i = first; i <= last; i++) lists[size++] = lists[i]!;
    }
    if (size === 0) return;
    const place = this.put(lists.subarray(0, size));
    this.runs.push(place, place + size);
  }

  /** Leaves those that are counted pair by pair, and adds a star of all if the list has pivots. @returns how many are left */
  private addCommon(list: Uint32Array, rank: number): number {
    const { choice } = this;
    list[list.length - 1]! &= LAST - 1;
    const pivots = choice.hasPivots(rank) ? pivotsOf(list, (node) => choice.pivotRank(node)) : [];
    if (pivots.length > 0) this.addStar(Uint32Array.from(pivots), list);
    let left = 0;
    for (const node of list) if (choice.isCounted(node, rank) && !pivots.includes(node)) list[left++] = node;
    if (left > 0) list[left - 1] = (list[left - 1]! | LAST) >>> 0;
    return left;
  }

  private addStar(pivots: Uint32Array, nodes: Uint32Array): void {
    const { from, to } = this.memory;
    // others stand behind a pivot of the range, or have an entry of their own
    const hasPivot = pivots.some((pivot) => pivot >= from && pivot < to);
    const last = hasPivot ? LAST : to;
    const others = nodes.filter((node) => node >= from && node < last && !pivots.includes(node));
    if (!hasPivot && others.length === 0) return;
    const star = new Uint32Array(pivots.length + others.length);
    star.set(pivots);
    star.set(others, pivots.length);
    for (const end of [pivots.length, star.length]) if (end > 0) star[end - 1]! = (star[end - 1]! | LAST) >>> 0;
    const place = this.put(star);
    this.stars.push(place, place + pivots.length, place + star.length);
  }

  private put(words: Uint32Array): number {
    const place = Atomics.add(this.memory.cursor, 0, words.length);
    this.memory.members.set(words, place);
    return place;
  }
}

/** Counts the entries of a slice. @param added by all threads */
export function countEntries(memory: RangeMemory, added: readonly AddedLists[], { slice, slices }: RowSlice): void {
  const { from, to, members, ends } = memory;
  const mask = slices - 1;
  for (const { runs, stars } of added) {
    for (let run = 0; run < runs.length; run += 2) {
      for (let i = runs[run]!, end = runs[run + 1]!; i < end; i++) {
        const member = members[i]!;
        if (member < to && ((member >>> BLOCK_BITS) & mask) === slice) ends[member - from]!++;
      }
    }
    walkStars(memory, stars, (node) => {
      if (((node >>> BLOCK_BITS) & mask) === slice) ends[node - from]!++;
    });
  }
}

/** Counts of entries become where they end. */
export function addUpEntries({ ends }: Pick<RangeMemory, 'ends'>): void {
  let before = 0;
  for (let row = 0; row < ends.length; row++) {
    before += ends[row]!;
    ends[row] = before;
  }
}

/** Enters what all threads have added to the rows of a slice; ends become starts. */
export function enterLists(memory: RangeMemory, added: readonly AddedLists[], { slice, slices }: RowSlice): void {
  const { from, to, members, ends, entries } = memory;
  const mask = slices - 1;
  for (const { runs, stars } of added) {
    for (let run = 0; run < runs.length; run += 2) {
      for (let i = runs[run]!, end = runs[run + 1]!; i < end; i++) {
        const member = members[i]!;
        if (member >= to || ((member >>> BLOCK_BITS) & mask) !== slice) continue;
        const place = ends[member - from]! - 1;
        ends[member - from] = place;
        const next = members[i + 1]!;
        entries[place] = next < LAST ? i + 1 : next;
      }
    }
    walkStars(memory, stars, (node, first) => {
      if (((node >>> BLOCK_BITS) & mask) !== slice) return;
      const place = ends[node - from]! - 1;
      ends[node - from] = place;
      entries[place] = first;
    });
  }
}

/** Entries of stars: nodes of the range, and where the members behind each begin. */
function walkStars(memory: RangeMemory, stars: readonly number[], enter: (node: number, place: number) => void): void {
  for (let star = 0; star < stars.length; star += 3) walkStar(memory, stars.slice(star, star + 3), enter);
}

function walkStar(
  { from, to, members }: RangeMemory,
  [firstPivot = 0, firstOther = 0, end = 0]: readonly number[],
  enter: (node: number, place: number) => void,
): void {
  const pivots = Array.from(members.subarray(firstPivot, firstOther), (pivot) => pivot & (LAST - 1));
  const isRow = (node: number) => node >= from && node < to;
  for (let i = 0; i < pivots.length - 1; i++) if (isRow(pivots[i]!)) enter(pivots[i]!, firstPivot + i + 1);
  // both ascend
  for (let at = firstOther, pivot = 0; at < end; at++) {
    const node = members[at]! & (LAST - 1);
    for (; pivot < pivots.length && pivots[pivot]! < node; pivot++)
      if (isRow(pivots[pivot]!)) enter(pivots[pivot]!, at);
    if (pivot < pivots.length && isRow(node)) enter(node, firstPivot + pivot);
  }
}
