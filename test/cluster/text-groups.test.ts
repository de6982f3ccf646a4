import { expect, it } from 'vitest';
import { textGroups } from '../../src/cluster/text-groups.ts';
import { wholeSample } from '../../src/core/sketch/narrow.ts';

const textOf = (values: number) => wholeSample({ modulus: 1, fingerprints: new Float64Array(values) });

it('takes texts some at a time: all of them in their order, few of long ones', () => {
  const texts = [
    ...Array.from({ length: 600 }, () => 3),
    40_000,
    2 ** 15,
    5,
    ...Array.from({ length: 30 }, () => 2000),
  ];
  const groups = [...textGroups(texts.map(textOf), (sample) => sample)];
  expect(groups.flat().map(({ values }) => values.length)).toEqual(texts);
  expect(groups.map((group) => group.length)).toEqual([256, 256, 89, 1, 18, 13]);
  expect([...textGroups([], textOf)]).toEqual([]);
});
