import type { Buffer } from 'node:buffer';
import { constants, crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import { chunkBytesOf, type Packing } from './packing.ts';
import { isTinyGzip, unpackTinyGzip } from './tiny-members.ts';

/*
 * RFC 1952, one member:
 *
 *   1f 8b 08 | flags | time 4 | 2 | extra? name? comment? crc? | deflated data | CRC-32 4 | length mod 2^32 4
 */

const FIXED_BYTES = 10;
const TAIL_BYTES = 8;
/** Names, comments and extra fields together. */
const HEAD_BYTES_MAX = 2 ** 17;
const FLAG = { checksum: 2, extra: 4, name: 8, comment: 16, reserved: 0xe0 } as const;

const MAGIC = Uint8Array.of(0x1f, 0x8b, 0x08);

export const GZIP: Packing = {
  name: 'gzip',
  magic: MAGIC,
  tailBytes: TAIL_BYTES,
  headBytes,
  hasChecksum: () => true,
  inflate: (body, { bytesMax, isPart }) => {
    const finishFlush = isPart ? constants.Z_SYNC_FLUSH : constants.Z_FINISH;
    // @types/node does not know what `info` does
    const { buffer, engine } = inflateRawSync(body, {
      info: true,
      chunkSize: chunkBytesOf(body, MAGIC),
      maxOutputLength: bytesMax,
      finishFlush,
    }) as unknown as { buffer: Buffer; engine: { bytesWritten: number } };
    return { bytes: buffer, length: engine.bytesWritten };
  },
  isTinyAt: (bytes) => isTinyGzip(bytes, MAGIC),
  unpackTiny: async (bytes) => unpackTinyGzip(bytes, MAGIC),
  inflater: (chunkSize) => createInflateRaw({ chunkSize }),
  checksum: crc32,
  tailProblem: (tail, checksum, length) => {
    if (tail.length < TAIL_BYTES) return 'it is cut';
    if (tail.readUInt32LE(0) !== checksum) return 'its checksum is another';
    return tail.readUInt32LE(4) === length % 2 ** 32 ? null : 'its length is another';
  },
};

function headBytes(bytes: Buffer): number | null {
  const flags = bytes[3] ?? 0;
  if ((flags & FLAG.reserved) !== 0) return null;
  let at = FIXED_BYTES;
  if ((flags & FLAG.extra) !== 0) {
    if (bytes.length < at + 2) return null;
    at += 2 + bytes.readUInt16LE(at);
  }
  for (const flag of [FLAG.name, FLAG.comment]) {
    if ((flags & flag) === 0) continue;
    const end = bytes.indexOf(0, at);
    if (end < 0 || end > HEAD_BYTES_MAX) return null;
    at = end + 1;
  }
  if ((flags & FLAG.checksum) !== 0) at += 2;
  return at <= bytes.length ? at : null;
}
