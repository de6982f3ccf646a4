import { pivotsOf } from '../pivots.ts';
import { LAST, LIST_MAX } from '../shingle-lists.ts';

/*
 * The lists of a range of rows, in memory that threads share. A pair a < b is counted in the row of a, by an entry that says
 * where in `members` those behind a begin.
 *
 *   members   3 9'   0 4 7'        p1 p2 … p16'   1 2 5 … n'          ' = the last one of a list
 *             └ plain lists ┘      └ pivots ┘     └ others ┘  of a common list
 *   ends      of each row how many entries it has, then where they end, at last where they begin
 *   entries   | row 0: 12 377 | row 1: 4 | …                          in no order within a row
 *
 *   plain lists   each member but the last: what is behind itself
 *   common ones   a pivot: the pivots behind itself, and the others from the first larger one on
 *                 another: the pivots from the first larger one on
 *
 * Of a list what is before the range is left out. Threads take places of `members` by a cursor, and places of entries from
 * their ends: so what lies where is chance, and what is counted is not.
 *
 * Cost: some 10 ns a member; 4 bytes each, and 4 an entry.
 */

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
  /** Of each common list where its pivots, and its others, begin, and where it ends. */
  readonly stars: readonly number[];
}

/** Adds lists to a range. */
export class RangeLists implements AddedLists {
  readonly runs: number[] = [];
  readonly stars: number[] = [];
  private readonly memory: RangeMemory;
  private readonly rank: (node: number) => number;

  /** @param rank of a node: those with the lowest are pivots of common lists */
  constructor(memory: RangeMemory, rank: (node: number) => number) {
    this.memory = memory;
    this.rank = rank;
  }

  /** @param lists one behind the other, each marked by its last member; what they were is lost */
  add(lists: Uint32Array): void {
    const { from, to, ends } = this.memory;
    let size = 0;
    for (let at = 0, first = 0; at < lists.length; first = ++at) {
      while (lists[at]! < LAST) at++;
      if (at - first >= LIST_MAX) {
        this.addCommon(lists.slice(first, at + 1));
        continue;
      }
      while (first < at && lists[first]! < from) first++;
      if (first === at || lists[first]! >= to) continue;
      for (let i = first; i < at; i++) {
        const member = lists[i]!;
        lists[size++] = member;
        if (member < to) Atomics.add(ends, member - from, 1);
      }
      lists[size++] = lists[at]!;
    }
    if (size === 0) return;
    const place = this.put(lists.subarray(0, size));
    this.runs.push(place, place + size);
  }

  private addCommon(nodes: Uint32Array): void {
    const { from, to, ends } = this.memory;
    nodes[nodes.length - 1]! &= LAST - 1;
    const pivots = Uint32Array.from(pivotsOf(nodes, this.rank));
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
    walkStar(this.memory, [place, place + pivots.length, place + star.length], (node) => {
      Atomics.add(ends, node - from, 1);
    });
  }

  private put(words: Uint32Array): number {
    const place = Atomics.add(this.memory.cursor, 0, words.length);
    this.memory.members.set(words, place);
    return place;
  }
}

/** Counts of entries become where they end. @returns the most that a row has */
export function addUpEntries({ ends }: Pick<RangeMemory, 'ends'>): number {
  let most = 0;
  let before = 0;
  for (let row = 0; row < ends.length; row++) {
    most = Math.max(most, ends[row]!);
    before += ends[row]!;
    ends[row] = before;
  }
  return most;
}

/** Enters what a thread has added; ends become starts. */
export function enterLists(memory: RangeMemory, { runs, stars }: AddedLists): void {
  const { from, to, members, ends, entries } = memory;
  for (let run = 0; run < runs.length; run += 2) {
    for (let i = runs[run]!; i < runs[run + 1]!; i++) {
      const member = members[i]!;
      if (member < to) entries[Atomics.sub(ends, member - from, 1) - 1] = i + 1;
    }
  }
  for (let star = 0; star < stars.length; star += 3) {
    walkStar(memory, stars.slice(star, star + 3), (node, place) => {
      entries[Atomics.sub(ends, node - from, 1) - 1] = place;
    });
  }
}

/** Entries of a common list: nodes of the range, and where the members behind each begin. */
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
