import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  distinctKeys,
  distinctKeysInRuns,
  fingerprintOfKey,
  postedKey,
  postedKeys,
} from '../../../src/core/query/posted-key.ts';

const fingerprint = fc.maxSafeNat().map((value) => value % 2 ** 40);

describe('the key of a fingerprint', () => {
  it('is on disk, so it is these numbers for good', () => {
    expect([0, 1, 15, 16, 0x1234_5678, 0xffff_ffff, 0xab_1234_5678].map(postedKey)).toEqual([
      0, 1, 15, 0x1000, 0x12_3456_7008, 0xff_ffff_f00f, 0x12_3456_7008,
    ]);
  });

  it('says the low 32 bits and no others, in their order, with eight zeros above the lowest four', () => {
    fc.assert(
      fc.property(fingerprint, fingerprint, (one, other) => {
        const [a, b] = [postedKey(one), postedKey(other)];
        expect(fingerprintOfKey(a)).toBe(one % 2 ** 32);
        expect(Math.floor(a / 16) % 256).toBe(0);
        expect(a).toBeLessThan(2 ** 40);
        expect(a < b).toBe(one % 2 ** 32 < other % 2 ** 32);
        for (const modulus of [2, 4, 8, 16]) expect(a % modulus === 0).toBe(one % modulus === 0);
      }),
    );
  });
});

describe('distinct keys', () => {
  it('are each there once, the first of equal ones in its place', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fingerprint, fc.nat(40)), { maxLength: 80 }), (fingerprints) => {
        const keys = postedKeys(Float64Array.from(fingerprints));
        const expected = [...new Set(keys)];
        expect([...distinctKeys(keys)]).toEqual(expected);
      }),
    );
  });

  it('are the same ones where fingerprints stand in the order of their lowest bits, however many agree in these', () => {
    const low = (bits: number) => (value: number) => value % 2 ** bits;
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fingerprint,
            fc.nat(40),
            fc.nat(3).map((high) => high * 2 ** 30 + 5),
          ),
          { maxLength: 300 },
        ),
        fc.integer({ min: 16, max: 32 }),
        (fingerprints, bits) => {
          const inOrder = Float64Array.from(fingerprints).sort((a, b) => low(bits)(a) - low(bits)(b));
          const expected = [...new Set(postedKeys(inOrder))];
          expect([...distinctKeysInRuns(inOrder, bits, new Float64Array(inOrder.length))]).toEqual(expected);
        },
      ),
    );
    const manyAgree = Float64Array.from({ length: 500 }, (_, i) => (i % 200) * 2 ** 16 + 7);
    const expected = [...new Set(postedKeys(manyAgree))];
    expect([...distinctKeysInRuns(manyAgree, 16, new Float64Array(500))]).toEqual(expected);
    // keys may take the place of what they are made of
    expect([...distinctKeysInRuns(manyAgree, 16, manyAgree)]).toEqual(expected);
  });
});
