import { LAST } from '../shingle-lists.ts';
import type { RangeMemory } from './range-lists.ts';

/*
 * The counts of one row that has partners everywhere:
 *
 *   list 0    3 9 │ 40 41 │       88'
 *   list 1      9 │    41 │ 60'                           ' = the last one of a list
 *   band          │ 1 2 . │                               counts of some nodes side by side, from the least that is left
 *
 * Members of a list ascend, so each list is read once. Cost: some 2 ns an increment, and less for each node of a band. Memory:
 * 4 MB, and 4 bytes a list.
 */

/** Nodes of a band. */
const BAND = 2 ** 20;
/** No entry: nodes are below LAST - 1. */
const NONE = 2 ** 32 - 1;

export class BandCounter {
  private readonly members: Uint32Array;
  private readonly counts = new Uint32Array(BAND);
  private increments = 0;
  /** Counts that may not be 0. */
  private used = 0;

  constructor({ members }: Pick<RangeMemory, 'members'>) {
    this.members = members;
  }

  /**
   * @param next entries of the row, which are lost
   * @param found called for each partner, ascending
   * @returns increments
   */
  count(next: Uint32Array, found: (partner: number, count: number) => void): number {
    const { counts } = this;
    this.increments = 0;
    for (let lists = next.length; lists > 0; ) {
      const first = this.least(next, lists);
      let left = 0;
      for (let i = 0; i < lists; i++) {
        const rest = this.countList(next[i]!, first);
        next[left] = rest;
        left += Number(rest !== NONE);
      }
      lists = left;
      for (let at = 0; at < this.used; at++) {
        const count = counts[at]!;
        if (count === 0) continue;
        counts[at] = 0;
        found(first + at, count);
      }
      this.used = 0;
    }
    return this.increments;
  }

  /** The least member that comes next in any list. */
  private least(next: Uint32Array, lists: number): number {
    let least = LAST;
    for (let i = 0; i < lists; i++) {
      const entry = next[i]!;
      least = Math.min(least, (entry < LAST ? this.members[entry]! : entry) & (LAST - 1));
    }
    return least;
  }

  /** Counts what a list has of the band. @returns where its next member is; NONE where there is none */
  private countList(entry: number, first: number): number {
    const { members, counts } = this;
    let next = entry;
    while (next !== NONE) {
      const member = next < LAST ? members[next]! : next;
      const at = (member & (LAST - 1)) - first;
      if (at >= BAND) break;
      counts[at]!++;
      this.increments++;
      this.used = Math.max(this.used, at + 1);
      next = member < LAST ? next + 1 : NONE;
    }
    return next;
  }
}
