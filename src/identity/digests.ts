import type { Identity } from './identity.ts';
import { createKeyedHash } from './keyed-hash.ts';

/*
 * The three equivalences of documents, each found by one keyed 128-bit digest (Broder 1997, §5.2):
 *
 *   identical  =>  lexically equivalent  =>  shingle equivalent
 *   bytes          canonical tokens          set of fingerprints
 *
 * HMAC-SHA-256 cut to 128 bits, 32 lowercase hex digits; a label a kind, and the length before every part where there are
 * two, make any two inputs differ. Keyed, so that a digest seen in a backup cannot be tested against a guessed document.
 */

const HEX_DIGITS = 32;

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
  const how = JSON.stringify([mediaType, charset, select, remove]);
  const { add, value } = begin(identity, 'bytes');
  add(`${Buffer.byteLength(how)}\n${how}${read.bytes.length}\n`);
  add(read.bytes);
  return value();
}

/** Digest of the canonical token sequence, whose parts may be cut anywhere. */
export const createLexicalDigest = (identity: Identity) => begin(identity, 'lexical');

/**
 * The name of a content: what is kept of a document follows from its words and from which of its shingles are main. One of
 * which nothing is told apart has the name of its words.
 *
 * @param lexicalDigest of its words, or of its features
 */
export function contentDigest(
  identity: Identity,
  lexicalDigest: string,
  main: { readonly shingleSum: Uint32Array; readonly shingleCount: number } | null,
): string {
  if (main === null) return lexicalDigest;
  const [a, b, c, d] = main.shingleSum;
  const { add, value } = begin(identity, 'content');
  add(`${lexicalDigest} ${a} ${b} ${c} ${d} ${main.shingleCount}`);
  return value();
}

/** Digest of the canonical bytes of a set of features: the name of a content that no text has. */
export function featuresDigest(identity: Identity, canonical: Uint8Array): string {
  const { add, value } = begin(identity, 'features');
  add(canonical);
  return value();
}

/** Digest of the full set of fingerprints, from its order-independent sum and its size. */
export function shingleDigest(identity: Identity, shingleSum: Uint32Array, shingleCount: number): string {
  const [a, b, c, d] = shingleSum;
  const message = `${a} ${b} ${c} ${d} ${shingleCount}`;
  const { add, value } = begin(identity, 'shingle');
  add(`${message.length}\n${message}`);
  return value();
}

/** `add` takes more, `value` gives the digest of all of it, once. */
function begin(identity: Identity, kind: string) {
  const { add, hex } = createKeyedHash(identity.digestKey);
  add(`shingled ${kind}\n`);
  return { add, value: () => hex().slice(0, HEX_DIGITS) };
}
