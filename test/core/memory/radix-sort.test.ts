import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newPairs, sortPairs, sortSpreadPairs } from '../../../src/core/memory/radix-sort.ts';

/** Keys of which many are equal, or differ in a few bits. */
const key = fc.oneof(
  fc.nat(3),
  fc.integer({ min: 0, max: 31 }).map((bit) => (1 << bit) >>> 0),
  fc.integer({ min: 0, max: 2 ** 32 - 1 }),
);

it('pairs come in the order of their keys, those of one key as they were', () => {
  fc.assert(
    fc.property(fc.array(key, { maxLength: 300 }), fc.nat(3), (keys, more) => {
      const expected = keys.map((one, i) => [one, i]).sort(([a = 0, i = 0], [b = 0, j = 0]) => a - b || i - j);
      for (const isSpread of [false, true]) {
        const pairs = newPairs(keys.length + more);
        pairs.keys.set(keys);
        for (let i = 0; i < keys.length; i++) pairs.values[i] = i;
        const other = newPairs(keys.length + more);
        if (isSpread) sortSpreadPairs(pairs, other, keys.length);
        const sorted = isSpread ? pairs : sortPairs(pairs, other, keys.length);
        expect(keys.map((_, i) => [sorted.keys[i], sorted.values[i]])).toEqual(expected);
      }
    }),
  );
});
