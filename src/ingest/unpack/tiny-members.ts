import { Buffer } from 'node:buffer';
import { gunzipSync } from 'node:zlib';
import type { ZSTDDecoder } from 'zstddec';
import { problemOf, type TinyMembers } from './packing.ts';

/*
 * Members of a few bytes, many in one call: to make a decompressor takes longer than to unpack such a member. They are taken
 * together only if all of them are sound. If one is not, nothing is, and the caller reads each by itself.
 *
 *   [m][m][m][m][m] … [m][m]│[ a larger member ]
 *   └─ unpacked together ───┘
 */

/** Larger ones take longer to unpack than it takes to begin. */
const TINY_BYTES = 128;
const UNPACKED_BYTES_MAX = 2 ** 20;
/** Fewer are not worth it. */
const COUNT_MIN = 4;
/** A mark may be in what a member holds, so the last one need not begin a member. */
const GZIP_ENDS_MAX = 8;

export const NONE: TinyMembers = { bytes: null, length: 0, isProven: false };
const damaged = (length: number): TinyMembers => ({ bytes: null, length, isProven: false });

/** Whether a member of gzip, at the beginning of `bytes`, is followed by another after a few bytes. */
export const isTinyGzip = (bytes: Buffer, magic: Uint8Array): boolean =>
  bytes.subarray(magic.length, TINY_BYTES).indexOf(magic) >= 0;

/** Members of gzip at the beginning of `bytes`. */
export function unpackTinyGzip(bytes: Buffer, magic: Uint8Array): TinyMembers {
  const ends: number[] = [];
  for (let at = 0; ; ) {
    const next = bytes.subarray(at + magic.length, at + TINY_BYTES).indexOf(magic);
    if (next < 0) break;
    at += magic.length + next;
    ends.push(at);
  }
  if (ends.length < COUNT_MIN) return NONE;
  if (bytes.length - ends.at(-1)! < TINY_BYTES) ends.push(bytes.length);
  for (const end of ends.slice(-GZIP_ENDS_MAX).reverse()) {
    const unpacked = gunzipped(bytes.subarray(0, end));
    if (unpacked !== null) return unpacked;
  }
  return damaged(ends.at(-1)!);
}

function gunzipped(members: Buffer): TinyMembers | null {
  try {
    // @types/node does not know what `info` does
    const { buffer, engine } = gunzipSync(members, { info: true, maxOutputLength: UNPACKED_BYTES_MAX }) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    // it ends before zeros
    return { bytes: buffer, length: engine.bytesWritten, isProven: true };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') problemOf(error);
    return null;
  }
}

let decoder: Promise<ZSTDDecoder> | null = null;
/** A frame of one byte. What unpacks frames gives nothing if one of them is damaged: so it gives this byte, or they are. */
const LAST_FRAME = Buffer.from('28b52ffd20010900002e', 'hex');

/** As its head and those of its blocks say. */
export interface Frame {
  readonly length: number;
  readonly isSkipped: boolean;
  readonly hasChecksum: boolean;
}

type FrameAt = (bytes: Buffer, at: number) => Frame | null;

/** Whether a frame of zstd, at the beginning of `bytes`, has a few bytes. */
export const isTinyZstd = (bytes: Buffer, frameAt: FrameAt): boolean =>
  (frameAt(bytes.subarray(0, TINY_BYTES), 0)?.length ?? Number.POSITIVE_INFINITY) <= TINY_BYTES;

/**
 * Frames of zstd at the beginning of `bytes`, and frames to be skipped among them.
 *
 * @param load fails where the system gives too little memory for WebAssembly: then each frame is read by itself
 */
export async function unpackTinyZstd(bytes: Buffer, frameAt: FrameAt, load = loadedOnce): Promise<TinyMembers> {
  let [length, count, isProven] = [0, 0, true];
  for (let at = 0; ; ) {
    const frame = frameAt(bytes, at);
    if (frame === null || frame.length > TINY_BYTES || at + frame.length > bytes.length) break;
    at += frame.length;
    if (frame.isSkipped) continue;
    length = at;
    count++;
    isProven &&= frame.hasChecksum;
  }
  if (count < COUNT_MIN) return NONE;
  const zstd = await load().catch(() => null);
  if (zstd === null) return NONE;
  const frames = Buffer.concat([bytes.subarray(0, length), LAST_FRAME]);
  const unpacked = zstd.decode(frames, UNPACKED_BYTES_MAX);
  if (unpacked.length === 0) return damaged(length);
  return { bytes: Buffer.from(unpacked.buffer, unpacked.byteOffset, unpacked.length - 1), length, isProven };
}

function loadedOnce(): Promise<ZSTDDecoder> {
  decoder ??= loaded();
  return decoder;
}

async function loaded(): Promise<ZSTDDecoder> {
  const { ZSTDDecoder } = await import('zstddec');
  const made = new ZSTDDecoder();
  await made.init();
  return made;
}
