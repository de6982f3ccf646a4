import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ClusterOptions, clusterCorpus } from '../../src/cluster/cluster-corpus.ts';
import type { Corpus, CorpusContent } from '../../src/cluster/port.ts';
import { ClusterAnswers } from '../../src/cluster/result/cluster-answers.ts';
import { RESULT_FILES } from '../../src/cluster/result/result-folder.ts';
import type { Edges } from '../../src/core/cluster/edges.ts';
import { resemblanceOf } from '../../src/core/compare/shares.ts';
import { componentsOf } from '../support/cluster/brute-force.ts';
import { corpusOf, families, setContent } from '../support/cluster/set-corpus.ts';
import { createPrng } from '../support/prng.ts';
import { temporaryFolder } from '../support/temp-folder.ts';

const FLOOR = 0.25;

const run = (corpus: Corpus, folder: string, options: Partial<ClusterOptions> = {}) =>
  clusterCorpus(corpus, { folder, by: 'resemblance', floor: FLOOR, threads: 2, now: () => 0, ...options });

/** URLs of each cluster, sorted, at a threshold. */
function clustersIn(folder: string, threshold: number): string[][] {
  const answers = ClusterAnswers.open(folder);
  try {
    return [...answers.clusters(threshold)].map(({ urls }) => urls.toSorted()).sort();
  } finally {
    answers.close();
  }
}

/** All pairs at the floor, by brute force. @param step only those so far from each other, or a multiple of it, share anything */
function edgesOf(sets: readonly ReadonlySet<number>[], floor: number, step: number): Edges {
  const edges: [number, number, number][] = [];
  for (const [a, one] of sets.entries()) {
    for (let b = a + step; b < sets.length; b += step) {
      let shared = 0;
      for (const shingle of one) if (sets[b]!.has(shingle)) shared++;
      const resemblance = resemblanceOf(shared, one.size, sets[b]!.size);
      if (resemblance >= floor) edges.push([a, b, resemblance]);
    }
  }
  return {
    ...{ count: edges.length, a: Uint32Array.from(edges, ([a]) => a), b: Uint32Array.from(edges, ([, b]) => b) },
    weight: Float64Array.from(edges, ([, , weight]) => weight),
  };
}

describe('a corpus', () => {
  it('has at any threshold the clusters that all of its pairs have', async () => {
    const sets = families(600, 3);
    const folder = temporaryFolder();
    await run(corpusOf(sets.map(setContent)), folder);
    const all = edgesOf(sets, FLOOR, 1);
    expect(all.count).toBeGreaterThan(500);
    for (const threshold of [0.25, 0.5, 0.8, 1]) {
      const least = componentsOf(sets.length, all, threshold);
      const groups = [...Map.groupBy(least.keys(), (node) => least[node]!).values()].filter(({ length }) => length > 1);
      const expected = groups.map((group) => group.map((one) => `https://a.example/${one}`).sort()).sort();
      expect(clustersIn(folder, threshold)).toEqual(expected);
    }
  });

  it('has families whose shingles are all common together, as all of their pairs have them', async () => {
    const prng = createPrng(9);
    const [families, size, threshold] = [2, 200, 0.8];
    const bases = Array.from({ length: families }, () => Array.from({ length: 40 }, () => prng.fingerprint()));
    // each shingle is in more documents than are counted pair by pair
    const sets = Array.from({ length: families * size }, (_, i) => {
      return new Set(bases[i % families]!.map((one) => (prng.next() < 0.04 ? prng.fingerprint() : one)));
    });
    const folder = temporaryFolder();
    const { counts, leftOutPairs } = await run(corpusOf(sets.map(setContent)), folder, { bounds: { listMax: 100 } });
    expect(counts.common).toBe(families * 40);
    expect(leftOutPairs).toBe(undefined);
    const edges = edgesOf(sets, threshold, families);
    const least = componentsOf(sets.length, edges, threshold);
    const pairsIn = (sizes: Iterable<number>) => [...sizes].reduce((sum, one) => sum + one * (one - 1), 0);
    const expected = pairsIn([...Map.groupBy(least, (one) => one).values()].map(({ length }) => length));
    const found = pairsIn(clustersIn(folder, threshold).map(({ length }) => length));
    expect(found).toBe(expected);
  });

  it('tells documents of one text, and texts of one set of shingles, from each other and from similar ones', async () => {
    const shingles = [...families(6, 5)[0]!];
    const [one, other] = [setContent(new Set(shingles)), setContent(new Set([...shingles, 77]))];
    const twin: CorpusContent = { ...one, lexicalDigest: other.lexicalDigest.replace(/^./, 'f') };
    const folder = temporaryFolder();
    const { counts } = await run(corpusOf([one, one, twin, other]), folder);
    expect(counts).toMatchObject({ records: 4, documents: 4, texts: 3, nodes: 2, edges: 1, forestEdges: 1 });
    const answers = ClusterAnswers.open(folder);
    const [cluster] = [...answers.clusters(0.5)];
    expect(cluster).toMatchObject({ documents: 4, texts: 3, representative: 'https://a.example/0' });
    expect(cluster!.weakest).toMatchObject({ a: 'https://a.example/0', b: 'https://a.example/3', sides: [3, 1] });
    expect([...answers.clusters(1)][0]).toMatchObject({ documents: 3, texts: 2, weakest: null });
    expect(answers.sweep([0.5, 1]).map(({ identical, documents }) => [identical, documents])).toEqual([
      [0, 4],
      [1, 3],
    ]);
    const [pair] = [...answers.pairs(0.5)];
    const n = shingles.length;
    expect(pair!.resemblance.estimate).toBeCloseTo(n / (n + 1), 5);
    expect([pair!.aInB.estimate, pair!.bInA.high]).toEqual([1, expect.closeTo(n / (n + 1), 5)]);
    expect(() => [...answers.clusters(0.2)]).toThrow(/floor, 0.25/);
    answers.close();
  });

  it('of which nothing can be told has a result too', async () => {
    const folder = temporaryFolder();
    const { counts } = await run(corpusOf([]), folder);
    expect(counts).toMatchObject({ documents: 0, nodes: 0, edges: 0 });
    expect(clustersIn(folder, 0.5)).toEqual([]);
  });
});

describe('what may go', () => {
  it.each(['oldest', 'longest', 'shortest-url', 'first'] as const)(
    'has each a document that stays and is so alike by itself, the %s of several',
    async (keep) => {
      const sets = families(400, 8);
      const dates = sets.map((_, i) => (i % 3 === 0 ? null : 1000 - (i % 50)));
      const folder = temporaryFolder();
      await run(corpusOf(sets.map(setContent), dates), folder);
      const answers = ClusterAnswers.open(folder);
      const removals = [...answers.removals(0.7, keep)];
      answers.close();
      const urlOf = (i: number) => `https://a.example/${i}`;
      const difference = {
        oldest: (a: number, b: number) =>
          (dates[a] ?? 1e9) - (dates[b] ?? 1e9) || urlOf(a).length - urlOf(b).length || a - b,
        longest: (a: number, b: number) => sets[b]!.size - sets[a]!.size || a - b,
        'shortest-url': (a: number, b: number) => urlOf(a).length - urlOf(b).length || a - b,
        first: (a: number, b: number) => a - b,
      }[keep];
      const alike = (a: number, b: number) => {
        const shared = [...sets[a]!].filter((shingle) => sets[b]!.has(shingle)).length;
        return resemblanceOf(shared, sets[a]!.size, sets[b]!.size);
      };
      const order = [...sets.keys()].sort(difference);
      const kept: number[] = [];
      for (const one of order) if (!kept.some((other) => alike(one, other) >= 0.7)) kept.push(one);
      const gone = [...sets.keys()].filter((one) => !kept.includes(one));
      expect(gone.length).toBeGreaterThan(50);
      expect(removals.map(({ record }) => record)).toEqual(gone);
      for (const { record, url, keptRecord, keptUrl, resemblance, reason } of removals) {
        expect([url, keptUrl]).toEqual([urlOf(record), urlOf(keptRecord)]);
        expect(kept).toContain(keptRecord);
        expect(resemblance.estimate).toBeCloseTo(alike(record, keptRecord), 5);
        expect(alike(record, keptRecord)).toBe(Math.max(...kept.map((one) => alike(record, one))));
        expect(reason).toBe(resemblance.estimate === 1 ? 'same-text' : 'near-copy');
      }
    },
  );
});

describe('a run', () => {
  it('that was ended goes on behind the documents, to the same result', async () => {
    // the longer of them have records
    const corpus = corpusOf(families(300, 4, 160).map(setContent));
    const [whole, again] = [temporaryFolder(), temporaryFolder()];
    await run(corpus, whole);
    for (const ended of ['lists', 'pairs', 'records', 'forest']) {
      const controller = new AbortController();
      const progress = ({ phase }: { phase: string }) => {
        if (phase === ended) controller.abort(new Error('ended'));
      };
      await expect(run(corpus, again, { signal: controller.signal, progress })).rejects.toThrow('ended');
      expect(() => ClusterAnswers.open(again)).toThrow(/no result/);
    }
    const late = new AbortController();
    const inTheMiddle = ({ phase }: { phase: string }) => {
      if (phase === 'pairs') setTimeout(() => late.abort(new Error('ended late')), 1);
    };
    await expect(run(corpus, again, { signal: late.signal, progress: inTheMiddle })).rejects.toThrow('ended late');
    const unread: Corpus = { ...corpus, readInto: () => Promise.reject(new Error('it was read already')) };
    const other: Corpus = { ...unread, fingerprint: 'other' };
    await expect(run(other, again)).rejects.toMatchObject({ code: 'invalid-request' });
    await run(unread, again);
    for (const threshold of [0.25, 0.6, 0.9])
      expect(clustersIn(again, threshold)).toEqual(clustersIn(whole, threshold));
    for (const file of RESULT_FILES) expect(readFileSync(join(again, file))).toEqual(readFileSync(join(whole, file)));
  });

  it('is refused where a result is there already', async () => {
    const folder = temporaryFolder();
    await run(corpusOf([]), folder);
    await expect(run(corpusOf([]), folder)).rejects.toMatchObject({ code: 'invalid-request' });
  });
});

describe('a result', () => {
  it('whose files are not what they were is refused', async () => {
    const folder = temporaryFolder();
    await run(corpusOf(families(60, 6).map(setContent)), folder);
    for (const file of RESULT_FILES) {
      const path = join(folder, file);
      const sound = readFileSync(path);
      const changed = Buffer.from(sound);
      changed[changed.length >>> 1]! ^= 4;
      for (const bytes of [changed, sound.subarray(0, -1), Buffer.alloc(0)]) {
        writeFileSync(path, bytes);
        expect(() => ClusterAnswers.open(folder), file).toThrow(expect.objectContaining({ code: 'result-damaged' }));
      }
      writeFileSync(path, sound);
    }
    const path = join(folder, 'clusters.json');
    const text = readFileSync(path, 'utf8');
    for (const other of ['{', text.replace('"shingledClusters": 1', '"shingledClusters": 3')]) {
      writeFileSync(path, other);
      expect(() => ClusterAnswers.open(folder)).toThrow(expect.objectContaining({ code: 'result-damaged' }));
    }
  });
});
