import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isCandidate,
  type Likeness,
  postedModulus,
  recallAt,
  sharedLeast,
} from '../../../src/core/cluster/pair-floor.ts';
import { createPrng } from '../../support/prng.ts';

const likeness = fc.constantFrom<Likeness>('resemblance', 'containment');
const sizes = fc.integer({ min: 1, max: 100_000 });
const floors = fc.constantFrom(0.1, 0.25, 0.5, 0.9);

describe('pairs that are compared', () => {
  it('share at least so many postings, whatever the other document is', () => {
    fc.assert(
      fc.property(sizes, sizes, fc.integer({ min: 1, max: 64 }), likeness, floors, (n, other, k, by, floor) => {
        const [own, its] = [postedModulus(n, by), postedModulus(other, by)];
        if (!isCandidate(k, Math.max(own, its), n, other, by, floor)) return;
        expect(k).toBeGreaterThanOrEqual(sharedLeast(n, own, by, floor));
        expect(k).toBeGreaterThanOrEqual(sharedLeast(other, its, by, floor));
      }),
      { numRuns: 2000 },
    );
  });

  it('are all of those at the floor where everything is posted', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 63 }),
        fc.integer({ min: 1, max: 63 }),
        likeness,
        floors,
        (a, b, by, floor) => {
          for (let shared = 1; shared <= Math.min(a, b); shared++) {
            const share = by === 'resemblance' ? shared / (a + b - shared) : shared / Math.min(a, b);
            if (share >= floor) expect(isCandidate(shared, 1, a, b, by, floor)).toBe(true);
          }
        },
      ),
    );
  });

  it.each([
    [300, 0.25, 0.25],
    [70, 0.3, 0.25],
    [5000, 0.4, 0.25],
    [150, 0.5, 0.5],
  ])('of %i shingles and a resemblance of %f are found at least as often as is stated', (n, resemblance, floor) => {
    const prng = createPrng(n);
    const modulus = postedModulus(n, 'resemblance');
    const overlap = Math.round((2 * n * resemblance) / (1 + resemblance));
    let found = 0;
    const trials = 4000;
    for (let trial = 0; trial < trials; trial++) {
      let posted = 0;
      for (let i = 0; i < overlap; i++) posted += Number(prng.next() < 1 / modulus);
      found += Number(isCandidate(posted, modulus, n, n, 'resemblance', floor));
    }
    const stated = recallAt(resemblance, 'resemblance', floor);
    // three standard errors
    expect(found / trials).toBeGreaterThan(stated - 3 * Math.sqrt((stated * (1 - stated)) / trials));
    expect(stated).toBeGreaterThan(0.9);
  });
});
