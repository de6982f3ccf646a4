import { rmSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { clusterCorpus } from '../../../src/cluster/cluster-corpus.ts';
import { ClusterAnswers } from '../../../src/cluster/result/cluster-answers.ts';
import { corpusOfIndex } from '../../../src/commands/corpus-of-index.ts';
import { roundShare } from '../../../src/core/compare/shares.ts';
import type { IndexCluster } from '../../../src/service/clusters/cluster-api.ts';
import { DEFAULT_CLUSTER_OPTIONS } from '../../../src/service/limits.ts';
import { createTextMaker } from '../../support/core/make-documents.ts';
import { ALL, createServiceFixture, IDENTITY, SHINGLE_SIZE } from '../../support/service/service-fixture.ts';
import { openFolder } from '../../support/store/level-folder.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

/* Clusters that an index is asked for against those of the whole index at once, while nobody writes. */

const FLOOR = 0.25;
const THRESHOLDS = [FLOOR, 0.4, 0.6, 0.8, 0.95];

/** Families of short and long texts that drift away from their beginnings, and texts that have others within them. */
function texts(seed: number): string[] {
  const maker = createTextMaker(seed);
  const all: string[] = [];
  for (const [words, share, count] of [
    [60, 0.02, 12],
    [200, 0.03, 12],
    [700, 0.01, 10],
    [2500, 0.004, 8],
  ] as const) {
    let text = maker.text(words);
    for (let i = 0; i < count; i++) {
      all.push(i % 3 === 2 ? `${text} ${maker.text(words / 2)}` : text);
      text = maker.changed(text, share);
    }
  }
  return [...all, maker.text(50), maker.text(50)];
}

it.each(['resemblance', 'containment'] as const)('are the same, with the same trees, by %s', async (by) => {
  const folder = temporaryFolder();
  const result = temporaryFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { keyId, fingerprintId, rankKey } = IDENTITY;
  const store = await openFolder(folder, { keyId, fingerprintId, rankKey, shingleSize: SHINGLE_SIZE });
  const fixture = createServiceFixture({ wrapStore: () => store });
  const all = texts(31);
  const urls = all.map((_text, i) => `https://a.example/${i}`);
  for (const [i, text] of all.entries()) await fixture.put(urls[i]!, text);
  // every second one is asked
  const asking = urls.filter((_url, i) => i % 2 === 0);
  const online = new Map<string, IndexCluster>();
  for (const threshold of THRESHOLDS) {
    for (const url of asking) {
      const asked = { ...DEFAULT_CLUSTER_OPTIONS, deadlineMs: 20_000, url, by, threshold };
      const { index } = await fixture.service.clusters(asked, ALL);
      expect(index).toMatchObject({ complete: true, limits: [] });
      online.set(`${threshold} ${url}`, index!);
    }
  }
  await fixture.close();
  await store.close();

  const corpus = await corpusOfIndex(folder, process.pid);
  await clusterCorpus(corpus, { folder: result, by, floor: FLOOR, threads: 1, now: () => 0 });
  const answers = ClusterAnswers.open(result);
  onTestFinished(() => answers.close());
  const { forest } = answers;
  const sizes: number[] = [];
  for (const threshold of THRESHOLDS) {
    const clusterOf = new Map([...answers.clusters(threshold)].flatMap((line) => line.urls.map((url) => [url, line])));
    sizes.push(new Set(clusterOf.values()).size);
    for (const url of asking) {
      const { members } = online.get(`${threshold} ${url}`)!;
      const expected = clusterOf.get(url)?.urls ?? [url];
      expect(members.flatMap(({ sources }) => sources.map((source) => source.url)).sort()).toEqual(expected.toSorted());
      const within = new Set(expected);
      const weights: number[] = [];
      for (let i = 0; i < forest.count; i++) {
        const weight = forest.weight[i]!;
        if (weight >= threshold && within.has(answers.nameOf(forest.a[i]!))) weights.push(roundShare(weight));
      }
      const joined = members.flatMap(({ joinedBy }) => (joinedBy === null ? [] : [joinedBy.likeness.estimate]));
      expect(joined.sort()).toEqual(weights.sort());
    }
  }
  expect(Math.min(...sizes)).toBeGreaterThan(2);
});
