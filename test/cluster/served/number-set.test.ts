import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NumberSet } from '../../../src/cluster/served/number-set.ts';

function visited(set: NumberSet): { readonly numbers: number[]; readonly yields: number } {
  const numbers: number[] = [];
  const steps = set.visitSteps((number) => numbers.push(number));
  let yields = 0;
  while (steps.next().done !== true) yields++;
  return { numbers, yields };
}

describe('a set of numbers', () => {
  it('is gone through in order, each number once, whether few or many', () => {
    const sizes = fc.constantFrom(1, 40, 5000, 100_000);
    const property = fc.property(sizes, fc.integer({ min: 1, max: 7919 }), (below, factor) => {
      const set = new NumberSet(below);
      const numbers = Array.from({ length: Math.min(below, 6000) }, (_, i) => (i * factor) % below);
      for (const number of numbers) set.add(number);
      const expected = [...new Set(numbers)].sort((a, b) => a - b);
      expect(set.size).toBe(expected.length);
      expect(visited(set).numbers).toEqual(expected);
    });
    fc.assert(property, { numRuns: 20 });
  });

  it('makes way for others while it is gone through', () => {
    const set = new NumberSet(100_000);
    for (let number = 0; number < 100_000; number++) set.add(number);
    expect(visited(set).yields).toBeGreaterThanOrEqual(3);
  });
});
