import { join } from 'node:path';
import { bridgesOf, treesOf } from '../../core/cluster/bridges.ts';
import { type Cut, cutForest, NO_EDGE } from '../../core/cluster/cut.ts';
import type { Edges } from '../../core/cluster/edges.ts';
import { medoidsOf } from '../../core/cluster/medoid.ts';
import { type SweepRow, sweepForest } from '../../core/cluster/threshold-sweep.ts';
import { printShare, roundShare } from '../../core/compare/shares.ts';
import type { ShareInterval } from '../../core/content/own-shares.ts';
import { ShingledError } from '../../errors.ts';
import { sharesOfNodes } from '../pairs/evidence-of.ts';
import type { ClusterLine, ClusterLink, PairLine, PairShare, PairShares, RemovalLine } from './cluster-lines.ts';
import { type Keeping, orderOf, type Preference, removalsOf } from './removals.ts';
import { type Result, readResult } from './result-folder.ts';
import { UrlFile } from './url-file.ts';

/*
 * What a result says at a threshold: from its forest, so that any threshold costs a pass over that (core/cluster/cut.ts).
 *
 *   representative   the oldest document; of one time, or without dates, that with the shortest URL; then the first
 *   weakest          the link without which the cluster parts in two at a higher threshold, and documents on its sides
 *   medoid           the document that is most alike to all others of the cluster
 *   bridges          of a large cluster: links that hold large parts together, as chains of documents do that share little
 */

/** From so many documents on a cluster may be a chain: its bridges are told. */
const BRIDGES_LEAST = 100;
const BRIDGES_MAX = 5;

interface LineParts {
  readonly threshold: number;
  readonly medoid: number;
  /** Edges of the forest that are of the cluster. */
  readonly links: Uint32Array;
}

export interface RemovedDocument {
  readonly document: number;
  /** The one that stays for it. */
  readonly kept: number;
  readonly line: RemovalLine;
}

export class ClusterAnswers {
  readonly result: Result;
  readonly edges: Edges;
  /** Documents by node: those of node n are at starts[n] .. starts[n + 1] - 1. */
  readonly starts: Uint32Array;
  readonly byNode: Uint32Array;
  private readonly urls: UrlFile;
  readonly forest: Edges;
  private readonly documentsOf: Uint32Array;
  /** Whether a document comes before another one where the oldest represents. */
  readonly isOlder: (one: number, other: number) => boolean;

  private constructor(result: Result, urls: UrlFile) {
    this.result = result;
    this.urls = urls;
    this.isOlder = orderOf(result, 'oldest');
    this.edges = result.edges;
    this.forest = picked(this.edges, result.forest);
    const { nodes, count } = result.documents;
    this.documentsOf = new Uint32Array(result.nodes.count);
    for (let i = 0; i < count; i++) this.documentsOf[nodes[i]!]!++;
    // where those of each end while they are filled from behind, and then where they begin
    this.starts = new Uint32Array(result.nodes.count + 1);
    for (let node = 0, end = 0; node < result.nodes.count; node++) {
      end += this.documentsOf[node]!;
      this.starts[node] = end;
    }
    this.starts[result.nodes.count] = count;
    this.byNode = new Uint32Array(count);
    for (let i = count - 1; i >= 0; i--) this.byNode[--this.starts[nodes[i]!]!] = i;
  }

  /** @throws ShingledError `result-missing`, `result-damaged` */
  static open(folder: string): ClusterAnswers {
    const result = readResult(folder);
    const urls = new UrlFile(join(folder, 'urls'), result.documents.urlStarts, result.summary.files.urls);
    return new ClusterAnswers(result, urls);
  }

  urlOf(document: number): string {
    return this.urls.of(document);
  }

  close(): void {
    this.urls.close();
  }

  /** @throws ShingledError `invalid-request` for a threshold below the floor */
  sweep(thresholds: readonly number[]): SweepRow[] {
    for (const threshold of thresholds) this.checkThreshold(threshold);
    return sweepForest(this.documentsOf, this.forest, thresholds);
  }

  /** Clusters of two documents or more, the largest first. @throws ShingledError `invalid-request` */
  *clusters(threshold: number): Generator<ClusterLine, void, undefined> {
    this.checkThreshold(threshold);
    const cut = cutForest(this.documentsOf, this.forest, threshold);
    const medoids = medoidsOf(cut, this.edges, threshold);
    const trees = treesOf(cut, this.forest, threshold);
    for (let cluster = 0; cluster < cut.count; cluster++) {
      const links = trees.edges.subarray(trees.starts[cluster], trees.starts[cluster + 1]);
      yield this.lineOf(cut, cluster, { threshold, medoid: medoids[cluster]!, links });
    }
  }

  /** Pairs of different sets of shingles at the threshold, falling. @throws ShingledError `invalid-request` */
  *pairs(threshold: number): Generator<PairLine, void, undefined> {
    this.checkThreshold(threshold);
    const { a, b, weight, count } = this.edges;
    for (let i = 0; i < count && weight[i]! >= threshold; i++)
      yield this.pairOf(a[i]!, b[i]!, this.result.edges.shared[i]!);
  }

  /**
   * Documents that may go, in the order of the input: each is as alike to the one that stays for it, by itself.
   *
   * @throws ShingledError `invalid-request` for a threshold below the floor
   */
  *removals(threshold: number, prefer: Preference): Generator<RemovalLine, void, undefined> {
    const keeping = { prefer, fixedCount: 0, isFixedAlone: false };
    for (const { line } of this.removed(threshold, keeping)) yield line;
  }

  /** The same, with the numbers of both documents. @throws ShingledError `invalid-request` */
  *removed(threshold: number, keeping: Keeping): Generator<RemovedDocument, void, undefined> {
    this.checkThreshold(threshold);
    const { records, contents, nodes } = this.result.documents;
    for (const { document, kept, edge } of removalsOf(this, threshold, keeping)) {
      const isSameText = contents[document] === contents[kept];
      const shares =
        edge === null ? SAME : this.sharesOf(nodes[document]!, nodes[kept]!, this.result.edges.shared[edge]!);
      const line: RemovalLine = {
        ...{ url: this.urls.of(document), record: records[document]! },
        ...{ keptUrl: this.urls.of(kept), keptRecord: records[kept]! },
        reason: edge !== null ? 'near-copy' : isSameText ? 'same-text' : 'same-shingles',
        ...{ resemblance: shares.resemblance, inKept: shares.aInB, keptIn: shares.bInA },
      };
      yield { document, kept, line };
    }
  }

  private checkThreshold(threshold: number): void {
    const { floor } = this.result.summary;
    if (threshold >= floor && threshold <= 1) return;
    const detail = `The threshold ${threshold} is none of this result: it knows pairs from its floor, ${floor}, up to 1.`;
    throw new ShingledError('invalid-request', detail, { field: 'at', limit: { name: 'floor', value: floor } });
  }

  private lineOf(cut: Cut, cluster: number, { threshold, medoid, links }: LineParts): ClusterLine {
    const documents = this.documentsIn(cut.nodes.subarray(cut.starts[cluster], cut.starts[cluster + 1]));
    const { contents } = this.result.documents;
    const weakest = cut.weakest[cluster]!;
    const sides = [cut.sides[0][cluster]!, cut.sides[1][cluster]!] as const;
    const isLarge = documents.length >= BRIDGES_LEAST;
    const tree = { forest: this.forest, edges: links };
    const bridges = isLarge ? bridgesOf(cut, cluster, this.documentsOf, tree, BRIDGES_MAX) : [];
    return {
      ...{ threshold, documents: documents.length, texts: new Set(documents.map((one) => contents[one]!)).size },
      representative: this.urls.of(this.representativeOf(documents)),
      medoid: this.nameOf(medoid),
      weakest: weakest === NO_EDGE ? null : this.linkOf(weakest, sides),
      ...(isLarge ? { bridges: bridges.map((bridge) => this.linkOf(bridge.edge, bridge.sides)) } : {}),
      urls: documents.map((one) => this.urls.of(one)),
    };
  }

  private linkOf(edge: number, sides: readonly [number, number]): ClusterLink {
    const { a, b, weight } = this.forest;
    return { a: this.nameOf(a[edge]!), b: this.nameOf(b[edge]!), likeness: roundShare(weight[edge]!), sides };
  }

  nameOf(node: number): string {
    return this.urls.of(this.representativeOf(this.documentsIn(Uint32Array.of(node))));
  }

  /** In the order of the input. */
  private documentsIn(nodes: Uint32Array): number[] {
    const documents: number[] = [];
    for (const node of nodes) {
      for (let at = this.starts[node]!; at < this.starts[node + 1]!; at++) documents.push(this.byNode[at]!);
    }
    return documents.sort((a, b) => a - b);
  }

  private representativeOf(documents: readonly number[]): number {
    let best = documents[0]!;
    for (const one of documents) if (this.isOlder(one, best)) best = one;
    return best;
  }

  private pairOf(a: number, b: number, shared: number): PairLine {
    return { a: this.nameOf(a), b: this.nameOf(b), ...this.sharesOf(a, b, shared) };
  }

  private sharesOf(a: number, b: number, shared: number): PairShares {
    // the evidence counts by the smaller number first, as it was gathered
    if (a > b) {
      const { resemblance, aInB, bInA } = this.sharesOf(b, a, shared);
      return { resemblance, aInB: bInA, bInA: aInB };
    }
    const { resemblance, aInB, bInA } = sharesOfNodes(this.result.nodes, a, b, shared);
    const printed = ({ estimate, low, high }: ShareInterval) => {
      const { decision: _, ...share } = printShare(estimate, low, high, null);
      return share;
    };
    return { resemblance: printed(resemblance), aInB: printed(aInB), bInA: printed(bInA) };
  }
}

const WHOLE: PairShare = { estimate: 1, low: 1, high: 1 };
const SAME: PairShares = { resemblance: WHOLE, aInB: WHOLE, bInA: WHOLE };

function picked({ a, b, weight }: Edges, which: Uint32Array): Edges {
  return {
    ...{ count: which.length, a: which.map((edge) => a[edge]!), b: which.map((edge) => b[edge]!) },
    weight: Float64Array.from(which, (edge) => weight[edge]!),
  };
}
