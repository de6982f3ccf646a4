import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Accounts } from '../../src/sharing/accounts.ts';
import { FairLine, type Waiter } from '../../src/sharing/line.ts';

/** A line whose callers go by what they have had. */
class Served {
  readonly accounts = new Accounts();
  readonly line = new FairLine<Waiter>((caller) => this.accounts.of(caller));
  readonly had = new Map<string, number>();

  next(costOf: (caller: string) => number): string | undefined {
    const caller = this.line.shift()?.caller;
    if (caller === undefined) return undefined;
    const cost = costOf(caller);
    this.accounts.serve(caller, cost);
    this.had.set(caller, (this.had.get(caller) ?? 0) + cost);
    return caller;
  }
}

describe('accounts', () => {
  it('give the same to callers who always want more, whatever each thing costs and however many wait', () => {
    const served = new Served();
    const costs: Record<string, number> = { a: 1, b: 7, c: 40 };
    // a wants a thousand things at once, b ten, c one after the other
    for (let i = 0; i < 1000; i++) served.line.push({ caller: 'a' });
    for (let i = 0; i < 10; i++) served.line.push({ caller: 'b' });
    served.line.push({ caller: 'c' });
    for (let i = 0; i < 600; i++) {
      const caller = served.next((name) => costs[name]!)!;
      served.line.push({ caller });
    }
    const [a, b, c] = ['a', 'b', 'c'].map((name) => served.had.get(name)!) as [number, number, number];
    for (const had of [a, b, c]) expect(Math.abs(had - a)).toBeLessThanOrEqual(40 + 7);
  });

  it('give no credit for a time without work', () => {
    const served = new Served();
    for (let i = 0; i < 300; i++) served.line.push({ caller: 'a' });
    for (let i = 0; i < 100; i++) served.next(() => 5);
    for (let i = 0; i < 100; i++) served.line.push({ caller: 'b' });
    const next = Array.from({ length: 20 }, () => served.next(() => 5));
    expect(next.filter((caller) => caller === 'b').length).toBe(10);
  });

  it('forget nothing by which a caller who wants one thing at a time would have more than others', () => {
    const served = new Served();
    for (let i = 0; i < 1000; i++) served.line.push({ caller: 'a' });
    served.line.push({ caller: 'b' });
    let b = 0;
    for (let i = 0; i < 200; i++) {
      const caller = served.next(() => 1);
      if (caller !== 'b') continue;
      b++;
      served.line.push({ caller: 'b' });
    }
    expect(b).toBe(100);
  });

  it('let nobody who waits have less than another has more than by one thing each', () => {
    const step = fc.oneof(
      fc.record({ come: fc.constantFrom('a', 'b', 'c'), things: fc.integer({ min: 1, max: 9 }) }),
      fc.record({ cost: fc.integer({ min: 1, max: 20 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const served = new Served();
        /** What each pair has had since both wait without a break. */
        const since = new Map<string, Map<string, number>>();
        for (const one of steps) {
          if ('come' in one) {
            if (served.line.lengthOf(one.come) === 0) since.set(one.come, new Map());
            for (let i = 0; i < one.things; i++) served.line.push({ caller: one.come });
            continue;
          }
          const caller = served.next(() => one.cost);
          if (caller === undefined) continue;
          for (const [waiter, had] of since) if (waiter !== caller) had.set(caller, (had.get(caller) ?? 0) + one.cost);
          since.set(caller, new Map());
          if (served.line.lengthOf(caller) === 0) since.delete(caller);
          // while somebody waits for his next thing, each other has at most the rest of one thing and one more
          for (const had of since.values()) for (const cost of had.values()) expect(cost).toBeLessThanOrEqual(40);
        }
      }),
    );
  });
});
