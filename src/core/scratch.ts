/*
 * Scratch memory that serves one document after another: kept while it is small, and let go after a huge one, so that one
 * 16 MB document does not cost a process its memory for ever.
 */

/** What is kept from one document to the next, and what is made at the least. */
const KEPT_BYTES = 0x10_0000;
const LEAST_BYTES = 0x8000;

/** Gives memory of at least so many bytes, with anything in it; the same again and again while that is not too much. */
export type Scratch = (bytes: number) => Uint8Array<ArrayBuffer>;

export function createScratch(): Scratch {
  let kept = new Uint8Array(0);
  return (bytes) => {
    if (bytes <= kept.length) return kept;
    const made = new Uint8Array(Math.max(bytes, LEAST_BYTES));
    if (made.length <= KEPT_BYTES) kept = made;
    return made;
  };
}
