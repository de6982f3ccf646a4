import { describe, expect, it } from 'vitest';
import { ClusterProgressText } from '../../../src/cli/cluster/cluster-progress.ts';

function textsAt(...told: readonly [atMs: number, ...Parameters<ClusterProgressText['of']>][]): string[] {
  let now = 0;
  const text = new ClusterProgressText(() => now);
  return told.map(([atMs, one]) => {
    now = atMs;
    return text.of(one);
  });
}

describe('the progress of clustering', () => {
  it('says what was read of the inputs, and how long the rest will take', () => {
    const documents = (done: number, share: number | null) =>
      ({ phase: 'documents', done, of: null, share: () => share }) as const;
    const texts = textsAt(
      [0, { phase: 'documents', done: 0, of: null }],
      [900, documents(900, 0.1)],
      [10_000, documents(12_345, 0.25)],
      [11_000, documents(13_000, null)],
    );
    expect(texts).toEqual([
      'reading documents',
      '900 documents read and sketched  10 %',
      '12,345 documents read and sketched  25 %  ETA 0:30',
      '13,000 documents read and sketched',
    ]);
  });

  it('says how much of each phase is done; of rows that are counted and pairs compared by turns, by both', () => {
    const texts = textsAt(
      [0, { phase: 'lists', done: 0, of: null }],
      [2000, { phase: 'lists', done: 128, of: 256 }],
      [4000, { phase: 'pairs', done: 0, of: null }],
      [14_000, { phase: 'pairs', done: 200, of: 1000 }],
      [14_000, { phase: 'records', done: 0, of: null }],
      [24_000, { phase: 'records', done: 500, of: 1000 }],
      [24_000, { phase: 'pairs', done: 500, of: 1000 }],
      [24_000, { phase: 'records', done: 0, of: null }],
      [26_000, { phase: 'records', done: 20, of: 40 }],
      [30_000, { phase: 'forest', done: 0, of: null }],
      [30_000, { phase: 'forest', done: 1234, of: null }],
    );
    expect(texts).toEqual([
      'sorting shingles',
      'sorting shingles  50 %  ETA 0:02',
      'counting what pairs share',
      'counting what pairs of 1,000 texts share  20 %  ETA 0:40',
      'comparing pairs',
      'comparing 1,000 pairs  50 %  ETA 0:10',
      'counting what pairs of 1,000 texts share  50 %  ETA 0:20',
      'comparing pairs',
      'comparing 40 pairs  50 %  ETA 0:02',
      'joining pairs',
      'joining 1,234 pairs',
    ]);
  });
});
