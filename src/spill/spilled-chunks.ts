import { readSync } from 'node:fs';
import { ShingledError } from '../errors.ts';

/*
 * Chunks of a spill: postings whose fingerprints begin with the same 8 bits, in the order in which they were added.
 *
 *   chunk     | low 0 | low 1 | … | gap 0 | gap 1 | …          an entry takes 5 bytes
 *
 *   low, gap 0..254   a posting: the low 32 bits of its fingerprint, and how far its number is beyond the one before
 *   number, 255       the number from which on it is counted, where it falls or leaps
 *
 * Cost: some nanoseconds an entry to read.
 */

/** Bytes of an entry. */
export const ENTRY_BYTES = 5;
/** Instead of a gap: the entry is a number. */
export const NUMBER = 255;
/** Entries: of postings the low 32 bits of the fingerprints and the gaps, one behind the other. */
export interface Chunk {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly low: Uint32Array<ArrayBuffer>;
  readonly gaps: Uint8Array<ArrayBuffer>;
}

/** Postings of one chunk: the low 32 bits of the fingerprint low[i], and the number that was posted. */
export interface SpilledChunk {
  readonly low: Uint32Array;
  readonly numbers: Uint32Array;
}

/** Where postings lie in the file of a spill that was sealed. Plain data. */
export interface SpillLayout {
  readonly path: string;
  readonly chunkEntries: number;
  /** By top: where its chunks begin, bytes. All are full but the last of each. */
  readonly places: readonly (readonly number[])[];
  /** By top: entries in all of them. */
  readonly entries: readonly number[];
  /** By top: how many postings there are. */
  readonly counts: readonly number[];
}

export function newChunk(entries: number): Chunk {
  const bytes = new Uint8Array(ENTRY_BYTES * entries);
  const { buffer } = bytes;
  return { bytes, low: new Uint32Array(buffer, 0, entries), gaps: new Uint8Array(buffer, 4 * entries) };
}

/**
 * The postings of a sealed spill whose fingerprints begin with these 8 bits, in the order in which they were added; each chunk
 * is good until the next.
 *
 * @param file open to be read, in whichever thread
 * @throws ShingledError `result-damaged` where it is not there any more
 */
export function* readChunks(
  file: number,
  { path, chunkEntries, places, entries }: SpillLayout,
  top: number,
): Generator<SpilledChunk, void, undefined> {
  const chunk = newChunk(chunkEntries);
  const numbers = new Uint32Array(chunkEntries);
  let left = entries[top]!;
  let number = 0;
  for (const place of places[top]!) {
    const size = Math.min(left, chunkEntries);
    left -= size;
    readChunk(file, path, chunk, place);
    const { low, gaps } = chunk;
    let count = 0;
    for (let i = 0; i < size; i++) {
      const gap = gaps[i]!;
      if (gap === NUMBER) {
        number = low[i]!;
        continue;
      }
      number += gap;
      low[count] = low[i]!;
      numbers[count++] = number;
    }
    yield { low: low.subarray(0, count), numbers: numbers.subarray(0, count) };
  }
}

function readChunk(file: number, path: string, { bytes }: Chunk, place: number): void {
  try {
    const read = readSync(file, bytes, 0, bytes.length, place);
    if (read < bytes.length) throw new Error(`Of ${bytes.length} bytes of postings ${read} are there.`);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    throw new ShingledError('result-damaged', `Postings at ${path} cannot be read: ${code ?? message}`, { cause });
  }
}
