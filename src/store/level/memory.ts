import { ShingledError } from '../../errors.ts';
import { STORE_LIMIT_ROWS } from '../limits.ts';

/*
 * What the memory of an index is spent on, of one budget B:
 *
 *   LevelDB's cache of blocks     B / 16
 *   its write buffers             2 x B / 8: the larger they are, the less often it rewrites what it has. With 32 MB instead
 *                                 of its own 4 it takes half as many documents a second again
 *   filters of segments           B / 8: a byte a posting, or less (segments/filters.ts)
 *   records of families           B / 16: what resembles one member reads the same ones again
 *   shingle counts of contents    33 bits each, and 8 for each key of a source or a content that is known to be there
 *                                 (known-keys.ts); room for a quarter more than there are, and for B / 8 at least
 *   postings in memory            what is left. Two tails of 17 bytes a posting, one being filled and one being flushed, and
 *                                 18 for sorting the latter
 *
 * A larger tail makes fewer segments, and so fewer merges. A larger cache saves reads that the cache of the file system
 * would not save. The counts may come to need more than their room, where many contents have come since the start. Then
 * the next start gives postings less. Memory that the operating system maps files into is not counted.
 */

const MIB = 2 ** 20;

export const { default: STORE_MEMORY_MB, minimum: STORE_MEMORY_MB_MIN } = STORE_LIMIT_ROWS.storeMemoryMb;

/** With its own key and that of its source. */
const CONTENT_BYTES = 33 / 8 + 2;
const POSTING_BYTES = 2 * 17 + 18;
/** Below this every few documents would make a segment. */
const TAIL_POSTINGS_MIN = 200_000;

/** Of the whole, what is for counts and postings. */
const OURS = 1 / 2;

/** What else is of a size that contents do not decide. @param memoryMb the budget */
export function memoryShares(memoryMb: number) {
  const share = (parts: number) => Math.floor((memoryMb * MIB) / parts);
  return { cacheBytes: share(16), writeBufferBytes: share(8), filterBytesMax: share(8), familyBytesMax: share(16) };
}

/**
 * How many postings a tail may have.
 *
 * @param memoryMb the budget
 * @param contents numbers given out so far
 * @throws ShingledError `invalid-config` naming the least budget that this many contents need
 */
export function tailPostings(memoryMb: number, contents: number): number {
  const budget = memoryMb * MIB;
  const counts = Math.max(budget / 8, 1.25 * contents * CONTENT_BYTES);
  const left = budget * OURS - counts;
  const postings = Math.floor(left / POSTING_BYTES);
  if (postings >= TAIL_POSTINGS_MIN && memoryMb >= STORE_MEMORY_MB_MIN) return postings;
  const needed = 1.25 * contents * CONTENT_BYTES + TAIL_POSTINGS_MIN * POSTING_BYTES;
  const least = Math.max(STORE_MEMORY_MB_MIN, Math.ceil(needed / OURS / MIB));
  throw new ShingledError(
    'invalid-config',
    `STORE_MEMORY_MB: ${memoryMb} is too small for an index of ${contents} contents; allowed: at least ${least}`,
    { field: 'STORE_MEMORY_MB', limit: { name: 'storeMemoryMbMin', value: least } },
  );
}
