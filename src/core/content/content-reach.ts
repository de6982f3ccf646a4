import type { SampleOverlap } from '../compare/sample-comparer.ts';
import type { OwnContent } from './own-content.ts';
import { sampledShareInterval } from './sampled-share.ts';

/*
 * Which pages may have a content that meets a threshold. It is told before the hosts of these pages are read.
 *
 *   content A'           │ headline  article  article │             k values, of u in the sample of A'
 *   page B        │ menu │ headline  article │ follow us │ foot │
 *   content B'           │ headline  article │                      what it shares with A' is at most k
 *
 * r(A', B') and c(A', B') are at most the share of which k / u is the estimate. If the 95 % interval of that share ends below
 * a threshold, the page is no match by it. The share c(B', A') is one of B', whose size is not known yet. By it only a page
 * that shares nothing is left out.
 *
 * A template may be known at a coarser modulus than both pages. Then the share at that modulus, of fewer values, may reach
 * what the finer sample has ruled out; the finer one is believed.
 *
 * Cost: some 50 µs for each modulus that is met, once.
 */

/** The shares to be reached, 0..1; null: not by this. */
interface ReachedShares {
  readonly resemblance: number | null;
  readonly aInB: number | null;
  readonly bInA: number | null;
}

/** Whether the content of a page may meet a threshold. @param counts what A' and the page share */
export type ContentReach = (counts: SampleOverlap) => boolean;

/** @param own A', the content of the query */
export function createContentReach(own: OwnContent, { resemblance, aInB, bInA }: ReachedShares): ContentReach {
  const ofOwn = Math.min(resemblance ?? Infinity, aInB ?? Infinity);
  const leastAt = ({ modulus, sampledA }: SampleOverlap): number => {
    const population = own.isExact ? own.shingleCount : sampledA * modulus;
    const least = leastShared(sampledA, population, ofOwn);
    return bInA === null ? least : Math.min(least, bInA > 0 ? 1 : 0);
  };
  const leastByModulus = new Map<number, number>();
  return (counts) => {
    const { modulus, shared } = counts;
    let least = leastByModulus.get(modulus);
    if (least === undefined) {
      least = leastAt(counts);
      leastByModulus.set(modulus, least);
    }
    return shared >= least;
  };
}

/** The fewest values of `sampled` ones whose interval reaches a share; one more than there are where none does. */
function leastShared(sampled: number, population: number, share: number): number {
  let [below, least] = [-1, sampled + 1];
  while (least - below > 1) {
    const k = (below + least) >>> 1;
    if (sampledShareInterval(k, sampled, population).high >= share) least = k;
    else below = k;
  }
  return least;
}
