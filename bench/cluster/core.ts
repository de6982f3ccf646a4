/*
 * What a graph of similar documents costs once its edges are known: order, forest, cuts, sweep, medoids, bridges, cover; ms, and
 * MiB that each step takes at the most beside what it is given.
 *
 *     npm run bench:cluster-core [-- --sizes 1000000x2000000,5000000x10000000 --rounds 3] [--json]
 *
 * Graphs are made up (test/support/cluster/made-graph.ts). Each round is a process of its own, so that code is as cold as it is
 * in a run. Peaks are those that Linux counts; elsewhere there are none.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bridgesOf, treesOf } from '../../src/core/cluster/bridges.ts';
import { KEPT, leaderCover } from '../../src/core/cluster/cover.ts';
import { cutForest } from '../../src/core/cluster/cut.ts';
import type { Edges } from '../../src/core/cluster/edges.ts';
import { medoidsOf } from '../../src/core/cluster/medoid.ts';
import { orderEdges } from '../../src/core/cluster/order-edges.ts';
import { spanningForest } from '../../src/core/cluster/spanning-forest.ts';
import { sweepForest } from '../../src/core/cluster/threshold-sweep.ts';
import { madeChain, madeGraph } from '../../test/support/cluster/made-graph.ts';
import { inOwnProcess } from '../support/measure.ts';
import { printRows, type Row, spreadOf } from '../support/table.ts';

/** Memory that is given back is no longer counted then. */
process.env['MALLOC_MMAP_THRESHOLD_'] = '1048576';
const CLEAR_REFS = '/proc/self/clear_refs';
const THRESHOLD = 0.8;
const THRESHOLDS = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 1];

interface Step {
  readonly name: string;
  readonly ms: number;
  readonly peakMiB: number | null;
  /** What came out, so that nothing is measured that was not done. */
  readonly found: number;
}

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000000x2000000,5000000x10000000' },
    rounds: { type: 'string', default: '3' },
    job: { type: 'string' },
    round: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
function rowsOf(size: string): Row[] {
  const job = { name: size, work: () => measureGraph(size), flags: ['--expose-gc'] };
  const script = fileURLToPath(import.meta.url);
  const rounds = Array.from({ length: Number(values.rounds) }, (_, round) => inOwnProcess<Step[]>(script, job, round));
  const [nodes, edges] = countsOf(size);
  const where = `${nodes.toLocaleString('en-US')} nodes, ${edges.toLocaleString('en-US')} edges`;
  return rounds[0]!.map(({ name, found }, i) => {
    const peaks = rounds.map((steps) => steps[i]!.peakMiB ?? Number.NaN);
    return {
      ...{
        row: `${i === 0 ? `${where}: ` : '… '}${name}`,
        ...spreadOf(rounds.map((steps) => steps[i]!.ms)),
        unit: 'ms',
      },
      note: `${Math.round(Math.max(...peaks))} MiB; ${found.toLocaleString('en-US')} found`,
    };
  });
}

function countsOf(size: string): [nodes: number, edges: number] {
  const [nodes = 0, edges = 0] = size.split('x').map(Number);
  return [nodes, edges];
}

function measureGraph(size: string): Step[] {
  const [nodes, edgeCount] = countsOf(size);
  const steps: Step[] = [];
  const step = <T>(name: string, work: () => T, foundIn: (result: T) => number): T => {
    const { result, ...took } = measured(work);
    steps.push({ name, ...took, found: foundIn(result) });
    return result;
  };
  const { documentsOf, edges } = madeGraph(nodes, edgeCount);
  step(
    'order of edges that all have one weight',
    () => orderEdges(oneWeight(edges)),
    ({ length }) => length,
  );
  const order = step(
    'order',
    () => orderEdges(edges),
    ({ length }) => length,
  );
  const sorted = picked(edges, order);
  const places = step(
    'forest',
    () => spanningForest(nodes, sorted),
    ({ length }) => length,
  );
  const forest = picked(sorted, places);
  const cut = step(
    'a cut at .8',
    () => cutForest(documentsOf, forest, THRESHOLD),
    ({ count }) => count,
  );
  step(
    'a cut at .3',
    () => cutForest(documentsOf, forest, 0.3),
    ({ count }) => count,
  );
  step(
    'a sweep of 10 thresholds',
    () => sweepForest(documentsOf, forest, THRESHOLDS),
    (rows) => rows[0]!.clusters,
  );
  step(
    'medoids at .8',
    () => medoidsOf(cut, sorted, THRESHOLD),
    ({ length }) => length,
  );
  const preferred = Uint32Array.from({ length: nodes }, (_, i) => nodes - 1 - i);
  step('cover at .8', () => leaderCover(preferred, sorted, THRESHOLD), removals);
  step('cover at .3', () => leaderCover(preferred, sorted, 0.3), removals);
  measureChain(nodes, step);
  return steps;
}

function measureChain(
  nodes: number,
  step: <T>(name: string, work: () => T, foundIn: (result: T) => number) => T,
): void {
  const { documentsOf, edges } = madeChain(nodes);
  const forest = picked(edges, orderEdges(edges));
  const cut = step(
    'a chain of all nodes: a cut',
    () => cutForest(documentsOf, forest, 0),
    ({ count }) => count,
  );
  const trees = step(
    'a chain: its tree',
    () => treesOf(cut, forest, 0),
    (all) => all.edges.length,
  );
  const tree = { forest, edges: trees.edges };
  step(
    'a chain: its 5 bridges',
    () => bridgesOf(cut, 0, documentsOf, tree, 5),
    ({ length }) => length,
  );
}

const removals = (edgeOf: Uint32Array) => edgeOf.reduce((sum, edge) => sum + Number(edge !== KEPT), 0);

const oneWeight = (edges: Edges): Edges => ({ ...edges, weight: new Float64Array(edges.count).fill(1) });

function picked({ a, b, weight }: Edges, at: Uint32Array): Edges {
  const count = at.length;
  const edges = { count, a: new Uint32Array(count), b: new Uint32Array(count), weight: new Float64Array(count) };
  for (let i = 0; i < count; i++) {
    edges.a[i] = a[at[i]!]!;
    edges.b[i] = b[at[i]!]!;
    edges.weight[i] = weight[at[i]!]!;
  }
  return edges;
}

function measured<T>(work: () => T) {
  // the second waits until what the first let go is given back
  globalThis.gc?.();
  globalThis.gc?.();
  const isCounted = existsSync(CLEAR_REFS);
  // the peak begins anew
  if (isCounted) writeFileSync(CLEAR_REFS, '5');
  const before = process.memoryUsage.rss();
  const startedAt = performance.now();
  const result = work();
  const ms = performance.now() - startedAt;
  return { result, ms, peakMiB: isCounted ? (peakBytes() - before) / 2 ** 20 : null };
}

const peakBytes = () => 1024 * Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))![1]);

if (values.job === undefined) printRows('clusters of a graph', values.sizes.split(',').flatMap(rowsOf));
else console.log(JSON.stringify(measureGraph(values.job)));
