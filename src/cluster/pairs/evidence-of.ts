import type { Likeness } from '../../core/cluster/pair-floor.ts';
import { estimateOverlap, likeliestOverlap } from '../../core/compare/estimate.ts';
import type { OverlapEvidence } from '../../core/compare/evidence.ts';
import type { SampleOverlap } from '../../core/compare/sample-comparer.ts';
import { containmentOf, resemblanceOf } from '../../core/compare/shares.ts';
import {
  estimateOwnShares,
  likeliestOwnShares,
  type OwnEvidence,
  type OwnShares,
  type ShareInterval,
} from '../../core/content/own-shares.ts';
import { bitsOfRecord, type NodeTable, PART, PART_ESTIMATED, SAMPLED_MODULI } from '../corpus/node-table.ts';

/*
 * How alike two nodes are, by what their samples share. Of parts of texts the sizes may be estimates: then shares are those of
 * what was sampled (core/content/own-shares.ts).
 */

/** What is kept of the nodes to say how alike two are. */
export type NodeEvidence = Pick<NodeTable, 'shingleCounts' | 'recordLogs' | 'recordBits' | 'sampled'>;

/** What two nodes are joined by, 0..1: most likely so much, as a comparison of their documents says. */
export function weightOf(nodes: NodeEvidence, a: number, b: number, overlap: SampleOverlap, by: Likeness): number {
  const parts = partsOf(nodes, a, b, overlap);
  if (parts !== null) {
    const { resemblance, aInB, bInA } = likeliestOwnShares(parts);
    return by === 'resemblance' ? resemblance : Math.max(aInB, bInA);
  }
  const [shinglesA, shinglesB] = [nodes.shingleCounts[a]!, nodes.shingleCounts[b]!];
  const shared = likeliestOverlap({ ...overlap, shinglesA, shinglesB, equalSets: false });
  return weightOfOverlap(shared, shinglesA, shinglesB, by);
}

/** The likeness of two nodes that share exactly `overlap` shingles. */
export function weightOfOverlap(overlap: number, nA: number, nB: number, by: Likeness): number {
  return by === 'resemblance' ? resemblanceOf(overlap, nA, nB) : containmentOf(overlap, Math.min(nA, nB));
}

/** All shares, with their intervals. @param shared values, as they were counted with `a` below `b` */
export function sharesOfNodes(nodes: NodeEvidence, a: number, b: number, shared: number): OwnShares<ShareInterval> {
  const evidence = evidenceOf(nodes, a, b, shared);
  const parts = partsOf(nodes, a, b, evidence);
  if (parts !== null) return estimateOwnShares(parts);
  const { shinglesA: nA, shinglesB: nB } = evidence;
  const { estimate, low, high } = estimateOverlap(evidence);
  const share = (of: (overlap: number) => number) => ({ estimate: of(estimate), low: of(low), high: of(high) });
  return {
    resemblance: share((overlap) => resemblanceOf(overlap, nA, nB)),
    aInB: share((overlap) => containmentOf(overlap, nA)),
    bInA: share((overlap) => containmentOf(overlap, nB)),
  };
}

/** The evidence from what is kept of nodes, where the number of shared values was. */
export function evidenceOf(nodes: NodeEvidence, a: number, b: number, shared: number): OverlapEvidence {
  const { shingleCounts, recordLogs, recordBits, sampled } = nodes;
  const log = Math.max(recordLogs[a]!, recordLogs[b]!);
  const sampledAt = (node: number) => sampled[SAMPLED_MODULI * node + log - recordLogs[node]!]!;
  const [modulus, sampledA] = [2 ** log, sampledAt(a)];
  const bits = Math.min(bitsOfRecord(recordBits[a]!), bitsOfRecord(recordBits[b]!));
  return {
    ...{ modulus, sampledA, sampledB: sampledAt(b), shared, equalSets: false },
    ...{ shinglesA: shingleCounts[a]!, shinglesB: shingleCounts[b]! },
    falseDensity: (sampledA * modulus) / 2 ** bits,
  };
}

/** null where both nodes are whole texts. */
function partsOf({ shingleCounts, recordBits }: NodeEvidence, a: number, b: number, counts: SampleOverlap) {
  const [markedA, markedB] = [recordBits[a]!, recordBits[b]!];
  if (((markedA | markedB) & PART) === 0) return null;
  const partOf = (node: number, marked: number) => ({
    ...{ shingleCount: shingleCounts[node]!, isExact: (marked & PART_ESTIMATED) === 0 },
  });
  return { a: partOf(a, markedA), b: partOf(b, markedB), counts, isSame: false } satisfies OwnEvidence;
}
