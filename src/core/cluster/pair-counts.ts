import { BandCounter } from './ranges/band-counts.ts';
import type { RangeMemory } from './ranges/range-lists.ts';
import { LAST } from './shingle-lists.ts';

/*
 * How many shingles each pair shares (Broder 1997, §4.1, "count"), without a list of all pairs.
 *
 *   row a    for each entry of a, the members behind it: count[b]++, b > a          (ranges/range-lists.ts)
 *
 *   table    | b + 1, count | 0, 0 | …     0: free; open addressing, at most half full, all free again after each row
 *
 * A row needs the counts of its own pairs only. So they are in a small table, which stays in the cache however many nodes there
 * are, and pairs are never sorted. Lists lie anywhere: all of a row are touched before the first is looked at, so that the
 * memory brings them at once. Cost: some 4 ns an increment, and a miss a list.
 *
 * A pivot of a common list is in a pair with each of its members; by containment, a long text with each that it contains. Where
 * the table has no room for all partners, the row is counted in bands (ranges/band-counts.ts). Memory: 4 MB, 4 more for bands,
 * and 8 bytes a partner that is kept.
 */

/** Members that are listed before they are counted. */
const LISTED_MAX = 2 ** 15;
const SLOT_BITS_LEAST = 6;
/** 2 MB. */
const SLOT_BITS_MOST = 18;
/** As many as half of all slots, and as many fewer as are counted at a time. */
const TABLE_MAX = 2 ** (SLOT_BITS_MOST - 1) - LISTED_MAX;
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
  /** Members of the lists of a row, one list behind the other. */
  private readonly listed = new Uint32Array(LISTED_MAX);
  /** Where each partner has its slot; so many slots are taken. */
  private places = new Uint32Array(1024);
  private taken = 0;
  private slots = new Uint32Array(2 ** (SLOT_BITS_LEAST + 1));
  /** Made for the first row that needs them. */
  private bands: BandCounter | null = null;
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
    if (this.countInTable(start, end)) this.takeTable(least);
    else {
      this.freeTable();
      this.size = 0;
      this.bands ??= new BandCounter(this.memory);
      this.increments += this.bands.count(entries.slice(start, end), (partner, count) =>
        this.add(partner, count, least),
      );
    }
  }

  /** @returns whether there is room for all partners */
  private countInTable(start: number, end: number): boolean {
    const { entries, members } = this.memory;
    const { listed } = this;
    let [count, before] = [0, 0];
    for (let at = start; at < end; at++) {
      // an entry is where its members begin, or the only one
      let next = entries[at]!;
      for (let member = 0; member < LAST; ) {
        member = next < LAST ? members[next++]! : next;
        if (count === LISTED_MAX) {
          this.count(count, SLOT_BITS_MOST);
          if (this.taken > TABLE_MAX) return false;
          before += count;
          count = 0;
        }
        listed[count++] = member & (LAST - 1);
      }
    }
    // twice as many as members, to a power of two
    const bits = Math.max(SLOT_BITS_LEAST, 33 - Math.clz32(count));
    this.count(count, before === 0 ? bits : SLOT_BITS_MOST);
    this.increments += before + count;
    return true;
  }

  /** @param count members that are listed @param bits of a slot's number, the same for all of a row */
  private count(count: number, bits: number): void {
    const most = this.taken + count;
    this.places = widened(this.places, most);
    if (this.slots.length < 2 ** (bits + 1)) this.slots = new Uint32Array(2 ** (bits + 1));
    const { listed, places, slots } = this;
    const [shift, mask] = [31 - bits, 2 ** (bits + 1) - 2];
    let { taken } = this;
    for (let i = 0; i < count; i++) {
      const partner = listed[i]!;
      let place = (Math.imul(partner, SPREAD) >>> shift) & mask;
      for (let held = slots[place]!; held !== partner + 1; held = slots[place]!) {
        if (held === 0) {
          slots[place] = partner + 1;
          places[taken++] = place;
          break;
        }
        place = (place + 2) & mask;
      }
      slots[place + 1]!++;
    }
    this.taken = taken;
  }

  /** What the table has, which is free then. */
  private takeTable(least: number): void {
    const { places, slots, taken } = this;
    this.roomFor(taken);
    const { partners, shared } = this;
    let kept = 0;
    for (let i = 0; i < taken; i++) {
      const place = places[i]!;
      const here = slots[place + 1]!;
      // written in any case, since nobody can guess which are kept
      partners[kept] = slots[place]! - 1;
      shared[kept] = here;
      slots[place] = 0;
      slots[place + 1] = 0;
      kept += Number(here >= least);
    }
    this.taken = 0;
    sortBoth(partners, shared, kept);
    this.size = kept;
    this.pairs += taken;
  }

  private add(partner: number, count: number, least: number): void {
    this.pairs++;
    if (count < least) return;
    this.roomFor(this.size + 1);
    this.partners[this.size] = partner;
    this.shared[this.size++] = count;
  }

  private freeTable(): void {
    const { places, slots } = this;
    for (let i = 0; i < this.taken; i++) {
      slots[places[i]!] = 0;
      slots[places[i]! + 1] = 0;
    }
    this.taken = 0;
  }

  /** For so many partners; what is there stays. */
  private roomFor(count: number): void {
    this.partners = widened(this.partners, count);
    this.shared = widened(this.shared, count);
  }
}

/** @returns the same numbers, with room for so many */
function widened(numbers: Uint32Array<ArrayBuffer>, count: number): Uint32Array<ArrayBuffer> {
  if (numbers.length >= count) return numbers;
  const wider = new Uint32Array(Math.max(count, 2 * numbers.length));
  wider.set(numbers);
  return wider;
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
