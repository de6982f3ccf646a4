import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areCopies, templatePage } from '../../../src/core/template/template-pages.ts';
import { draws } from '../../support/draws.ts';
import { createPrng, distinctFingerprints } from '../../support/prng.ts';

const BITS = 40;

/** A page of a main text and a frame, at modulus 1. */
function pageOf(main: readonly number[], frame: readonly number[]) {
  const values = Float64Array.from([...main, ...frame]).sort();
  const bits = new Uint8Array(Math.ceil(values.length / 8));
  const isMain = new Set(main);
  values.forEach((value, i) => {
    if (isMain.has(value)) bits[i >> 3]! |= 1 << (i & 7);
  });
  return templatePage({ sample: { modulus: 1, bits: BITS, values }, main: { bits } }, 1, BITS);
}

const sharedBy = (a: readonly number[], b: readonly number[]) => a.filter((value) => b.includes(value)).length;

describe('copies of one article on a host', () => {
  it('are those whose main texts share .8 and more than their pages differ in, whichever of their values are told first', () => {
    const seen = { copies: 0, others: 0 };
    fc.assert(
      fc.property(fc.integer(), fc.nat(30), fc.nat(30), fc.nat(40), (seed, ownA, ownB, ownFrame) => {
        const values = [...distinctFingerprints(createPrng(seed), 300)];
        const article = values.slice(0, 100);
        const [mainA, mainB] = [
          [...article, ...values.slice(100, 100 + ownA)],
          [...article, ...values.slice(130, 130 + ownB)],
        ];
        const frame = values.slice(160, 200);
        const frameA = [...frame, ...values.slice(200, 200 + ownFrame)];
        const shared = sharedBy(mainA, mainB);
        const isLike = shared >= 0.8 * (mainA.length + mainB.length - shared);
        const differing = mainA.length + mainB.length + frameA.length + frame.length - 2 * (shared + frame.length);
        const expected = isLike && 2 * shared >= differing;
        expect(areCopies(pageOf(mainA, frameA), pageOf(mainB, frame))).toBe(expected);
        seen[expected ? 'copies' : 'others']++;
      }),
      draws(300, 1997),
    );
    expect(Math.min(seen.copies, seen.others)).toBeGreaterThan(30);
  });

  it('are those that share just .8, of any size', () => {
    const values = [...distinctFingerprints(createPrng(5), 600)];
    for (let k = 1; k <= 100; k++) {
      const shared = values.slice(0, 4 * k);
      const likePages = (others: number) =>
        areCopies(pageOf(shared, []), pageOf([...shared, ...values.slice(400, 400 + others)], []));
      expect([k, likePages(k), likePages(k + 1)]).toEqual([k, true, false]);
    }
  });

  it('are no pages of which one has no main text', () => {
    const values = [...distinctFingerprints(createPrng(3), 60)];
    expect(areCopies(pageOf(values.slice(0, 50), values.slice(50)), pageOf([], values))).toBe(false);
  });
});
