import { Buffer } from 'node:buffer';
import type { UnpackedChunk } from '../../port.ts';
import type { Output, Waiting } from '../port.ts';
import type { Spill } from './spill.ts';

/*
 * The bytes of a file on their way to a reader, held until it is told of what they are.
 *
 *   decided: copied or passed over │ held, on disk where that is much │ held in memory │ to come
 *                                 from                                               until
 *
 * Places are bytes of the file, unpacked. Of a packed file it is known which members they are of.
 */

/** So much is held in memory: some of the largest records that are read, or chunks. What is more goes to the disk. */
const HELD_BYTES_MAX = 48 * 2 ** 20;
/** From the disk so much is read at a time. */
const PIECE_BYTES = 2 ** 20;

interface Member {
  /** Its first byte, unpacked. */
  readonly at: number;
  /** Where it lies. */
  readonly byte: number;
  /** Behind it, where that is known. */
  readonly end: number | null;
}

export interface Stretch {
  readonly from: number;
  readonly to: number;
}

export class Tape {
  readonly #spill: Spill | null;
  /** The last ones that came, in memory. */
  #pieces: Buffer[] = [];
  #memoryBytes = 0;
  #from = 0;
  #until = 0;
  /** Of the file, packed or not: where the last chunk lies. */
  byte = 0;
  /** The one that the decided bytes end in, then each that began. */
  readonly #members: Member[] = [];

  /** @param spill where bytes wait that are too many for memory; null: they are in memory all the same */
  constructor(spill: Spill | null) {
    this.#spill = spill;
  }

  /** The place up to which it is decided. */
  get from(): number {
    return this.#from;
  }

  get until(): number {
    return this.#until;
  }

  /** Chunks, of which it holds the bytes. */
  async *through(chunks: AsyncIterable<UnpackedChunk>): AsyncGenerator<UnpackedChunk, void, undefined> {
    for await (const chunk of chunks) {
      const { bytes, byte, begins, end } = chunk;
      this.byte = byte;
      if (begins) {
        while (this.#members.length > 1 && this.#members[1]!.at <= this.#from) this.#members.shift();
        this.#members.push({ at: this.#until, byte, end: end ?? null });
      }
      if (bytes.length > 0) this.#pieces.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
      this.#memoryBytes += bytes.length;
      this.#until += bytes.length;
      yield chunk;
      // what it lies in may be written over now
      const last = this.#pieces.pop();
      if (last !== undefined) this.#pieces.push(Buffer.from(last));
      if (this.#memoryBytes <= HELD_BYTES_MAX || this.#spill === null) continue;
      for (const piece of this.#pieces) await this.#spill.add(piece);
      this.#pieces = [];
      this.#memoryBytes = 0;
    }
  }

  /** Up to 1,024 held bytes from one place to another; null where they are more, or not in memory. */
  glance(from: number, to: number): Buffer | null {
    const inMemory = this.#until - this.#memoryBytes;
    if (from < inMemory || to - from > 1024) return null;
    const parts: Buffer[] = [];
    let at = inMemory;
    for (const piece of this.#pieces) {
      if (at >= to) break;
      parts.push(piece.subarray(Math.max(0, from - at), Math.max(0, to - at)));
      at += piece.length;
    }
    return Buffer.concat(parts);
  }

  /** Held bytes from a place on, at most so many. */
  async read(from: number, count: number): Promise<Buffer> {
    const inMemory = this.#until - this.#memoryBytes;
    const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(count, this.#until - from)));
    let length = 0;
    if (from < inMemory) {
      const onDisk = Math.min(bytes.length, inMemory - from);
      await this.#spill!.read(bytes.subarray(0, onDisk), this.#spill!.bytes - (inMemory - from));
      length = onDisk;
    }
    let at = inMemory;
    for (const piece of this.#pieces) {
      const start = Math.max(0, from - at);
      if (length < bytes.length && start < piece.length) length += piece.copy(bytes, length, start);
      at += piece.length;
    }
    return bytes;
  }

  /** Hands on what is held up to a place. @returns a promise where that has to wait */
  copyTo(place: number, output: Output): Waiting {
    if (this.#from < this.#until - this.#memoryBytes) return this.#copyLong(place, output);
    for (let left = Math.min(place, this.#until) - this.#from; left > 0; ) {
      const piece = this.#pieces[0]!;
      const taken = Math.min(left, piece.length);
      output.add(taken === piece.length ? piece : piece.subarray(0, taken));
      this.#drop(taken);
      left -= taken;
    }
    return null;
  }

  async #copyLong(place: number, output: Output): Promise<void> {
    const end = Math.min(place, this.#until);
    while (this.#from < end) {
      const bytes = await this.read(this.#from, Math.min(PIECE_BYTES, end - this.#from));
      output.add(bytes);
      await this.skipTo(this.#from + bytes.length);
      if (output.isFull) await output.settle();
    }
  }

  /** Passes over what is held up to a place. @returns a promise where that has to wait */
  skipTo(place: number): Waiting {
    const end = Math.min(place, this.#until);
    const onDisk = this.#until - this.#memoryBytes - this.#from;
    if (onDisk > 0) this.#from += Math.max(0, Math.min(onDisk, end - this.#from));
    while (this.#from < end && this.#pieces.length > 0) {
      this.#drop(Math.min(end - this.#from, this.#pieces[0]!.length));
    }
    const isOffDisk = onDisk > 0 && this.#from >= this.#until - this.#memoryBytes;
    return isOffDisk ? this.#spill!.clear() : null;
  }

  #drop(count: number): void {
    const piece = this.#pieces[0]!;
    if (count === piece.length) this.#pieces.shift();
    else this.#pieces[0] = piece.subarray(count);
    this.#memoryBytes -= count;
    this.#from += count;
  }

  /** Where the members lie that are these bytes and no others; null where there are none such, or none in one piece. */
  membersOf(start: number, end: number): Stretch | null {
    const members = this.#members;
    const first = members.findIndex(({ at }) => at >= start);
    if (first < 0 || members[first]!.at !== start) return null;
    const { byte: from } = members[first]!;
    let to = from;
    for (let index = first; index < members.length && members[index]!.at < end; index++) {
      const { byte, end: behind } = members[index]!;
      const until = members[index + 1]?.at ?? this.#until;
      if (byte !== to || behind === null || until > end) return null;
      to = behind;
    }
    return { from, to };
  }
}
