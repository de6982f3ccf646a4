/*
 * Scratch memory that serves one document after another. It is kept while it is small and let go after a huge document,
 * so that one of 16 MB does not cost a process its memory for ever.
 */

/** No more is kept from one document to the next: beyond, each has memory of its own. */
const KEPT_BYTES = 0x40_0000;
const LEAST_BYTES = 0x8000;

/** Memory, and the same memory by words. */
interface ScratchMemory {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly view: DataView;
}

/** Gives memory of at least so many bytes, with anything in it; the same again and again while that is not too much. */
export type Scratch = (bytes: number) => ScratchMemory;

export function createScratch(): Scratch {
  let kept = allocate(0);
  return (bytes) => {
    if (bytes <= kept.bytes.length) return kept;
    const made = allocate(Math.max(bytes, LEAST_BYTES));
    if (made.bytes.length <= KEPT_BYTES) kept = made;
    return made;
  };
}

/** Memory that nothing else has. */
export function allocate(length: number): ScratchMemory {
  const bytes = new Uint8Array(length);
  return { bytes, view: new DataView(bytes.buffer) };
}
