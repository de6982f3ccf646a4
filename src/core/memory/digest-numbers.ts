/*
 * Numbers by digests of 128 bits, exactly.
 *
 *   digests   128 bits a number, in pages
 *   slots     number + 1 of the last one with a digest, 0 = none, and its first 32 bits: open addressing, at most 3/4 full
 *
 * Digests are keyed hashes, so their first bits are spread. By the slots alone almost every digest is known to be new, and they
 * become twice as many in their order. Cost: O(1) a look-up; 27 to 37 bytes a number.
 */

/** Numbers of 32 bits that a digest is. */
export const DIGEST_WORDS = 4;
/** Hexadecimal digits of a word. */
const DIGITS = 8;
const PAGE_BITS = 16;
const PAGE_MASK = 2 ** PAGE_BITS - 1;
const SLOTS_LEAST = 2 ** 12;
/** Words of a slot: number + 1, and the first of the digest. */
const SLOT_WORDS = 2;
const FULL_SHARE = 3 / 4;

export class DigestNumbers {
  private readonly pages: Uint32Array[] = [];
  private slots = newSlots(SLOTS_LEAST);
  /** Numbers that the slots take. */
  private room = FULL_SHARE * SLOTS_LEAST;
  private used = 0;
  private readonly words = new Uint32Array(DIGEST_WORDS);
  /** Nobody needs it: what is read for nothing would not be read. */
  private touched = 0;

  /** Of memory. */
  get bytes(): number {
    return this.slots.byteLength + this.pages.length * DIGEST_WORDS * 4 * (PAGE_MASK + 1);
  }

  /** The last number that was added with this digest: 32 hexadecimal digits. */
  find(digest: string): number | undefined {
    const number = this.slots[this.placeOf(this.wordsOf(digest))]! - 1;
    return number < 0 ? undefined : number;
  }

  /**
   * The number with this digest; where there is none, it is `number` from now on.
   *
   * @param from has the digest as {@link digestWords} puts it
   * @param at where it begins
   * @param number as for {@link add}
   */
  findOrAdd(from: ArrayLike<number>, at: number, number: number): number {
    const { words } = this;
    for (let i = 0; i < DIGEST_WORDS; i++) words[i] = from[at + i]!;
    if (this.used >= this.room) this.grow();
    const place = this.placeOf(words);
    if (this.slots[place] !== 0) return this.slots[place]! - 1;
    this.put(words, place, number);
    return number;
  }

  /**
   * Reads the slot where a digest begins to be looked up, for the sake of reading. Those of several digests come from the
   * memory at once, and are at hand then.
   *
   * @param from as for {@link findOrAdd}
   */
  touch(from: ArrayLike<number>, at: number): void {
    this.touched ^= this.slots[(SLOT_WORDS * from[at]!) & (this.slots.length - 1)]!;
  }

  /** @param number below 2^32 - 1: from now on it is the one with this digest */
  add(digest: string, number: number): void {
    if (this.used >= this.room) this.grow();
    const words = this.wordsOf(digest);
    this.put(words, this.placeOf(words), number);
  }

  private put(words: Uint32Array, place: number, number: number): void {
    if (this.slots[place] === 0) this.used++;
    const page = number >>> PAGE_BITS;
    while (this.pages.length <= page) this.pages.push(new Uint32Array(DIGEST_WORDS * (PAGE_MASK + 1)));
    this.pages[page]!.set(words, DIGEST_WORDS * (number & PAGE_MASK));
    this.slots[place] = number + 1;
    this.slots[place + 1] = words[0]!;
  }

  /** All numbers that can be found, in no order; nothing can be found afterwards. */
  take(): Uint32Array {
    const { slots } = this;
    const numbers = new Uint32Array(this.used);
    for (let place = 0, i = 0; place < slots.length; place += SLOT_WORDS)
      if (slots[place] !== 0) numbers[i++] = slots[place]! - 1;
    this.slots = newSlots(SLOTS_LEAST);
    this.room = FULL_SHARE * SLOTS_LEAST;
    this.used = 0;
    return numbers;
  }

  /** 32 bits of a number's digest, the first ones where `index` is 0. */
  word(number: number, index: number): number {
    return this.pages[number >>> PAGE_BITS]![DIGEST_WORDS * (number & PAGE_MASK) + index]!;
  }

  /** In memory that the next call uses again. */
  private wordsOf(digest: string): Uint32Array {
    digestWords(digest, this.words, 0);
    return this.words;
  }

  /** Where its slot begins, or the free one that it would have. */
  private placeOf(words: Uint32Array): number {
    const { slots } = this;
    const mask = slots.length - 1;
    const first = words[0]!;
    let place = (SLOT_WORDS * first) & mask;
    while (slots[place] !== 0 && (slots[place + 1] !== first || !this.has(slots[place]! - 1, words)))
      place = (place + SLOT_WORDS) & mask;
    return place;
  }

  /** Whether the rest of its digest is this one, too. */
  private has(number: number, words: Uint32Array): boolean {
    const page = this.pages[number >>> PAGE_BITS]!;
    const at = DIGEST_WORDS * (number & PAGE_MASK);
    return page[at + 1] === words[1] && page[at + 2] === words[2] && page[at + 3] === words[3];
  }

  private grow(): void {
    const { slots } = this;
    const larger = newSlots(slots.length);
    const mask = larger.length - 1;
    for (let from = 0; from < slots.length; from += SLOT_WORDS) {
      if (slots[from] === 0) continue;
      const first = slots[from + 1]!;
      // all of them differ, so the first that is free is theirs
      let place = (SLOT_WORDS * first) & mask;
      while (larger[place] !== 0) place = (place + SLOT_WORDS) & mask;
      larger[place] = slots[from]!;
      larger[place + 1] = first;
    }
    this.slots = larger;
    this.room *= 2;
  }
}

/** A digest of 32 hexadecimal digits as four numbers of 32 bits. @param at where they go */
export function digestWords(digest: string, into: Uint32Array | Float64Array, at: number): void {
  for (let i = 0; i < DIGEST_WORDS; i++) into[at + i] = wordOf(digest, i) >>> 0;
}

function wordOf(digest: string, index: number): number {
  let word = 0;
  for (let at = index * DIGITS; at < (index + 1) * DIGITS; at++) {
    const code = digest.charCodeAt(at);
    word = (word << 4) | ((code & 15) + 9 * (code >>> 6));
  }
  return word;
}

const newSlots = (count: number) => new Uint32Array(SLOT_WORDS * count);
