import type { Verified } from './pair-jobs.ts';
import { EDGE_BYTES } from './pair-memory.ts';

/** Pairs of nodes at the floor or above, in no order. */
export type FoundEdges = Verified;

/** Edges as threads find them. */
export class EdgeParts {
  count = 0;
  private parts: Verified[] = [];

  get bytes(): number {
    return EDGE_BYTES * this.count;
  }

  /** @param part copied, since it may be a part of more memory */
  add({ a, b, shared, weight }: Verified): void {
    this.count += a.length;
    this.parts.push({ a: a.slice(), b: b.slice(), shared: shared.slice(), weight: weight.slice() });
  }

  /** All of them; none are left here. */
  flat(): FoundEdges {
    const { count, parts } = this;
    this.parts = [];
    const [only] = parts;
    if (parts.length === 1) return only!;
    const edges = {
      ...{ a: new Uint32Array(count), b: new Uint32Array(count) },
      ...{ shared: new Uint32Array(count), weight: new Float64Array(count) },
    };
    let at = 0;
    for (const part of parts) {
      for (const column of ['a', 'b', 'shared', 'weight'] as const) edges[column].set(part[column], at);
      at += part.a.length;
    }
    return edges;
  }
}
