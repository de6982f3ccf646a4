import { createHmac, createSecretKey, type Hmac, type KeyObject } from 'node:crypto';
import type { Identity } from './identity.ts';

/*
 * The three equivalences of documents, each found by one keyed 128-bit digest (Broder 1997, §5.2):
 *
 *   identical  =>  lexically equivalent  =>  shingle equivalent
 *   bytes          canonical tokens          set of fingerprints
 *
 * HMAC-SHA-256 cut to 128 bits, 32 lowercase hex digits; a label a kind, and the length before every part where there are
 * two, keep any two inputs apart. Keyed, so that a digest seen in a backup cannot be tested against a guessed document.
 */

/** How bytes were read; equal bytes read in another way are another document. */
export interface ReadBytes {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  readonly charset: string;
  readonly select: string | null;
  readonly remove: string | null;
}

/** Digest of the very bytes of a document (after content decoding) and how they were read. */
export function bytesDigest(identity: Identity, read: ReadBytes): string {
  const { mediaType, charset, select, remove } = read;
  return digest(identity, 'bytes', [JSON.stringify([mediaType, charset, select, remove]), read.bytes]);
}

/** Digest of the canonical token sequence: the name of a content. Its parts may be cut anywhere. */
export interface LexicalDigest {
  readonly add: (part: Uint8Array) => void;
  /** Of all parts together; once. */
  readonly value: () => string;
}

export function createLexicalDigest(identity: Identity): LexicalDigest {
  const hmac = begin(identity, 'lexical');
  return { add: (part) => hmac.update(part), value: () => hexOf(hmac) };
}

/** Digest of the full set of fingerprints, from its order-independent sum and its size. */
export function shingleDigest(identity: Identity, shingleSum: Uint32Array, shingleCount: number): string {
  return digest(identity, 'shingle', [`${shingleSum.join(' ')} ${shingleCount}`]);
}

/** Making a key object of raw bytes costs twice as much as the digest of a page. */
const keyObjects = new WeakMap<Uint8Array, KeyObject>();

function keyObjectOf(key: Uint8Array): KeyObject {
  const known = keyObjects.get(key);
  if (known !== undefined) return known;
  const made = createSecretKey(key);
  keyObjects.set(key, made);
  return made;
}

function digest(identity: Identity, kind: string, parts: readonly (string | Uint8Array)[]): string {
  const hmac = begin(identity, kind);
  for (const part of parts) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    hmac.update(`${bytes.length}\n`).update(bytes);
  }
  return hexOf(hmac);
}

function begin(identity: Identity, kind: string): Hmac {
  return createHmac('sha256', keyObjectOf(identity.digestKey)).update(`shingled ${kind}\n`);
}

function hexOf(hmac: Hmac): string {
  return hmac.digest('hex').slice(0, 32);
}
