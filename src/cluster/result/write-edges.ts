import { join } from 'node:path';
import { orderEdges } from '../../core/cluster/order-edges.ts';
import { spanningForest } from '../../core/cluster/spanning-forest.ts';
import { ownDoubles, ownWords } from '../../core/memory/growing-column.ts';
import { chosenOf } from '../../core/memory/paged-column.ts';
import type { EdgeParts } from '../pairs/edge-parts.ts';
import { writeColumns } from './columns-file.ts';

/*
 * Edges in their order, and their forest, into the folder of a result.
 *
 *   a, b              put in order in memory: the forest goes by them
 *   shared, weight    put in order as they are written
 *
 * Memory: 28 bytes an edge, and 16 an edge of one weight's bucket while they are put in order (core/cluster/order-edges.ts).
 */

/** @param parts of which no edges are left @throws ShingledError `storage-full` */
export function writeEdges(folder: string, parts: EdgeParts, nodes: number) {
  const { count } = parts;
  const { a, b, seal } = writeOrdered(join(folder, 'edges'), parts);
  const edges = spanningForest(nodes, { count, a, b });
  return { forestEdges: edges.length, files: { edges: seal, forest: writeColumns(join(folder, 'forest'), { edges }) } };
}

/** What the forest does not need is gone when this ends. */
function writeOrdered(path: string, parts: EdgeParts) {
  const { count } = parts;
  const found = { a: parts.take('a'), b: parts.take('b'), weight: parts.take('weight') };
  const order = orderEdges({ count, ...found });
  const shared = parts.take('shared');
  const inOrder = (column: Uint32Array) => {
    const sorted = new Uint32Array(count);
    for (let i = 0; i < count; i++) sorted[i] = column[order[i]!]!;
    return sorted;
  };
  found.a = inOrder(found.a);
  found.b = inOrder(found.b);
  const seal = writeColumns(path, {
    ...found,
    shared: chosenOf(shared, order, ownWords),
    weight: chosenOf(found.weight, order, ownDoubles),
  });
  return { a: found.a, b: found.b, seal };
}
