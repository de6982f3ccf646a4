import { hypergeometricLowerTail, hypergeometricUpperTail } from '../compare/hypergeometric.ts';
import { edge, guess, type Law, TAIL } from '../compare/interval.ts';

/*
 * The 95 % interval of a share of a population of which some were drawn, and so many of these had it.
 *
 *   population N:  [ T have it | N - T do not ],  u drawn without replacement,  K = k of them have it
 *   low  = least T / N with P(K > k) + P(K = k) / 2 >= .025;  high = greatest T / N with P(K < k) + P(K = k) / 2 >= .025
 *
 * K is whole, so with all of the chance of k itself the interval of a few dozen values would hold the share in 97 % of all
 * cases and more. With half of it (mid-P) it does in about 95 %. N may be an estimate: all that counts is which part of it
 * was drawn. Source: Lancaster 1961, "Significance tests in discrete distributions".
 */

/**
 * @param k 0..draws
 * @param draws u, 0..population
 * @param population N
 * @returns low and high, 0..1; 0 and 1 where nothing was drawn
 */
export function sampledShareInterval(k: number, draws: number, population: number): { low: number; high: number } {
  if (draws === 0) return { low: 0, high: 1 };
  const items = Math.max(draws, Math.round(population));
  const law: Law = { items, shrink: 0, draws };
  const least = k;
  const most = items - draws + k;
  const upper = mid(hypergeometricUpperTail, law, k, 1);
  const lower = mid(hypergeometricLowerTail, law, k, -1);
  const low = upper(least) >= TAIL ? least : edge(upper, most, least, guess(law, k, -1, items));
  const high = lower(most) >= TAIL ? most : edge(lower, least, most, guess(law, k, 1, items));
  return { low: low / items, high: high / items };
}

/** A tail with half of the chance of k itself. @param beyond to the next k of the tail */
function mid(tail: typeof hypergeometricUpperTail, { items, draws }: Law, k: number, beyond: 1 | -1) {
  return (marked: number) => (tail(k, items, marked, draws) + tail(k + beyond, items, marked, draws)) / 2;
}
