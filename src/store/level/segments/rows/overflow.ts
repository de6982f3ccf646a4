import { crc32 } from 'node:zlib';
import { overflowKey } from '../../format/keys.ts';

/*
 * What a long list has beyond its first K in a segment: content numbers ordered by (rank, content), in parts.
 *
 *   part = content:4*  crc:4        content little-endian; CRC-32 over key and contents, big-endian
 */

const PART_CONTENTS = 4096;

/** Rows of what a list has beyond its first K. */
export function* packOverflow(prefix: string, fingerprint: number, contents: Uint32Array): Generator<[string, Buffer]> {
  for (let part = 0; part * PART_CONTENTS < contents.length; part++) {
    const key = overflowKey(prefix, fingerprint, part);
    yield [key, packPart(key, contents.subarray(part * PART_CONTENTS, (part + 1) * PART_CONTENTS))];
  }
}

export function overflowKeys(prefix: string, fingerprint: number, beyond: number): string[] {
  const parts = Math.ceil(beyond / PART_CONTENTS);
  return Array.from({ length: parts }, (_, part) => overflowKey(prefix, fingerprint, part));
}

function packPart(key: string, contents: Uint32Array): Buffer {
  const bytes = Buffer.allocUnsafe(contents.length * 4 + 4);
  for (let i = 0; i < contents.length; i++) bytes.writeUInt32LE(contents[i]!, i * 4);
  bytes.writeUInt32BE(crc32(bytes.subarray(0, -4), crc32(key)), contents.length * 4);
  return bytes;
}

/** @returns the contents of a part, or undefined where it cannot be believed */
export function openPart(key: string, bytes: Buffer | undefined): Uint32Array | undefined {
  if (bytes === undefined || bytes.length < 4 || bytes.length % 4 !== 0) return undefined;
  const body = bytes.length - 4;
  if (crc32(bytes.subarray(0, body), crc32(key)) !== bytes.readUInt32BE(body)) return undefined;
  const contents = new Uint32Array(body / 4);
  for (let i = 0; i < contents.length; i++) contents[i] = bytes.readUInt32LE(i * 4);
  return contents;
}
