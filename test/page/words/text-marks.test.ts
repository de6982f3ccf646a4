import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Mark, piecesOf, placesOf, unionOf, unitsOf } from '../../../src/page/words/text-marks.ts';

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

describe('the places of passages', () => {
  it('are where they stand, in order, each behind the beginning of the one before', () => {
    const text = 'a b a b c a b';
    expect(placesOf(text, ['a b', 'a b c', 'a b'])).toEqual([
      { from: 0, to: 3 },
      { from: 4, to: 9 },
      { from: 10, to: 13 },
    ]);
    expect(placesOf(text, ['c', 'not there', '', 'a b'])).toEqual([
      { from: 8, to: 9 },
      { from: 10, to: 13 },
    ]);
  });

  it('hold the passage, whatever it is', () => {
    const words = fc.array(fc.constantFrom('a', 'b', 'ab ', ' '), { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(words, fc.array(words, { maxLength: 4 }), (text, passages) => {
        const there = passages.filter((passage) => passage !== '' && text.includes(passage));
        expect(placesOf(text, passages).map(({ from, to }) => text.slice(from, to))).toEqual(there);
      }),
    );
  });
});

it('characters are counted as the browser counts them', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const signs = Array.from(text);
      const points = Array.from({ length: signs.length + 2 }, (_, at) => at);
      const expected = points.map((point) => signs.slice(0, point).join('').length);
      expect(unitsOf(text, points)).toEqual(expected);
    }),
  );
});
