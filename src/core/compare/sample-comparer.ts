import type { ComparedSample } from '../sketch/narrow.ts';
import type { OverlapEvidence } from './evidence.ts';
import {
  createFingerprintIndex,
  type FingerprintIndex,
  fingerprintIndexSteps,
  STEP_VALUES,
} from './fingerprint-index.ts';

/*
 * What two samples share, at the coarser of their moduli and by the bits that both have (core/sketch/narrow.ts).
 *
 *   A, m = 1   101001 110100 011011 …      no filter is needed: a value that both hold is 0 mod the coarser modulus
 *   B, m = 4        .        0100 1000 …   a value of B is shared where one of A agrees in B's bits
 *
 * A value of B that is not in A agrees by chance with sampled A · m / 2^b of A's, in the mean. By the bits that both have,
 * a value that either has several times counts as often as both have it, so that A and B may change places.
 *
 * Samples of one width are in one order, and are passed over together where A is small: some 5 ns a value of both. Else A
 * is looked up by its low bits: 5 to 20 ns a value of A once, and of B for every B.
 */

/** What two samples say of each other at the coarser of their moduli: the counts of core/compare/evidence.ts. */
export type SampleOverlap = Pick<OverlapEvidence, 'modulus' | 'sampledA' | 'sampledB' | 'shared' | 'falseDensity'>;

/** @param goesOn whether it is the next part of the sample that was compared last: what that met is not counted again */
export type SampleComparer = (b: ComparedSample, goesOn?: boolean) => SampleOverlap;

/**
 * Compares one sample (A, the query) with others (B, the records).
 *
 * @returns a function that keeps the query's sample for as long as it lives
 */
export function createSampleComparer(a: ComparedSample): SampleComparer {
  return comparerBy(a, null);
}

/** The same step by step. */
export function* sampleComparerSteps(a: ComparedSample): Generator<undefined, SampleComparer> {
  return comparerBy(a, yield* fingerprintIndexSteps(a));
}

/** What two samples share, both of any size, step by step. */
export function* sampleOverlapSteps(a: ComparedSample, b: ComparedSample): Generator<undefined, SampleOverlap> {
  return yield* overlapSteps(yield* sampleComparerSteps(a), b);
}

/** What a comparer says of a sample of any size, step by step. */
export function* overlapSteps(compare: SampleComparer, b: ComparedSample): Generator<undefined, SampleOverlap> {
  const { values } = b;
  let overlap = compare({ ...b, values: values.subarray(0, STEP_VALUES) });
  for (let from = STEP_VALUES; from < values.length; from += STEP_VALUES) {
    yield;
    const part = compare({ ...b, values: values.subarray(from, from + STEP_VALUES) }, true);
    overlap = { ...part, sampledB: overlap.sampledB + part.sampledB, shared: overlap.shared + part.shared };
  }
  return overlap;
}

/** @param made where there is one already */
function comparerBy(a: ComparedSample, made: FingerprintIndex | null): SampleComparer {
  const sampled = new Map<number, number>();
  let index = made;
  let met: MetValues | null = null;
  const sharedWith = ({ bits, values }: ComparedSample, goesOn: boolean): number => {
    // A is passed over again for each B
    if (bits === a.bits && a.values.length <= STEP_VALUES) return countInOrder(a.values, values);
    index ??= createFingerprintIndex(a);
    if (bits <= a.bits) return index.count(values, bits) - countedTwice(values, bits, index);
    met ??= new MetValues(a, index);
    return met.count(index.which(values, bits), goesOn);
  };
  return (b, goesOn = false) => {
    const { bits } = b;
    const modulus = Math.max(a.modulus, b.modulus);
    const sampledA = sampled.get(modulus) ?? countMultiples(a, modulus);
    sampled.set(modulus, sampledA);
    return {
      modulus,
      sampledA,
      sampledB: countMultiples(b, modulus),
      shared: sharedWith(b, goesOn),
      falseDensity: (sampledA * modulus) / 2 ** Math.min(a.bits, bits),
    };
  };
}

/** How often repeated values were counted more often than the other sample has them. @param values ascending */
function countedTwice(values: Float64Array, bits: number, index: FingerprintIndex): number {
  let count = 0;
  for (let i = 1; i < values.length; i++) {
    if (values[i] !== values[i - 1]) continue;
    const first = i - 1;
    while (i + 1 < values.length && values[i + 1] === values[first]) i++;
    const agreeing = index.agreeing(values[first]!, bits);
    if (agreeing > 0) count += Math.max(0, i - first + 1 - agreeing);
  }
  return count;
}

/** Which values of A have been met, each as often as A has it. */
class MetValues {
  /** By the number of the first of those that agree: how many they are, when any was met last, and how many were then. */
  private readonly sizes: Uint32Array;
  private readonly turns: Uint32Array;
  private readonly met: Uint32Array;
  private turn = 0;

  constructor({ values, bits }: ComparedSample, index: FingerprintIndex) {
    this.sizes = new Uint32Array(values.length);
    this.turns = new Uint32Array(values.length);
    this.met = new Uint32Array(values.length);
    for (const number of index.which(values, bits)) this.sizes[number]!++;
  }

  /** How many of some numbers are new, or are of a value that was met less often than A has it. */
  count(numbers: Uint32Array, goesOn: boolean): number {
    const { sizes, turns, met } = this;
    if (!goesOn) this.turn++;
    let count = 0;
    for (let i = 0; i < numbers.length; i++) {
      const number = numbers[i]!;
      if (turns[number] !== this.turn) {
        turns[number] = this.turn;
        met[number] = 0;
      }
      if (met[number]! >= sizes[number]!) continue;
      met[number]!++;
      count++;
    }
    return count;
  }
}

/** How many values both have, ascending, each as often as both have it. Numbers, not branches: those would be mispredicted. */
function countInOrder(a: Float64Array, b: Float64Array): number {
  let found = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const one = a[i]!;
    const other = b[j]!;
    found += Number(one === other);
    i += Number(one <= other);
    j += Number(other <= one);
  }
  return found;
}

/** What two samples share. */
export function compareSamples(a: ComparedSample, b: ComparedSample): SampleOverlap {
  if (a.bits !== b.bits || a.values.length > STEP_VALUES) return createSampleComparer(a)(b);
  const modulus = Math.max(a.modulus, b.modulus);
  const sampledA = countMultiples(a, modulus);
  const [sampledB, shared] = [countMultiples(b, modulus), countInOrder(a.values, b.values)];
  return { modulus, sampledA, sampledB, shared, falseDensity: (sampledA * modulus) / 2 ** a.bits };
}

/** Values of a sample that are 0 mod `modulus`, a power of two: dividing a double by it is exact. */
export function countMultiples({ modulus: own, values }: ComparedSample, modulus: number): number {
  if (modulus <= own) return values.length;
  const share = 1 / modulus;
  let count = 0;
  for (let i = 0; i < values.length; i++) {
    const multiple = values[i]! * share;
    count += Number(Math.floor(multiple) === multiple);
  }
  return count;
}

/** The same for its own modulus, twice that, and four times that, at once. */
export function countNested({ modulus, values }: ComparedSample): readonly [number, number, number] {
  const share = 1 / modulus;
  let twice = 0;
  let fourTimes = 0;
  for (let i = 0; i < values.length; i++) {
    const low = (values[i]! * share) & 3;
    twice += ~low & 1;
    fourTimes += Number(low === 0);
  }
  return [values.length, twice, fourTimes];
}
