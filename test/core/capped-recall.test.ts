import { describe, expect, it } from 'vitest';
import { planLookUp } from '../../src/core/look-up.ts';
import { coarsen, INDEX_SHINGLES_LEAST, modulusFor } from '../../src/core/modulus.ts';
import { countOverlaps, listShare } from '../../src/core/overlap.ts';
import { postingRank } from '../../src/core/rank.ts';
import { type Recall, recall } from '../../src/core/recall.ts';
import { createPrng, distinctFingerprints, type Prng } from '../support/prng.ts';

const CAP = 8;
const RANK_KEY = [0x51ed_270b, 0x0bad_cafe] as const;

describe('the stated recall where lists were cut', () => {
  /** A family whose members share with the query its first `common` shingles and nothing else; who is met by look-up? */
  function familyRecall(
    prng: Prng,
    { family, kept, shingleCount, common, size, direction, threshold }: Family,
  ): { stated: number; observed: number; listsCut: number } {
    const query = distinctFingerprints(prng, shingleCount);
    const off = { resemblance: null, queryInMatch: null, matchInQuery: null };
    const thresholds = { ...off, [direction]: threshold };
    const sample = { modulus: 1, fingerprints: query.toSorted() };
    const plan = planLookUp({ shingleCount, sample }, thresholds, { indexModulusMax: CAP });
    const posted = coarsen(
      { modulus: 1, fingerprints: query.slice(0, common).sort() },
      modulusFor(size, CAP, INDEX_SHINGLES_LEAST),
    );
    const inPosted = new Set(posted.fingerprints);
    const lists = [...plan.keys]
      .filter((key) => inPosted.has(key))
      .map((key) => {
        const ranked = Float64Array.from(
          { length: family },
          (_, i) => postingRank(RANK_KEY, key, i) * 2 ** 20 + i,
        ).sort();
        const contents = Uint32Array.from(ranked.subarray(0, kept), (value) => value % 2 ** 20);
        return { contents, cut: family > kept, share: listShare(kept, Math.floor(ranked[kept - 1]! / 2 ** 20)) };
      });
    const cappedShares = Float64Array.from(lists, ({ share }) => share);
    const stated = recall(plan, thresholds, { indexModulusMax: CAP, cappedShares })[direction]!;
    return { stated, observed: countOverlaps(lists, 1).found / family, listsCut: lists.length };
  }

  interface Family {
    readonly family: number;
    readonly kept: number;
    readonly shingleCount: number;
    readonly common: number;
    readonly size: number;
    readonly direction: keyof Recall;
    readonly threshold: number;
  }

  // Every member is exactly at the threshold and shares common text only: what the lower bound is about.
  it.each<Family>([
    { family: 1000, kept: 64, shingleCount: 400, common: 400, size: 400, direction: 'resemblance', threshold: 1 },
    {
      family: 1000,
      kept: 64,
      shingleCount: 400,
      common: 100,
      size: 256,
      direction: 'resemblance',
      threshold: 100 / 556,
    },
    { family: 600, kept: 128, shingleCount: 80, common: 64, size: 900, direction: 'queryInMatch', threshold: 0.8 },
    { family: 600, kept: 64, shingleCount: 80, common: 24, size: 900, direction: 'queryInMatch', threshold: 0.3 },
    { family: 600, kept: 128, shingleCount: 1000, common: 22, size: 44, direction: 'matchInQuery', threshold: 0.5 },
  ])('is not above what is observed for $direction in a family of $family, $kept read', (family) => {
    const prng = createPrng(family.common);
    const runs = 100;
    let stated = 0;
    let observed = 0;
    let squares = 0;
    for (let run = 0; run < runs; ) {
      const result = familyRecall(prng, family);
      // No statement can count cut lists that no key shows: here once in 25 runs at the most.
      if (result.listsCut === 0) continue;
      run++;
      stated += result.stated / runs;
      observed += result.observed / runs;
      squares += (result.observed - result.stated) ** 2 / runs;
    }
    // Three standard errors of the mean difference, from the differences themselves.
    const error = Math.sqrt(squares / runs);
    expect(observed).toBeGreaterThan(stated - 3 * error);
    // And the bound is near where all that is shared is common: it is reached, not merely safe.
    expect(stated).toBeGreaterThan(observed - 0.15);
  });
});
