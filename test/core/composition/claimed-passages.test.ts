import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claimPassages } from '../../../src/core/composition/claimed-passages.ts';
import { joinRuns, quotedPassages, type Run } from '../../../src/core/composition/quoted-runs.ts';

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
      { numRuns: 1000 },
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
  const quoted = (passages: ReturnType<typeof passage>[], modulus = 1, minimumWords = 25) =>
    quotedPassages(passages, { modulus, shingleSize: 7, minimumWords }).map(({ firstToken }) => firstToken);

  it('are those of so many words, or that stand together with as many', () => {
    expect(quoted([passage(0, 24)])).toEqual([0]);
    expect(quoted([passage(0, 23)])).toEqual([]);
    expect(quoted([passage(0, 11), passage(22, 34)])).toEqual([0, 22]);
    expect(quoted([passage(0, 11), passage(23, 35)])).toEqual([]);
    expect(quoted([passage(0, 11), passage(40, 70), passage(100, 107)])).toEqual([40]);
  });

  it('of a sample count what it does not show at either end, but one window is none', () => {
    expect(quoted([passage(0, 18)], 4)).toEqual([0]);
    expect(quoted([passage(0, 17)], 4)).toEqual([]);
    // nor between two runs
    expect(quoted([passage(0, 6), passage(23, 29)], 4)).toEqual([0, 23]);
    expect(quoted([passage(0, 6), passage(24, 30)], 4)).toEqual([]);
    expect(quoted([passage(0, 6)], 32)).toEqual([]);
    expect(quoted([passage(0, 7)], 32)).toEqual([0]);
  });
});
