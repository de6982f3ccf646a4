import { Buffer } from 'node:buffer';
import type { RawBytes } from './raw-bytes.ts';

/*
 * A part of a file in memory, which moves on over it.
 *
 *   file    ────────────────┬──────────────┬─────────────────┬───────────
 *   window                  │ looked back  │ ahead           │ free
 *                           start          at                end
 */

const MIB = 2 ** 20;

const WINDOW_BYTES = 4 * MIB;
/** Bytes before the place that stay: damage is noticed some blocks of deflate later, and searching begins before it. */
export const LOOK_BACK_BYTES = MIB;
/** So much can be asked for at a time. */
export const AHEAD_BYTES_MAX = WINDOW_BYTES - LOOK_BACK_BYTES;
const READ_BYTES = MIB;

export class ByteWindow {
  readonly #raw: RawBytes;
  readonly #bytes = Buffer.allocUnsafeSlow(WINDOW_BYTES);
  /** In the file; the others are in the window. */
  #start = 0;
  #at = 0;
  #end = 0;
  #isRead = false;

  constructor(raw: RawBytes) {
    this.#raw = raw;
  }

  /** The place in the file. */
  get at(): number {
    return this.#start + this.#at;
  }

  /** What is in memory from the place on: valid until the next `fill`. */
  get ahead(): Buffer {
    return this.#bytes.subarray(this.#at, this.#end);
  }

  /** Whether the file has no more than what is in memory. */
  get isRead(): boolean {
    return this.#isRead;
  }

  /** Goes to a place, or as near to it as is in memory. */
  goTo(place: number): void {
    this.#at = Math.max(0, Math.min(this.#end, place - this.#start));
  }

  /** Goes to a place, or to the end of the file. */
  async moveTo(place: number): Promise<void> {
    const beyond = place - (this.#start + this.#end);
    if (beyond <= 0) {
      this.goTo(place);
      return;
    }
    await this.#raw.skip(beyond);
    this.#start = place;
    this.#at = 0;
    this.#end = 0;
  }

  /** Has so many bytes in memory from the place on, or as many as there are. @param count at most AHEAD_BYTES_MAX */
  async fill(count: number): Promise<void> {
    while (this.#end - this.#at < count && !this.#isRead) {
      if (this.#at + count > WINDOW_BYTES) this.#letGo();
      const free = this.#bytes.subarray(this.#end, Math.min(WINDOW_BYTES, this.#end + READ_BYTES));
      const read = await this.#raw.read(free);
      this.#end += read;
      this.#isRead = read === 0;
    }
  }

  /** Of what is behind the place all but what is looked back at. */
  #letGo(): void {
    const kept = Math.max(0, this.#at - LOOK_BACK_BYTES);
    this.#bytes.copyWithin(0, kept, this.#end);
    this.#start += kept;
    this.#at -= kept;
    this.#end -= kept;
  }
}
