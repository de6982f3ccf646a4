import type { Likeness } from '../../core/cluster/pair-floor.ts';
import { entryStarts } from '../../core/cluster/shingle-lists.ts';
import { sharedWords } from '../corpus/shared-column.ts';
import type { SketchedCorpus } from '../corpus/sketched-corpus.ts';
import type { ClusterProgress } from '../port.ts';
import { orderPairs } from './order-pairs.ts';
import type { Counted, Grouped, Verified } from './pair-jobs.ts';
import type { PairThreads } from './pair-threads.ts';

/*
 * From the postings of a corpus to its edges (Broder 1997, §4.1):
 *
 *   postings ── group ─► lists of nodes ── enter, count ─► pairs that share enough ── verify ─► edges
 *               each thread a 256th         a thousand rows    by their records: some, family by family
 *               of the shingles
 */

export interface EdgeOptions {
  readonly by: Likeness;
  /** Pairs below it are no edges. */
  readonly floor: number;
  readonly threads: PairThreads;
  readonly signal?: AbortSignal;
  progress?(told: ClusterProgress): void;
}

/** Pairs of nodes at the floor or above, in no order. */
export type FoundEdges = Verified;

export interface EdgeCounts {
  /** Shingles of several nodes, of more than a thousand, and of one; postings of common ones. */
  readonly lists: number;
  readonly common: number;
  readonly commonPostings: number;
  readonly single: number;
  /** Steps of counting, and pairs that share a posting. */
  readonly increments: number;
  readonly pairs: number;
  /** Pairs compared by their records, and those at the floor or above. */
  readonly candidates: number;
  readonly edges: number;
}

export async function findEdges(
  corpus: SketchedCorpus,
  options: EdgeOptions,
): Promise<{ readonly edges: FoundEdges; readonly counts: EdgeCounts }> {
  const grouped = await group(corpus, options);
  const counted = await count(corpus, grouped, options);
  const edges = await verify(corpus, counted, options);
  const sum = <T>(parts: readonly T[], of: (part: T) => number) => parts.reduce((total, part) => total + of(part), 0);
  return {
    edges,
    counts: {
      lists: sum(grouped, ({ counts }) => counts.lists),
      common: sum(grouped, ({ counts }) => counts.common),
      commonPostings: sum(grouped, ({ counts }) => counts.commonPostings),
      single: sum(grouped, ({ counts }) => counts.single),
      increments: sum(counted, ({ increments }) => increments),
      pairs: sum(counted, ({ pairs }) => pairs),
      candidates: sum(counted, ({ a }) => a.length),
      edges: edges.a.length,
    },
  };
}

async function group({ postings, nodes }: SketchedCorpus, options: EdgeOptions): Promise<Grouped[]> {
  begin('lists', options);
  const next = ticket();
  return options.threads.all<'group'>(() => ({ kind: 'group', postings, nodes: nodes.count, next }));
}

async function count({ nodes }: SketchedCorpus, grouped: readonly Grouped[], options: EdgeOptions): Promise<Counted[]> {
  begin('pairs', options);
  const { by, floor, threads } = options;
  const commonOf = grouped.map(({ found }) => found.commonOf);
  const parts = await threads.all<'pivot'>((thread) => ({
    kind: 'pivot',
    ...{ found: grouped[thread]!.found, entries: grouped[thread]!.entries, commonOf, nodes },
  }));
  const entriesOf = parts.map(({ entries }) => entries);
  const starts = entryStarts(entriesOf, nodes.count);
  const entries = sharedWords(starts[nodes.count]!);
  await threads.all<'enter'>((thread) => ({
    kind: 'enter',
    ...{ lists: parts[thread]!.lists, starts, before: entriesOf.slice(0, thread), entries },
  }));
  const next = ticket();
  return threads.all<'count'>(() => ({ kind: 'count', parts, starts, entries, nodes, by, floor, next }));
}

async function verify(
  { nodes }: SketchedCorpus,
  counted: readonly Counted[],
  options: EdgeOptions,
): Promise<FoundEdges> {
  begin('records', options);
  const { by, floor, threads } = options;
  const { a, b, ends } = orderPairs(counted, nodes.count);
  const next = ticket();
  const found = await threads.all<'verify'>(() => ({ kind: 'verify', a, b, ends, nodes, by, floor, next }));
  const size = found.reduce((sum, part) => sum + part.a.length, 0);
  const edges = {
    ...{ a: new Uint32Array(size), b: new Uint32Array(size) },
    ...{ shared: new Uint32Array(size), weight: new Float64Array(size) },
  };
  let at = 0;
  for (const part of found) {
    for (const column of ['a', 'b', 'shared', 'weight'] as const) edges[column].set(part[column], at);
    at += part.a.length;
  }
  return edges;
}

function begin(phase: ClusterProgress['phase'], { signal, progress }: EdgeOptions): void {
  signal?.throwIfAborted();
  progress?.({ phase, done: 0, of: null });
}

const ticket = () => new Int32Array(new SharedArrayBuffer(4));
