import { Buffer } from 'node:buffer';
import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { CODINGS_MAX, type Coding, codingsOf, isZlib } from '../../message/codings.ts';
import { GZIP } from '../unpack/gzip.ts';
import { zstdPacking } from '../unpack/zstd.ts';
import { type HttpMessage, unchunkedBody } from './http-message.ts';

/*
 * The body of an answer, as a browser would have it. Archives often have it so already, and keep the head of what was
 * sent: what does not begin as its coding does is taken as it is. What is cut is read as far as it goes, and what follows the
 * packed bytes is left.
 */

const isGzip = (body: Buffer) => body[0] === 0x1f && body[1] === 0x8b;
const isZstd = (body: Buffer) => body.length >= 4 && body.readUInt32LE(0) === 0xfd_2f_b5_28;
/** Texts have none of most control characters; packed bytes have many. */
const isText = (body: Buffer) => !body.subarray(0, 512).some((byte) => byte < 0x1b && (byte < 0x09 || byte > 0x0d));

export type DecodedBody =
  | { readonly is: 'decoded'; readonly bytes: Buffer }
  | { readonly is: 'too-large' }
  | { readonly is: 'damaged'; readonly problem: string };

/** @param bytesMax of what it unpacks to, at each step */
export function decodedBody(message: HttpMessage, bytesMax: number): DecodedBody {
  const codings = codingsOf(message.header('content-encoding'));
  if (codings === null) return { is: 'damaged', problem: `more than ${CODINGS_MAX} content codings` };
  let bytes = unchunkedBody(message);
  for (const coding of codings) {
    try {
      bytes = decode(coding, bytes, bytesMax);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : null;
      if (code === 'ERR_BUFFER_TOO_LARGE') return { is: 'too-large' };
      if (typeof code !== 'string') throw error;
      return { is: 'damaged', problem: `its content coding ${coding} cannot be decoded` };
    }
  }
  return { is: 'decoded', bytes };
}

/** @throws what zlib throws */
function decode(coding: Coding, body: Buffer, bytesMax: number): Buffer {
  const options = { maxOutputLength: bytesMax, finishFlush: constants.Z_SYNC_FLUSH };
  switch (coding) {
    case 'gzip':
      return isGzip(body) ? gunzipped(body, options) : body;
    case 'deflate':
      if (isZlib(body)) return inflateSync(body, options);
      return isText(body) ? body : inflateRawSync(body, options);
    case 'br': {
      const finishFlush = constants.BROTLI_OPERATION_FLUSH;
      return isText(body) ? body : brotliDecompressSync(body, { maxOutputLength: bytesMax, finishFlush });
    }
    case 'zstd':
      return isZstd(body) ? unpackedFrames(body, bytesMax) : body;
  }
}

/** Where something follows the first member that is none, that member alone. */
function gunzipped(body: Buffer, options: { readonly maxOutputLength: number; readonly finishFlush: number }): Buffer {
  try {
    return gunzipSync(body, options);
  } catch (error) {
    const head = GZIP.headBytes(body);
    if (head === null || !(error instanceof Error && 'code' in error && error.code === 'Z_DATA_ERROR')) throw error;
    const { bytes, length } = GZIP.inflate(body.subarray(head), { bytesMax: options.maxOutputLength, isPart: true });
    const tail = body.subarray(head + length, head + length + GZIP.tailBytes);
    if (GZIP.tailProblem(tail, GZIP.checksum(bytes, 0), bytes.length) !== null) throw error;
    return bytes;
  }
}

/** Node drops the frames after the first. */
function unpackedFrames(body: Buffer, bytesMax: number): Buffer {
  const { inflate } = zstdPacking(null);
  const parts: Buffer[] = [];
  let left = bytesMax;
  for (let at = 0; at < body.length && isZstd(body.subarray(at)); ) {
    // where all is used up, one byte more is too much
    const { bytes, length } = inflate(body.subarray(at), { bytesMax: Math.max(1, left), isPart: true });
    parts.push(bytes);
    at += Math.max(1, length);
    left -= bytes.length;
  }
  return Buffer.concat(parts);
}
