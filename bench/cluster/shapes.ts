/*
 * Families whose shingles are common, against their exact truth: all pairs by all shingles.
 *
 *     npm run bench:cluster-shapes [-- --documents 3000 --at .25,.4,.5,.8 --shapes copies,frame --floor .25 --by containment --json]
 *     npm run bench:cluster-shapes -- --input pages.ndjson --floor .7 --at .8
 *
 * made-shapes.ts says what the shapes are: each is of so many documents that its shingles are in more than a thousand of them.
 *
 * Of each threshold: true pairs; which of them were found, and were told to be; pairs that hang together; what stays where the
 * first of two does, for what a leader cover of all true pairs keeps; and pairs of those that stay which should not.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { clusterCorpus } from '../../src/cluster/cluster-corpus.ts';
import { defaultMemoryBytes } from '../../src/cluster/machine-memory.ts';
import type { Corpus } from '../../src/cluster/port.ts';
import { ClusterAnswers } from '../../src/cluster/result/cluster-answers.ts';
import type { ResultSummary } from '../../src/cluster/result/result-folder.ts';
import { corpusOfFiles } from '../../src/commands/corpus-of-files.ts';
import { createIngestSources } from '../../src/commands/ingest-sources.ts';
import { readConfig } from '../../src/config.ts';
import { foundShare } from '../../src/core/cluster/common/left-out.ts';
import { KEPT, leaderCover } from '../../src/core/cluster/cover.ts';
import type { Edges } from '../../src/core/cluster/edges.ts';
import { orderEdges } from '../../src/core/cluster/order-edges.ts';
import { type Likeness, recallAt } from '../../src/core/cluster/pair-floor.ts';
import { UnionFind } from '../../src/core/cluster/union-find.ts';
import { GrowingColumn, ownDoubles, ownWords } from '../../src/core/memory/growing-column.ts';
import { NARROW_BITS_MIN } from '../../src/core/sketch/narrow.ts';
import { createPrng } from '../../test/support/prng.ts';
import { SHAPES } from './made-shapes.ts';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '3000' },
    at: { type: 'string', default: '.25,.4,.5,.8' },
    shapes: { type: 'string', default: 'copies,frame,frames,chain,stars,crossed,dates' },
    floor: { type: 'string', default: '.25' },
    by: { type: 'string', default: 'resemblance' },
    input: { type: 'string' },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
  },
});
const [floor, seed] = [Number(values.floor), Number(values.seed)];
const by = values.by as Likeness;
const thresholds = values.at.split(',').map(Number);

/** All shingles of each node, in the order in which they came. */
interface Sets {
  readonly sets: Float64Array[];
}

/** A corpus of which all is kept aside that is read. */
function watched(corpus: Corpus, { sets }: Sets): Corpus {
  const known = new Set<string>();
  return {
    ...corpus,
    readInto: (sink, told, signal) => {
      const room = () => sink.room();
      const document: typeof sink.document = (one) => sink.document(one);
      const contents: typeof sink.contents = (some) => {
        for (const { shingleDigest, sample } of some) {
          if (known.has(shingleDigest)) continue;
          known.add(shingleDigest);
          if (sample.modulus !== 1) throw new Error('Of a text not all shingles are kept.');
          // as many bits as all have: of 1,000 shingles two sets share .004 more than they do
          sets.push(Float64Array.from(new Set(sample.values.map((value) => value % 2 ** NARROW_BITS_MIN))));
        }
        return sink.contents(some);
      };
      return corpus.readInto({ room, document, contents }, told, signal);
    },
  };
}

/** All pairs at the floor, falling, by counting. */
function truthOf({ sets }: Sets): Edges {
  const count = sets.reduce((sum, { length }) => sum + length, 0);
  const postings = new BigUint64Array(count);
  let at = 0;
  for (const [node, set] of sets.entries()) for (const one of set) postings[at++] = (BigInt(one) << 24n) | BigInt(node);
  postings.sort();
  // of each node the places of its postings
  const nodes = Uint32Array.from(postings, (posting) => Number(posting & 0xffffffn));
  const isLast = new Uint8Array(count);
  for (let i = 0; i < count; i++)
    isLast[i] = Number(i + 1 === count || postings[i]! >> 24n !== postings[i + 1]! >> 24n);
  const starts = new Uint32Array(sets.length + 1);
  for (const node of nodes) starts[node + 1]!++;
  for (let node = 0; node < sets.length; node++) starts[node + 1]! += starts[node]!;
  const next = starts.slice();
  const places = new Uint32Array(count);
  for (let i = 0; i < count; i++) places[next[nodes[i]!]!++] = i;
  const [as, bs, weights] = [new GrowingColumn(ownWords), new GrowingColumn(ownWords), new GrowingColumn(ownDoubles)];
  const shared = new Uint32Array(sets.length);
  for (let a = 0; a < sets.length; a++) {
    for (let at = starts[a]!; at < starts[a + 1]!; at++) {
      for (let i = places[at]!; isLast[i] === 0; ) shared[nodes[++i]!]!++;
    }
    for (let b = a + 1; b < sets.length; b++) {
      const both = shared[b]!;
      if (both === 0) continue;
      shared[b] = 0;
      const [nA, nB] = [sets[a]!.length, sets[b]!.length];
      const weight = by === 'resemblance' ? both / (nA + nB - both) : both / Math.min(nA, nB);
      if (weight < floor) continue;
      as.push(a);
      bs.push(b);
      weights.push(weight);
    }
  }
  const edges = { count: as.size, a: as.values, b: bs.values, weight: weights.values };
  const order = orderEdges(edges);
  return {
    ...{ count: edges.count, a: order.map((i) => edges.a[i]!), b: order.map((i) => edges.b[i]!) },
    weight: Float64Array.from(order, (i) => edges.weight[i]!),
  };
}

const countAt = ({ weight, count }: Edges, threshold: number) => {
  let end = 0;
  while (end < count && weight[end]! >= threshold) end++;
  return end;
};

function pairsTogether(edges: Edges, nodes: number, threshold: number): { together: number; rootOf: number[] } {
  const trees = new UnionFind(nodes);
  for (let i = 0, end = countAt(edges, threshold); i < end; i++) {
    const [one, other] = [trees.find(edges.a[i]!), trees.find(edges.b[i]!)];
    if (one !== other) trees.join(one, other);
  }
  const rootOf = Array.from({ length: nodes }, (_, node) => trees.find(node));
  let together = 0;
  for (const root of new Set(rootOf)) together += (trees.sizeOf(root) * (trees.sizeOf(root) - 1)) / 2;
  return { together, rootOf };
}

function measured(summary: ResultSummary, found: Edges, truth: Edges, nodes: number) {
  const order = Uint32Array.from({ length: nodes }, (_, node) => node);
  return thresholds.map((threshold) => {
    const [told, real] = [countAt(found, threshold), countAt(truth, threshold)];
    const stated = recallAt(threshold, by, floor) * foundShare(summary.leftOutPairs, threshold);
    const [all, some] = [pairsTogether(truth, nodes, threshold), pairsTogether(found, nodes, threshold)];
    const cover = leaderCover(order, truth, threshold);
    const kept = leaderCover(order, found, threshold);
    const keptOf = (edgeOf: Uint32Array) => edgeOf.reduce((count, edge) => count + Number(edge === KEPT), 0);
    let left = 0;
    for (let i = 0; i < real; i++) if (kept[truth.a[i]!] === KEPT && kept[truth.b[i]!] === KEPT) left++;
    return {
      ...{ threshold, pairs: real, found: real === 0 ? 1 : told / real, stated },
      ...{ together: all.together === 0 ? 1 : some.together / all.together },
      ...{ kept: keptOf(kept), cover: keptOf(cover), left },
    };
  });
}

async function run(name: string, input: string, folder: string) {
  const { config } = readConfig({ DATA_DIR: join(folder, 'none') });
  const sources = createIngestSources(config, (async function* () {})());
  const fields = {
    ...{ url: null, text: null, html: null, date: null, meta: [], urlPrefix: null, format: null },
    ...{ include: [], exclude: [], gitignore: false },
  };
  const out = join(folder, `result-${name}`);
  const inputs = await sources.find([input]);
  const secret = Uint8Array.from({ length: 32 }, (_, i) => (i * 7 + seed) & 255);
  const marks = await sources.marksOf(inputs, fields);
  const corpus = corpusOfFiles(config, secret, { sources, inputs, fields, marks });
  const sets: Sets = { sets: [] };
  const cpu = process.cpuUsage();
  const options = { folder: out, by, floor, memoryBytes: defaultMemoryBytes(), now: Date.now };
  const summary = await clusterCorpus(watched(corpus, sets), options);
  const { user, system } = process.cpuUsage(cpu);
  await sources.close();
  const answers = ClusterAnswers.open(out);
  const rows = measured(summary, answers.edges, truthOf(sets), sets.sets.length);
  answers.close();
  const { counts, leftOutPairs } = summary;
  const left = leftOutPairs === undefined ? '' : `; of ${leftOutPairs.nodes} not all pairs were looked at`;
  const note = `${(counts.increments / counts.nodes).toFixed(0)} steps a node, ${counts.candidates} compared, ${((user + system) / 1e6).toFixed(1)} s of CPU${left}`;
  return { name, nodes: counts.nodes, note, rows };
}

const folder = mkdtempSync(join(tmpdir(), 'shingled-shapes-'));
const results = [];
try {
  const names = values.input === undefined ? values.shapes.split(',') : ['input'];
  for (const name of names) {
    let input = values.input;
    if (input === undefined) {
      const texts = SHAPES[name]!(createPrng(seed), Number(values.documents));
      input = join(folder, `${name}.ndjson`);
      const line = (words: string[], i: number) =>
        JSON.stringify({ op: 'put', url: `https://a.example/${i}`, text: words.join(' ') });
      writeFileSync(input, `${texts.map(line).join('\n')}\n`);
    }
    const result = await run(name, input, folder);
    results.push(result);
    if (values.json) continue;
    console.log(`${result.name}: ${result.nodes} nodes, ${result.note}`);
    for (const { threshold, pairs, found, stated, together, kept, cover, left } of result.rows) {
      console.log(
        `  ${threshold}: ${pairs} pairs, found ${found.toFixed(4)}, stated ${stated.toFixed(4)}; together ${together.toFixed(4)}; kept ${kept} for ${cover}, ${left} pairs among them`,
      );
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (values.json) console.log(JSON.stringify(results, null, 2));
