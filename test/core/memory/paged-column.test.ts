import { expect, it } from 'vitest';
import { ownWords } from '../../../src/core/memory/growing-column.ts';
import {
  afterEqual,
  type ColumnParts,
  mappedColumn,
  PagedColumn,
  startsOf,
} from '../../../src/core/memory/paged-column.ts';

const numbersOf = (column: ColumnParts) => Array.from(column.parts(), (part) => [...part]).flat();

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
      expect(numbersOf(column)).toEqual(expected);
      expect(numbersOf(derived.doubled)).toEqual(expected.map((one) => 2 * one));
      expect(numbersOf(derived.starts)).toEqual(starts);
    }
    expect([column.length, derived.doubled.length, derived.starts.length]).toEqual([count, count, count + 1]);
    expect([0, count - 1].filter((i) => i >= 0 && i < count).map((i) => column.at(i))).toEqual(
      [0, count - 1].filter((i) => i >= 0 && i < count).map((i) => expected[i]),
    );
    expect(column.bytes).toBe(4 * 2 ** 18 * Math.ceil(count / 2 ** 18));
    const behind = afterEqual(270_000, 5, column);
    expect(behind.length).toBe(270_000 + count);
    expect(numbersOf(behind)).toEqual([...Array.from({ length: 270_000 }, () => 5), ...expected]);
  },
);
