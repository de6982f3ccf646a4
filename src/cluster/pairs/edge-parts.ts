import type { Verified } from './pair-jobs.ts';
import { EDGE_BYTES } from './pair-memory.ts';

/** Pairs of nodes at the floor or above, in no order. */
export type FoundEdges = Verified;

/** Edges as threads find them. */
export class EdgeParts {
  count = 0;
  private readonly parts: { -readonly [K in keyof FoundEdges]: FoundEdges[K] }[] = [];

  get bytes(): number {
    return EDGE_BYTES * this.count;
  }

  /** @param part copied, since it may be a part of more memory */
  add({ a, b, shared, weight }: Verified): void {
    this.count += a.length;
    this.parts.push({ a: a.slice(), b: b.slice(), shared: shared.slice(), weight: weight.slice() });
  }

  /** One column of all edges, which is left here no longer. */
  take<K extends keyof FoundEdges>(name: K): FoundEdges[K] {
    const { parts } = this;
    const [only] = parts;
    const column = (name === 'weight' ? new Float64Array(this.count) : new Uint32Array(this.count)) as FoundEdges[K];
    const isOne = parts.length === 1;
    let at = 0;
    for (const part of isOne ? [] : parts) {
      column.set(part[name], at);
      at += part[name].length;
      part[name] = column.subarray(0, 0) as FoundEdges[K];
    }
    return isOne ? only![name] : column;
  }
}
