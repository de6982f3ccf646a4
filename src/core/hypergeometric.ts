/*
 * The upper tail of the hypergeometric law, exactly, without logarithms.
 *
 *   population   N items:  [ marked T | unmarked N - T ],   a drawn without replacement,   K = marked ones drawn
 *   P(K = i) = C(T, i) C(N - T, a - i) / C(N, a),           max(0, a - (N - T)) <= i <= min(a, T)
 *
 *        rest         tail           the term at the mode is called 1, its neighbours follow by the ratio
 *      . : | | | | : | | : . .         P(i + 1) / P(i) = (T - i)(a - i) / ((i + 1)(N - T - a + i + 1)),
 *          mode ^    ^ k             and tail / (tail + rest) needs no factorial and cancels nothing: each term's relative
 *                                    error is a few ulps a step, at N = 3,000,000 as at 30.
 *
 * Both loops end by themselves: the ratio is 0 at the end of the support.
 * Cost: about 15 standard deviations of K, two nanoseconds each (N = 10^6, a = 250,000: 3,200 terms).
 */

/** Terms below this share of the greatest one are left out: together under 10^-12 of the whole. */
const TERM_LEAST = 1e-13;

/**
 * P(K >= k).
 *
 * @param k any whole number
 * @param population N >= 0
 * @param marked T, 0..N
 * @param draws a, 0..N
 */
export function hypergeometricUpperTail(k: number, population: number, marked: number, draws: number): number {
  const spare = population - marked - draws;
  if (k <= Math.max(0, -spare)) return 1;
  if (k > Math.min(draws, marked)) return 0;
  const mode = Math.floor(((draws + 1) * (marked + 1)) / (population + 2));
  let tail = 0;
  let rest = 0;
  for (let i = mode, term = 1; term > TERM_LEAST; i++) {
    if (i >= k) tail += term;
    else rest += term;
    term *= ((marked - i) * (draws - i)) / ((i + 1) * (spare + i + 1));
  }
  let term = 1;
  for (let i = mode; ; ) {
    term *= (i * (spare + i)) / ((marked - i + 1) * (draws - i + 1));
    if (!(term > TERM_LEAST)) break;
    i--;
    if (i >= k) tail += term;
    else rest += term;
  }
  return tail / (tail + rest);
}

/** P(K <= k): the unmarked ones drawn follow the same law. Parameters as above. */
export function hypergeometricLowerTail(k: number, population: number, marked: number, draws: number): number {
  return hypergeometricUpperTail(draws - k, population, population - marked, draws);
}
