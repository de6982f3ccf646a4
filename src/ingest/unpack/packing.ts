import type { Buffer } from 'node:buffer';
import type { Transform } from 'node:stream';

/** A way in which a file is packed: members of gzip, or frames of zstd, one after the other. Both are called members here. */
export interface Packing {
  readonly name: string;
  /** By which a member begins. */
  readonly magic: Uint8Array;
  /** Bytes of the head of the member that begins here, null where it is none, or does not end in these bytes. */
  headBytes(bytes: Buffer): number | null;
  /** Whether unpacking the member that begins here proves it. */
  hasChecksum(bytes: Buffer): boolean;
  /** Bytes after the packed data. */
  readonly tailBytes: number;
  /** What follows the head, until the packed data end: what comes behind is not looked at. @throws what zlib throws */
  inflate(body: Buffer, options: InflateOptions): { readonly bytes: Buffer; readonly length: number };
  /** The same for what is too large for memory. */
  inflater(chunkSize: number): Transform & { readonly bytesWritten: number };
  /** Whether the member that begins here is tiny: see unpackTiny. */
  isTinyAt(bytes: Buffer): boolean;
  /** Unpacks the members at the beginning of these bytes together, if they are many and tiny. */
  unpackTiny(bytes: Buffer): Promise<TinyMembers>;
  /** A checksum over what was unpacked, which the tail can be held against. */
  checksum(bytes: Uint8Array, before: number): number;
  /** @param length bytes that were unpacked. @returns what is wrong with the tail, null where nothing is */
  tailProblem(tail: Buffer, checksum: number, length: number): string | null;
}

/** Members that were unpacked together, or tried. */
export interface TinyMembers {
  /** What they hold, one after the other; null if one of them is not sound. */
  readonly bytes: Buffer | null;
  /** Bytes of the members; 0 if they are not many, or not tiny. */
  readonly length: number;
  /** Whether checksums have proven all of them. */
  readonly isProven: boolean;
}

export interface InflateOptions {
  readonly bytesMax: number;
  /** Whether the bytes may end in the middle. */
  readonly isPart: boolean;
}

/** In which zlib takes memory for what it unpacks: with 2^17, members of 9 KB took half as long again. */
const CHUNK_BYTES = 2 ** 15;
/** To take that much memory takes twice as long as to unpack a few bytes. */
const TINY_CHUNK_BYTES = 2 ** 10;
const TINY_MEMBER_BYTES = 256;

/** @param body what lies behind the head of a member, with those behind it */
export function chunkBytesOf(body: Buffer, magic: Uint8Array): number {
  const isTiny = body.length < TINY_MEMBER_BYTES || body.subarray(0, TINY_MEMBER_BYTES).indexOf(magic) >= 0;
  return isTiny ? TINY_CHUNK_BYTES : CHUNK_BYTES;
}

/** An error of zlib, in its words; what else was thrown is thrown again. */
export function problemOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && /^(Z|ZSTD|ERR)_/.test(String(error.code))) return error.message;
  throw error;
}

const MIB = 2 ** 20;

/** Beyond this it is a bomb: deflate makes at most 1,032 bytes of one, texts some five; zstd, bzip2 and xz have no bound. */
const RATIO_MAX = 500;
/** Below this, nothing is a bomb. */
const RATIO_FREE_BYTES = 64 * MIB;

/** What is said of bytes that unpack to too many, null where they do not. */
export const bombIn = (unpackedBytes: number, packedBytes: number) =>
  unpackedBytes > RATIO_FREE_BYTES && unpackedBytes > RATIO_MAX * packedBytes
    ? `it unpacks to more than ${RATIO_MAX} times its size`
    : null;
