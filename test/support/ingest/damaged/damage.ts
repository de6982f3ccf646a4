import { Buffer } from 'node:buffer';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import type { Prng } from '../../prng.ts';
import { packedBy } from '../programs.ts';

/* What may happen to a file. */

export interface Damaged {
  readonly bytes: Buffer;
  readonly how: string;
  /** Where the bytes that were changed begin and end, in those before: what lies outside of them is as it was. */
  readonly from: number;
  readonly to: number;
}

type Change = (prng: Prng, bytes: Buffer, at: number, other: () => Buffer) => Omit<Damaged, 'how'>;

const put = (bytes: Buffer, from: number, to: number, between: Buffer) => ({
  ...{ bytes: Buffer.concat([bytes.subarray(0, from), between, bytes.subarray(to)]), from, to },
});
const someBytes = (prng: Prng, count: number) => Buffer.from(Array.from({ length: count }, () => prng.below(256)));
/** What formats mean something by. */
const SIGNS = [
  '"',
  "'",
  '{',
  '[',
  ']',
  '}',
  ',',
  '\n',
  '\r\n\r\n',
  '\0',
  '<',
  '>',
  '&',
  '\\',
  '<![CDATA[',
  '<!--',
  '\x80',
  'ÿ',
];
const NUMBERS = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];

const CHANGES: Readonly<Record<string, Change>> = {
  flipped: (prng, bytes, at) => put(bytes, at, at + 1, Buffer.of(bytes[at]! ^ (1 << prng.below(8)))),
  'flipped often': (prng, bytes) => {
    const changed = Buffer.from(bytes);
    const places = Array.from({ length: 2 + prng.below(30) }, () => prng.below(bytes.length));
    for (const place of places) changed[place] = prng.below(256);
    return { bytes: changed, from: Math.min(...places), to: Math.max(...places) + 1 };
  },
  cut: (_, bytes, at) => put(bytes, at, bytes.length, Buffer.alloc(0)),
  'cut out': (prng, bytes, at) => put(bytes, at, Math.min(bytes.length, at + 1 + prng.below(2000)), Buffer.alloc(0)),
  repeated: (prng, bytes, at) => {
    const to = Math.min(bytes.length, at + 1 + prng.below(500));
    const times = prng.below(10) === 0 ? 2000 : 1 + prng.below(5);
    return put(bytes, at, to, Buffer.concat(Array.from({ length: times }, () => bytes.subarray(at, to))));
  },
  spliced: (prng, bytes, at) => put(bytes, at, at, someBytes(prng, 1 + prng.below(3000))),
  'spliced with another': (prng, bytes, at, other) => {
    const piece = other();
    return put(bytes, at, at, piece.subarray(prng.below(piece.length)));
  },
  'with a sign': (prng, bytes, at) =>
    put(bytes, at, at + prng.below(2), Buffer.from(SIGNS[prng.below(SIGNS.length)]!, 'latin1')),
  'with another number': (prng, bytes, at) => {
    const number = Buffer.alloc(4);
    const value = NUMBERS[prng.below(NUMBERS.length)]!;
    if (prng.below(2) === 0) number.writeUInt32LE(value);
    else number.writeUInt32BE(value);
    return put(bytes, at, Math.min(bytes.length, at + 4), number);
  },
  'with other digits': (prng, bytes, at) => {
    const digits = /\d+/g;
    digits.lastIndex = at;
    const text = bytes.toString('latin1');
    const match = digits.exec(text) ?? /\d+/.exec(text);
    const from = match?.index ?? at;
    const other = ['0', '-1', '99', '4294967296', '999999999999999', '1e9'][prng.below(6)]!;
    return put(bytes, from, from + (match?.[0].length ?? 0), Buffer.from(other));
  },
  zeros: (prng, bytes, at) => {
    const to = Math.min(bytes.length, at + 1 + prng.below(4096));
    return put(bytes, at, to, Buffer.alloc(to - at));
  },
  'without its beginning': (prng, bytes) => put(bytes, 0, 1 + prng.below(Math.min(600, bytes.length)), Buffer.alloc(0)),
};
const NAMES = Object.keys(CHANGES);

/** @param other another input, of which a piece may come in */
export function damaged(prng: Prng, bytes: Buffer, other: () => Buffer): Damaged {
  const how = NAMES[prng.below(NAMES.length)]!;
  return { how, ...CHANGES[how]!(prng, bytes, prng.below(Math.max(1, bytes.length)), other) };
}

/** A way to pack a file, with the ending of its name. */
export const LAYERS: Readonly<Record<string, readonly [ending: string, pack: (bytes: Buffer) => Buffer]>> = {
  gzip: ['.gz', (bytes) => gzipSync(bytes, { level: 1 })],
  zstd: ['.zst', (bytes) => zstdCompressSync(bytes)],
  bzip2: ['.bz2', (bytes) => packedBy('bzip2', bytes)],
  xz: ['.xz', (bytes) => packedBy('xz', bytes, ['-0'])],
};
