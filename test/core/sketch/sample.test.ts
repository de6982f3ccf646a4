import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DistinctFingerprints } from '../../../src/core/sketch/distinct.ts';
import { modulusFor } from '../../../src/core/sketch/modulus.ts';
import { createSampler, storedFingerprints, sumOf } from '../../../src/core/sketch/sample.ts';
import { draws } from '../../support/draws.ts';
import { createPrng } from '../../support/prng.ts';

const halves = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }));
const fingerprints = fc.array(fc.tuple(halves, halves), { maxLength: 300 });

function setOf(
  values: readonly (readonly [number, number])[],
  into = new DistinctFingerprints(),
): DistinctFingerprints {
  into.add(
    Int32Array.from(values, ([low]) => low),
    Int32Array.from(values, ([, high]) => high),
    0,
    values.length,
  );
  return into;
}
/** As they come from the permutation. */
const permuted = fc.array(fc.tuple(fc.integer(), fc.integer()), { maxLength: 300 });
const stored = ([low, high]: readonly [number, number]) => (high & 0xff) * 2 ** 32 + (low >>> 0);

describe('the set of all fingerprints', () => {
  it('counts each once and keeps the order of arrival, like a Set', () => {
    fc.assert(
      fc.property(fingerprints, fingerprints, (first, second) => {
        const set = setOf(second, setOf(first));
        const expected = [...new Set([...first, ...second].map((value) => value.join()))];
        expect(set.count).toBe(expected.length);
        expect(expected).toEqual(Array.from({ length: set.count }, (_, i) => `${set.low[i]},${set.high[i]}`));
      }),
      draws(75, 1),
    );
  });

  it('grows with a document, forgets it, and gives a huge one back', () => {
    const prng = createPrng(3);
    const set = new DistinctFingerprints();
    const huge = Array.from({ length: 50_000 }, () => [prng.uint32() | 0, prng.uint32() | 0] as const);
    expect(setOf([...huge, ...huge], set).count).toBe(50_000);
    set.clear();
    expect(set.count).toBe(0);
    expect(set.low.length).toBeLessThan(10_000);
    expect(setOf(huge.slice(0, 10), set).count).toBe(10);
    set.clear();
    expect(setOf(huge.slice(0, 10), set).count).toBe(10);
  });

  it('finds what hashes to the same place at the end of the table', () => {
    const values = Array.from({ length: 1000 }, (_, i) => [i, -1] as const);
    expect(setOf([...values, ...values]).count).toBe(1000);
  });
});

describe('a sample', () => {
  it('holds the low 40 bits of what the modulus divides, ascending and once each', () => {
    const sample = createSampler();
    fc.assert(
      fc.property(fingerprints, fc.integer({ min: 0, max: 8 }), fc.boolean(), (values, exponent, many) => {
        const some = many
          ? values.flatMap(([low, high]) => Array.from({ length: 9 }, (_, i) => [low + i, high] as const))
          : values;
        const set = setOf(some);
        const { modulus, fingerprints: kept } = sample(set, 2 ** exponent);
        expect(modulus).toBe(modulusFor(set.count, 2 ** exponent, 256));
        const expected = [...new Set(some.map(stored))].filter((value) => value % modulus === 0).sort((a, b) => a - b);
        expect([...kept]).toEqual(expected);
      }),
      draws(125, 2),
    );
  });

  it('is sorted also where values crowd in one bucket', () => {
    const set = setOf(Array.from({ length: 500 }, (_, i) => [(i * 7919) % 500, 0x100] as const));
    expect([...createSampler()(set, 1).fingerprints]).toEqual(Array.from({ length: 500 }, (_, i) => i));
  });

  it('keeps a fingerprint once where two agree in their low 40 bits', () => {
    const set = setOf([
      [8, 0x1_00],
      [8, 0x2_00],
      [8, 1],
    ]);
    expect(set.count).toBe(3);
    expect([...createSampler()(set, 1).fingerprints]).toEqual([8, 2 ** 32 + 8]);
  });

  it('is not overwritten by the next one', () => {
    const sample = createSampler();
    const first = sample(
      setOf([
        [1, 1],
        [2, 2],
      ]),
      1,
    ).fingerprints;
    const before = [...first];
    sample(
      setOf([
        [3, 3],
        [4, 4],
      ]),
      1,
    );
    expect([...first]).toEqual(before);
  });

  it('reads stored values off both halves', () => {
    expect([...storedFingerprints(Int32Array.of(0, -1, 5), Int32Array.of(0, -1, 0x102), 1, 3)]).toEqual([
      2 ** 40 - 1,
      2 * 2 ** 32 + 5,
    ]);
  });
});

describe('the sum of a set', () => {
  it('does not depend on the order of arrival, and differs where the sets do', () => {
    const seen = new Map<string, string>();
    fc.assert(
      fc.property(permuted, (values) => {
        const sum = sumOf(setOf(values)).join();
        expect(sumOf(setOf(values.toReversed())).join()).toBe(sum);
        const name = [...new Set(values.map((value) => value.join()))].sort().join(' ');
        expect(seen.get(sum) ?? name).toBe(name);
        seen.set(sum, name);
      }),
      draws(250, 4),
    );
  });

  it('is four times 32 bits: none of them says what another does', () => {
    const prng = createPrng(12);
    const pairs = Array.from({ length: 4000 }, () => [prng.uint32() | 0, prng.uint32() | 0] as const);
    const sums = pairs.map((value) => sumOf(setOf([value])));
    for (let a = 0; a < 4; a++) {
      for (let b = 0; b < a; b++) {
        for (let bit = 0; bit < 32; bit++) {
          const agree = sums.filter((sum) => ((sum[a]! ^ sum[b]!) >>> bit) % 2 === 0).length;
          // mean 2000, standard deviation 31.6
          expect(Math.abs(agree - 2000)).toBeLessThan(190);
        }
      }
    }
  });
});
