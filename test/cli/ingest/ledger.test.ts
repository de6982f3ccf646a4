import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Ledger } from '../../../src/cli/ingest/ledger.ts';

const at = (record: number) => ({ file: 'f', byte: 0, skip: 0, record });

describe('what is under way', () => {
  it('is told in the order in which it was read, whatever order it comes in', () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray(
          Array.from({ length: 40 }, (_, n) => n),
          { minLength: 40 },
        ),
        (order) => {
          const told: number[] = [];
          const ledger = new Ledger<number>(null, (outcome) => told.push(outcome) > 0);
          const tickets = order.map((_n, n) => ledger.add(at(n + 1)));
          const done = new Set<number>();
          for (const n of order) {
            ledger.settle(tickets[n]!, n);
            done.add(n);
            let sure = 0;
            while (done.has(sure)) sure++;
            expect(told).toEqual(Array.from({ length: sure }, (_, each) => each));
            expect(ledger.position).toEqual(sure === 0 ? null : at(sure));
            expect(ledger.length).toBe(40 - sure);
          }
        },
      ),
    );
  });

  it('keeps the place before what is read again as a whole, and before what was not done', () => {
    const ledger = new Ledger<string>(at(1), (outcome) => outcome !== 'fault');
    const [a, inner, b, c] = [ledger.add(at(2)), ledger.add(null), ledger.add(at(3)), ledger.add(at(4))];
    ledger.settle(a, 'done');
    ledger.settle(inner, 'done');
    expect(ledger.position).toEqual(at(2));
    ledger.settle(c, 'done');
    ledger.settle(b, 'fault');
    expect(ledger.position).toEqual(at(2));
    ledger.settle(ledger.add(at(5)), 'done');
    expect(ledger.position).toEqual(at(2));
  });

  it('forgets what it has told', () => {
    const ledger = new Ledger<number>(null, () => true);
    for (let n = 0; n < 10_000; n++) ledger.settle(ledger.add(at(n)), n);
    expect(ledger.length).toBe(0);
    expect(ledger.position).toEqual(at(9999));
  });
});
