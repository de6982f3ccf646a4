import type { RangeMemory } from './ranges/range-lists.ts';
import { LAST } from './shingle-lists.ts';

/*
 * How many shingles each pair of nodes shares, a row at a time (Broder 1997, §4.1, without its file of pairs).
 *
 *   row a    for each entry of a, the members behind it: count[b]++, b > a          (ranges/range-lists.ts)
 *
 * A row needs the counts of its own pairs only, so pairs are never sorted. Lists lie anywhere, and so do the counts of their
 * members: all of either are touched before the first is looked at, so that the memory brings them at once. Cost: 1 to 4 ns an
 * increment where counts are in the cache, and some times that where they are not; a number for each node.
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
  /** What was read of the last row for the sake of reading. */
  touched = 0;
  /** Members of all lists of a row, one behind the other. */
  private listed = new Uint32Array(1024);
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
    let count = 0;
    for (let at = start; at < end; at++) {
      const entry = entries[at]!;
      count = entry < LAST ? this.list(members, entry, count) : this.listOne(entry, count);
    }
    this.touched = touched ^ this.touch(count);
    this.count(count);
  }

  /** @param count members that are listed @returns how many are then */
  private list(members: Uint32Array, from: number, count: number): number {
    let size = count;
    let i = from;
    for (; members[i]! < LAST; i++) size = this.listOne(members[i]!, size);
    return this.listOne(members[i]!, size);
  }

  private listOne(member: number, count: number): number {
    if (count === this.listed.length) {
      const larger = new Uint32Array(2 * count);
      larger.set(this.listed);
      this.listed = larger;
      this.partners = new Uint32Array(2 * count);
    }
    this.listed[count] = member & (LAST - 1);
    return count + 1;
  }

  private touch(count: number): number {
    const { counts, listed } = this;
    let touched = 0;
    for (let i = 0; i < count; i++) touched ^= counts[listed[i]!]!;
    return touched;
  }

  private count(count: number): void {
    const { counts, listed, partners } = this;
    let size = 0;
    for (let i = 0; i < count; i++) {
      const partner = listed[i]!;
      // written in any case, so that nothing waits for the count
      partners[size] = partner;
      size += Number(counts[partner]!++ === 0);
    }
    this.size = size;
    this.increments += count;
  }
}
