import { expect, it } from 'vitest';
import { ownWords } from '../../../src/core/memory/growing-column.ts';
import {
  afterEqual,
  type ColumnParts,
  chosenOf,
  mappedColumn,
  NarrowPages,
  PagedColumn,
  startsOf,
} from '../../../src/core/memory/paged-column.ts';

const numbersOf = (column: ColumnParts) => Array.from(column.parts(), (part) => [...part]).flat();

/** As toEqual does, which takes a second for a million. */
function expectNumbers(column: ColumnParts, expected: readonly number[]): void {
  let at = 0;
  const differing: number[] = [];
  for (const part of column.parts()) {
    for (const one of part) {
      if (one !== expected[at]) differing.push(at);
      at++;
    }
  }
  expect([at, differing]).toEqual([expected.length, []]);
}

it.each([0, 1, 2 ** 18 - 1, 2 ** 18, 2 ** 18 + 1, 600_000])(
  '%i numbers come back, and what follows from them',
  (count) => {
    const column = new PagedColumn(ownWords);
    const expected = Array.from({ length: count }, (_, i) => (i * 7919) % 1013);
    for (const one of expected) column.push(one);
    const derived = { doubled: mappedColumn(column, ownWords, (one) => 2 * one), starts: startsOf(column) };
    const starts = [0];
    for (const one of expected) starts.push(starts.at(-1)! + one);
    // as often as they are asked for
    for (let i = 0; i < 2; i++) {
      expectNumbers(column, expected);
      expectNumbers(
        derived.doubled,
        expected.map((one) => 2 * one),
      );
      expectNumbers(derived.starts, starts);
    }
    expect([column.length, derived.doubled.length, derived.starts.length]).toEqual([count, count, count + 1]);
    expect([0, count - 1].filter((i) => i >= 0 && i < count).map((i) => column.at(i))).toEqual(
      [0, count - 1].filter((i) => i >= 0 && i < count).map((i) => expected[i]),
    );
    expect(column.bytes).toBe(4 * 2 ** 18 * Math.ceil(count / 2 ** 18));
    const behind = afterEqual(270_000, 5, column);
    expect(behind.length).toBe(270_000 + count);
    expectNumbers(behind, [...Array.from({ length: 270_000 }, () => 5), ...expected]);
  },
);

it.each([255, 256, 65_535, 65_536, 2 ** 32 - 1])('a page is as wide as its greatest number, %i, needs', (greatest) => {
  const column = new NarrowPages();
  const expected = Array.from({ length: 2 ** 20 + 3 }, (_, i) => (i === 1000 ? greatest : i % 200));
  for (const one of expected) column.push(one);
  expect(column.length).toBe(expected.length);
  expectNumbers(column, expected);
  const width = greatest < 256 ? 1 : greatest < 65_536 ? 2 : 4;
  expect(column.bytes).toBe(2 ** 20 * (width + 1));
});

it('a number that is too wide for two bytes widens what two bytes have', () => {
  const column = new NarrowPages();
  for (const one of [7, 300, 70_000, 8]) column.push(one);
  expect(numbersOf(column)).toEqual([7, 300, 70_000, 8]);
});

it('numbers of a column come in another order, over several pages', () => {
  const column = Uint32Array.from({ length: 300_000 }, (_, i) => i * 3);
  const indexes = Uint32Array.from({ length: 280_000 }, (_, i) => (i * 7919) % 300_000);
  const chosen = chosenOf(column, indexes, ownWords);
  expect(chosen.length).toBe(280_000);
  expectNumbers(
    chosen,
    Array.from(indexes, (index) => 3 * index),
  );
});
