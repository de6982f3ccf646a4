import { lexicalKey } from '../format/keys.ts';
import type { RowChange } from '../format/rows.ts';
import { sealNumber } from '../format/values.ts';

/*
 * The number of each content by its id, exactly, and at the end table l in the order of its keys.
 *
 *   ids     128 bits a number, in pages
 *   slots   id -> number + 1 of the last content with it, 0 = none: open addressing, at most half full
 *
 * Ids are a keyed hash, so their first bits are spread. Cost: O(1) a look-up; 24 to 32 bytes a content, at the end 4 more.
 */

const WORDS = 4;
/** Hexadecimal digits of a word. */
const DIGITS = 8;
const PAGE_BITS = 16;
const PAGE_MASK = 2 ** PAGE_BITS - 1;
const SLOTS_LEAST = 2 ** 12;
/** Numbers that share their first bits, about, when they are sorted. */
const SHARING = 8;

export class ContentIds {
  private readonly pages: Uint32Array[] = [];
  private slots = new Uint32Array(SLOTS_LEAST);
  private used = 0;
  private readonly words = new Uint32Array(WORDS);
  private readonly bytes = Buffer.alloc(4 * WORDS);
  private readonly isLive: (number: number) => boolean;

  /** @param isLive whether a content is there still */
  constructor(isLive: (number: number) => boolean) {
    this.isLive = isLive;
  }

  /** The number of the content that is there with this id. */
  find(id: string): number | undefined {
    const number = this.slots[this.slotOf(this.wordsOf(id))]! - 1;
    return number >= 0 && this.isLive(number) ? number : undefined;
  }

  /** @param number larger than all before */
  add(id: string, number: number): void {
    if (2 * this.used >= this.slots.length) this.grow();
    const words = this.wordsOf(id);
    const slot = this.slotOf(words);
    if (this.slots[slot] === 0) this.used++;
    const page = number >>> PAGE_BITS;
    while (this.pages.length <= page) this.pages.push(new Uint32Array(WORDS * (PAGE_MASK + 1)));
    this.pages[page]!.set(words, WORDS * (number & PAGE_MASK));
    this.slots[slot] = number + 1;
  }

  /** Rows l of all that are there, in the order of their keys. */
  *rows(): Generator<RowChange, void, undefined> {
    const numbers = this.slots.filter((number) => number > 0 && this.isLive(number - 1));
    this.slots = new Uint32Array(0);
    const bits = Math.max(1, Math.ceil(Math.log2(numbers.length / SHARING)));
    const sorted = this.byFirstBits(numbers, bits);
    for (let from = 0; from < sorted.length; ) {
      const first = this.word(sorted[from]! - 1, 0) >>> (32 - bits);
      let to = from + 1;
      while (to < sorted.length && this.word(sorted[to]! - 1, 0) >>> (32 - bits) === first) to++;
      sorted.subarray(from, to).sort((a, b) => this.compare(a - 1, b - 1));
      for (; from < to; from++) {
        const number = sorted[from]! - 1;
        const key = lexicalKey(this.idOf(number));
        yield [key, sealNumber(key, number)];
      }
    }
  }

  private byFirstBits(numbers: Uint32Array, bits: number): Uint32Array {
    const offsets = new Uint32Array(2 ** bits + 1);
    const first = (number: number) => this.word(number - 1, 0) >>> (32 - bits);
    for (const number of numbers) offsets[first(number) + 1]!++;
    for (let i = 1; i < offsets.length; i++) offsets[i]! += offsets[i - 1]!;
    const sorted = new Uint32Array(numbers.length);
    for (const number of numbers) sorted[offsets[first(number)]!++] = number;
    return sorted;
  }

  private compare(a: number, b: number): number {
    for (let i = 0; i < WORDS; i++) {
      const difference = this.word(a, i) - this.word(b, i);
      if (difference !== 0) return difference;
    }
    return 0;
  }

  private word(number: number, index: number): number {
    return this.pages[number >>> PAGE_BITS]![WORDS * (number & PAGE_MASK) + index]!;
  }

  private idOf(number: number): string {
    for (let i = 0; i < WORDS; i++) this.bytes.writeUInt32BE(this.word(number, i), 4 * i);
    return this.bytes.toString('hex');
  }

  /** In memory that the next call uses again. */
  private wordsOf(id: string): Uint32Array {
    for (let i = 0; i < WORDS; i++) {
      let word = 0;
      for (let at = i * DIGITS; at < (i + 1) * DIGITS; at++) {
        const code = id.charCodeAt(at);
        word = (word << 4) | ((code & 15) + 9 * (code >>> 6));
      }
      this.words[i] = word;
    }
    return this.words;
  }

  private slotOf(words: Uint32Array): number {
    const mask = this.slots.length - 1;
    let slot = words[0]! & mask;
    while (this.slots[slot] !== 0 && !this.hasId(this.slots[slot]! - 1, words)) slot = (slot + 1) & mask;
    return slot;
  }

  private hasId(number: number, words: Uint32Array): boolean {
    const page = this.pages[number >>> PAGE_BITS]!;
    const at = WORDS * (number & PAGE_MASK);
    return page[at] === words[0] && page[at + 1] === words[1] && page[at + 2] === words[2] && page[at + 3] === words[3];
  }

  private grow(): void {
    const { slots } = this;
    this.slots = new Uint32Array(2 * slots.length);
    const words = new Uint32Array(WORDS);
    for (const number of slots) {
      if (number === 0) continue;
      for (let i = 0; i < WORDS; i++) words[i] = this.word(number - 1, i);
      this.slots[this.slotOf(words)] = number;
    }
  }
}
