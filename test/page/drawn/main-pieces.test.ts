import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinedLikeness } from '../../../src/page/drawn/family-tree.ts';
import { mainPieces } from '../../../src/page/drawn/main-pieces.ts';

/** Spans and runs of a text that begin and end at some places. */
const cuts = (length: number) =>
  fc
    .uniqueArray(fc.integer({ min: 1, max: length - 1 }), { maxLength: 8 })
    .map((places) => [0, ...places.sort((a, b) => a - b), length]);

describe('the pieces of spans', () => {
  it('are all characters of them, each main where a run has it', () => {
    fc.assert(
      fc.property(cuts(40), cuts(40), fc.boolean(), (ends, bounds, isFirst) => {
        const spans = ends.slice(1).map((to, i) => ({ kind: 'only' as const, from: ends[i]!, to, partner: null }));
        const all = bounds.slice(1).map((to, i) => ({ from: bounds[i]!, to }));
        const main = all.filter((_, i) => i % 2 === Number(isFirst));
        const pieces = mainPieces({ spans, main });
        for (const [i, { from, to }] of spans.entries()) {
          expect(pieces[i]!.map((piece) => piece.from)).toEqual([
            from,
            ...pieces[i]!.slice(0, -1).map((one) => one.to),
          ]);
          expect(pieces[i]!.at(-1)!.to).toBe(to);
        }
        for (const piece of pieces.flat()) {
          for (let at = piece.from; at < piece.to; at++) {
            expect(main.some(({ from, to }) => from <= at && at < to)).toBe(piece.isMain);
          }
        }
      }),
    );
  });

  it('are whole where all of a text is main', () => {
    const spans = [{ kind: 'common' as const, from: 0, to: 9, partner: 0 }];
    expect(mainPieces({ spans, main: null })).toEqual([[{ from: 0, to: 9, isMain: true }]]);
  });
});

it('two texts hang together by the figures that joined them', () => {
  const [likeness, content] = [{ estimate: 0.2 }, { likeness: { estimate: 0.9 } }];
  expect(joinedLikeness({ likeness, content, decidedBy: 'content' })).toEqual({ estimate: 0.9 });
  expect(joinedLikeness({ likeness, content, decidedBy: 'page' })).toEqual({ estimate: 0.2 });
  expect(joinedLikeness({ likeness, content })).toEqual({ estimate: 0.2 });
});
