import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFingerprintIndex } from '../../../src/core/compare/fingerprint-index.ts';
import { claimPassages } from '../../../src/core/composition/claimed-passages.ts';
import { joinRuns, quotedPassages, type Run } from '../../../src/core/composition/quoted-runs.ts';
import { findPassages, longestGap } from '../../../src/core/passages/passages.ts';
import { draws } from '../../support/draws.ts';

/** Tokens stand at ten times their number, and have nine bytes. */
const run = (firstToken: number, lastToken: number): Run => ({
  ...{ firstToken, lastToken, start: firstToken * 10, end: lastToken * 10 + 9, exact: true },
  ...{ headLast: lastToken, tailFirst: firstToken },
});

const runs = fc.array(
  fc
    .array(fc.tuple(fc.nat({ max: 60 }), fc.integer({ min: 1, max: 25 })), { maxLength: 6 })
    .map((drawn) => joinRuns(drawn.map(([first, words]) => run(first, first + words - 1)))),
  { maxLength: 5 },
);

describe('claimed passages', () => {
  it('give each token to the longest run that has it, by trying', () => {
    fc.assert(
      fc.property(runs, (parts) => {
        const owner = new Map<number, number>();
        const all = parts.flatMap((own, part) => own.map((one) => ({ ...one, part })));
        const words = ({ firstToken, lastToken }: Run) => lastToken - firstToken + 1;
        all.sort((a, b) => words(b) - words(a) || a.part - b.part || a.firstToken - b.firstToken);
        for (const { firstToken, lastToken, part } of all)
          for (let token = firstToken; token <= lastToken; token++) if (!owner.has(token)) owner.set(token, part);
        const claimed = claimPassages(parts, 1);
        const found = new Map<number, number>();
        for (const { firstToken, lastToken, part, alsoIn, start } of claimed) {
          expect(start).toBeLessThanOrEqual(firstToken * 10);
          for (let token = firstToken; token <= lastToken; token++) {
            expect(found.has(token)).toBe(false);
            found.set(token, part);
          }
          const holders = parts.flatMap((own, other) =>
            other !== part && own.some((one) => one.firstToken <= firstToken && one.lastToken >= lastToken)
              ? [other]
              : [],
          );
          expect(alsoIn).toEqual(holders);
        }
        expect(found).toEqual(new Map([...owner].sort(([a], [b]) => a - b)));
        expect(claimed.map(({ firstToken }) => firstToken)).toEqual(
          claimed.map(({ firstToken }) => firstToken).toSorted((a, b) => a - b),
        );
      }),
      draws(250),
    );
  });

  it('leave out a rest that is shorter than a shingle', () => {
    const claimed = claimPassages([[run(0, 20)], [run(15, 25)]], 7);
    expect(claimed.map(({ firstToken, lastToken, part }) => [firstToken, lastToken, part])).toEqual([[0, 20, 0]]);
    expect(claimPassages([[run(0, 20)], [run(15, 27)]], 7)).toHaveLength(2);
  });
});

describe('quoted passages', () => {
  const passage = (firstToken: number, lastToken: number) => ({
    ...run(firstToken, lastToken),
    words: lastToken - firstToken + 1,
  });
  /** Windows of a text, of which those are sampled that are named. */
  const windows = (sampled: readonly number[], count = 120) =>
    Float64Array.from({ length: count }, (_, window) => 32 * window + Number(!sampled.includes(window)));
  const quoted = (passages: ReturnType<typeof passage>[], fingerprints = windows([]), modulus = 1) =>
    quotedPassages({ fingerprints, shingleSize: 7 }, passages, { modulus, minimumWords: 25 }).map(
      ({ firstToken }) => firstToken,
    );

  it('are those of so many words, or that stand together with as many', () => {
    expect(quoted([passage(0, 24)])).toEqual([0]);
    expect(quoted([passage(0, 23)])).toEqual([]);
    expect(quoted([passage(0, 11), passage(22, 34)])).toEqual([0, 22]);
    expect(quoted([passage(0, 11), passage(23, 35)])).toEqual([]);
    expect(quoted([passage(0, 11), passage(40, 70), passage(100, 107)])).toEqual([40]);
  });

  it('of a sample may go on as far as the next window that is known not to be shared', () => {
    // windows 20 and 24 are shared: 15 to 29 may be, and so words 15 to 35; or 15 to 33, which are words to 39
    expect(quoted([passage(20, 30)], windows([14, 20, 24, 30]), 4)).toEqual([]);
    expect(quoted([passage(20, 30)], windows([14, 20, 24, 34]), 4)).toEqual([20]);
    expect(quoted([passage(20, 30)], windows([14, 20, 24, 33]), 4)).toEqual([]);
    // as far as a gap is bridged, and no further
    expect(quoted([passage(20, 30)], windows([19, 20, 24]), 4)).toEqual([20]);
    expect(quoted([passage(60, 67)], windows([60, 61]), 2)).toEqual([]);
  });

  it('of a sample stand together where the words between them may be so few, and one window is none', () => {
    expect(quoted([passage(20, 26), passage(46, 52)], windows([17, 20, 23, 43, 46, 49]), 4)).toEqual([]);
    expect(quoted([passage(20, 26), passage(46, 52)], windows([15, 20, 26, 41, 46, 50]), 4)).toEqual([20, 46]);
    expect(quoted([passage(20, 26), passage(46, 52)], windows([15, 20, 26, 42, 46, 50]), 4)).toEqual([]);
    expect(quoted([passage(20, 26)], windows([20]), 4)).toEqual([]);
    expect(quoted([passage(20, 27)], windows([20, 21]), 4)).toEqual([20]);
  });

  it('are all that have so many words in a row, whatever is sampled of them', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(1, 2, 4, 8),
        fc.nat(40),
        fc.integer({ min: 25, max: 60 }),
        fc.array(fc.nat(2 ** 20 - 1), { minLength: 120, maxLength: 120 }),
        (modulus, first, words, random) => {
          const fingerprints = Float64Array.from(random, (value, window) => 2 ** 20 * window + value);
          const shared = fingerprints.subarray(first, first + words - 6).filter((value) => value % modulus === 0);
          const index = createFingerprintIndex({ modulus, bits: 40, values: shared.toSorted() });
          const { tokenStarts, tokenEnds } = { tokenStarts: new Uint32Array(126), tokenEnds: new Uint32Array(126) };
          const sequence = { fingerprints, shingleSize: 7, tokenStarts, tokenEnds };
          const passages = findPassages(sequence, index, modulus, 1000);
          const found = quotedPassages(sequence, passages, { modulus, minimumWords: 25 });
          const isBridged = passages.length === 1 && reachesItsEnds(fingerprints, modulus, first, words);
          if (isBridged && shared.length > 1) expect(found).toEqual(passages);
        },
      ),
    );
  });

  /** Whether no gap within is longer than is bridged. */
  function reachesItsEnds(fingerprints: Float64Array, modulus: number, first: number, words: number): boolean {
    let gap = 0;
    for (let window = first; window <= first + words - 7; window++) {
      gap = fingerprints[window]! % modulus === 0 ? 0 : gap + 1;
      if (gap > longestGap(modulus)) return false;
    }
    return true;
  }
});
