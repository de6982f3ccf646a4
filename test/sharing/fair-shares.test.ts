import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Shares } from '../../src/sharing/fair-shares.ts';

/** What each caller comes to who takes one by one, round after round, all that he may. */
function greedy(size: number, callers: number): number[] {
  const shares = new Shares(size);
  const names = Array.from({ length: callers }, (_, i) => `caller ${i}`);
  for (let more = true; more; ) more = names.map((name) => shares.take(name, 1)).includes(true);
  return names.map((name) => shares.heldBy(name));
}

describe('shares', () => {
  it('leave half to others where one takes all he may, a third where two do', () => {
    expect(greedy(32, 1)).toEqual([16]);
    expect(greedy(30, 2)).toEqual([10, 10]);
    expect(greedy(32, 7)).toEqual([4, 4, 4, 4, 4, 4, 4]);
  });

  it('are of use where they are few', () => {
    expect(greedy(1, 2)).toEqual([1, 0]);
    expect(greedy(2, 2)).toEqual([1, 1]);
    expect(greedy(2, 1)).toEqual([1]);
    expect(greedy(3, 4)).toEqual([1, 1, 1, 0]);
  });

  it('are taken whole or not at all', () => {
    const shares = new Shares(100);
    expect(shares.take('a', 60)).toBe(true);
    expect(shares.take('a', 1)).toBe(false);
    expect(shares.take('b', 41)).toBe(false);
    expect(shares.take('b', 40)).toBe(true);
    shares.give('a', 60);
    expect([shares.taken, shares.heldBy('a'), shares.heldBy('b')]).toEqual([40, 0, 40]);
  });

  it('keep their sum, never give one caller more than is left but what he takes at first, and always admit a newcomer', () => {
    const size = 64;
    const step = fc.record({
      caller: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      amount: fc.integer({ min: 1, max: 16 }),
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(step, fc.boolean()), { maxLength: 200 }), (steps) => {
        const shares = new Shares(size);
        const held = new Map<string, number[]>();
        for (const [{ caller, amount }, gives] of steps) {
          const amounts = held.get(caller) ?? [];
          held.set(caller, amounts);
          const free = size - shares.taken;
          if (gives && amounts.length > 0) shares.give(caller, amounts.shift()!);
          else {
            const had = shares.heldBy(caller);
            const taken = shares.take(caller, amount);
            expect(taken).toBe(amount <= free && (had === 0 || had + amount <= free - amount));
            if (taken) amounts.push(amount);
          }
          const sums = [...held].map(([name, list]) => [name, list.reduce((a, b) => a + b, 0)] as const);
          for (const [name, sum] of sums) expect(shares.heldBy(name)).toBe(sum);
          expect(shares.taken).toBe(sums.reduce((all, [, sum]) => all + sum, 0));
          expect(shares.taken).toBeLessThanOrEqual(size);
        }
      }),
    );
  });

  it('leave a share of all for one more, whoever took how much in what order', () => {
    const orders = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { minLength: 500, maxLength: 800 });
    fc.assert(
      fc.property(orders, (order) => {
        const shares = new Shares(1000);
        for (const caller of order) while (shares.take(caller, 1));
        const callers = new Set(order).size;
        // the first alone takes half, so what is left halves with each
        expect(1000 - shares.taken).toBeGreaterThanOrEqual(Math.floor(1000 / 2 ** callers));
        expect(shares.take('newcomer', 1)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});
