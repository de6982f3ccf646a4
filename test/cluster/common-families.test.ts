import { describe, expect, it } from 'vitest';
import { type ClusterOptions, clusterCorpus } from '../../src/cluster/cluster-corpus.ts';
import { ClusterAnswers } from '../../src/cluster/result/cluster-answers.ts';
import { foundShare } from '../../src/core/cluster/common/left-out.ts';
import { KEPT, leaderCover } from '../../src/core/cluster/cover.ts';
import type { Edges } from '../../src/core/cluster/edges.ts';
import { orderEdges } from '../../src/core/cluster/order-edges.ts';
import { corpusOf, setContent } from '../support/cluster/set-corpus.ts';
import { createPrng } from '../support/prng.ts';
import { temporaryFolder } from '../support/temp-folder.ts';

/* Families that share nothing but common shingles. */

const FLOOR = 0.25;
/** Of nodes of a list that is not common, so that few documents do; and of pairs. */
const ALL = { listMax: 60 };
const FEW = { listMax: 60, candidates: 2000 };
const THRESHOLDS = [0.25, 0.5, 0.8];

/** Each leaves out some shingles of one text; a few have own ones. */
function copies(count: number): Set<number>[] {
  const prng = createPrng(11);
  const base = Array.from({ length: 40 }, () => prng.fingerprint());
  const share = () => 0.02 + 0.3 * prng.next() ** 3;
  return Array.from({ length: count }, () => {
    const without = share();
    return new Set([...base.filter(() => prng.next() > without), ...(prng.next() < 0.1 ? [prng.fingerprint()] : [])]);
  });
}

/** Each has one of two beginnings, one of two ends, and some own shingles. */
function crossed(count: number): Set<number>[] {
  const prng = createPrng(12);
  const halves = Array.from({ length: 4 }, () => Array.from({ length: 14 }, () => prng.fingerprint()));
  return Array.from({ length: count }, () => {
    const own = Array.from({ length: prng.below(6) }, () => prng.fingerprint());
    return new Set([...halves[prng.below(2)]!, ...halves[2 + prng.below(2)]!, ...own]);
  });
}

/** Sets as nodes: each once. */
function distinct(sets: readonly Set<number>[]): Set<number>[] {
  return [...new Map(sets.map((set) => [[...set].sort((a, b) => a - b).join(), set])).values()];
}

/** All pairs at the floor, falling. */
function truthOf(sets: readonly ReadonlySet<number>[]): Edges {
  const numbers = new Map<number, number>();
  for (const set of sets) for (const one of set) numbers.set(one, numbers.size - Number(numbers.has(one)));
  const lists = sets.map((set) => [...set]);
  const pairs: [number, number, number][] = [];
  for (const [a, one] of sets.entries()) {
    for (let b = a + 1; b < sets.length; b++) {
      let shared = 0;
      for (const shingle of lists[b]!) if (one.has(shingle)) shared++;
      const weight = shared / (one.size + sets[b]!.size - shared);
      if (weight >= FLOOR) pairs.push([a, b, weight]);
    }
  }
  const edges = {
    ...{ count: pairs.length, a: Uint32Array.from(pairs, ([a]) => a), b: Uint32Array.from(pairs, ([, b]) => b) },
    weight: Float64Array.from(pairs, ([, , weight]) => weight),
  };
  const order = orderEdges(edges);
  const sorted = { a: order.map((i) => edges.a[i]!), b: order.map((i) => edges.b[i]!) };
  return { count: edges.count, ...sorted, weight: Float64Array.from(order, (i) => edges.weight[i]!) };
}

const countAt = (edges: Edges, threshold: number) => edges.weight.filter((weight) => weight >= threshold).length;

interface Said {
  /** Names of each cluster, by threshold. */
  readonly clusters: string[][][];
  readonly removed: string[][];
  readonly edges: Edges;
}

/** What a result says of sets. @param order in which they come; each is named by its place, and so is its date */
async function cluster(sets: readonly Set<number>[], order: readonly number[], options: Partial<ClusterOptions> = {}) {
  const folder = temporaryFolder();
  const contents = order.map((i) => setContent(sets[i]!));
  const named = corpusOf(contents, order);
  const settings = { folder, by: 'resemblance', floor: FLOOR, threads: 2, now: () => 0, ...options } as const;
  const summary = await clusterCorpus(named, settings);
  const answers = ClusterAnswers.open(folder);
  const nameOf = (url: string) => `${order[Number(url.split('/').at(-1))]!}`;
  const said: Said = {
    clusters: THRESHOLDS.map((at) => [...answers.clusters(at)].map(({ urls }) => urls.map(nameOf).sort()).sort()),
    removed: THRESHOLDS.map((at) => [...answers.removals(at, 'oldest')].map(({ url }) => nameOf(url)).sort()),
    edges: answers.edges,
  };
  answers.close();
  return { summary, said };
}

const inOrder = (sets: readonly unknown[]) => [...sets.keys()];
function shuffled(count: number): number[] {
  const prng = createPrng(5);
  return Array.from({ length: count }, (_, i) => ({ i, at: prng.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ i }) => i);
}

/** The same in whatever order documents come. */
async function inTwoOrders(sets: readonly Set<number>[], options: Partial<ClusterOptions>) {
  const one = await cluster(sets, inOrder(sets), options);
  const other = await cluster(sets, shuffled(sets.length), options);
  expect(other.said.clusters).toEqual(one.said.clusters);
  expect(other.said.removed).toEqual(one.said.removed);
  expect(other.said.edges.count).toBe(one.said.edges.count);
  expect(other.summary.leftOutPairs).toEqual(one.summary.leftOutPairs);
  return one;
}

describe.each([
  ['copies', copies],
  ['two frames crossed', crossed],
])('a family of %s', (_what, make) => {
  const sets = distinct(make(300));
  const truth = truthOf(sets);

  it('has all of its pairs, and the leader cover of all of them', async () => {
    expect(countAt(truth, FLOOR)).toBeGreaterThan(15_000);
    const { summary, said } = await inTwoOrders(sets, { bounds: ALL });
    expect(summary.counts.common).toBeGreaterThanOrEqual(4);
    expect(summary.leftOutPairs).toBe(undefined);
    for (const [i, threshold] of THRESHOLDS.entries()) {
      expect(countAt(said.edges, threshold)).toBe(countAt(truth, threshold));
      const cover = leaderCover(Uint32Array.from(inOrder(sets)), truth, threshold);
      const gone = inOrder(sets).filter((node) => cover[node] !== KEPT);
      expect(said.removed[i]).toEqual(gone.map(String).sort());
    }
  });

  it('says how many pairs were left out where there are too many', async () => {
    const { summary, said } = await inTwoOrders(sets, { bounds: FEW });
    const { leftOutPairs } = summary;
    expect(leftOutPairs!.nodes).toBeGreaterThan(50);
    expect(countAt(said.edges, FLOOR)).toBeLessThan(countAt(truth, FLOOR));
    for (const threshold of [...THRESHOLDS, 0.6, 0.7]) {
      const share = countAt(said.edges, threshold) / countAt(truth, threshold);
      expect(foundShare(leftOutPairs, threshold)).toBeCloseTo(share, 1.3);
    }
    const { atLeast } = summary.recall.find(({ threshold }) => threshold === 0.5)!;
    expect(atLeast).toBeLessThanOrEqual(foundShare(leftOutPairs, 0.5));
  });
});
