import type { Likeness } from '../../core/cluster/pair-floor.ts';
import type { SampleOverlap } from '../../core/compare/sample-comparer.ts';
import { GrowingColumn, sharedDoubles, sharedWords } from '../../core/memory/growing-column.ts';
import { type NodeEvidence, weightOf, weightOfOverlap } from './evidence-of.ts';
import type { Verified } from './pair-jobs.ts';

/** Pairs that a thread finds at the floor or above. */
export class FoundPairs {
  private readonly nodes: NodeEvidence;
  private readonly by: Likeness;
  private readonly floor: number;
  private readonly a = new GrowingColumn(sharedWords);
  private readonly b = new GrowingColumn(sharedWords);
  private readonly shared = new GrowingColumn(sharedWords);
  private readonly weight = new GrowingColumn(sharedDoubles);

  constructor(nodes: NodeEvidence, by: Likeness, floor: number) {
    this.nodes = nodes;
    this.by = by;
    this.floor = floor;
  }

  get size(): number {
    return this.a.size;
  }

  get found(): Verified {
    const { a, b, shared, weight } = this;
    return { a: a.values, b: b.values, shared: shared.values, weight: weight.values };
  }

  /** Adds a pair, unless it is below the floor. */
  add(a: number, b: number, overlap: SampleOverlap): void {
    this.addWeighed(a, b, overlap.shared, weightOf(this.nodes, a, b, overlap, this.by));
  }

  /** The same of two nodes of which all is known, so that what they share is their overlap. */
  addWhole(a: number, b: number, shared: number): void {
    const { shingleCounts } = this.nodes;
    this.addWeighed(a, b, shared, weightOfOverlap(shared, shingleCounts[a]!, shingleCounts[b]!, this.by));
  }

  private addWeighed(a: number, b: number, shared: number, weight: number): void {
    if (weight < this.floor) return;
    this.a.push(a);
    this.b.push(b);
    this.shared.push(shared);
    this.weight.push(weight);
  }
}
