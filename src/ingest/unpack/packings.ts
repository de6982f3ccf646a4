import type { Buffer } from 'node:buffer';
import type { ByteWindow } from './byte-window.ts';
import { GZIP } from './gzip.ts';
import { type Packing, problemOf } from './packing.ts';
import {
  DICTIONARY_BYTES_MAX,
  dictionaryIn,
  hasDictionary,
  SKIPPED_HEAD_BYTES,
  skippedFrame,
  zstdPacking,
} from './zstd.ts';

/** The packings of a file, at whose beginning the window is. */
export async function packingsOf(window: ByteWindow): Promise<readonly Packing[]> {
  return [GZIP, zstdPacking(await dictionaryOf(window))];
}

async function dictionaryOf(window: ByteWindow): Promise<Buffer | null> {
  await window.fill(SKIPPED_HEAD_BYTES);
  if (!hasDictionary(window.ahead)) return null;
  const length = skippedFrame(window.ahead)!;
  // not a dictionary, which may be skipped; or one without which the frames are damaged, as is said of each
  if (length > DICTIONARY_BYTES_MAX) return null;
  await window.fill(length);
  try {
    return dictionaryIn(window.ahead.subarray(0, length));
  } catch (error) {
    problemOf(error);
    return null;
  }
}

/** The one of which a member begins with these bytes. */
export function packingAt(packings: readonly Packing[], bytes: Buffer): Packing | null {
  return packings.find(({ magic }) => magic.every((byte, i) => bytes[i] === byte)) ?? null;
}
