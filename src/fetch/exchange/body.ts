import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { ShingledError } from '../../errors.ts';
import { fetchFailed } from '../failure.ts';

/** A body as undici gives it: a stream of bytes. */
export type ByteStream = AsyncIterable<Uint8Array> & NodeJS.ReadableStream;

export type ContentCoding = 'identity' | 'gzip' | 'br';

export interface BodyLimits {
  readonly bytesMax: number;
  readonly ratioMax: number;
  readonly ratioFreeBytes: number;
  /** What becomes of a body over a limit: `refuse` it, or `cut` it there and be content. */
  readonly excess: 'refuse' | 'cut';
}

const CHUNK_BYTES = 64 * 1024;

/**
 * The coding that the Content-Encoding headers name.
 *
 * @throws ShingledError `fetch-failed` where it is none of ours, or more than one. Stacked codings multiply (two layers
 * of gzip: 400,000 to 1), and no honest server sends what was not asked for.
 */
export function codingOf(headers: readonly string[], hostname: string): ContentCoding {
  const coding = headers.join(',').trim().toLowerCase();
  if (coding === '' || coding === 'identity') return 'identity';
  if (coding === 'gzip' || coding === 'x-gzip') return 'gzip';
  if (coding === 'br') return 'br';
  throw fetchFailed('content-coding', hostname);
}

/**
 * Reads a body to its end and decodes it, holding no more than `bytesMax` and one chunk. Pieces are copied as they
 * come, so that a body sent a byte at a time does not cost an object a byte.
 *
 * A body that ends early is an error: by its framing where that says how long it is, by the coding otherwise. Only one
 * that the closing of the connection ends, uncoded, cannot be told from a shorter one.
 *
 * @returns bytes in a buffer of their own
 * @throws ShingledError `fetch-too-large`; what the stream or the decoder throws
 */
export async function readBody(body: ByteStream, coding: ContentCoding, limits: BodyLimits): Promise<Uint8Array> {
  if (coding === 'identity') return collect(body, limits, () => Number.POSITIVE_INFINITY);
  const decoder =
    coding === 'gzip' ? createGunzip({ chunkSize: CHUNK_BYTES }) : createBrotliDecompress({ chunkSize: CHUNK_BYTES });
  const fail = (error: Error) => decoder.destroy(error);
  body.on('error', fail);
  body.pipe(decoder);
  try {
    return await collect(decoder, limits, () => decoder.bytesWritten);
  } finally {
    body.unpipe(decoder);
    body.off('error', fail);
    decoder.destroy();
  }
}

async function collect(
  source: AsyncIterable<Uint8Array>,
  { bytesMax, ratioMax, ratioFreeBytes, excess }: BodyLimits,
  encodedBytes: () => number,
): Promise<Uint8Array> {
  let bytes = new Uint8Array(Math.min(CHUNK_BYTES, bytesMax));
  let size = 0;
  for await (const chunk of source) {
    const over = overLimit(size + chunk.length);
    if (over !== null && excess === 'refuse') throw over;
    const kept = chunk.subarray(0, bytesMax - size);
    if (size + kept.length > bytes.length) {
      bytes = new Uint8Array(bytes.buffer.transfer(Math.min(bytesMax, 2 * (size + kept.length))));
    }
    bytes.set(kept, size);
    size += kept.length;
    if (over !== null) break;
  }
  return new Uint8Array(bytes.buffer.transfer(size));

  function overLimit(decodedBytes: number): ShingledError | null {
    if (decodedBytes > bytesMax) return tooLarge('is too large', 'bytesMax', bytesMax);
    const isBomb = decodedBytes > ratioFreeBytes && decodedBytes > ratioMax * encodedBytes();
    return isBomb ? tooLarge('is compressed too well', 'ratioMax', ratioMax) : null;
  }
}

export function tooLarge(what: string, name: 'bytesMax' | 'ratioMax', value: number): ShingledError {
  return new ShingledError('fetch-too-large', `The document ${what}.`, { limit: { name, value } });
}
