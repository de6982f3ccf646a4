import { createPrng, type Prng } from '../prng.ts';

/* Texts of made-up words, near-copies of them, and what they share by brute force: sets of strings, no sampling. */

const VOCABULARY = 20_000;

export interface TextMaker {
  readonly prng: Prng;
  /** So many random words. */
  text(words: number): string;
  /** The text with about this share of its words replaced. */
  changed(text: string, share: number): string;
}

export function createTextMaker(seed: number): TextMaker {
  const prng = createPrng(seed);
  const word = () => `word${prng.below(VOCABULARY).toString(36)}`;
  return {
    prng,
    text: (words) => Array.from({ length: words }, word).join(' '),
    changed: (text, share) =>
      text
        .split(' ')
        .map((old) => (prng.next() < share ? word() : old))
        .join(' '),
  };
}

/** The set of w-shingles of a text of lower-case words with single spaces, as strings. */
export function shingleSet(text: string, shingleSize: number): Set<string> {
  const words = text.split(' ');
  const width = Math.min(shingleSize, words.length);
  return new Set(Array.from({ length: words.length - width + 1 }, (_, at) => words.slice(at, at + width).join(' ')));
}

export interface ExactShares {
  readonly resemblance: number;
  readonly aInB: number;
  readonly bInA: number;
}

export function exactShares(a: string, b: string, shingleSize: number): ExactShares {
  const [setA, setB] = [shingleSet(a, shingleSize), shingleSet(b, shingleSize)];
  const shared = setA.intersection(setB).size;
  return { resemblance: shared / setA.union(setB).size, aInB: shared / setA.size, bInA: shared / setB.size };
}
