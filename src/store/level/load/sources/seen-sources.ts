import { mixed } from '../../mixed.ts';

/*
 * Which sources were met: two hashes of 32 bits of each. That a new one is taken for a known one happens once in thousands of
 * loads of 10^7, and costs a read in vain.
 *
 *   slots   [ first | second ]   first = 0: none. Open addressing, at most three quarters full
 *
 * Cost: 11 to 22 bytes a source.
 */

const SLOTS_LEAST = 2 ** 12;
const FULL = 3 / 4;
/** This one or a later one: 1,000 runs are of hundreds of millions of sources. */
export const RUN_MAX = 2 ** 10 - 1;

export class SeenSources {
  private slots = new Uint32Array(2 * SLOTS_LEAST);
  private count = 0;
  private first = 0;
  private second = 0;

  /** @returns whether it was not there before */
  add(key: string, run: number): boolean {
    this.hash(key);
    const at = this.find();
    if (this.slots[at] !== 0) return false;
    this.second += Math.min(run, RUN_MAX);
    this.put(at);
    if (2 * ++this.count > FULL * this.slots.length) this.grow();
    return true;
  }

  has(key: string): boolean {
    return this.runOf(key) !== undefined;
  }

  /** The run that it came into, {@link RUN_MAX} for all from there on; undefined where it was not met. */
  runOf(key: string): number | undefined {
    this.hash(key);
    const at = this.find();
    return this.slots[at] === 0 ? undefined : this.slots[at + 1]! & RUN_MAX;
  }

  /** FNV-1a of the key, and the same with another prime and the bits turned between. */
  private hash(key: string): void {
    let first = 0x811c_9dc5;
    let second = 0x9e37_79b9;
    for (let i = 0; i < key.length; i++) {
      const code = key.charCodeAt(i);
      first = Math.imul(first ^ code, 0x0100_0193);
      second = Math.imul((second << 7) ^ (second >>> 25) ^ code, 0x85eb_ca6b);
    }
    // never 0: so that no source looks like none
    this.first = (mixed(first) | 1) >>> 0;
    this.second = (mixed(second) & ~RUN_MAX) >>> 0;
  }

  private find(): number {
    const { slots, first, second } = this;
    const mask = slots.length - 2;
    let at = first & mask;
    while (slots[at] !== 0 && (slots[at] !== first || (slots[at + 1]! & ~RUN_MAX) >>> 0 !== second))
      at = (at + 2) & mask;
    return at;
  }

  private findFree(): number {
    const { slots } = this;
    const mask = slots.length - 2;
    let at = this.first & mask;
    while (slots[at] !== 0) at = (at + 2) & mask;
    return at;
  }

  private put(at: number): void {
    this.slots[at] = this.first;
    this.slots[at + 1] = this.second;
  }

  private grow(): void {
    const { slots } = this;
    this.slots = new Uint32Array(2 * slots.length);
    for (let i = 0; i < slots.length; i += 2) {
      if (slots[i] === 0) continue;
      this.first = slots[i]!;
      this.second = slots[i + 1]!;
      this.put(this.findFree());
    }
  }
}
