import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createWholeComparer } from '../../../src/core/compare/whole-set.ts';
import { draws } from '../../support/draws.ts';

/** Fingerprints many of which agree in either half, as halves after one another, each once. */
const half = fc.constantFrom(0, 1, 2, 3, 2 ** 31, 2 ** 32 - 1);
const wholeSet = fc
  .uniqueArray(fc.tuple(half, half), { selector: ([low, high]) => `${low} ${high}`, maxLength: 30 })
  .map((pairs) => Uint32Array.from(pairs.flat()));

const pairsOf = (whole: Uint32Array) =>
  Array.from({ length: whole.length / 2 }, (_, i) => `${whole[2 * i]} ${whole[2 * i + 1]}`);

describe('two documents that are known whole', () => {
  it('share the fingerprints of which all 64 bits agree, one by one or one against many', () => {
    fc.assert(
      fc.property(wholeSet, fc.array(wholeSet, { minLength: 1, maxLength: 4 }), (a, others) => {
        const compare = createWholeComparer(a);
        const ofA = new Set(pairsOf(a));
        for (const b of others) {
          const ofB = pairsOf(b);
          const shared = ofB.filter((pair) => ofA.has(pair)).length;
          expect(compare(b)).toEqual({
            ...{ shinglesA: ofA.size, sampledA: ofA.size, shinglesB: ofB.length, sampledB: ofB.length },
            ...{ shared, modulus: 1, falseDensity: ofA.size * 2 ** -64 },
            equalSets: shared === ofA.size && shared === ofB.length,
          });
        }
      }),
      draws(250, 1997),
    );
  });
});
