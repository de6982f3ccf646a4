import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runToEnd } from '../../../src/core/memory/steps.ts';
import { createUniformSort } from '../../../src/core/memory/uniform-sort.ts';
import { draws } from '../../support/draws.ts';
import { createPrng } from '../../support/prng.ts';

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
          runToEnd(sort(values, sorted, bits));
          expect(sorted).toEqual(Float64Array.from(numbers).sort());
          expect(values).toEqual(before);
        },
      ),
      draws(125, 1997),
    );
  });

  it('sorts many in steps, between which others are sorted', () => {
    const sort = createUniformSort();
    const prng = createPrng(3);
    const some = (count: number) => Float64Array.from({ length: count }, () => prng.below(2 ** 32));
    const [many, others, few] = [some(600_000), some(300_000), some(1000)];
    const sorted = [many, others].map((values) => new Float64Array(values.length));
    const running = [sort(many, sorted[0]!, 32), sort(others, sorted[1]!, 32)];
    let steps = 0;
    for (const left = new Set(running); left.size > 0; ) {
      for (const one of left) if (one.next().done === true) left.delete(one);
      const between = new Float64Array(few.length);
      runToEnd(sort(few, between, 32));
      expect(between).toEqual(few.toSorted());
      steps++;
    }
    expect(steps).toBeGreaterThan(6);
    expect(sorted).toEqual([many.toSorted(), others.toSorted()]);
  });
});
