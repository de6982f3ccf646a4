import { Buffer } from 'node:buffer';
import { constants, createZstdDecompress, zstdDecompressSync } from 'node:zlib';
import { chunkBytesOf, type Packing } from './packing.ts';
import { type Frame, isTinyZstd, NONE, unpackTinyZstd } from './tiny-members.ts';

/*
 * RFC 8878: frames, and between them frames to be skipped. Node unpacks one frame and drops all after it.
 *
 *   28 b5 2f fd | head | blocks | checksum?          5? 2a 4d 18 | length 4 | …
 *
 * In a .warc.zst the first frame to be skipped, 5d 2a 4d 18, may hold the dictionary of all frames, itself packed or not.
 */

export const SKIPPED_HEAD_BYTES = 8;
const DICTIONARY_FRAME = 0x18_4d_2a_5d;
const FRAME = 0xfd_2f_b5_28;
const MAGIC = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd);
const CHECKSUM_FLAG = 4;
/** 128 MiB, which zstd too takes where it is not told otherwise. */
const WINDOW_LOG_MAX = 27;
export const DICTIONARY_BYTES_MAX = 2 ** 21;

/** @param dictionary of all frames, null where they need none */
export function zstdPacking(dictionary: Buffer | null): Packing {
  const common = {
    params: { [constants.ZSTD_d_windowLogMax]: WINDOW_LOG_MAX },
    ...(dictionary === null ? {} : { dictionary }),
  };
  return {
    name: 'zstd',
    magic: MAGIC,
    tailBytes: 0,
    headBytes: () => 0,
    hasChecksum: (frame) => ((frame[4] ?? 0) & CHECKSUM_FLAG) !== 0,
    inflate: (body, { bytesMax, isPart }) => {
      const finishFlush = isPart ? constants.ZSTD_e_flush : constants.ZSTD_e_end;
      // @types/node does not know what `info` does
      const { buffer, engine } = zstdDecompressSync(body, {
        ...common,
        info: true,
        chunkSize: chunkBytesOf(body.subarray(MAGIC.length), MAGIC),
        maxOutputLength: bytesMax,
        finishFlush,
      }) as unknown as { buffer: Buffer; engine: { bytesWritten: number } };
      return { bytes: buffer, length: engine.bytesWritten };
    },
    isTinyAt: (bytes) => isTinyZstd(bytes, frameAt),
    // what unpacks them knows no dictionaries
    unpackTiny: async (bytes) => (dictionary === null ? unpackTinyZstd(bytes, frameAt) : NONE),
    inflater: (chunkSize) => createZstdDecompress({ ...common, chunkSize }),
    checksum: () => 0,
    tailProblem: () => null,
  };
}

/** The sizes of a frame's dictionary id and of its length, by the bits of its descriptor. */
const [ID_BYTES, LENGTH_BYTES] = [
  [0, 1, 2, 4],
  [0, 2, 4, 8],
] as const;
const SINGLE_SEGMENT_FLAG = 0x20;
const [REPEATED_BLOCK, NO_BLOCK] = [1, 3];

/** The frame that begins at a place; null if none does, if its head says too little, or if it needs a dictionary. */
function frameAt(bytes: Buffer, at: number): Frame | null {
  const skipped = skippedFrame(bytes.subarray(at, at + SKIPPED_HEAD_BYTES));
  if (skipped !== null) return { length: skipped, isSkipped: true, hasChecksum: false };
  if (bytes.length < at + SKIPPED_HEAD_BYTES || bytes.readUInt32LE(at) !== FRAME) return null;
  const descriptor = bytes[at + MAGIC.length]!;
  const isSingle = (descriptor & SINGLE_SEGMENT_FLAG) !== 0;
  const windowLog = isSingle ? 0 : 10 + (bytes[at + MAGIC.length + 1]! >>> 3);
  if (ID_BYTES[descriptor & 3] !== 0 || windowLog >= WINDOW_LOG_MAX) return null;
  const lengthBytes = LENGTH_BYTES[descriptor >>> 6]!;
  let end = at + MAGIC.length + 1 + (isSingle ? Math.max(1, lengthBytes) : 1 + lengthBytes);
  for (let isLast = false; !isLast; ) {
    if (end + 3 > bytes.length) return null;
    const head = bytes.readUIntLE(end, 3);
    const kind = (head >>> 1) & 3;
    if (kind === NO_BLOCK) return null;
    end += 3 + (kind === REPEATED_BLOCK ? 1 : head >>> 3);
    isLast = (head & 1) === 1;
  }
  const hasChecksum = (descriptor & CHECKSUM_FLAG) !== 0;
  return { length: end - at + (hasChecksum ? 4 : 0), isSkipped: false, hasChecksum };
}

/** Bytes of the frame to be skipped that begins here, null where none does. */
export function skippedFrame(bytes: Buffer): number | null {
  if (bytes.length < SKIPPED_HEAD_BYTES) return null;
  const isOne = (bytes.readUInt32LE(0) & 0xff_ff_ff_f0) >>> 0 === 0x18_4d_2a_50;
  return isOne ? SKIPPED_HEAD_BYTES + bytes.readUInt32LE(4) : null;
}

/** Whether the file begins with a dictionary. */
export const hasDictionary = (bytes: Buffer) =>
  bytes.length >= SKIPPED_HEAD_BYTES && bytes.readUInt32LE(0) === DICTIONARY_FRAME;

/** @param frame the frame to be skipped that holds it. @throws what zlib throws, where it is packed and damaged */
export function dictionaryIn(frame: Buffer): Buffer {
  const bytes = frame.subarray(SKIPPED_HEAD_BYTES);
  const isPacked = bytes.length >= 4 && bytes.readUInt32LE(0) === FRAME;
  return isPacked ? zstdDecompressSync(bytes, { maxOutputLength: DICTIONARY_BYTES_MAX }) : Buffer.from(bytes);
}
