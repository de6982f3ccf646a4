import { type FalseMatches, sharedOf } from '../compare/evidence.ts';
import { conditionalInterval } from '../compare/interval.ts';
import { roundShare, roundShareDown, roundShareUp } from '../compare/shares.ts';

/*
 * How large a part of a text's shingles is of a kind, by its sample: n shingles, of which a were sampled, of which k are of it.
 *
 *   n   [ of the kind T | others ]      which a of the n were sampled, their fingerprints decide:
 *          : . k  .  :  . . a - k       k ~ hypergeometric(n, T, a)        T / n is estimated by k / a, without bias
 *
 * Parts that do not overlap, and what is in none of them, sum to one, as their counts do. The interval of T is that of
 * core/compare/interval.ts: at least 95 %, at any size. Where a = n all is known, and its ends meet, except for
 * fingerprints that agree with those of a part by chance: about one in 500 (core/sketch/narrow.ts).
 */

/** Unrounded, 0..1: low <= estimate <= high. */
export interface PartShare {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}

/**
 * @param seen k, 0..sampled
 * @param sampled a, 0..shingles
 * @param shingles n, 1 or more
 * @param falseDensity of those that are seen by chance, as core/compare/evidence.ts has it
 */
export function partShare(seen: number, sampled: number, shingles: number, falseDensity: number): PartShare {
  const { k, chance, least } = sharedOf(seen, sampled, falseDensity);
  const unsampled = shingles - sampled;
  const ends = { low: k, high: k + unsampled };
  const falseMatches: FalseMatches | null =
    chance === 0 ? null : { counted: seen, chance, values: sampled, shingles, low: least, high: seen + unsampled };
  const { low, high } = conditionalInterval({
    ...{ nA: shingles, nB: UNLIMITED, x: sampled - k, y: 0, k, ...ends, falseMatches },
  });
  const estimate = sampled === 0 ? 0 : seen / sampled;
  return { estimate, low: Math.min(estimate, low / shingles), high: Math.max(estimate, high / shingles) };
}

/** Of what a part is, that it may be as large as it likes: only the sample of the text counts. */
const UNLIMITED = 2 ** 40;

/** What is in no part. */
export function restShare(covered: number, sampled: number, shingles: number, falseDensity: number): PartShare {
  const { estimate, low, high } = partShare(covered, sampled, shingles, falseDensity);
  return { estimate: 1 - estimate, low: 1 - high, high: 1 - low };
}

/** As answers have it: its interval is never narrowed. */
export function printPart({ estimate, low, high }: PartShare): PartShare {
  return { estimate: roundShare(estimate), low: roundShareDown(low), high: roundShareUp(high) };
}
