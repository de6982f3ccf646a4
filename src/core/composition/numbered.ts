import { type FingerprintIndex, fingerprintIndexSteps } from '../compare/fingerprint-index.ts';
import { STEP_VALUES } from '../memory/steps.ts';
import { FINGERPRINT_BITS } from '../sketch/modulus.ts';
import type { ComparedSample } from '../sketch/narrow.ts';

/*
 * The fingerprints of a text by numbers. What a content has of them is a list of numbers, and what many have is a mark at each.
 * A content that keeps one in m tells only of those that are 0 mod m. The samples are nested. So all contents can be held
 * against that part of the text of which the coarsest of them tells.
 *
 *   number of a fingerprint    its place in the text's index (core/compare/fingerprint-index.ts): 0 … values - 1
 *   low bits of each           whether it is 0 mod m
 */

export interface NumberedFingerprints {
  /** How many there are. */
  readonly size: number;
  /** Of which modulus they are. */
  readonly modulus: number;
  /** How many are 0 mod a modulus, a power of two up to 2^28. */
  countAt(modulus: number): number;
  /** The numbers of those that a sample has, each once. */
  numbersIn(sample: ComparedSample): Uint32Array;
  /** The number of each of the text's own fingerprints, in their order. */
  numbersOf(fingerprints: Float64Array): Uint32Array;
  /** Those of some numbers that are 0 mod a modulus. */
  atModulus(numbers: Uint32Array, modulus: number): Uint32Array;
}

/** In steps of some 10 ms at the most. */
export function* numberSteps(text: ComparedSample): Generator<undefined, NumberedFingerprints> {
  const index = yield* fingerprintIndexSteps(text);
  const { values } = text;
  const low = new Int32Array(values.length);
  for (let from = 0; from < values.length; from += STEP_VALUES) {
    yield;
    const part = values.subarray(from, from + STEP_VALUES);
    const numbers = index.which(part, text.bits);
    for (let i = 0; i < numbers.length; i++) low[numbers[i]!] = part[i]! | 0;
  }
  return numberedBy(index, text, low);
}

function numberedBy(
  index: FingerprintIndex,
  { modulus, values }: ComparedSample,
  low: Int32Array,
): NumberedFingerprints {
  const size = values.length;
  const counts = new Map<number, number>();
  /** When each number was last met. */
  const met = new Uint32Array(size);
  let turn = 0;

  function count(coarser: number): number {
    if (coarser <= modulus) return size;
    let found = 0;
    for (let number = 0; number < size; number++) found += Number((low[number]! & (coarser - 1)) === 0);
    return found;
  }

  return {
    size,
    modulus,
    countAt(coarser) {
      const known = counts.get(coarser) ?? count(coarser);
      counts.set(coarser, known);
      return known;
    },
    numbersIn(sample) {
      const numbers = index.which(sample.values, sample.bits);
      turn++;
      let once = 0;
      for (let i = 0; i < numbers.length; i++) {
        const number = numbers[i]!;
        numbers[once] = number;
        once += Number(met[number] !== turn);
        met[number] = turn;
      }
      return numbers.slice(0, once);
    },
    numbersOf: (fingerprints) => index.which(fingerprints, FINGERPRINT_BITS),
    atModulus: (numbers, coarser) =>
      coarser <= modulus ? numbers : numbers.filter((number) => (low[number]! & (coarser - 1)) === 0),
  };
}
