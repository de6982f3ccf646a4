import type { Edges } from '../../../src/core/cluster/edges.ts';

/** Of each node the least node that it hangs together with by edges of at least the threshold. */
export function componentsOf(nodes: number, { count, a, b, weight }: Edges, threshold: number): number[] {
  const least = Array.from({ length: nodes }, (_, node) => node);
  for (let isNew = true; isNew; ) {
    isNew = false;
    for (let i = 0; i < count; i++) {
      if (weight[i]! < threshold) continue;
      const to = Math.min(least[a[i]!]!, least[b[i]!]!);
      for (const node of [a[i]!, b[i]!]) {
        if (least[node] === to) continue;
        least[node] = to;
        isNew = true;
      }
    }
  }
  return least;
}

/** Edges of which those at these places are left out. */
export function without({ count, a, b, weight }: Edges, left: (edge: number) => boolean): Edges {
  const kept = Array.from({ length: count }, (_, i) => i).filter((i) => !left(i));
  return {
    count: kept.length,
    a: Uint32Array.from(kept, (i) => a[i]!),
    b: Uint32Array.from(kept, (i) => b[i]!),
    weight: Float64Array.from(kept, (i) => weight[i]!),
  };
}
