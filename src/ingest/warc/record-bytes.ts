import { Buffer } from 'node:buffer';
import type { UnpackedChunk } from '../port.ts';

/*
 * Chunks as one stretch of bytes, of which as much is in memory as was asked for. Damage ends a stretch, and the next one
 * begins behind it.
 *
 *   chunks     ┌ member ┐┌ member ┐ damage ┌ member ┐
 *   stretches  ├──────────────────┤        ├────────┤
 *   borders    │         │                 │
 *
 * A chunk that has one whole record is never copied.
 */

const NOTHING = Buffer.alloc(0);

/** Where bytes lie in the file as it is packed. */
export interface Place {
  readonly byte: number;
  /** Whether they begin there: else they are of the member that does. */
  readonly isExact: boolean;
}

/** What is between two stretches. */
export interface Gap {
  readonly damage: string;
  /** Whether the last bytes before it cannot be trusted. */
  readonly isTorn: boolean;
}

export class RecordBytes {
  readonly #chunks: AsyncIterator<UnpackedChunk>;
  #bytes: Buffer = NOTHING;
  #at = 0;
  /** `#bytes` from `#at` on, if they were asked for since either changed. */
  #ahead: Buffer | null = null;
  /** Bytes that were passed before `#bytes`. */
  #before = 0;
  /** Where members begin, by the number of bytes before them; the last one at or before the place, and those after it. */
  #borders: { readonly at: number; readonly byte: number }[] = [];
  /** Of plain bytes, where those begin of which none were passed. */
  #plainFrom: number | null = null;
  /** The end of what was not proven: see {@link isProven}. */
  #unprovenUntil = 0;
  /** How often damage was crossed. */
  gaps = 0;
  #gap: { readonly gap: Gap; readonly chunk: UnpackedChunk } | null = null;
  #isEnded = false;

  constructor(chunks: AsyncIterable<UnpackedChunk>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  get ahead(): Buffer {
    this.#ahead ??= this.#at === 0 ? this.#bytes : this.#bytes.subarray(this.#at);
    return this.#ahead;
  }

  /** Bytes before the place. */
  get passed(): number {
    return this.#before + this.#at;
  }

  get place(): Place {
    if (this.#plainFrom !== null) return { byte: this.#plainFrom + this.passed, isExact: true };
    const border = this.#borders[0];
    return { byte: border?.byte ?? 0, isExact: border?.at === this.passed };
  }

  /** Whether a checksum has proven all bytes that are in memory from the place on. */
  get isProven(): boolean {
    return this.#unprovenUntil <= this.passed;
  }

  /** Damage that follows on what is in memory, as far as it is known already. */
  get gapAhead(): Gap | null {
    return this.#gap?.gap ?? null;
  }

  pass(count: number): void {
    if (count > 0) this.#ahead = null;
    this.#at += count;
    const { passed } = this;
    while (this.#borders.length > 1 && this.#borders[1]!.at <= passed) this.#borders.shift();
  }

  /** Whether a member begins `count` bytes from the place on. */
  isBorder(count: number): boolean {
    const at = this.passed + count;
    return this.#borders.some((border) => border.at === at);
  }

  /** One more chunk in memory. @returns false where the stretch has none */
  async more(): Promise<boolean> {
    return this.have(this.#bytes.length - this.#at + 1);
  }

  /** So many bytes in memory. @returns false where the stretch ends before */
  async have(count: number): Promise<boolean> {
    let length = this.#bytes.length - this.#at;
    if (length >= count) return true;
    const parts: Buffer[] = length === 0 ? [] : [this.ahead];
    while (length < count) {
      const chunk = await this.#next();
      if (chunk === null) break;
      this.#note(chunk, this.passed + length);
      parts.push(Buffer.from(chunk.bytes.buffer, chunk.bytes.byteOffset, chunk.bytes.length));
      length += chunk.bytes.length;
    }
    this.#goOn(parts.length === 1 ? parts[0]! : Buffer.concat(parts, length));
    this.pass(0);
    return length >= count;
  }

  /** Goes behind the damage at which the stretch ended, whatever was left of it. @returns null at the end of the file */
  cross(): Gap | null {
    if (this.#gap === null) return null;
    const { gap, chunk } = this.#gap;
    this.#gap = null;
    this.gaps++;
    this.pass(this.#bytes.length - this.#at);
    this.#goOn(Buffer.from(chunk.bytes.buffer, chunk.bytes.byteOffset, chunk.bytes.length));
    this.#note(chunk, this.#before);
    this.pass(0);
    return gap;
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  /** Has these in memory, from the place on. */
  #goOn(bytes: Buffer): void {
    this.#before = this.passed;
    this.#at = 0;
    this.#bytes = bytes;
    this.#ahead = bytes;
  }

  async #next(): Promise<UnpackedChunk | null> {
    if (this.#gap !== null || this.#isEnded) return null;
    const next = await this.#chunks.next();
    if (next.done === true) {
      this.#isEnded = true;
      return null;
    }
    const chunk = next.value;
    if (chunk.damage === null) return chunk;
    this.#gap = { gap: { damage: chunk.damage, isTorn: chunk.isTorn ?? false }, chunk };
    return null;
  }

  #note({ bytes, byte, begins, isProven }: UnpackedChunk, at: number): void {
    if (begins) this.#borders.push({ at, byte });
    else if (this.#borders.length === 0) this.#plainFrom ??= byte - at;
    if (isProven !== true) this.#unprovenUntil = at + bytes.length;
  }
}
