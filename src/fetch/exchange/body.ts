import { pipeline, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib';
import { ShingledError } from '../../errors.ts';
import { type Coding, codingsOf, isZlib } from '../../message/codings.ts';
import { fetchFailed } from '../failure.ts';
import type { Answer } from './exchange.ts';

export interface BodyLimits {
  readonly bytesMax: number;
  readonly ratioMax: number;
  readonly ratioFreeBytes: number;
  /** What becomes of a body over a limit: `refuse` it, or `cut` it there and be content. */
  readonly excess: 'refuse' | 'cut';
}

const CHUNK_BYTES = 64 * 1024;

/**
 * The codings of the body, as Content-Encoding names them.
 *
 * @throws ShingledError `fetch-failed` where they are more than any server applies
 */
export function codingsOfAnswer({ header }: Answer, hostname: string): readonly Coding[] {
  const codings = codingsOf(header('content-encoding'));
  if (codings === null) throw fetchFailed('content-coding', hostname);
  return codings;
}

/**
 * Reads a body to its end and decodes it, holding no more than `bytesMax` and a chunk for each coding. Pieces are copied as
 * they come, so that a body sent a byte at a time does not cost an object a byte.
 *
 * A body that ends early is an error: by its framing where that says how long it is, by the coding otherwise. Only one
 * that the closing of the connection ends, uncoded, cannot be told from a shorter one.
 *
 * @returns bytes in a buffer of their own
 * @throws ShingledError `fetch-too-large`; what the body or the decoder throws
 */
export async function readBody(
  body: AsyncIterable<Uint8Array>,
  codings: readonly Coding[],
  limits: BodyLimits,
): Promise<Uint8Array> {
  if (codings.length === 0) return collect(body, limits, () => Number.POSITIVE_INFINITY);
  let encodedBytes = 0;
  const counted = async function* () {
    for await (const chunk of body) {
      encodedBytes += chunk.length;
      yield chunk;
    }
  };
  let decoded: AsyncIterable<Uint8Array> = counted();
  for (const [i, coding] of codings.entries()) decoded = undone(coding, i === 0 ? decoded : capped(decoded, limits));
  return collect(decoded, limits, () => encodedBytes);
}

/** Bytes without a coding; none of none. */
async function* undone(coding: Coding, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const chunks = bytes[Symbol.asyncIterator]();
  let first = await chunks.next();
  while (first.done !== true && first.value.length === 0) first = await chunks.next();
  if (first.done === true) return;
  const all = async function* () {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => chunks };
  };
  const decoder = decoderOf(coding, first.value);
  // a fault of the bytes ends the decoder; a reader that stops early ends both
  pipeline(Readable.from(all(), { objectMode: false }), decoder, () => {});
  yield* decoder;
}

function decoderOf(coding: Coding, first: Uint8Array) {
  const options = { chunkSize: CHUNK_BYTES };
  switch (coding) {
    case 'gzip':
      return createGunzip(options);
    case 'deflate':
      return isZlib(first) ? createInflate(options) : createInflateRaw(options);
    case 'br':
      return createBrotliDecompress(options);
    case 'zstd':
      return createZstdDecompress(options);
  }
}

/** What is between two codings may be no larger than a document: it costs time also where little comes out of it. */
async function* capped(
  bytes: AsyncIterable<Uint8Array>,
  { bytesMax }: BodyLimits,
): AsyncGenerator<Uint8Array, void, undefined> {
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > bytesMax) throw tooLarge('is too large', 'bytesMax', bytesMax);
    yield chunk;
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
