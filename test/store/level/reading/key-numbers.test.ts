import fc from 'fast-check';
import { expect, it } from 'vitest';
import { KeyNumbers } from '../../../../src/store/level/reading/key-numbers.ts';

it('numbers keys as a map does, in the order in which they came', () => {
  const key = fc.oneof(
    fc.integer({ min: 0, max: 2 ** 53 - 1 }),
    fc.nat(20),
    fc.nat(20).map((low) => 2 ** 32 * 3 + low),
  );
  fc.assert(
    fc.property(fc.array(key, { maxLength: 300 }), (keys) => {
      const numbers = new KeyNumbers(keys.length);
      const expected = new Map<number, number>();
      for (const one of keys) {
        if (!expected.has(one)) expected.set(one, expected.size);
        expect(numbers.numberOf(one)).toBe(expected.get(one));
      }
      expect([...numbers.keys]).toEqual([...expected.keys()]);
    }),
  );
});
