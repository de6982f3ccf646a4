import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareSamples } from '../../../src/core/compare/sample-comparer.ts';
import { createContentReach } from '../../../src/core/content/content-reach.ts';
import { ownContent } from '../../../src/core/content/own-content.ts';
import { likeliestOwnShares, type OwnShares } from '../../../src/core/content/own-shares.ts';
import { wholeSample } from '../../../src/core/sketch/narrow.ts';
import { draws } from '../../support/draws.ts';
import { createPrng, distinctFingerprints } from '../../support/prng.ts';

type Reached = OwnShares<number | null>;

/** A page whose sample is at a modulus; all of it is main. */
function pageOf(values: readonly number[], modulus: number) {
  const fingerprints = Float64Array.from(values.filter((value) => value % modulus === 0)).sort();
  return { shingleCount: values.length, sample: wholeSample({ modulus, fingerprints }), main: null };
}

/** A query of 400 shingles, and a page with `shared` of them, 50 others of its own, and a frame that its host has. */
function pairOf(seed: number, shared: number, moduli: readonly [number, number]) {
  const values = [...distinctFingerprints(createPrng(seed), 1000)];
  const query = ownContent(pageOf(values.slice(0, 400), moduli[0]), null);
  const frame = values.slice(450, 750);
  const page = pageOf([...values.slice(400 - shared, 450), ...frame], moduli[1]);
  const template = { pages: 5, modulus: 1, bits: 40, values: Float64Array.from(frame).sort(), shingles: 300 };
  return { query, page, content: ownContent(page, template) };
}

const share = fc.option(fc.double({ min: 0.01, max: 1, noNaN: true }));
const rarely = fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { freq: 1 });
const thresholds = fc.record<Reached>({ resemblance: share, aInB: share, bInA: rarely });
const modulus = fc.constantFrom(1, 2, 4);
const meets = (shares: OwnShares<number>, asked: Reached) =>
  (['resemblance', 'aInB', 'bInA'] as const).some((one) => asked[one] !== null && shares[one] >= asked[one]);

describe('the reach of a content', () => {
  it('leaves out no page whose content meets a threshold', () => {
    let leftOut = 0;
    fc.assert(
      fc.property(
        ...[fc.integer(), fc.nat(400), fc.tuple(modulus, modulus), thresholds],
        (seed, shared, moduli, asked) => {
          const { query, page, content } = pairOf(seed, shared, moduli);
          const reaches = createContentReach(query, asked)(compareSamples(query.sample, page.sample));
          const counts = compareSamples(query.sample, content.sample);
          const shares = likeliestOwnShares({ a: query, b: content, counts, isSame: false });
          if (!reaches) expect(meets(shares, asked)).toBe(false);
          leftOut += Number(!reaches);
        },
      ),
      draws(300, 1997),
    );
    expect(leftOut).toBeGreaterThan(50);
  });

  it.each<[number, Partial<Reached>, boolean]>([
    [199, { resemblance: 0.5 }, false],
    [200, { resemblance: 0.5 }, true],
    [319, { resemblance: 0.9, aInB: 0.8 }, false],
    [320, { resemblance: 0.9, aInB: 0.8 }, true],
    [0, { bInA: 0.5 }, false],
    [1, { bInA: 0.5 }, true],
    [0, { bInA: 0 }, true],
  ])('is exact where nothing is sampled: %i of 400, %o', (shared, asked, reached) => {
    const { query, page } = pairOf(7, shared, [1, 1]);
    const reaches = createContentReach(query, { resemblance: null, aInB: null, bInA: null, ...asked });
    expect(reaches(compareSamples(query.sample, page.sample))).toBe(reached);
  });

  it('is as wide as the interval of a share where pages are sampled', () => {
    const { query, page } = pairOf(11, 190, [4, 1]);
    const counts = compareSamples(query.sample, page.sample);
    const at = (resemblance: number) => createContentReach(query, { resemblance, aInB: null, bInA: null })(counts);
    const estimate = counts.shared / counts.sampledA;
    expect([at(estimate), at(estimate + 0.05), at(estimate + 0.2)]).toEqual([true, true, false]);
  });
});
