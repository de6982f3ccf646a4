import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { postingRank } from '../../../../../src/core/query/rank.ts';
import { lowestByRank } from '../../../../../src/store/level/segments/rows/lowest.ts';
import {
  fingerprintAt,
  newColumns,
  positionOf,
  sortPostings,
} from '../../../../../src/store/level/segments/rows/sort.ts';

const SEED = 1;
const RANK_KEY = [7, 11] as const;
const fingerprint = fc.oneof(
  fc.maxSafeNat().map((value) => value % 2 ** 40),
  fc.nat(5),
  fc.nat(5).map((value) => 2 ** 39 + value),
  fc.nat(63).map((value) => value * 2 ** 34),
);

type Pair = readonly [fingerprint: number, content: number];

/** By fingerprint, rank and content, compared one after the other. */
const inOrder = ([f, a]: Pair, [g, b]: Pair) =>
  f - g || postingRank(RANK_KEY, f, a) - postingRank(RANK_KEY, g, b) || a - b;

function sorted(pairs: readonly Pair[]): Pair[] {
  const columns = newColumns(pairs.length + 3);
  for (const [i, [f, content]] of pairs.entries()) {
    columns.low[i] = f;
    columns.high[i] = f / 2 ** 32;
    columns.contents[i] = content;
  }
  const made = sortPostings(columns, pairs.length, RANK_KEY);
  return pairs.map((_, i) => [fingerprintAt(made, i), made.contents[i]!]);
}

describe('sorted postings', () => {
  it('are in the order that comparing them gives', () => {
    const pair = fc.tuple(fingerprint, fc.nat(0xffff_ffff));
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 400 }), (pairs) => {
        expect(sorted(pairs)).toEqual([...pairs].sort(inOrder));
      }),
      { seed: SEED, numRuns: 300 },
    );
  });

  it('are so in long lists and where all share the top bits, as in a slice of a merge', () => {
    const contents = fc.uniqueArray(fc.nat(0xffff_ffff), { minLength: 100, maxLength: 2000, size: 'max' });
    fc.assert(
      fc.property(contents, fc.nat(2), (numbers, few) => {
        const pairs = numbers.map((content): Pair => [2 ** 39 + (content % (few + 1)), content]);
        expect(sorted(pairs)).toEqual([...pairs].sort(inOrder));
      }),
      { seed: SEED, numRuns: 20 },
    );
  });
});

describe('the K lowest of a list', () => {
  it('are those that sorting it by position gives, below the position of a cut', () => {
    const contents = fc.uniqueArray(fc.nat(0xffff_ffff), { maxLength: 300, size: 'max' });
    const cut = fc.oneof(
      fc.constant(Number.POSITIVE_INFINITY),
      fc.nat(0xffff).map((rank) => rank * 2 ** 32),
    );
    fc.assert(
      fc.property(contents, fingerprint, fc.nat(320), cut, (numbers, f, most, before) => {
        const positions = numbers.map((content) => positionOf(RANK_KEY, f, content)).filter((at) => at < before);
        const expected = positions.sort((a, b) => a - b).slice(0, most);
        const found = lowestByRank(RANK_KEY, f, Uint32Array.from(numbers), numbers.length, most, before);
        expect([...found.contents].sort((a, b) => a - b)).toEqual(
          expected.map((at) => at % 2 ** 32).sort((a, b) => a - b),
        );
        expect(found.lastRank).toBe(Math.floor((expected.at(-1) ?? 0) / 2 ** 32));
      }),
      { seed: SEED, numRuns: 500 },
    );
  });
});
