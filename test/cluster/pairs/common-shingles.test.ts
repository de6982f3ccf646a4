import { expect, it } from 'vitest';
import { CommonShingles } from '../../../src/cluster/pairs/common/common-shingles.ts';
import type { Grouped, PairCorpus, WrittenLists } from '../../../src/cluster/pairs/pair-jobs.ts';
import type { PairThreads } from '../../../src/cluster/pairs/pair-threads.ts';

/** As one thread has written them: shingles that begin with `top`, each with its list. */
const written = (top: number, lists: readonly (readonly [key: number, size: number])[]): WrittenLists => ({
  ...{ path: `lists ${top}`, at: 0, words: 0, top },
  common: lists.map(([key, size]) => ({ key, from: 0, size })),
});

it('lists are ranked by length, then by their shingles, whichever thread has written them', () => {
  const parts = [
    written(1, [
      [9, 80],
      [4, 80],
    ]),
    written(0, [
      [4, 80],
      [7, 61],
    ]),
  ];
  const ranksOf = (threads: readonly (readonly WrittenLists[])[]) => {
    const corpus = { nodes: { count: 0 } } as PairCorpus;
    const options = { by: 'resemblance', floor: 0.25, threads: {} as PairThreads } as const;
    const grouped = threads.map((part) => ({ written: part }) as unknown as Grouped);
    const { ranks } = new CommonShingles(corpus, grouped, new Uint32Array(0), options);
    const order = threads
      .flat()
      .flatMap(({ top, common }, i) => common.map(({ key }, j) => [ranks[i]![j]!, `${top} ${key}`] as const));
    return order.sort(([a], [b]) => a - b).map(([, shingle]) => shingle);
  };
  const expected = ['0 7', '0 4', '1 4', '1 9'];
  expect(ranksOf([parts])).toEqual(expected);
  expect(ranksOf([[parts[1]!], [parts[0]!]])).toEqual(expected);
});
