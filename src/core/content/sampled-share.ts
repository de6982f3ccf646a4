import { hypergeometricLowerTail, hypergeometricUpperTail } from '../compare/hypergeometric.ts';
import { edge, guess, type Law, MID_P, TAIL, weighted } from '../compare/interval.ts';

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

const HALF = 0.5;

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
  const tailOf = (tail: typeof hypergeometricUpperTail, beyond: 1 | -1) => {
    const mid = weighted(tail, beyond, MID_P);
    return (marked: number) => mid(k, items, marked, draws);
  };
  const upper = tailOf(hypergeometricUpperTail, 1);
  const lower = tailOf(hypergeometricLowerTail, -1);
  // the guess corrects for all of the chance of k
  const low = upper(least) >= TAIL ? least : edge(upper, most, least, guess(law, k + HALF, -1, items));
  const high = lower(most) >= TAIL ? most : edge(lower, least, most, guess(law, k - HALF, 1, items));
  return { low: low / items, high: high / items };
}
