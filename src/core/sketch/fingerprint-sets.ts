/** A nested sample of a document's fingerprints: V_m of Broder 1997, §3, with m a power of two. */
export interface Sample {
  /** m, a power of two; 1 = the whole set. */
  readonly modulus: number;
  /**
   * The low 40 bits of every distinct fingerprint that is 0 mod m: whole numbers in 0..2^40-1, ascending, distinct. Never
   * overwritten; it may be a part of a larger buffer (memory/copies.ts).
   */
  readonly fingerprints: Float64Array;
}

/** All distinct fingerprints of a document, 64 bits each: low and high half after one another, in the order of arrival. */
export type WholeSet = Uint32Array;
