import { DIGEST_WORDS, DigestNumbers } from '../../../core/memory/digest-numbers.ts';
import { lexicalKey } from '../format/keys.ts';
import { sealNumber } from '../format/values.ts';

/* The number of each content by its id, and at the end table l in the order of its keys: 4 bytes a content more. */

/** Numbers that share their first bits, about, when they are sorted. */
const SHARING = 8;

export class ContentIds {
  private readonly numbers = new DigestNumbers();
  private readonly bytes = Buffer.alloc(4 * DIGEST_WORDS);
  private readonly isLive: (number: number) => boolean;

  /** @param isLive whether a content is there still */
  constructor(isLive: (number: number) => boolean) {
    this.isLive = isLive;
  }

  /** The number of the content that is there with this id. */
  find(id: string): number | undefined {
    const number = this.numbers.find(id);
    return number !== undefined && this.isLive(number) ? number : undefined;
  }

  /** @param number larger than all before with this id */
  add(id: string, number: number): void {
    this.numbers.add(id, number);
  }

  /** The same, in any order: one that came later has the id, after this one was forgotten. */
  addAny(id: string, number: number): void {
    const known = this.numbers.find(id);
    if (known === undefined || known < number) this.numbers.add(id, number);
  }

  /** Rows l of all that are there, in the order of their keys. */
  *rows(): Generator<readonly [key: string, value: Buffer], void, undefined> {
    const numbers = this.numbers.take().filter((number) => this.isLive(number));
    const bits = Math.max(1, Math.ceil(Math.log2(numbers.length / SHARING)));
    const sorted = this.byFirstBits(numbers, bits);
    for (let from = 0; from < sorted.length; ) {
      const first = this.numbers.word(sorted[from]!, 0) >>> (32 - bits);
      let to = from + 1;
      while (to < sorted.length && this.numbers.word(sorted[to]!, 0) >>> (32 - bits) === first) to++;
      sorted.subarray(from, to).sort((a, b) => this.compare(a, b));
      for (; from < to; from++) {
        const number = sorted[from]!;
        const key = lexicalKey(this.idOf(number));
        yield [key, sealNumber(key, number)];
      }
    }
  }

  private byFirstBits(numbers: Uint32Array, bits: number): Uint32Array {
    const offsets = new Uint32Array(2 ** bits + 1);
    const first = (number: number) => this.numbers.word(number, 0) >>> (32 - bits);
    for (const number of numbers) offsets[first(number) + 1]!++;
    for (let i = 1; i < offsets.length; i++) offsets[i]! += offsets[i - 1]!;
    const sorted = new Uint32Array(numbers.length);
    for (const number of numbers) sorted[offsets[first(number)]!++] = number;
    return sorted;
  }

  private compare(a: number, b: number): number {
    for (let i = 0; i < DIGEST_WORDS; i++) {
      const difference = this.numbers.word(a, i) - this.numbers.word(b, i);
      if (difference !== 0) return difference;
    }
    return 0;
  }

  private idOf(number: number): string {
    for (let i = 0; i < DIGEST_WORDS; i++) this.bytes.writeUInt32BE(this.numbers.word(number, i), 4 * i);
    return this.bytes.toString('hex');
  }
}
