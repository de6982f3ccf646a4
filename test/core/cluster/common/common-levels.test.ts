import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dropsOf, LevelCounts, levelsFrom, NO_LEVEL } from '../../../../src/core/cluster/common/common-levels.ts';
import { isCandidate, postedModulus, surelyShared } from '../../../../src/core/cluster/pair-floor.ts';
import { draws } from '../../../support/draws.ts';
import { createPrng } from '../../../support/prng.ts';

describe('what a node leaves out', () => {
  it('is no more than candidates share, at the floor', () => {
    const sizes = fc.integer({ min: 1, max: 20_000 });
    const floors = fc.constantFrom(0.1, 0.25, 0.4, 0.8);
    const dropped = new Map([0.1, 0.25, 0.4, 0.8].map((floor) => [floor, dropsOf('resemblance', floor)[0]!]));
    fc.assert(
      fc.property(sizes, sizes, fc.integer({ min: 1, max: 64 }), floors, (n, other, k, floor) => {
        const [own, its] = [postedModulus(n, 'resemblance'), postedModulus(other, 'resemblance')];
        if (!isCandidate(k, Math.max(own, its), n, other, { by: 'resemblance', floor, isThin: false })) return;
        for (const units of [Math.floor(n / own), Math.floor(other / its)])
          expect(k).toBeGreaterThan(dropped.get(floor)![units]!);
      }),
      draws(500),
    );
  });

  it('is less than pairs of a level share, but for one in a thousand', () => {
    const prng = createPrng(3);
    for (const [nA, nB, overlap] of [
      [40, 40, 36],
      [50, 60, 49],
      [100, 100, 90],
      [250, 250, 223],
      [250, 260, 205],
      [1000, 1100, 940],
    ] as const) {
      const resemblance = overlap / (nA + nB - overlap);
      const modulus = postedModulus(Math.max(nA, nB), 'resemblance');
      const least = Math.max(
        ...[nA, nB].map((n) => surelyShared(Math.floor(n / postedModulus(n, 'resemblance')), resemblance)),
      );
      let fewer = 0;
      for (let round = 0; round < 4000; round++) {
        let shared = 0;
        for (let i = 0; i < overlap; i++) if (prng.next() * modulus < 1) shared++;
        if (shared < least) fewer++;
      }
      expect(fewer, `${nA} ${nB}`).toBeLessThanOrEqual(12);
    }
  });

  it('grows with the level; by containment there is none', () => {
    const drops = dropsOf('resemblance', 0.25);
    expect(drops).toHaveLength(levelsFrom(0.25).length);
    for (let units = 1; units < 64; units++) {
      for (let level = 1; level < drops.length; level++)
        expect(drops[level]![units]).toBeGreaterThanOrEqual(drops[level - 1]![units]!);
    }
    expect(dropsOf('containment', 0.25).every((row) => row.every((drop) => drop === 0))).toBe(true);
    expect(levelsFrom(0.85)).toEqual([0.85, 0.9, 0.95]);
  });
});

describe('levels of lists', () => {
  const members = fc.tuple(fc.nat(5), fc.nat(9));
  const made = fc.array(members, { maxLength: 300 });
  /** d by level. */
  const DROPS = [2, 4, 7];
  const counted = (all: readonly (readonly [number, number])[], rank: number, level: number) =>
    level === NO_LEVEL ? 0 : all.filter(([of, behind]) => of === rank && behind >= DROPS[level]!).length;

  it('never fall, and keep to the members and the steps that are admitted', () => {
    fc.assert(
      fc.property(made, fc.nat(60), fc.nat(900), (all, membersMax, stepsMax) => {
        const counts = new LevelCounts(6, DROPS.length);
        for (const [rank, behind] of all) counts.add(rank, behind, (level) => DROPS[level]!);
        const { levels, membersMost, steps, isLeaving } = counts.choose(membersMax, stepsMax, 3);
        expect([...levels]).toEqual([...levels].sort((a, b) => a - b));
        const sizes = Array.from(levels, (level, rank) => counted(all, rank, level));
        expect(membersMost).toBe(Math.max(...sizes));
        expect(membersMost).toBeLessThanOrEqual(Math.max(3, membersMax));
        expect(steps).toBe(sizes.reduce((sum, size) => sum + size ** 2 / 2, 0));
        if (membersMost > 3) expect(steps).toBeLessThanOrEqual(stepsMax);
        expect(isLeaving).toBe(levels.some((level) => level > 0));
      }),
    );
  });

  it('are the first where all is admitted', () => {
    const counts = new LevelCounts(2, DROPS.length);
    for (let i = 0; i < 50; i++) counts.add(i & 1, i % 10, (level) => DROPS[level]!);
    expect(counts.choose(Number.POSITIVE_INFINITY, 1e9, 1)).toMatchObject({ isLeaving: false, membersMost: 20 });
  });
});
