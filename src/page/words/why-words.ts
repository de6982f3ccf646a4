import { unlike } from './figures.ts';

/* What the API says by the names of its fields, as a reader says it. Whatever is not of a known form stays as it is. */

/** A share that is named as a field, and the threshold that it was held against. */
const HELD = /\b(resemblance|aInB|bInA|queryInMatch|matchInQuery) (\d[\d.e-]*) is (not )?below (\d+(?:\.\d+)?)/g;

const SHARED: Readonly<Record<string, (share: string) => string>> = {
  resemblance: (share) => `they are ${share} alike`,
  aInB: (share) => `${share} of a is in b`,
  bInA: (share) => `${share} of b is in a`,
  queryInMatch: (share) => `${share} of a is in b`,
  matchInQuery: (share) => `${share} of b is in a`,
};

/** `36 % of a is in b, less than 80 %` for `aInB 0.358491 is below 0.8`. */
export function whyWords(detail: string): string {
  const words = detail
    .replaceAll(HELD, (_all, name: string, share: string, not: string | undefined, threshold: string) => {
      const [shown, held] = unlike(Number(share), Number(threshold));
      return `${SHARED[name]!(shown)}, ${not === undefined ? 'less than' : 'no less than'} ${held}`;
    })
    .replaceAll(/\bshingles\b/g, 'runs of words');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

const STEPS: Readonly<Record<string, string>> = {
  bytes: 'bytes',
  decoding: 'how it was read',
  text: 'text',
  tokens: 'words',
  shingles: 'runs of words',
  sampling: 'sample that is compared',
  'look-up': 'runs looked up',
  lists: 'lists they stand in',
  threshold: 'thresholds',
};

/** A step from bytes to an answer. */
export const stepWords = (step: string): string => STEPS[step] ?? step;
