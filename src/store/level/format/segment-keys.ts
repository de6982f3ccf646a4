/*
 * The keys of the posting index, in the manner of keys.ts: ASCII, numbers as digits of base 128, most significant first.
 *
 *   g                            -> the list of segments
 *   p segment:4 bucket:4         -> bucket of postings             bucket = the top bits of a 40-bit fingerprint
 *   q segment:4 fingerprint:6 part:1
 *                                -> what a list has beyond its first K in that segment, in order, in parts
 *   z page:5                     -> shingle counts of contents 4,096 · page …
 *   d content:5                  -> (nothing)                      forgotten since its row z was written
 */

export const segmentsKey = 'g';

/** Segments and buckets are numbered below 2^28: at a segment a second, for eight years. */
export const BUCKET_BITS_MAX = 28;

const digits4 = (letter: string, n: number) =>
  letter + String.fromCharCode(n >>> 21, (n >>> 14) & 127, (n >>> 7) & 127, n & 127);
const digits5 = (letter: string, n: number) =>
  letter + String.fromCharCode(n >>> 28, (n >>> 21) & 127, (n >>> 14) & 127, (n >>> 7) & 127, n & 127);

/** Every bucket of a segment begins so; made once for many keys. */
export const bucketsPrefix = (segment: number) => digits4('p', segment);
export const bucketKey = (prefix: string, bucket: number) => digits4(prefix, bucket);
export const bucketOfKey = (key: string) => numberAt(key, 5, 4);

export const overflowsPrefix = (segment: number) => digits4('q', segment);
/** @param part 0..127 */
export function overflowKey(prefix: string, fingerprint: number, part: number): string {
  const low = fingerprint % 2 ** 28;
  const high = (fingerprint - low) / 2 ** 28;
  return digits4(prefix + String.fromCharCode(high >>> 7, high & 127), low) + String.fromCharCode(part);
}

export const pageKey = (page: number) => digits5('z', page);
export const pageOfKey = (key: string) => numberAt(key, 1, 5);

export const deathKey = (content: number) => digits5('d', content);
export const contentOfDeathKey = (key: string) => numberAt(key, 1, 5);

/** The segment of a key of table p or q. */
export const segmentOfKey = (key: string) => numberAt(key, 1, 4);

function numberAt(key: string, at: number, width: number): number {
  let value = 0;
  for (let i = at; i < at + width; i++) value = value * 128 + key.charCodeAt(i);
  return value;
}
