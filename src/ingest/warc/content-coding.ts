import { Buffer } from 'node:buffer';
import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { zstdPacking } from '../unpack/zstd.ts';
import type { HttpMessage } from './http-message.ts';
import { dechunked } from './http-message.ts';

/*
 * The body of an answer, as a browser would have it. Archives often have it so already, and keep the head of what was
 * sent: what does not begin as its coding does is taken as it is. What is cut is read as far as it goes.
 */

/** More than any server applies. */
const CODINGS_MAX = 3;

const isGzip = (body: Buffer) => body[0] === 0x1f && body[1] === 0x8b;
const isZstd = (body: Buffer) => body.length >= 4 && body.readUInt32LE(0) === 0xfd_2f_b5_28;
/** RFC 1950: sixteen bits that 31 divides. */
const isZlib = (body: Buffer) => (body[0]! & 0x0f) === 8 && body.length >= 2 && body.readUInt16BE(0) % 31 === 0;
/** Texts have none of most control characters; packed bytes have many. */
const isText = (body: Buffer) => !body.subarray(0, 512).some((byte) => byte < 0x1b && (byte < 0x09 || byte > 0x0d));

export type DecodedBody =
  | { readonly is: 'decoded'; readonly bytes: Buffer }
  | { readonly is: 'too-large' }
  | { readonly is: 'damaged'; readonly problem: string };

/** @param bytesMax of what it unpacks to, at each step */
export function decodedBody(message: HttpMessage, bytesMax: number): DecodedBody {
  const isChunked = message.header('transfer-encoding').some((coding) => /\bchunked\b/i.test(coding));
  let bytes = isChunked ? dechunked(message.body) : message.body;
  const codings = message
    .header('content-encoding')
    .flatMap((value) => value.toLowerCase().split(','))
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length > CODINGS_MAX) return { is: 'damaged', problem: `more than ${CODINGS_MAX} content codings` };
  for (const coding of codings.reverse()) {
    try {
      const decoded = decode(coding, bytes, bytesMax);
      if (decoded === null) return { is: 'damaged', problem: `an unknown content coding: ${coding.slice(0, 40)}` };
      bytes = decoded;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : null;
      if (code === 'ERR_BUFFER_TOO_LARGE') return { is: 'too-large' };
      if (typeof code !== 'string') throw error;
      return { is: 'damaged', problem: `its content coding ${coding} cannot be decoded` };
    }
  }
  return { is: 'decoded', bytes };
}

/** @returns null for a coding that is not known. @throws what zlib throws */
function decode(coding: string, body: Buffer, bytesMax: number): Buffer | null {
  const options = { maxOutputLength: bytesMax, finishFlush: constants.Z_SYNC_FLUSH };
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return isGzip(body) ? gunzipSync(body, options) : body;
    case 'deflate':
      if (isZlib(body)) return inflateSync(body, options);
      return isText(body) ? body : inflateRawSync(body, options);
    case 'br': {
      const finishFlush = constants.BROTLI_OPERATION_FLUSH;
      return isText(body) ? body : brotliDecompressSync(body, { maxOutputLength: bytesMax, finishFlush });
    }
    case 'zstd':
      return isZstd(body) ? unpackedFrames(body, bytesMax) : body;
    default:
      return null;
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
