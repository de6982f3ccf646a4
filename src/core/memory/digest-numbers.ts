/*
 * Numbers by digests of 128 bits, exactly.
 *
 *   digests   128 bits a number, in pages
 *   slots     digest -> number + 1 of the last one with it, 0 = none: open addressing, at most half full
 *
 * Digests are keyed hashes, so their first bits are spread. Cost: O(1) a look-up; 24 to 32 bytes a number.
 */

const WORDS = 4;
/** Hexadecimal digits of a word. */
const DIGITS = 8;
const PAGE_BITS = 16;
const PAGE_MASK = 2 ** PAGE_BITS - 1;
const SLOTS_LEAST = 2 ** 12;

export class DigestNumbers {
  private readonly pages: Uint32Array[] = [];
  private slots = new Uint32Array(SLOTS_LEAST);
  private used = 0;
  private readonly words = new Uint32Array(WORDS);

  /** Of memory. */
  get bytes(): number {
    return this.slots.byteLength + this.pages.length * WORDS * 4 * (PAGE_MASK + 1);
  }

  /** The last number that was added with this digest: 32 hexadecimal digits. */
  find(digest: string): number | undefined {
    const number = this.slots[this.slotOf(this.wordsOf(digest))]! - 1;
    return number < 0 ? undefined : number;
  }

  /** The number with this digest; where there is none, it is `number` from now on. @param number as for {@link add} */
  findOrAdd(digest: string, number: number): number {
    if (2 * this.used >= this.slots.length) this.grow();
    const words = this.wordsOf(digest);
    const slot = this.slotOf(words);
    if (this.slots[slot] !== 0) return this.slots[slot]! - 1;
    this.put(words, slot, number);
    return number;
  }

  /** @param number larger than all before, below 2^32 - 1 */
  add(digest: string, number: number): void {
    if (2 * this.used >= this.slots.length) this.grow();
    const words = this.wordsOf(digest);
    this.put(words, this.slotOf(words), number);
  }

  private put(words: Uint32Array, slot: number, number: number): void {
    if (this.slots[slot] === 0) this.used++;
    const page = number >>> PAGE_BITS;
    while (this.pages.length <= page) this.pages.push(new Uint32Array(WORDS * (PAGE_MASK + 1)));
    this.pages[page]!.set(words, WORDS * (number & PAGE_MASK));
    this.slots[slot] = number + 1;
  }

  /** All numbers that can be found, in no order; nothing can be found afterwards. */
  take(): Uint32Array {
    const numbers = this.slots.filter((number) => number > 0);
    for (let i = 0; i < numbers.length; i++) numbers[i]!--;
    this.slots = new Uint32Array(SLOTS_LEAST);
    this.used = 0;
    return numbers;
  }

  /** 32 bits of a number's digest, the first ones where `index` is 0. */
  word(number: number, index: number): number {
    return this.pages[number >>> PAGE_BITS]![WORDS * (number & PAGE_MASK) + index]!;
  }

  /** In memory that the next call uses again. */
  private wordsOf(digest: string): Uint32Array {
    for (let i = 0; i < WORDS; i++) {
      let word = 0;
      for (let at = i * DIGITS; at < (i + 1) * DIGITS; at++) {
        const code = digest.charCodeAt(at);
        word = (word << 4) | ((code & 15) + 9 * (code >>> 6));
      }
      this.words[i] = word;
    }
    return this.words;
  }

  private slotOf(words: Uint32Array): number {
    const mask = this.slots.length - 1;
    let slot = words[0]! & mask;
    while (this.slots[slot] !== 0 && !this.has(this.slots[slot]! - 1, words)) slot = (slot + 1) & mask;
    return slot;
  }

  private has(number: number, words: Uint32Array): boolean {
    const page = this.pages[number >>> PAGE_BITS]!;
    const at = WORDS * (number & PAGE_MASK);
    return page[at] === words[0] && page[at + 1] === words[1] && page[at + 2] === words[2] && page[at + 3] === words[3];
  }

  private grow(): void {
    const { slots } = this;
    this.slots = new Uint32Array(2 * slots.length);
    const mask = this.slots.length - 1;
    for (const number of slots) {
      if (number === 0) continue;
      // all of them differ, so the first that is free is theirs
      let slot = this.word(number - 1, 0) & mask;
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
      this.slots[slot] = number;
    }
  }
}
