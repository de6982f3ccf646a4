import type { Likeness } from '../../core/cluster/pair-floor.ts';
import { likeliestOverlap } from '../../core/compare/estimate.ts';
import type { OverlapEvidence } from '../../core/compare/evidence.ts';
import type { SampleOverlap } from '../../core/compare/sample-comparer.ts';
import { containmentOf, resemblanceOf } from '../../core/compare/shares.ts';
import { type NodeTable, SAMPLED_MODULI } from '../corpus/node-table.ts';

/** What is kept of the nodes to say how alike two are. */
export type NodeEvidence = Pick<NodeTable, 'shingleCounts' | 'recordLogs' | 'recordBits' | 'sampled'>;

/** The most likely |A ∩ B| of two nodes, whole: the one that a comparison of their documents gives. */
export function overlapOf({ shingleCounts }: NodeEvidence, a: number, b: number, overlap: SampleOverlap): number {
  return likeliestOverlap({
    ...overlap,
    ...{ shinglesA: shingleCounts[a]!, shinglesB: shingleCounts[b]!, equalSets: false },
  });
}

/** The same evidence from what is kept of nodes, where the number of shared values was. */
export function evidenceOf(nodes: NodeEvidence, a: number, b: number, shared: number): OverlapEvidence {
  const { shingleCounts, recordLogs, recordBits, sampled } = nodes;
  const log = Math.max(recordLogs[a]!, recordLogs[b]!);
  const sampledAt = (node: number) => sampled[SAMPLED_MODULI * node + log - recordLogs[node]!]!;
  const [modulus, sampledA] = [2 ** log, sampledAt(a)];
  return {
    ...{ modulus, sampledA, sampledB: sampledAt(b), shared, equalSets: false },
    ...{ shinglesA: shingleCounts[a]!, shinglesB: shingleCounts[b]! },
    falseChance: (sampledA * modulus) / 2 ** Math.min(recordBits[a]!, recordBits[b]!),
  };
}

/** How alike two nodes are that share so much: what they are joined by, 0..1. */
export function weightOf(overlap: number, nA: number, nB: number, by: Likeness): number {
  return by === 'resemblance' ? resemblanceOf(overlap, nA, nB) : containmentOf(overlap, Math.min(nA, nB));
}
