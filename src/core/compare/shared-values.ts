import { createScratch } from '../memory/scratch.ts';
import { modulusFor } from '../sketch/modulus.ts';
import type { ComparedSample } from '../sketch/narrow.ts';
import { countMultiples } from './sample-comparer.ts';

/*
 * What the documents of one page share, so that only pairs that may share enough are compared.
 *
 *   entries   key | owner | the next entry of the same key, in a ring       each document's entries one behind the other
 *   buckets   of a key -> the first entries of the keys in it, a chain
 *
 *   shared(d)     for each entry of d its ring once: +1 for every owner      most values are their own ring
 *
 * Keys have the bits that all samples of the page have: 16 or more (core/sketch/narrow.ts). By so few a count can be too high,
 * never too low. A value that two samples hold is 0 mod the coarser of their moduli, so counts are those at the common modulus.
 *
 * A page of ordinary size is counted by all values of its samples. Of a larger one, document d is counted by those that
 * are 0 mod M_d = max(its own modulus, m(n_d; M, 32)). M is the least of 1 … 8 by which a page has no more than
 * VALUES_MAX. Let a be the smaller of two documents, with s of its values 0 mod M, and I what the two share. Then
 *
 *   K ~ hypergeometric(n_a, I, s),   P(K <= s·p - t) <= exp(-t² / (2 (s·p·(1 - p) + t/3))),   p = I / n_a
 *
 * (Bernstein's bound, which holds without replacement too: Hoeffding 1963, theorem 4). So a count below s·p - t says that
 * the two share less than I, but for a chance of e^-MISS_LOGARITHM.
 * Cost: some 10 ns a value once, then for each document that is asked for as much for each value, and a step for each holder.
 */

/** A document of the page. */
export interface CountedDocument {
  readonly shingleCount: number;
  readonly sample: ComparedSample;
}

/** 100 documents of 160 values: what fits into the cache beside all else. */
const VALUES_MAX = 2 ** 14;
const MODULUS_MAX = 8;
/** -ln 10^-9: of a page of 1,000 documents, in one of 2,000 some pair may be passed over. */
const MISS_LOGARITHM = 20.7;
const COUNTED_SHINGLES_LEAST = 32;
/** More bits tell no more apart. */
const KEY_BITS_MAX = 30;
/** Multiplies keys apart, whose low bits are 0 where they were sampled: 2^32 / golden ratio, odd. */
const SPREAD = 0x9e37_79b1;

export class SharedValues {
  readonly #documents: readonly CountedDocument[];
  readonly #sizes: Float64Array;
  /** M_d. */
  readonly #moduli: Uint32Array;
  /** Where the entries of each document begin; one more. */
  readonly #starts: Uint32Array;
  readonly #owners: Uint32Array;
  readonly #rings: Uint32Array;
  /** The i-th: of each document, values that are 0 mod 2^i; counted when they are first asked for. */
  readonly #sampled: Int32Array[] = [];

  constructor(documents: readonly CountedDocument[]) {
    this.#documents = documents;
    this.#sizes = Float64Array.from(documents, ({ shingleCount }) => shingleCount);
    this.#moduli = countingModuli(documents);
    const { keys, owners, starts } = entriesOf(documents, this.#moduli);
    this.#owners = owners;
    this.#starts = starts;
    this.#rings = ringsOf(keys);
  }

  /** For each document how many of the values that are counted it shares with document `number`, or a few more. */
  countsOf(number: number): Uint32Array {
    const counts = new Uint32Array(this.#documents.length);
    const owners = this.#owners;
    const rings = this.#rings;
    const end = this.#starts[number + 1]!;
    for (let at = this.#starts[number]!; at < end; at++) {
      counts[number]!++;
      for (let entry = rings[at]!; entry !== at; entry = rings[entry]!) counts[owners[entry]!]!++;
    }
    return counts;
  }

  /**
   * Whether two documents that share none of the values that are counted share less than a part of the smaller one,
   * whichever it is. So it is for most pairs of a page, told without a look at what they would have to share.
   *
   * @param draws as {@link drawsToPart} has them for that part
   */
  arePartedBy(draws: number, first: number, second: number): boolean {
    const smaller = this.#sizes[first]! < this.#sizes[second]! ? first : second;
    return this.#sampledAt(smaller, Math.max(this.#moduli[first]!, this.#moduli[second]!)) > draws;
  }

  /** Whether two documents with such a count may share `least` shingles (0 or more) or more. */
  mayShare(first: number, second: number, count: number, least: number): boolean {
    const [a, b] = [this.#sizes[first]!, this.#sizes[second]!];
    const population = Math.min(a, b);
    if (least > population) return false;
    const modulus = Math.max(this.#moduli[first]!, this.#moduli[second]!);
    if (modulus === 1) return count >= least;
    const draws = this.#sampledAt(a < b ? first : second, modulus);
    const share = least / population;
    const mean = draws * share;
    const third = MISS_LOGARITHM / 3;
    return count >= mean - third - Math.sqrt(third * third + 2 * MISS_LOGARITHM * mean * (1 - share));
  }

  #sampledAt(number: number, modulus: number): number {
    if (modulus === this.#moduli[number]) return this.#starts[number + 1]! - this.#starts[number]!;
    const exponent = 31 - Math.clz32(modulus);
    this.#sampled[exponent] ??= new Int32Array(this.#documents.length).fill(-1);
    const counts = this.#sampled[exponent];
    if (counts[number] === -1) counts[number] = countMultiples(this.#documents[number]!.sample, modulus);
    return counts[number]!;
  }
}

/**
 * How many values of the smaller of two documents must be missing from the other, so that they share less than `share`
 * of it: where s·p - t > 0 above.
 *
 * @param share 0..1
 * @returns Infinity where it is 0: no number is enough
 */
export function drawsToPart(share: number): number {
  return (2 * MISS_LOGARITHM * (1 / 3 + 1 - share)) / share;
}

/** The values that are counted, document after document; keys are scratch memory. */
function entriesOf(documents: readonly CountedDocument[], moduli: Uint32Array) {
  const starts = new Uint32Array(documents.length + 1);
  const valuesMax = documents.reduce((sum, { sample }) => sum + sample.values.length, 0);
  const keys = new Int32Array(keyScratch(4 * valuesMax).bytes.buffer, 0, valuesMax);
  const keyMask = 2 ** keyBits(documents) - 1;
  let count = 0;
  for (const [i, { sample }] of documents.entries()) {
    const { values } = sample;
    const mask = moduli[i]! - 1;
    for (let at = 0; at < values.length; at++) {
      const key = (values[at]! | 0) & keyMask;
      keys[count] = key;
      // goes on where the rest is 0, without a branch that would be mispredicted
      const rest = key & mask;
      count += ((rest | -rest) >>> 31) ^ 1;
    }
    starts[i + 1] = count;
  }
  const owners = new Uint32Array(count);
  for (let i = 0; i < documents.length; i++) owners.fill(i, starts[i]!, starts[i + 1]!);
  return { keys: keys.subarray(0, count), owners, starts };
}

function keyBits(documents: readonly CountedDocument[]): number {
  let bits = KEY_BITS_MAX;
  for (const { sample } of documents) if (sample.values.length > 0) bits = Math.min(bits, sample.bits);
  return bits;
}

const keyScratch = createScratch();
const bucketScratch = createScratch();

/** Of each entry the next one with its key; of the last the first. */
function ringsOf(keys: Int32Array): Uint32Array {
  const bits = Math.max(1, 32 - Math.clz32(keys.length));
  const { buffer } = bucketScratch(4 * (2 ** bits + keys.length)).bytes;
  const heads = new Int32Array(buffer, 0, 2 ** bits).fill(-1);
  const before = new Int32Array(buffer, 4 * 2 ** bits, keys.length);
  const rings = new Uint32Array(keys.length);
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at]!;
    const bucket = Math.imul(key, SPREAD) >>> (32 - bits);
    let entry = heads[bucket]!;
    while (entry >= 0 && keys[entry] !== key) entry = before[entry]!;
    if (entry >= 0) {
      rings[at] = rings[entry]!;
      rings[entry] = at;
    } else {
      rings[at] = at;
      before[at] = heads[bucket]!;
      heads[bucket] = at;
    }
  }
  return rings;
}

function countingModuli(documents: readonly CountedDocument[]): Uint32Array {
  const moduli = new Uint32Array(documents.length);
  for (let cap = 1; cap <= MODULUS_MAX; cap *= 2) {
    let values = 0;
    for (const [i, { shingleCount, sample }] of documents.entries()) {
      moduli[i] = Math.max(sample.modulus, modulusFor(shingleCount, cap, COUNTED_SHINGLES_LEAST));
      values += (sample.values.length * sample.modulus) / moduli[i]!;
    }
    if (values <= VALUES_MAX) break;
  }
  return moduli;
}
