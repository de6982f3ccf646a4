/*
 * Values that agree though their fingerprints do not: fingerprints are kept in so few bits that some do
 * (core/sketch/narrow.ts).
 *
 *   B's sample    [ k of A too | trials that are not ]      each of these agrees with one of A's with chance e, by itself:
 *                                                           F ~ binomial(trials, e) are counted as shared that are not
 *
 * Cost: one term for each f that is at all likely, two or three of them but beside documents of a million shingles.
 */

/** How many of the values that agreed may be false: F of the k + F that were counted. */
export interface FalseMatches {
  /** k + F. */
  readonly counted: number;
  /** e, above 0 and at most 1/2. */
  readonly chance: number;
  /** Of so many values of B. */
  readonly values: number;
  /** What I is between, however many were false. */
  readonly low: number;
  readonly high: number;
}

/** What is left of the law when the rest of it goes to the last term. */
const REST_MOST = 1e-6;

/** The mean of what holds for F = 0, 1, … @param trials a whole number, 0 or more */
export function meanOverFalse(trials: number, chance: number, of: (f: number) => number): number {
  const odds = chance / (1 - chance);
  let term = (1 - chance) ** trials;
  let left = 1;
  let sum = 0;
  let f = 0;
  for (; f < trials && left - term > REST_MOST; f++) {
    sum += term * of(f);
    left -= term;
    term *= ((trials - f) / (f + 1)) * odds;
  }
  return sum + left * of(f);
}

/** The greatest F that is at all likely: the last that meanOverFalse asks for. */
export function mostFalse(trials: number, chance: number): number {
  let most = 0;
  meanOverFalse(trials, chance, (f) => {
    most = f;
    return 0;
  });
  return most;
}
