import { Buffer } from 'node:buffer';
import type { OpenedBytes, UnpackedChunk } from '../port.ts';
import { AHEAD_BYTES_MAX, ByteWindow } from './byte-window.ts';
import { type Members, packedMembers, readMembers } from './members.ts';
import type { Packing } from './packing.ts';
import { packingAt, packingsOf } from './packings.ts';
import { programAt, programMembers, searchStream } from './program-streams.ts';
import { fileBytes, streamBytes } from './raw-bytes.ts';
import { searchMember } from './search.ts';
import { skippedFrame } from './zstd.ts';

/*
 * Bytes as they lie in a file, or come from a stream, to bytes as they were before they were packed:
 *
 *   1f 8b 08 …                        members of gzip       chunk of member 1, chunk of member 2, …
 *   28 b5 2f fd …, 5? 2a 4d 18 …      frames of zstd        the same
 *   42 5a 68 3? …, fd 37 7a 58 5a 00  streams of bzip2, xz     the same, by programs of the system
 *   packed by its name, and a sound   damaged in its        the same
 *   member is near its beginning      beginning
 *   anything else                     plain                 chunks as they come
 *
 * Whatever the size of the file and of its members, it takes a window of 4 MiB, and some 16 MiB unpacked.
 */

const PLAIN_BYTES = 2 ** 18;
const PACKED_NAME = /\.(?:gz|gzip|zst|zstd)$/i;
const BZIP2_NAME = /\.bz2$/i;
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
    const members = await membersAt(window, packings, from === 0 ? file : null);
    yield* members === null ? readPlain(window) : readMembers(window, members);
  } finally {
    await raw.close();
  }
}

/**
 * The members that begin at the window's place; null where the file is plain there.
 *
 * @param name of the file, where it is read from its beginning: a packed one may be damaged there
 */
async function membersAt(
  window: ByteWindow,
  packings: readonly Packing[],
  name: string | null,
): Promise<Members | null> {
  await window.fill(PLAIN_BYTES);
  const { ahead, at } = window;
  const program = programAt(ahead);
  if (program !== null) return programMembers(window, program);
  const members = packedMembers(window, packings);
  if (packingAt(packings, ahead) !== null || skippedFrame(ahead) !== null) return members;
  if (name === null || ARCHIVES.some((mark) => ahead.subarray(0, mark.length).equals(mark))) return null;
  const isNamed = PACKED_NAME.test(name);
  const isBzip2 = BZIP2_NAME.test(name);
  if (!isNamed && !isBzip2) return null;
  const reach = AHEAD_BYTES_MAX / 2;
  const isFound = isNamed ? await searchMember(window, packings, reach) : await searchStream(window, reach);
  window.goTo(at);
  if (!isFound) return null;
  return isNamed ? members : programMembers(window, 'bzip2');
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
