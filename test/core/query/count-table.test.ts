import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CountTable } from '../../../src/core/query/count-table.ts';

const HIT = 0x1_0000;
const lists = fc.array(fc.uniqueArray(fc.integer({ min: 0, max: 3000 }), { maxLength: 600 }), { maxLength: 12 });

function counted(table: CountTable): Map<number, number> {
  return new Map([...table.used].map((at) => [table.pairs[at]!, table.pairs[at + 1]! / HIT]));
}

function oracle(of: readonly (readonly number[])[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const content of of.flat()) counts.set(content, (counts.get(content) ?? 0) + 1);
  return counts;
}

function count(table: CountTable, of: readonly (readonly number[])[]): void {
  table.clear();
  for (const list of of) table.add(Uint32Array.from(list), HIT);
}

describe('CountTable', () => {
  it('counts one query after another in the same memory, each as if it were the first', () => {
    fc.assert(
      fc.property(fc.array(lists, { minLength: 1, maxLength: 6 }), (queries) => {
        const table = new CountTable();
        for (const query of queries) {
          count(table, query);
          expect(counted(table)).toEqual(oracle(query));
        }
      }),
    );
  });

  it('names contents in the order of their first hit', () => {
    const table = new CountTable();
    count(table, [Array.from({ length: 500 }, (_, i) => (i * 37) % 500), [7, 500, 3]]);
    const contents = [...table.used].map((at) => table.pairs[at]!);
    expect(contents).toEqual([...Array.from({ length: 500 }, (_, i) => (i * 37) % 500), 500]);
  });

  it('keeps its memory for the next query, and lets go of that of a huge one', () => {
    const table = new CountTable();
    const some = [Array.from({ length: 1000 }, (_, i) => i)];
    count(table, some);
    const kept = table.pairs.buffer;
    count(table, some);
    count(table, some);
    expect(table.pairs.buffer).toBe(kept);
    count(table, [Array.from({ length: 200_000 }, (_, i) => i)]);
    expect(table.pairs.buffer.byteLength).toBeGreaterThan(2 ** 20);
    count(table, some);
    expect(table.pairs.buffer.byteLength).toBeLessThanOrEqual(2 ** 20);
    expect(counted(table)).toEqual(oracle(some));
  });
});
