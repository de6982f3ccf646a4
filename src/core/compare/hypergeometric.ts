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
 * Downwards the ratio has the same form; it is 0 at the end of the support.
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
  const above = sumOutwards(marked - mode, draws - mode, mode + 1, spare + mode + 1, k - mode);
  const below = sumOutwards(mode, spare + mode, marked - mode + 1, draws - mode + 1, mode - k + 1);
  // Both ways begin with the mode itself: it counts once.
  const tail = above.far + below.near - Number(k <= mode);
  return tail / (above.near + above.far + below.near + below.far - 1);
}

/** P(K <= k): the unmarked ones drawn follow the same law. Parameters as above. */
export function hypergeometricLowerTail(k: number, population: number, marked: number, draws: number): number {
  return hypergeometricUpperTail(draws - k, population, population - marked, draws);
}

/**
 * The greatest k with P(K < k) <= chance: what K is not below, but for that chance. At most the mode.
 *
 * @param chance at most 10^-3
 */
export function hypergeometricLowerQuantile(chance: number, population: number, marked: number, draws: number): number {
  const spare = population - marked - draws;
  const mode = Math.floor(((draws + 1) * (marked + 1)) / (population + 2));
  const above = sumOutwards(marked - mode, draws - mode, mode + 1, spare + mode + 1, 0).far;
  const below = sumOutwards(mode, spare + mode, marked - mode + 1, draws - mode + 1, 0).far;
  // both sums begin with the mode; what is left of the lower one as its terms are taken off again is the tail
  let left = below - 1;
  const most = chance * (above + left);
  let term = 1;
  let k = mode;
  for (let step = 0; left > most; step++) {
    term *= ((mode - step) * (spare + mode - step)) / ((marked - mode + 1 + step) * (draws - mode + 1 + step));
    left -= term;
    k--;
  }
  return k;
}

/** Adds up terms, the first 1, the ratio after step j (p - j)(q - j) / ((u + j)(v + j)): the first `split`, and the others. */
function sumOutwards(p: number, q: number, u: number, v: number, split: number): { near: number; far: number } {
  let near = 0;
  let far = 0;
  let term = 1;
  let step = 0;
  for (; step < split && term > TERM_LEAST; step++) {
    near += term;
    term *= ((p - step) * (q - step)) / ((u + step) * (v + step));
  }
  for (; term > TERM_LEAST; step++) {
    far += term;
    term *= ((p - step) * (q - step)) / ((u + step) * (v + step));
  }
  return { near, far };
}
