import { Buffer } from 'node:buffer';
import { Readable } from 'node:stream';
import { Bell } from '../../sharing/waiting.ts';
import { type ByteWindow, LOOK_BACK_BYTES } from './byte-window.ts';
import { bombIn, type Packing, problemOf } from './packing.ts';

/*
 * A member that is too large for memory, piece by piece.
 *
 *   window ──► pieces ──► zlib, in another thread ──► chunks that wait ──► whoever reads them
 *                           ▲                               │ many: paused
 *                           └───────────────────────────────┘
 */

const KIB = 2 ** 10;
const MIB = 2 ** 20;

const PIECE_BYTES = 64 * KIB;
/** What the last one held before damage was met is lost. */
const CHUNK_BYTES = 32 * KIB;
const WAITING_BYTES_MAX = MIB;

/**
 * Unpacks the member that begins at the window's place, and goes behind it; where it is damaged, as far as searching for
 * the next one begins.
 *
 * @returns what is wrong with it, null where nothing is
 */
export async function* streamMember(
  window: ByteWindow,
  packing: Packing,
): AsyncGenerator<Buffer, string | null, undefined> {
  const begin = window.at;
  const head = packing.headBytes(window.ahead);
  if (head === null) return 'its head is none';
  window.goTo(begin + head);
  const unpacking = new Unpacking(packing, pieces(window));
  let [checksum, length] = [0, 0];
  try {
    for await (const bytes of unpacking.chunks()) {
      checksum = packing.checksum(bytes, checksum);
      length += bytes.length;
      yield bytes;
      const bomb = bombIn(length, unpacking.bytesRead);
      if (bomb !== null) return bomb;
    }
  } catch (error) {
    return problemOf(error);
  } finally {
    await unpacking.close();
    window.goTo(begin + head + unpacking.bytesRead);
  }
  await window.fill(packing.tailBytes);
  const problem = packing.tailProblem(window.ahead.subarray(0, packing.tailBytes), checksum, length);
  window.goTo(window.at + packing.tailBytes);
  return problem;
}

/** Searching for the next member begins so far before the place at which damage was noticed. */
export const SEARCHED_BACK_BYTES = LOOK_BACK_BYTES / 2;

async function* pieces(window: ByteWindow): AsyncGenerator<Buffer, void, undefined> {
  for (;;) {
    await window.fill(PIECE_BYTES);
    // a copy: the window moves while another thread reads
    const piece = Buffer.from(window.ahead.subarray(0, PIECE_BYTES));
    if (piece.length === 0) return;
    window.goTo(window.at + piece.length);
    yield piece;
  }
}

/** zlib at work; what it had unpacked before it failed is given first. */
class Unpacking {
  readonly #pieces: AsyncGenerator<Buffer, void, undefined>;
  readonly #source: Readable;
  readonly #inflater: ReturnType<Packing['inflater']>;
  readonly #waiting: Buffer[] = [];
  readonly #news = new Bell();
  #waitingBytes = 0;
  #end: { readonly error: unknown } | null = null;

  constructor(packing: Packing, from: AsyncGenerator<Buffer, void, undefined>) {
    this.#pieces = from;
    this.#source = Readable.from(from);
    this.#inflater = packing.inflater(CHUNK_BYTES);
    this.#inflater.on('data', (bytes: Buffer) => {
      this.#waiting.push(bytes);
      this.#waitingBytes += bytes.length;
      if (this.#waitingBytes >= WAITING_BYTES_MAX) this.#inflater.pause();
      this.#news.ring();
    });
    const end = (error: unknown) => {
      this.#end ??= { error };
      this.#news.ring();
    };
    // zstd fails once more, after its end, on what follows its frame
    this.#inflater.on('error', end);
    this.#source.on('error', end);
    this.#inflater.on('end', () => end(null));
    this.#source.pipe(this.#inflater);
  }

  /** Packed bytes that were used. */
  get bytesRead(): number {
    return this.#inflater.bytesWritten;
  }

  async *chunks(): AsyncGenerator<Buffer, void, undefined> {
    for (;;) {
      while (this.#waiting.length === 0 && this.#end === null) await this.#news.next();
      const bytes = this.#waiting.shift();
      if (bytes === undefined) break;
      this.#waitingBytes -= bytes.length;
      if (this.#waitingBytes < WAITING_BYTES_MAX) this.#inflater.resume();
      yield bytes;
    }
    if (this.#end?.error != null) throw this.#end.error;
  }

  /** Nothing is read from the window afterwards. */
  async close(): Promise<void> {
    this.#source.unpipe(this.#inflater);
    this.#source.destroy();
    this.#inflater.destroy();
    await this.#pieces.return();
  }
}
