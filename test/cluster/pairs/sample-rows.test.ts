import { expect, it } from 'vitest';
import { sample } from '../../../src/cluster/pairs/common/sample-rows.ts';
import type { SampleJob } from '../../../src/cluster/pairs/pair-jobs.ts';
import { newTickets } from '../../../src/cluster/pairs/tickets.ts';

it('meets each other node that has enough common shingles of a sampled one, and not the node itself', () => {
  // the ranks of each node: 0 and 3 have nothing in common, and 2 has none at all
  const ranks = [[0, 1, 2, 3], [0, 1, 2, 4], [], [4, 5, 6, 7], [3, 4, 5, 6]];
  const starts = [0];
  for (const row of ranks) starts.push(starts.at(-1)! + row.length);
  const job = {
    sampled: Uint32Array.of(0, 3),
    common: {
      rows: { starts: Uint32Array.from(starts), rows: Uint32Array.from(ranks.flat()) },
      levels: new Uint8Array(8),
    },
    nodes: {
      count: ranks.length,
      shingleCounts: new Uint32Array(ranks.length).fill(4),
      postedLogs: new Uint8Array(ranks.length),
      thin: null,
    },
    ...{ by: 'resemblance', floor: 0.5, next: newTickets() },
  } as unknown as SampleJob;
  const { a, b } = sample(job);
  // 0 shares three of four with 1, and one with 4; 3 shares three with 4, and one with 1
  expect(Array.from(a, (one, i) => [one, b[i]])).toEqual([
    [0, 1],
    [3, 4],
  ]);
});
