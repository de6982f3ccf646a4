/*
 * Ways to hand out what the kernel wrote: copies of parts of its memory.
 *
 *   owned    each copy has a buffer of its own: it may be kept, transferred or posted by itself
 *   shared   copies lie side by side in buffers of 256 KB: making a buffer costs more than filling it, which is felt with
 *            short documents
 */
export interface Copies {
  readonly bytes: (memory: Uint8Array, start: number, end: number) => Uint8Array;
  readonly doubles: (memory: Float64Array, start: number, end: number) => Float64Array;
}

const SHARED_BYTES = 0x4_0000;

export const owned: Copies = {
  bytes: (memory, start, end) => memory.slice(start, end),
  doubles: (memory, start, end) => memory.slice(start, end),
};

/** Copies that share buffers with one another. */
export function sharedCopies(): Copies {
  let bytes = new Uint8Array(0);
  let doubles = new Float64Array(0);
  let bytesAt = 0;
  let doublesAt = 0;
  return {
    bytes(memory, start, end) {
      const length = end - start;
      if (bytesAt + length > bytes.length) {
        bytes = new Uint8Array(Math.max(length, SHARED_BYTES));
        bytesAt = 0;
      }
      const copy = bytes.subarray(bytesAt, bytesAt + length);
      copy.set(memory.subarray(start, end));
      bytesAt += length;
      return copy;
    },
    doubles(memory, start, end) {
      const length = end - start;
      if (doublesAt + length > doubles.length) {
        doubles = new Float64Array(Math.max(length, SHARED_BYTES / 8));
        doublesAt = 0;
      }
      const copy = doubles.subarray(doublesAt, doublesAt + length);
      copy.set(memory.subarray(start, end));
      doublesAt += length;
      return copy;
    },
  };
}
