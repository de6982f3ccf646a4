/** Seeded randomness for tests and benches: the same seed gives the same numbers on every machine. */
export interface Prng {
  /** 0..2^32-1 */
  uint32(): number;
  /** [0, 1), 32 bits fine */
  next(): number;
  /** 0..limit-1, limit a whole number up to 2^32 */
  below(limit: number): number;
  /** 0..2^40-1, what a stored fingerprint looks like */
  fingerprint(): number;
}

/** sfc32 (Chris Doty-Humphrey, PractRand): 128 bits of state, at least 2^32 numbers before any repetition. */
export function createPrng(seed: number): Prng {
  let a = seed | 0;
  let b = 0x9e37_79b9;
  let c = 0x243f_6a88;
  let counter = 1;
  const uint32 = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return sum >>> 0;
  };
  for (let warmUp = 0; warmUp < 16; warmUp++) uint32();
  return {
    uint32,
    next: () => uint32() / 0x1_0000_0000,
    below: (limit) => Math.floor((uint32() / 0x1_0000_0000) * limit),
    fingerprint: () => (uint32() & 0xff) * 0x1_0000_0000 + uint32(),
  };
}

/** `count` distinct fingerprints, in no order. */
export function distinctFingerprints(prng: Prng, count: number): Float64Array {
  const seen = new Set<number>();
  while (seen.size < count) seen.add(prng.fingerprint());
  return Float64Array.from(seen);
}
