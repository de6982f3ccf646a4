import { ByteReader, Unreadable } from '../format/byte-reader.ts';

/*
 * Snappy, in which LevelDB packs a block where that makes it smaller.
 *
 *   packed   = length varint, then elements
 *   literal  = tag 00, bytes as they are            length in the tag, or in the 1..4 bytes after it
 *   copy     = tag 01, 10, 11: length and distance  of what was unpacked before; it may run into itself
 */

const UNPACKED_BYTES_MAX = 64 * 1024 * 1024;

/** @throws Unreadable */
export function unpackSnappy(packed: Buffer): Buffer {
  const reader = new ByteReader(packed);
  const length = reader.varint();
  if (length > UNPACKED_BYTES_MAX) throw new Unreadable('a block is too large');
  const out = Buffer.alloc(length);
  let at = 0;
  while (!reader.done) {
    const tag = reader.byte();
    const kind = tag & 3;
    if (kind === 0) {
      const bytes = reader.take(literalLength(tag, reader));
      if (at + bytes.length > length) throw new Unreadable('a block is longer than it says');
      bytes.copy(out, at);
      at += bytes.length;
      continue;
    }
    const size = kind === 1 ? 4 + ((tag >>> 2) & 7) : 1 + (tag >>> 2);
    const distance =
      kind === 1
        ? ((tag >>> 5) << 8) | reader.byte()
        : reader.take(kind === 2 ? 2 : 4).readUIntLE(0, kind === 2 ? 2 : 4);
    if (distance === 0 || distance > at || at + size > length) throw new Unreadable('a block copies from nowhere');
    for (const end = at + size; at < end; at++) out[at] = out[at - distance]!;
  }
  if (at !== length) throw new Unreadable('a block is shorter than it says');
  return out;
}

function literalLength(tag: number, reader: ByteReader): number {
  const short = tag >>> 2;
  if (short < 60) return short + 1;
  const width = short - 59;
  return 1 + reader.take(width).readUIntLE(0, width);
}
