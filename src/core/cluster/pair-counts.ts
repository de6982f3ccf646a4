import type { RangeMemory } from './ranges/range-lists.ts';
import { LAST } from './shingle-lists.ts';

/*
 * How many shingles each pair of nodes shares, a row at a time (Broder 1997, §4.1, without its file of pairs).
 *
 *   row a    for each entry of a, the members behind it: count[b]++, b > a          (ranges/range-lists.ts)
 *
 *   slots    | b + 1, count | 0, 0 | …     0: free; open addressing, at most half full, all free again after each row
 *
 * A row needs the counts of its own pairs only. So they are in a small table, which stays in the cache however many nodes there
 * are, and pairs are never sorted. Lists lie anywhere: all of a row are touched before the first is looked at, so that the
 * memory brings them at once. Cost: some 4 ns an increment, and a miss a list.
 */

const SLOTS_LEAST = 64;
/** 2^32 over the golden ratio: numbers that follow one another are spread (Knuth 1973, §6.4). */
const SPREAD = 0x9e37_79b1;

/** Counts the pairs of a node with larger ones. */
export class PairCounter {
  /** Nodes that the last row shares enough with; `size` of them, ascending. */
  partners = new Uint32Array(1024);
  /** How many shingles it shares with each. */
  shared = new Uint32Array(1024);
  size = 0;
  /** Of all rows so far: increments, and pairs that share something. */
  increments = 0;
  pairs = 0;
  /** What was read of the last row for the sake of reading. */
  touched = 0;
  /** Members of all lists of a row, one behind the other. */
  private listed = new Uint32Array(1024);
  /** Where each partner has its slot. */
  private places = new Uint32Array(1024);
  private slots = new Uint32Array(2 * SLOTS_LEAST);
  private readonly memory: RangeMemory;

  constructor(memory: RangeMemory) {
    this.memory = memory;
  }

  /** Counts a row of the range. @param least of shared shingles, 1 or more: pairs with fewer are left out */
  row(node: number, least: number): void {
    const { from, members, ends, entries } = this.memory;
    // what were ends are starts by now
    const start = ends[node - from]!;
    const end = ends[node - from + 1]!;
    let touched = 0;
    for (let at = start; at < end; at++) {
      const entry = entries[at]!;
      if (entry < LAST) touched ^= members[entry]!;
    }
    this.touched = touched;
    let count = 0;
    for (let at = start; at < end; at++) {
      const entry = entries[at]!;
      count = entry < LAST ? this.list(members, entry, count) : this.listOne(entry, count);
    }
    this.count(count, least);
  }

  /** @param count members that are listed @returns how many are then */
  private list(members: Uint32Array, from: number, count: number): number {
    let size = count;
    let i = from;
    for (; members[i]! < LAST; i++) size = this.listOne(members[i]!, size);
    return this.listOne(members[i]!, size);
  }

  private listOne(member: number, count: number): number {
    if (count === this.listed.length) this.grow();
    this.listed[count] = member & (LAST - 1);
    return count + 1;
  }

  private grow(): void {
    const { listed } = this;
    const size = 2 * listed.length;
    this.listed = new Uint32Array(size);
    this.listed.set(listed);
    [this.partners, this.shared, this.places] = [new Uint32Array(size), new Uint32Array(size), new Uint32Array(size)];
  }

  private count(count: number, least: number): void {
    const { listed, partners, places, shared } = this;
    // twice as many as members, to a power of two
    const bits = Math.max(6, 33 - Math.clz32(count));
    if (this.slots.length < 2 ** (bits + 1)) this.slots = new Uint32Array(2 ** (bits + 1));
    const { slots } = this;
    const [shift, mask] = [31 - bits, 2 ** (bits + 1) - 2];
    let size = 0;
    for (let i = 0; i < count; i++) {
      const partner = listed[i]!;
      let place = (Math.imul(partner, SPREAD) >>> shift) & mask;
      for (let held = slots[place]!; held !== partner + 1; held = slots[place]!) {
        if (held === 0) {
          slots[place] = partner + 1;
          partners[size] = partner;
          places[size++] = place;
          break;
        }
        place = (place + 2) & mask;
      }
      slots[place + 1]!++;
    }
    let kept = 0;
    for (let i = 0; i < size; i++) {
      const place = places[i]!;
      const here = slots[place + 1]!;
      slots[place] = 0;
      slots[place + 1] = 0;
      // written in any case, since nobody can guess which are kept
      partners[kept] = partners[i]!;
      shared[kept] = here;
      kept += Number(here >= least);
    }
    sortBoth(partners, shared, kept);
    this.size = kept;
    this.pairs += size;
    this.increments += count;
  }
}

/** Gaps that are good for small arrays (Ciura 2001), and about 2.25 times as much for larger ones. */
const GAPS = [1, 4, 10, 23, 57, 132, 301, 701, 1577, 3548, 7983, 17961, 40412, 90927, 204585, 460316];

/** Sorts the first numbers, and with each the other one of its place (Shell 1959): a row has a few as a rule. */
function sortBoth(numbers: Uint32Array, others: Uint32Array, size: number): void {
  for (let step = GAPS.length - 1; step >= 0; step--) {
    const gap = GAPS[step]!;
    for (let i = gap; i < size; i++) {
      const [number, other] = [numbers[i]!, others[i]!];
      let at = i;
      for (; at >= gap && numbers[at - gap]! > number; at -= gap) {
        numbers[at] = numbers[at - gap]!;
        others[at] = others[at - gap]!;
      }
      numbers[at] = number;
      others[at] = other;
    }
  }
}
