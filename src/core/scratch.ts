/*
 * Scratch memory that serves one document after another: kept while it is small, and let go after a huge one, so that one
 * 16 MB document does not cost a process its memory for ever.
 */

/** What is kept from one document to the next, and what is made at the least. */
const KEPT_BYTES = 0x10_0000;
const LEAST_BYTES = 0x8000;

/** Gives memory of at least so many bytes, with anything in it; the same again and again while that is not too much. */
export type Scratch = (bytes: number) => ArrayBuffer;

export function createScratch(): Scratch {
  let kept = new ArrayBuffer(0);
  return (bytes) => {
    if (bytes <= kept.byteLength) return kept;
    // a whole number of 64-bit values
    const made = new ArrayBuffer(Math.max((bytes + 7) & ~7, LEAST_BYTES));
    if (made.byteLength <= KEPT_BYTES) kept = made;
    return made;
  };
}
