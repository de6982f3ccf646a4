import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Mark, piecesOf, unionOf } from '../../../src/page/words/text-marks.ts';

const marks = fc.array(
  fc.record({ from: fc.integer({ min: -3, max: 30 }), to: fc.integer({ min: -3, max: 33 }), id: fc.nat(4) }),
);

/** Of each place of a text the ids over it, by looking. */
function idsByPlace(length: number, of: readonly Mark[]): string[] {
  return Array.from({ length }, (_, at) => {
    const ids = of.filter(({ from, to }) => from <= at && at < to).map(({ id }) => id);
    return [...new Set(ids)].sort((a, b) => a - b).join();
  });
}

describe('the pieces of a marked text', () => {
  it('cover it in order, and each has the marks that lie over it', () => {
    fc.assert(
      fc.property(fc.nat(30), marks, (length, of) => {
        const pieces = piecesOf(length, of);
        expect(pieces.map(({ from }) => from)).toEqual([
          ...(length === 0 ? [] : [0]),
          ...pieces.slice(0, -1).map(({ to }) => to),
        ]);
        expect(pieces.at(-1)?.to ?? 0).toBe(length);
        const found = pieces.flatMap(({ from, to, ids }) => Array.from({ length: to - from }, () => ids.join()));
        expect(found).toEqual(idsByPlace(length, of));
      }),
    );
  });
});

it('the union of places covers what any covers, by places apart from one another', () => {
  fc.assert(
    fc.property(marks, (of) => {
      const places = of.map(({ from, to }) => ({ from: Math.min(from, to), to: Math.max(from, to) + 1 }));
      const union = unionOf(places);
      const covered = (by: readonly { from: number; to: number }[]) =>
        Array.from({ length: 40 }, (_, at) => by.some(({ from, to }) => from <= at - 3 && at - 3 < to));
      expect(covered(union)).toEqual(covered(places));
      for (const [at, { from }] of union.slice(1).entries()) expect(from).toBeGreaterThan(union[at]!.to);
    }),
  );
});
