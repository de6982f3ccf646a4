import { join } from 'node:path';
import { orderEdges } from '../../core/cluster/order-edges.ts';
import { spanningForest } from '../../core/cluster/spanning-forest.ts';
import type { FoundEdges } from '../pairs/edge-parts.ts';
import { writeColumns } from './columns-file.ts';

/** Edges in their order, and their forest, into the folder of a result. @throws ShingledError `storage-full` */
export function writeEdges(folder: string, { a, b, shared, weight }: FoundEdges, nodes: number) {
  const count = a.length;
  const order = orderEdges({ count, a, b, weight });
  const inOrder = <T extends Uint32Array | Float64Array>(column: T, sorted: T): T => {
    for (let i = 0; i < count; i++) sorted[i] = column[order[i]!]!;
    return sorted;
  };
  const sorted = {
    ...{ a: inOrder(a, new Uint32Array(count)), b: inOrder(b, new Uint32Array(count)) },
    ...{ shared: inOrder(shared, new Uint32Array(count)), weight: inOrder(weight, new Float64Array(count)) },
  };
  const edges = spanningForest(nodes, { count, a: sorted.a, b: sorted.b, weight: sorted.weight });
  return {
    forestEdges: edges.length,
    files: {
      edges: writeColumns(join(folder, 'edges'), sorted),
      forest: writeColumns(join(folder, 'forest'), { edges }),
    },
  };
}
