import { runToEnd, STEP_VALUES } from '../../memory/steps.ts';
import { type ComparedSample, NARROW_BITS_MIN } from '../../sketch/narrow.ts';
import { HolderRows } from './holder-rows.ts';

/*
 * Which documents hold a value, by the low 16 bits that all samples have (core/sketch/narrow.ts), while documents are added:
 *
 *   slots     of a key -> its number (open addressing)      4 bytes each, twice as many as keys or more
 *   lists     of a number -> its holders                    side by side; one that is full moves to twice the room
 *   row       of a number that many hold -> a bit for each document (core/cluster/grow/holder-rows.ts)
 *
 * A document that has a key twice stands in the list, too. By so few bits a count can be too high, never too low. A
 * value that two samples hold is 0 mod the coarser of their moduli, so counts are those at the common modulus.
 * Cost: some 20 ns a value once; to count, 1 to 2 ns a holder in a list, and .2 ns a document for each row. 28 to 36 bytes a
 * value, and 4 to 16 for each of its holders.
 */

const KEY_MASK = 2 ** NARROW_BITS_MIN - 1;
/** Multiplies keys apart, whose low bits are 0 where they were sampled: 2^32 / golden ratio, odd. */
const SPREAD = 0x9e37_79b1 | 0;
const NONE = -1;
const ROOM_FIRST = 2 ** 12;
/** Holders of a key that has a row: so many, and one in so many of all documents. */
const ROW_HOLDERS_LEAST = 64;
const ROW_SHARE = 8;

export class ValueHolders {
  #slotBits = 13;
  #slots = new Int32Array(2 ** this.#slotBits).fill(NONE);
  #keys = new Int32Array(ROOM_FIRST);
  #keyCount = 0;
  /** Of each key where its list begins, how long it is, and its row. A list has room for the next power of two. */
  #starts = new Uint32Array(ROOM_FIRST);
  #lengths = new Uint32Array(ROOM_FIRST);
  #rowOf = new Int32Array(ROOM_FIRST);
  /** The last document that has each key. */
  #lastOf = new Int32Array(ROOM_FIRST);
  #holders = new Uint32Array(ROOM_FIRST);
  #holdersEnd = 0;
  readonly #rows = new HolderRows();
  /** The numbers of the keys of each document, each once. */
  readonly #keysOf: Uint32Array[] = [];

  /** Adds the next document. */
  add(sample: ComparedSample): void {
    runToEnd(this.addSteps(sample));
  }

  /** The same in steps of some ms, between which nothing may be asked. */
  *addSteps({ values }: ComparedSample): Generator<undefined, void> {
    const owner = this.#keysOf.length;
    this.#rows.makeRoom(owner + 1);
    const own = new Uint32Array(values.length);
    let count = 0;
    for (let i = 0; i < values.length; i++) {
      if (i % STEP_VALUES === STEP_VALUES - 1) yield;
      const key = this.#numberOf((values[i]! | 0) & KEY_MASK);
      if (this.#lastOf[key] !== owner) own[count++] = key;
      this.#lastOf[key] = owner;
      const row = this.#rowOf[key]!;
      if (row === NONE || !this.#rows.add(row, owner)) this.#list(key, owner);
    }
    this.#keysOf.push(count === own.length ? own : own.slice(0, count));
  }

  /**
   * Counts for each document how many of its values have a key of document `number`: as many as the two share, or a few more.
   * A document of a million values has each key many times, so each key is looked up once.
   *
   * @param counts is added to, at the document's number: 0 before
   * @param met becomes the numbers of those that hold any, the document itself among them, in any order
   * @returns how many these are
   */
  count(number: number, counts: Uint32Array, met: Uint32Array): number {
    const own = this.#keysOf[number]!;
    const [starts, lengths, rowOf, holders] = [this.#starts, this.#lengths, this.#rowOf, this.#holders];
    const rows: number[] = [];
    let size = 0;
    for (let i = 0; i < own.length; i++) {
      const key = own[i]!;
      const end = starts[key]! + lengths[key]!;
      for (let at = starts[key]!; at < end; at++) {
        const holder = holders[at]!;
        if (counts[holder]!++ === 0) met[size++] = holder;
      }
      if (rowOf[key] !== NONE) rows.push(rowOf[key]!);
    }
    return rows.length === 0 ? size : this.#rows.count(rows, this.#keysOf.length, counts, met, size);
  }

  #list(key: number, owner: number): void {
    const length = this.#lengths[key]!;
    if ((length & (length - 1)) === 0) this.#move(key, length);
    this.#holders[this.#starts[key]! + length] = owner;
    this.#lengths[key] = length + 1;
    const isWide = length + 1 >= ROW_HOLDERS_LEAST && (length + 1) * ROW_SHARE >= owner;
    if (isWide && this.#rowOf[key] === NONE) this.#toRow(key);
  }

  /** To where it has room for twice as many. */
  #move(key: number, length: number): void {
    const start = this.#holdersEnd;
    this.#holdersEnd += Math.max(1, 2 * length);
    if (this.#holdersEnd > this.#holders.length) {
      this.#holders = grown(this.#holders, new Uint32Array(2 * this.#holdersEnd));
    }
    const from = this.#starts[key]!;
    this.#holders.copyWithin(start, from, from + length);
    this.#starts[key] = start;
  }

  /** From its list to a row, but for what a document has twice. */
  #toRow(key: number): void {
    const row = this.#rows.begin();
    this.#rowOf[key] = row;
    const start = this.#starts[key]!;
    const end = start + this.#lengths[key]!;
    let kept = start;
    for (let at = start; at < end; at++) {
      const owner = this.#holders[at]!;
      if (!this.#rows.add(row, owner)) this.#holders[kept++] = owner;
    }
    this.#lengths[key] = kept - start;
  }

  #numberOf(key: number): number {
    const slots = this.#slots;
    const keys = this.#keys;
    const mask = slots.length - 1;
    let slot = Math.imul(key, SPREAD) >>> (32 - this.#slotBits);
    for (let number = slots[slot]!; number !== NONE; number = slots[slot]!) {
      if (keys[number] === key) return number;
      slot = (slot + 1) & mask;
    }
    const number = this.#keyCount++;
    if (number === keys.length) this.#grow();
    this.#keys[number] = key;
    this.#rowOf[number] = NONE;
    this.#lastOf[number] = NONE;
    if (2 * number > slots.length) this.#spread();
    else slots[slot] = number;
    return number;
  }

  #grow(): void {
    const room = 2 * this.#keys.length;
    this.#keys = grown(this.#keys, new Int32Array(room));
    this.#starts = grown(this.#starts, new Uint32Array(room));
    this.#lengths = grown(this.#lengths, new Uint32Array(room));
    this.#rowOf = grown(this.#rowOf, new Int32Array(room));
    this.#lastOf = grown(this.#lastOf, new Int32Array(room));
  }

  /** Twice as many slots, for the keys that are there. */
  #spread(): void {
    this.#slotBits++;
    this.#slots = new Int32Array(2 ** this.#slotBits).fill(NONE);
    const mask = this.#slots.length - 1;
    for (let number = 0; number < this.#keyCount; number++) {
      let slot = Math.imul(this.#keys[number]!, SPREAD) >>> (32 - this.#slotBits);
      while (this.#slots[slot] !== NONE) slot = (slot + 1) & mask;
      this.#slots[slot] = number;
    }
  }
}

function grown<A extends Int32Array | Uint32Array>(from: A, to: A): A {
  to.set(from);
  return to;
}
