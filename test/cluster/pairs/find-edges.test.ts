import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { CorpusWriter } from '../../../src/cluster/corpus/sketched-corpus.ts';
import { readSketched, writeSketched } from '../../../src/cluster/corpus/sketched-state.ts';
import type { EdgeParts } from '../../../src/cluster/pairs/edge-parts.ts';
import { evidenceOf, sharesOfNodes } from '../../../src/cluster/pairs/evidence-of.ts';
import { findEdges } from '../../../src/cluster/pairs/find-edges.ts';
import type { PairCorpus } from '../../../src/cluster/pairs/pair-jobs.ts';
import { PairThreads } from '../../../src/cluster/pairs/pair-threads.ts';
import type { CorpusContent } from '../../../src/cluster/port.ts';
import { isCandidate, type Likeness } from '../../../src/core/cluster/pair-floor.ts';
import { likeliestOverlap } from '../../../src/core/compare/estimate.ts';
import { compareSamples } from '../../../src/core/compare/sample-comparer.ts';
import { containmentOf, resemblanceOf } from '../../../src/core/compare/shares.ts';
import { estimateOwnShares, likeliestOwnShares } from '../../../src/core/content/own-shares.ts';
import { POSTED_BITS } from '../../../src/core/query/posted-key.ts';
import { coarsen } from '../../../src/core/sketch/modulus.ts';
import { exactSample, wholeSample } from '../../../src/core/sketch/narrow.ts';
import { setContent } from '../../support/cluster/set-corpus.ts';
import { createPrng } from '../../support/prng.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

const FLOOR = 0.25;

/** Documents in families: each takes some of its family's shingles, and others of its own. */
function corpusOf(count: number, shinglesMax: number, seed: number): CorpusContent[] {
  const prng = createPrng(seed);
  const random = (below: number) => Math.floor(prng.next() * below);
  const fresh = () => random(2 ** 20) * 2 ** 20 + random(2 ** 20);
  const families = Array.from({ length: Math.ceil(count / 8) }, () =>
    Array.from({ length: 2 + random(shinglesMax) }, fresh),
  );
  return Array.from({ length: count }, () => {
    const family = families[random(families.length)]!;
    const share = random(4) === 0 ? 1 : prng.next();
    const own = Array.from({ length: random(family.length) }, fresh);
    const all = new Set([...family.filter(() => prng.next() < share), ...own.slice(random(own.length + 1)), fresh()]);
    return setContent(share === 1 && random(3) > 0 ? new Set(family) : all);
  });
}

async function sketch(documents: readonly CorpusContent[], by: Likeness): Promise<PairCorpus> {
  const folder = temporaryFolder();
  const writer = await CorpusWriter.create({ folder, urlsPath: join(folder, 'urls'), by });
  for (const [record, content] of writer.contents(documents).entries()) {
    writer.document({ content, url: `https://a.example/${record}`, date: null, record });
  }
  await writer.room();
  const subject = { fingerprint: '', by };
  writeSketched(folder, subject, await writer.seal(), { records: documents.length, leftOut: {} });
  return readSketched(folder, subject)!;
}

/** All pairs of nodes at the floor, by their records. */
function bruteForce(documents: readonly CorpusContent[], corpus: PairCorpus, by: Likeness): Map<string, number> {
  // in the order in which they came
  const byNode = [...new Map(documents.map((document) => [document.shingleDigest, document])).values()];
  const found = new Map<string, number>();
  for (let a = 0; a < corpus.nodes.count; a++) {
    for (let b = a + 1; b < corpus.nodes.count; b++) {
      const [one, other] = [byNode[a]!, byNode[b]!];
      const sizes = { shinglesA: one.shingleCount, shinglesB: other.shingleCount };
      const overlap = likeliestOverlap({ ...compareSamples(one.sample, other.sample), ...sizes, equalSets: false });
      const least = Math.min(one.shingleCount, other.shingleCount);
      const resemblance = resemblanceOf(overlap, one.shingleCount, other.shingleCount);
      const weight = by === 'resemblance' ? resemblance : containmentOf(overlap, least);
      if (weight >= FLOOR) found.set(`${a} ${b}`, weight);
    }
  }
  return found;
}

/** What edges say, each with its weight, and what is kept of nodes and edges says the same. */
function weightsOf(corpus: PairCorpus, parts: EdgeParts, by: Likeness): Map<string, number> {
  const [a, b, shared, weight] = [parts.take('a'), parts.take('b'), parts.take('shared'), parts.take('weight')];
  const edges = { a, b, shared, weight };
  for (const [i, one] of edges.a.entries()) {
    const evidence = evidenceOf(corpus.nodes, one, edges.b[i]!, edges.shared[i]!);
    const overlap = likeliestOverlap(evidence);
    const { shinglesA, shinglesB } = evidence;
    const weight =
      by === 'resemblance'
        ? resemblanceOf(overlap, shinglesA, shinglesB)
        : containmentOf(overlap, Math.min(shinglesA, shinglesB));
    expect(weight).toBe(edges.weight[i]!);
  }
  return new Map(Array.from(edges.a, (one, i) => [`${one} ${edges.b[i]}`, edges.weight[i]!]));
}

it('edges of texts that share common shingles weigh what all their shingles say', async () => {
  const prng = createPrng(5);
  const frames = Array.from({ length: 2 }, () => Array.from({ length: 8 }, () => prng.fingerprint()));
  const bases = Array.from({ length: 12 }, () => Array.from({ length: 30 }, () => prng.fingerprint()));
  const documents = Array.from({ length: 260 }, () => {
    const own = bases[prng.below(12)]!.filter(() => prng.next() < 0.7);
    return setContent(new Set([...frames.flat().filter(() => prng.next() < 0.95), ...own, prng.fingerprint()]));
  });
  const corpus = await sketch(documents, 'resemblance');
  const threads = new PairThreads(2);
  onTestFinished(() => threads.close());
  const { edges, counts } = await findEdges(corpus, {
    ...{ by: 'resemblance', floor: FLOOR, threads, bounds: { listMax: 200 } },
  });
  expect(counts.common).toBe(16);
  const expected = bruteForce(documents, corpus, 'resemblance');
  const found = weightsOf(corpus, edges, 'resemblance');
  for (const [pair, weight] of found) expect(weight, pair).toBe(expected.get(pair));
  expect(found.size).toBe(expected.size);
  expect(found.size).toBeGreaterThan(5000);
});

/** Parts of texts, as they are left of records: known at a modulus at which a text of their size would not be. */
function partsOf(count: number, seed: number): CorpusContent[] {
  const prng = createPrng(seed);
  return corpusOf(count, 300, seed).map((content, i) => {
    const modulus = 2 ** prng.below(3);
    const exact = coarsen(exactSample(content.sample), modulus).fingerprints;
    // as much of them as all samples have
    const fingerprints = exact.map((value) => value % 2 ** POSTED_BITS).sort();
    const sample = wholeSample({ modulus: Math.max(modulus, content.sample.exactModulus), fingerprints });
    const isEstimated = sample.modulus > 1;
    const shingleCount = isEstimated ? Math.max(1, fingerprints.length * sample.modulus) : content.shingleCount;
    const digest = i.toString(16).padStart(32, '0');
    const part = isEstimated ? 'estimated' : 'counted';
    return { ...content, lexicalDigest: digest, shingleDigest: digest, shingleCount, sample, part };
  });
}

it.each(['resemblance', 'containment'] as const)(
  'edges of parts of texts weigh what own contents do: %s',
  async (by) => {
    const documents = partsOf(250, 19);
    const corpus = await sketch(documents, by);
    expect(corpus.nodes.thin?.unitsLeast).toBeLessThan(20);
    const threads = new PairThreads(1);
    onTestFinished(() => threads.close());
    const { edges } = await findEdges(corpus, { by, floor: FLOOR, threads });
    const [a, b, shared, weight] = [edges.take('a'), edges.take('b'), edges.take('shared'), edges.take('weight')];
    const found = new Map(Array.from(a, (one, i) => [`${one} ${b[i]}`, { shared: shared[i]!, weight: weight[i]! }]));
    let [checked, missed] = [0, 0];
    for (let i = 0; i < documents.length; i++) {
      for (let j = i + 1; j < documents.length; j++) {
        const [one, other] = [documents[i]!, documents[j]!];
        const ownOf = ({ shingleCount, part }: CorpusContent) => ({ shingleCount, isExact: part === 'counted' });
        const counts = compareSamples(one.sample, other.sample);
        const evidence = { a: ownOf(one), b: ownOf(other), counts, isSame: false };
        const { resemblance, aInB, bInA } = likeliestOwnShares(evidence);
        const likeness = by === 'resemblance' ? resemblance : Math.max(aInB, bInA);
        const edge = found.get(`${i} ${j}`);
        if (likeness < FLOOR) {
          expect(edge).toBeUndefined();
          continue;
        }
        // all of these samples are posted, unless n asks for less
        const modulus = 2 ** Math.max(corpus.nodes.postedLogs[i]!, corpus.nodes.postedLogs[j]!);
        const posted = compareSamples(one.sample, { ...other.sample, ...coarsenedTo(other, modulus) }).shared;
        if (edge === undefined) {
          expect(
            isCandidate(posted, modulus, one.shingleCount, other.shingleCount, { by, floor: FLOOR, isThin: false }),
          ).toBe(false);
          missed++;
          continue;
        }
        checked++;
        expect(edge.weight).toBe(likeness);
        expect(sharesOfNodes(corpus.nodes, i, j, edge.shared)).toEqual(estimateOwnShares(evidence));
      }
    }
    expect(checked).toBeGreaterThan(200);
    expect(missed).toBeLessThan(checked / 4);
  },
);

function coarsenedTo({ sample }: CorpusContent, modulus: number) {
  const coarse = coarsen({ modulus: sample.modulus, fingerprints: sample.values }, modulus);
  return { modulus: coarse.modulus, values: coarse.fingerprints };
}

it.each([
  ['short ones, of which everything is posted', 300, 60, 1, 1],
  ['longer ones, of which a part is', 200, 900, 1, 0.97],
  ['short ones beside longer ones', 300, 120, 2, 0.97],
  ['by two threads', 300, 60, 2, 1],
] as const)('edges are those of all pairs: %s', async (_what, count, shinglesMax, threadCount, least) => {
  const threads = new PairThreads(threadCount);
  onTestFinished(() => threads.close());
  for (const by of ['resemblance', 'containment'] as const) {
    const documents = corpusOf(count, shinglesMax, 7);
    const corpus = await sketch(documents, by);
    const { edges: parts, counts } = await findEdges(corpus, { by, floor: FLOOR, threads });
    const expected = bruteForce(documents, corpus, by);
    const found = weightsOf(corpus, parts, by);
    expect(found.size).toBe(counts.edges);
    for (const [pair, weight] of found) expect(weight, pair).toBe(expected.get(pair));
    expect(expected.size).toBeGreaterThan(100);
    expect(found.size).toBeGreaterThanOrEqual(Math.floor(least * expected.size));
  }
});
