import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FairLine } from '../../src/sharing/line.ts';

interface Item {
  readonly caller: string;
  readonly number: number;
}

const callers = fc.constantFrom('a', 'b', 'c', 'd');

function lineOf(all: string, rankOf?: (caller: string) => number): FairLine<Item> {
  const line = new FairLine<Item>(rankOf);
  const counts: Record<string, number> = {};
  for (const caller of all) {
    counts[caller] = (counts[caller] ?? 0) + 1;
    line.push({ caller, number: counts[caller] });
  }
  return line;
}

function emptied(line: FairLine<Item>): string {
  const gone: string[] = [];
  for (let item = line.shift(); item !== undefined; item = line.shift()) gone.push(`${item.caller}${item.number}`);
  return gone.join(' ');
}

describe('a fair line', () => {
  it('lets callers go in turns, and each in his own order', () => {
    const line = lineOf('aaaaabcc');
    expect(emptied(line)).toBe('a1 b1 c1 a2 c2 a3 a4 a5');
    expect([line.length, line.first(), line.shift()]).toEqual([0, undefined, undefined]);
  });

  it('lets the caller of least rank go first, as it is at that moment', () => {
    const had: Record<string, number> = { a: 5, b: 3, c: 3 };
    const line = lineOf('aabbcc', (caller) => had[caller]!);
    expect(line.first()).toEqual({ caller: 'b', number: 1 });
    expect([line.shift(), line.shift(), line.shift()].map((item) => item!.caller)).toEqual(['b', 'c', 'b']);
    had['c'] = 9;
    expect(emptied(line)).toBe('a1 a2 c2');
  });

  it('loses nothing, doubles nothing, and lets nobody wait for more than one item of each other', () => {
    const steps = fc.array(fc.oneof(fc.record({ push: callers }), fc.constant('shift'), fc.record({ drop: callers })));
    fc.assert(
      fc.property(steps, (all) => {
        const line = new FairLine<Item>();
        const there: Item[] = [];
        /** Whose items went since somebody began to wait for his next turn. */
        const passed = new Map<string, string[]>();
        for (const [number, step] of all.entries()) {
          if (step === 'shift') {
            const item = line.shift();
            expect(item).toBe(there.find(({ caller }) => caller === item?.caller));
            if (item === undefined) continue;
            there.splice(there.indexOf(item), 1);
            for (const [waiter, others] of passed) if (waiter !== item.caller) others.push(item.caller);
            passed.set(item.caller, []);
          } else if ('push' in step) {
            const item = { caller: step.push, number };
            if (line.lengthOf(step.push) === 0) passed.set(step.push, []);
            line.push(item);
            there.push(item);
          } else {
            const last = there.findLast(({ caller }) => caller === step.drop);
            expect(line.delete(last ?? { caller: step.drop, number })).toBe(last !== undefined);
            if (last !== undefined) there.splice(there.indexOf(last), 1);
          }
          for (const caller of passed.keys()) if (line.lengthOf(caller) === 0) passed.delete(caller);
          for (const others of passed.values()) expect(new Set(others).size).toBe(others.length);
          expect(line.length).toBe(there.length);
        }
      }),
    );
  });
});
