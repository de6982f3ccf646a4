import type { RangeMemory } from './ranges/range-lists.ts';
import { LAST } from './shingle-lists.ts';

/*
 * How many shingles each pair of nodes shares, a row at a time (Broder 1997, §4.1, without its file of pairs).
 *
 *   row a    for each entry of a, the members behind it: count[b]++, b > a          (ranges/range-lists.ts)
 *
 * A row needs the counts of its own pairs only, so pairs are never sorted. Lists lie anywhere: each is touched before the first
 * one is counted, so that the memory brings all of them at once. Cost: 1 to 4 ns an increment; a number for each node.
 */

/** Bytes where no row has more entries than a byte can count: a row meets nodes anywhere, so more of them are in the cache. */
export type Counts = Uint8Array | Uint32Array;

/** Counts the pairs of a node with larger ones. */
export class PairCounter {
  /** Nodes that the last row shares something with; `size` of them, in no order. */
  partners = new Uint32Array(1024);
  size = 0;
  /** Increments of all rows so far. */
  increments = 0;
  /** Of the first members of all lists of the last row: read for the sake of reading. */
  touched = 0;
  private readonly counts: Counts;
  private readonly memory: RangeMemory;

  /** @param counts one for each node, all 0; so they are whenever each partner was taken */
  constructor(memory: RangeMemory, counts: Counts) {
    this.memory = memory;
    this.counts = counts;
  }

  /** How many shingles the last row shares with a node; 0 from the next row on. */
  take(partner: number): number {
    const count = this.counts[partner]!;
    this.counts[partner] = 0;
    return count;
  }

  /** Counts a row of the range; each partner is to be taken before the next one. */
  row(node: number): void {
    const { from, members, ends, entries } = this.memory;
    this.size = 0;
    // what were ends are starts by now
    const start = ends[node - from]!;
    const end = ends[node - from + 1]!;
    let touched = 0;
    for (let at = start; at < end; at++) {
      const entry = entries[at]!;
      if (entry < LAST) touched ^= members[entry]!;
    }
    this.touched = touched;
    for (let at = start; at < end; at++) {
      const entry = entries[at]!;
      if (entry < LAST) this.count(members, entry);
      else this.countLast(entry);
    }
  }

  private count(members: Uint32Array, from: number): void {
    const { counts } = this;
    let i = from;
    for (; members[i]! < LAST; i++) {
      const partner = members[i]!;
      if (counts[partner]!++ === 0) this.meet(partner);
    }
    this.increments += i - from;
    this.countLast(members[i]!);
  }

  private countLast(member: number): void {
    const partner = member & (LAST - 1);
    if (this.counts[partner]!++ === 0) this.meet(partner);
    this.increments++;
  }

  private meet(partner: number): void {
    if (this.size === this.partners.length) {
      const larger = new Uint32Array(2 * this.size);
      larger.set(this.partners);
      this.partners = larger;
    }
    this.partners[this.size++] = partner;
  }
}
