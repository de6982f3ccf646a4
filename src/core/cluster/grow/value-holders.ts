import { type ComparedSample, NARROW_BITS_MIN } from '../../sketch/narrow.ts';

/*
 * Which documents hold a value, by the low 28 bits that all samples have (core/sketch/narrow.ts), while documents are added,
 * and taken one by one:
 *
 *   slots     of a key -> its number (open addressing)            4 bytes each, twice as many as keys or more
 *   lists     of a number -> its holders: [ waiting … | taken … ]  one holder, as most keys have, needs no list
 *
 * By so few bits a count can be too high, never too low. A value that two samples hold is 0 mod the coarser of their
 * moduli, so counts are those at the common modulus. Cost: some 20 ns a value once, then 1 to 2 ns a holder that is counted;
 * 16 to 24 bytes a value, and some 100 for each that several hold.
 */

const KEY_MASK = 2 ** NARROW_BITS_MIN - 1;
/** Multiplies keys apart, whose low bits are 0 where they were sampled: 2^32 / golden ratio, odd. */
const SPREAD = 0x9e37_79b1;
const NONE = -1;
const ROOM_FIRST = 2 ** 12;

export class ValueHolders {
  #slotBits = 13;
  #slots = new Int32Array(2 ** this.#slotBits).fill(NONE);
  #keys = new Int32Array(ROOM_FIRST);
  /** Of each key its only holder; NONE; or the number of its list, below NONE. */
  #holders = new Int32Array(ROOM_FIRST);
  /** Of the holders those that wait. */
  #waiting = new Uint32Array(ROOM_FIRST);
  readonly #lists: number[][] = [];
  #keyCount = 0;
  /** Of each document the numbers of its keys. */
  readonly #keysOf: Uint32Array[] = [];

  /** Adds the next document, which waits. */
  add({ values }: ComparedSample): void {
    const owner = this.#keysOf.length;
    const own = new Uint32Array(values.length);
    for (let i = 0; i < values.length; i++) {
      const number = this.#numberOf((values[i]! | 0) & KEY_MASK);
      own[i] = number;
      this.#hold(number, owner);
    }
    this.#keysOf.push(own);
  }

  /** Adds to the count of each document that was taken the values that it holds of document `number`, or a few more. */
  countTaken(number: number, counts: Uint32Array): void {
    const own = this.#keysOf[number]!;
    for (let i = 0; i < own.length; i++) {
      const key = own[i]!;
      const holders = this.#holders[key]!;
      if (holders > NONE) continue;
      const list = this.#lists[listAt(holders)]!;
      for (let at = this.#waiting[key]!; at < list.length; at++) counts[list[at]!]!++;
    }
  }

  /** Takes a document that waits, and adds to the count of each that still does. */
  take(number: number, counts: Uint32Array): void {
    const own = this.#keysOf[number]!;
    for (let i = 0; i < own.length; i++) {
      const key = own[i]!;
      const waiting = --this.#waiting[key]!;
      const holders = this.#holders[key]!;
      if (holders > NONE) continue;
      const list = this.#lists[listAt(holders)]!;
      let place = waiting;
      for (let at = 0; at <= waiting; at++) {
        const holder = list[at]!;
        counts[holder]!++;
        if (holder === number) place = at;
      }
      list[place] = list[waiting]!;
      list[waiting] = number;
    }
    counts[number] = 0;
  }

  #hold(key: number, owner: number): void {
    const waiting = this.#waiting[key]!++;
    const holders = this.#holders[key]!;
    if (holders === NONE) this.#holders[key] = owner;
    else if (holders > NONE) {
      this.#holders[key] = listAt(this.#lists.length);
      this.#lists.push(waiting === 1 ? [holders, owner] : [owner, holders]);
    } else {
      const list = this.#lists[listAt(holders)]!;
      list.push(owner);
      if (waiting === list.length - 1) return;
      list[list.length - 1] = list[waiting]!;
      list[waiting] = owner;
    }
  }

  #numberOf(key: number): number {
    let slot = this.#slotOf(key);
    const mask = this.#slots.length - 1;
    for (let number = this.#slots[slot]!; number !== NONE; number = this.#slots[slot]!) {
      if (this.#keys[number] === key) return number;
      slot = (slot + 1) & mask;
    }
    const number = this.#keyCount++;
    if (number === this.#keys.length) this.#grow();
    this.#keys[number] = key;
    this.#holders[number] = NONE;
    if (2 * number > this.#slots.length) this.#spread();
    else this.#slots[slot] = number;
    return number;
  }

  readonly #slotOf = (key: number) => Math.imul(key, SPREAD) >>> (32 - this.#slotBits);

  #grow(): void {
    const room = 2 * this.#keys.length;
    this.#keys = grown(this.#keys, new Int32Array(room));
    this.#holders = grown(this.#holders, new Int32Array(room));
    this.#waiting = grown(this.#waiting, new Uint32Array(room));
  }

  /** Twice as many slots, for the keys that are there. */
  #spread(): void {
    this.#slotBits++;
    this.#slots = new Int32Array(2 ** this.#slotBits).fill(NONE);
    const mask = this.#slots.length - 1;
    for (let number = 0; number < this.#keyCount; number++) {
      let slot = this.#slotOf(this.#keys[number]!);
      while (this.#slots[slot] !== NONE) slot = (slot + 1) & mask;
      this.#slots[slot] = number;
    }
  }
}

/** From the number of a list to what stands for it among holders, and back. */
const listAt = (number: number) => NONE - 1 - number;

function grown<A extends Int32Array | Uint32Array>(from: A, to: A): A {
  to.set(from);
  return to;
}
