import { ShingledError } from '../../errors.ts';
import { STORE_LIMIT_ROWS } from '../limits.ts';

/*
 * What the memory of an index is spent on, of one budget. Of it B is shared as follows: all of the first 256 MiB, and an
 * eighth of what is above.
 *
 *   LevelDB's cache of blocks     B / 16
 *   its write buffers             2 x B / 8: the larger they are, the less often it rewrites what it has. With 32 MB instead
 *                                 of its own 4 it takes half as many documents a second again
 *   filters of segments           B / 8: a byte a posting, or less (segments/filters.ts)
 *   records of families           B / 32, and a 64th of what is above 256 MiB: what resembles one member reads the same ones
 *                                 again, and so does a list of results that many ask for. 3 to 4 KB a page
 *   further holders of contents   B / 32: some 120 bytes for each source beside the first that shows the same words
 *   shingle counts of contents    33 bits each, and 8 for each key of a source or a content that is known to be there
 *                                 (known-keys.ts); room for a quarter more than there are, and for B / 8 at least
 *   postings in memory            what is left. Two tails of 17 bytes a posting, one being filled and one being flushed, and
 *                                 18 for sorting the latter
 *   images of segments            the other seven eighths of what is above 256 MiB, but for that: 7 bytes a posting
 *                                 (segments/images). Where there are none, look-ups read rows, and a query takes twice as
 *                                 much CPU time
 *
 * A larger tail makes fewer segments, and so fewer merges. A larger cache saves reads that the cache of the file system
 * would not save. Counts that need more than their room take it from the images. They may come to need more later, where many
 * contents have come since the start. Then the next start gives the others less. Memory that the operating system maps
 * files into is not counted.
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

/** Up to here there are no images; of what is above, they have all but an eighth. */
const SHARED_BYTES = 256 * MIB;

/** Of it, what families have beside their share of B. */
const FAMILIES = 1 / 64;

const aboveBytes = (memoryMb: number) => Math.max(0, memoryMb * MIB - SHARED_BYTES);

/** B. */
function sharedBytes(memoryMb: number): number {
  const budget = memoryMb * MIB;
  return Math.min(budget, SHARED_BYTES + aboveBytes(memoryMb) / 8);
}

/** What so many contents and the least tails need. */
const neededBytes = (contents: number) => 1.25 * contents * CONTENT_BYTES + TAIL_POSTINGS_MIN * POSTING_BYTES;

/** For counts and postings: their share, or as much more as they need and images can give. */
function ownBytes(memoryMb: number, contents: number): number {
  const shared = sharedBytes(memoryMb);
  const most = shared * OURS + memoryMb * MIB - shared - aboveBytes(memoryMb) * FAMILIES;
  return Math.max(shared * OURS, Math.min(most, neededBytes(contents)));
}

/** What else is of a size that contents do not decide. @param memoryMb the budget */
export function memoryShares(memoryMb: number) {
  const share = (parts: number) => Math.floor(sharedBytes(memoryMb) / parts);
  return {
    ...{ cacheBytes: share(16), writeBufferBytes: share(8), filterBytesMax: share(8) },
    familyBytesMax: share(32) + Math.floor(aboveBytes(memoryMb) * FAMILIES),
    holderBytesMax: share(32),
  };
}

/**
 * What images of segments may take.
 *
 * @param memoryMb the budget
 * @param contents numbers given out so far
 */
export function imageBytesMax(memoryMb: number, contents: number): number {
  const shared = sharedBytes(memoryMb);
  const families = aboveBytes(memoryMb) * FAMILIES;
  return Math.floor(memoryMb * MIB - shared - families - (ownBytes(memoryMb, contents) - shared * OURS));
}

/**
 * How many postings a tail may have.
 *
 * @param memoryMb the budget
 * @param contents numbers given out so far
 * @throws ShingledError `invalid-config` naming the least budget that this many contents need
 */
export function tailPostings(memoryMb: number, contents: number): number {
  const counts = Math.max(sharedBytes(memoryMb) / 8, 1.25 * contents * CONTENT_BYTES);
  const postings = Math.floor((ownBytes(memoryMb, contents) - counts) / POSTING_BYTES);
  if (postings >= TAIL_POSTINGS_MIN && memoryMb >= STORE_MEMORY_MB_MIN) return postings;
  const least = leastMemoryMb(contents);
  throw new ShingledError(
    'invalid-config',
    `STORE_MEMORY_MB: ${memoryMb} is too small for an index of ${contents} contents; allowed: at least ${least}`,
    { field: 'STORE_MEMORY_MB', limit: { name: 'storeMemoryMbMin', value: least } },
  );
}

function leastMemoryMb(contents: number): number {
  let least = STORE_MEMORY_MB_MIN;
  while (
    ownBytes(least, contents) <
    Math.max(neededBytes(contents), sharedBytes(least) / 8 + TAIL_POSTINGS_MIN * POSTING_BYTES)
  ) {
    least++;
  }
  return least;
}
