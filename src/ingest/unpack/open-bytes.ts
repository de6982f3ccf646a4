import { Buffer } from 'node:buffer';
import type { OpenedBytes, UnpackedChunk } from '../port.ts';
import { AHEAD_BYTES_MAX, ByteWindow } from './byte-window.ts';
import { readMembers } from './members.ts';
import type { Packing } from './packing.ts';
import { packingAt, packingsOf } from './packings.ts';
import { fileBytes, streamBytes } from './raw-bytes.ts';
import { searchMember } from './search.ts';
import { skippedFrame } from './zstd.ts';

/*
 * Bytes as they lie in a file, or come from a stream, to bytes as they were before they were packed:
 *
 *   1f 8b 08 …                        members of gzip       chunk of member 1, chunk of member 2, …
 *   28 b5 2f fd …, 5? 2a 4d 18 …      frames of zstd        the same
 *   packed by its name, and a sound   damaged in its        the same
 *   member is near its beginning      beginning
 *   anything else                     plain                 chunks as they come
 *
 * Whatever the size of the file and of its members, it takes a window of 4 MiB, and some 16 MiB unpacked.
 */

const PLAIN_BYTES = 2 ** 18;
const PACKED_NAME = /\.(?:gz|gzip|zst|zstd)$/i;
/** An archive that is not packed may have packed documents in it. */
const ARCHIVES = [Buffer.from('WARC/'), Buffer.from('filedesc://')];

/**
 * The bytes of a file, which is opened when they are asked for.
 *
 * @param stream its bytes from their beginning, where it is not one of the file system
 * @param from where reading begins: 0, or a place that a chunk, or an item's `next`, has told
 * @returns chunks; asking for them throws what opening and reading the file throw
 */
export function openBytes(file: string, stream: AsyncIterable<Uint8Array> | null = null, from = 0): OpenedBytes {
  return { file, chunks: chunksOf(file, stream, from) };
}

async function* chunksOf(
  file: string,
  stream: AsyncIterable<Uint8Array> | null,
  from: number,
): AsyncGenerator<UnpackedChunk, void, undefined> {
  const raw = stream === null ? await fileBytes(file) : streamBytes(stream);
  try {
    const window = new ByteWindow(raw);
    const packings = await packingsOf(window);
    await window.moveTo(from);
    const isPacked = await isPackedAt(window, packings, from === 0 && PACKED_NAME.test(file));
    yield* isPacked ? readMembers(window, packings) : readPlain(window);
  } finally {
    await raw.close();
  }
}

async function isPackedAt(window: ByteWindow, packings: readonly Packing[], isNamedPacked: boolean): Promise<boolean> {
  await window.fill(PLAIN_BYTES);
  const { ahead, at } = window;
  if (packingAt(packings, ahead) !== null || skippedFrame(ahead) !== null) return true;
  if (!isNamedPacked || ARCHIVES.some((mark) => ahead.subarray(0, mark.length).equals(mark))) return false;
  const isFound = await searchMember(window, packings, AHEAD_BYTES_MAX / 2);
  window.goTo(at);
  return isFound;
}

async function* readPlain(window: ByteWindow): AsyncGenerator<UnpackedChunk, void, undefined> {
  for (;;) {
    await window.fill(PLAIN_BYTES);
    const bytes = Buffer.from(window.ahead);
    if (bytes.length === 0) return;
    const byte = window.at;
    window.goTo(byte + bytes.length);
    yield { bytes, byte, begins: false, damage: null };
  }
}
