import { OWN_SHINGLES_LEAST } from '../content/own-content.ts';
import type { LookUps, LookUpThresholds } from './look-up.ts';

/*
 * What a match must share at the least: of the query's n_q shingles and its own n_d
 *
 *   resemblance    t n_q <= n_d <= n_q / t    I = ⌈t (n_q + n_d) / (1 + t)⌉
 *   queryInMatch   t n_q <= n_d               I = ⌈t n_q⌉
 *   matchInQuery          n_d <= n_q / t      I = ⌈t n_d⌉
 *
 * Where own contents are compared, n_d is that of a part of the document, which only its record tells. A document of N >= n_d
 * shingles shares at the least
 *
 *   resemblance    I = ⌈t n_q⌉                queryInMatch   I = ⌈t n_q⌉        matchInQuery   I = ⌈t min(N, 20)⌉
 */

export type MatchDirection = keyof LookUpThresholds;

/** The sizes that a match of one direction may have, and what one of a size shares exactly at the threshold. */
export interface MatchSizes {
  readonly direction: MatchDirection;
  readonly least: number;
  readonly most: number;
  shared(size: number): number;
}

/** One for each direction that is asked for: resemblance, queryInMatch, matchInQuery. */
export function matchSizes(shingleCount: number, thresholds: LookUpThresholds): MatchSizes[] {
  const { resemblance: r, queryInMatch: q, matchInQuery: m } = thresholds;
  const directions: MatchSizes[] = [];
  if (r !== null) {
    const shared = (size: number) => wholeAtLeast((r * (shingleCount + size)) / (1 + r));
    const [least, most] = [wholeAtLeast(r * shingleCount), wholeAtMost(shingleCount / r)];
    directions.push({ direction: 'resemblance', least, most, shared });
  }
  if (q !== null) {
    const least = wholeAtLeast(q * shingleCount);
    directions.push({ direction: 'queryInMatch', least, most: Number.POSITIVE_INFINITY, shared: () => least });
  }
  if (m !== null) {
    const shared = (size: number) => wholeAtLeast(m * size);
    directions.push({ direction: 'matchInQuery', least: 0, most: wholeAtMost(shingleCount / m), shared });
  }
  return directions;
}

/** The same for whole documents by which own contents are looked for. */
export function documentSizes({ shingleCount, ofParts = false }: LookUps, thresholds: LookUpThresholds): MatchSizes[] {
  const directions = matchSizes(shingleCount, thresholds);
  if (!ofParts) return directions;
  return directions.map(({ direction, least, shared }) => ({
    ...{ direction, least, most: Number.POSITIVE_INFINITY },
    shared: direction === 'matchInQuery' ? (size) => shared(Math.min(size, OWN_SHINGLES_LEAST)) : () => least,
  }));
}

/** ⌈share⌉ and ⌊share⌋, but for the rounding error of a product that is whole. */
const wholeAtLeast = (share: number) => Math.ceil(share * (1 - 1e-12));
const wholeAtMost = (share: number) => Math.floor(share * (1 + 1e-12));
