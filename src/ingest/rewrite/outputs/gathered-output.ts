import { Buffer } from 'node:buffer';
import type { Output, WriteBytes } from '../port.ts';

const LF = 0x0a;
const BLOCK_BYTES = 2 ** 20;
/** So much is held before it is written. */
const HELD_BYTES = 4 * BLOCK_BYTES;

/** Bytes as they are, gathered into blocks. */
export class GatheredOutput implements Output {
  isEmpty = true;
  endsLine = true;
  readonly #write: WriteBytes;
  #full: Buffer[] = [];
  #block: Buffer | null = null;
  #length = 0;

  constructor(write: WriteBytes) {
    this.#write = write;
  }

  add(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.isEmpty = false;
    this.endsLine = bytes.at(-1) === LF;
    for (let at = 0; at < bytes.length; ) {
      this.#block ??= Buffer.allocUnsafeSlow(BLOCK_BYTES);
      const taken = Math.min(bytes.length - at, BLOCK_BYTES - this.#length);
      this.#block.set(bytes.subarray(at, at + taken), this.#length);
      this.#length += taken;
      at += taken;
      if (this.#length < BLOCK_BYTES) continue;
      this.#full.push(this.#block);
      this.#block = null;
      this.#length = 0;
    }
  }

  endRecord(): void {
    // there is nothing to end
  }

  get isFull(): boolean {
    return this.#full.length * BLOCK_BYTES >= HELD_BYTES;
  }

  async settle(): Promise<void> {
    const full = this.#full;
    this.#full = [];
    for (const block of full) await this.#write(block);
  }

  async end(): Promise<void> {
    await this.settle();
    if (this.#block !== null) await this.#write(this.#block.subarray(0, this.#length));
    this.#block = null;
    this.#length = 0;
  }
}
