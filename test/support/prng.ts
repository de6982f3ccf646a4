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

/** Draws from Binomial(count, chance) in constant time: the law within 10 standard deviations, inverted by bisection. */
export function binomialSampler(prng: Prng, count: number, chance: number): () => number {
  if (count === 0 || chance >= 1) return () => (chance >= 1 ? count : 0);
  const mean = count * chance;
  const reach = 10 * Math.sqrt(mean * (1 - chance)) + 10;
  const least = Math.max(0, Math.floor(mean - reach));
  const most = Math.min(count, Math.ceil(mean + reach));
  // Weights relative to the mode, so that none overflows.
  const weights = new Float64Array(most - least + 1);
  const mode = Math.min(most, Math.floor((count + 1) * chance));
  const odds = chance / (1 - chance);
  weights[mode - least] = 1;
  for (let i = mode; i < most; i++) weights[i + 1 - least] = (weights[i - least]! * (count - i) * odds) / (i + 1);
  for (let i = mode; i > least; i--) weights[i - 1 - least] = (weights[i - least]! * i) / ((count - i + 1) * odds);
  const cumulative = new Float64Array(weights.length);
  let total = 0;
  for (let i = 0; i < weights.length; i++) cumulative[i] = total += weights[i]!;
  return () => {
    const at = prng.next() * total;
    let low = 0;
    let high = cumulative.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (cumulative[middle]! <= at) low = middle + 1;
      else high = middle;
    }
    return least + low;
  };
}
