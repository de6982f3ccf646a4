import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LeastCover } from '../../../src/core/composition/least-cover.ts';
import { greedyCover } from '../../support/core/greedy-cover.ts';
import { draws } from '../../support/draws.ts';

const SIZE = 40;

/** Contents by what they have of a text of SIZE fingerprints, each with some more of its own. */
const contents = fc.array(fc.record({ covered: fc.uniqueArray(fc.nat({ max: SIZE - 1 })), more: fc.nat({ max: 3 }) }), {
  maxLength: 12,
});

const named = (prefix: string, numbers: readonly number[]) => numbers.map((number) => `${prefix}${number}`);

describe('the greedy cover', () => {
  it('is that of brute force: every step, every gain, what is left, and who comes first of equals', () => {
    fc.assert(
      fc.property(contents, (given) => {
        const sets = given.map(
          ({ covered, more }, i) =>
            [`id${i}`, new Set([...named('', covered), ...named(`own${i}-`, [...Array(more).keys()])])] as const,
        );
        const expected = greedyCover(new Set(named('', [...Array(SIZE).keys()])), new Map(sets), 1);
        const coverers = given.map(({ covered }, i) => ({
          ...{ id: `id${i}`, shingleCount: sets[i]![1].size, covered: Uint32Array.from(covered) },
        }));
        const cover = new LeastCover(SIZE, coverers);
        const steps: object[] = [];
        for (let best = cover.best(); best !== null; best = cover.best()) {
          const { id, covered } = coverers[best.coverer]!;
          steps.push({ id, gain: best.gain, whole: covered.length });
          cover.take(best.coverer);
        }
        expect(steps).toEqual(expected.steps);
        expect(SIZE - cover.coveredCount).toBe(expected.rest);
      }),
      draws(250),
    );
  });

  it('goes on without what is dropped, which covers nothing', () => {
    const cover = new LeastCover(3, [
      { id: 'a', shingleCount: 3, covered: Uint32Array.of(0, 1, 2) },
      { id: 'b', shingleCount: 2, covered: Uint32Array.of(1, 2) },
    ]);
    expect(cover.best()).toEqual({ coverer: 0, gain: 3 });
    cover.drop(0);
    expect(cover.best()).toEqual({ coverer: 1, gain: 2 });
    cover.take(1);
    expect(cover.best()).toBeNull();
    expect(cover.coveredCount).toBe(2);
  });
});
