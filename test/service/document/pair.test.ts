import { describe, expect, it } from 'vitest';
import type { Thresholds } from '../../../src/service/api.ts';
import { meets, pairOf, reaches } from '../../../src/service/document/pair.ts';

const THRESHOLDS: Thresholds = { resemblance: null, queryInMatch: null, matchInQuery: 0.5 };

/** A page of 200 shingles beside a huge document, both compared by all their shingles: `shared` agree, `expected` by chance. */
const beside = (shared: number, expected: number) =>
  pairOf({
    ...{ shinglesA: 4_000_000, shinglesB: 200, sampledA: 4_000_000, sampledB: 200, shared },
    ...{ modulus: 1, falseDensity: expected / 200, equalSets: false },
  });

describe('a pair that meets no threshold', () => {
  it('is undecided where its interval reaches one, if only for what may have agreed by chance', () => {
    const pair = beside(101, 8);
    expect([meets(pair, THRESHOLDS), reaches(pair, THRESHOLDS)]).toEqual([false, true]);
    expect(reaches(beside(80, 8), THRESHOLDS)).toBe(false);
  });

  it('is decided where all is known', () => {
    const pair = beside(99, 0);
    expect([meets(pair, THRESHOLDS), reaches(pair, THRESHOLDS)]).toEqual([false, false]);
  });
});
