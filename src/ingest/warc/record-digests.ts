import type { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import { dechunked, parseHttp } from './http-message.ts';

/*
 * WARC-Block-Digest: sha1:MFZWK4DBEBQXGZLTN5ZGK2LOOM3TQNZR, or in hex. Sound where it is, or cannot be told.
 *
 * Of a payload (WARC-Payload-Digest) writers differ in what it is: the body as it was sent, or without its chunks. Either
 * will do.
 */

const ALGORITHMS = new Set(['md5', 'sha1', 'sha256', 'sha512']);
const BASE_32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** @returns what is wrong with the bytes of a record, null where nothing is known to be */
export function digestProblem(fields: ReadonlyMap<string, string>, block: Buffer): string | null {
  const ofBlock = digestOf(fields.get('warc-block-digest'));
  if (ofBlock !== null) return ofBlock(block) ? null : 'the digest of the block is another';
  // the payload of a revisit is that of another record
  if (fields.get('warc-type') !== 'response') return null;
  const ofPayload = digestOf(fields.get('warc-payload-digest'));
  const message = ofPayload === null ? null : parseHttp(block);
  if (ofPayload === null || message === null) return null;
  const { body } = message;
  return ofPayload(body) || ofPayload(dechunked(body)) ? null : 'the digest of the payload is another';
}

/** Whether bytes have this digest; null where it is not given, or in an unknown way. */
function digestOf(given: string | undefined): ((bytes: Buffer) => boolean) | null {
  const [label = '', value = ''] = given?.trim().split(':') ?? [];
  const algorithm = label.toLowerCase().replace('-', '');
  if (!ALGORITHMS.has(algorithm)) return null;
  const hexDigits = hash(algorithm, '').length;
  const digits = value.trim().replace(/=+$/, '');
  if (digits.length === hexDigits) return (bytes) => hash(algorithm, bytes) === digits.toLowerCase();
  const isBase32 = digits.length === Math.ceil((hexDigits * 4) / 5);
  return isBase32 ? (bytes) => base32(hash(algorithm, bytes, 'buffer')) === digits.toUpperCase() : null;
}

/** RFC 4648, without padding. */
function base32(bytes: Uint8Array): string {
  let [text, bits, count] = ['', 0, 0];
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0xff_ff;
    for (count += 8; count >= 5; count -= 5) text += BASE_32[(bits >> (count - 5)) & 31];
  }
  return count > 0 ? text + BASE_32[(bits << (5 - count)) & 31] : text;
}
