import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createUniformSort } from '../../../src/core/memory/uniform-sort.ts';

describe('the sort of uniform numbers', () => {
  it('sorts any numbers as a plain sort does, those that crowd in one bucket too, and leaves the rest alone', () => {
    const sort = createUniformSort();
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }).chain((bits) => {
          const number = fc.oneof(fc.maxSafeNat(), fc.nat({ max: 3 })).map((value) => value % 2 ** bits);
          return fc.tuple(fc.constant(bits), fc.array(number, { maxLength: 300 }), fc.nat({ max: 20 }));
        }),
        ([bits, numbers, beyond]) => {
          const values = Float64Array.from([...numbers, ...Array.from({ length: beyond }, (_, i) => -i)]);
          const before = values.slice();
          const sorted = new Float64Array(numbers.length);
          sort(values, sorted, bits);
          expect(sorted).toEqual(Float64Array.from(numbers).sort());
          expect(values).toEqual(before);
        },
      ),
      { seed: 1997, numRuns: 500 },
    );
  });
});
