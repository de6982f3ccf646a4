import { sharedDoubles, sharedWords } from '../../../core/memory/growing-column.ts';
import { fingerprintOfKey } from '../../../core/query/posted-key.ts';
import type { SpilledChunk } from '../../../spill/spilled-chunks.ts';
import { isPosted, type NodeTable, SAMPLED_MODULI } from '../../corpus/node-table.ts';

/*
 * Values of nodes that have no record, since they are posted whole, for pairs with nodes that are not:
 *
 *   places    0 0 4 0 9 …             of each node where its values end while they are found, then where they begin; 0 = none
 *   values    . | 17 3 40 | 8 … |     in no order
 *
 * Cost: a pass over all postings, some nanoseconds each; 4 bytes a node, 8 a value.
 */

/** Plain data, in memory that threads share. */
export interface RecoveredValues {
  readonly places: Uint32Array;
  readonly values: Float64Array;
}

/** Asks for values of nodes, each once. */
export class RecoveryPlan {
  readonly places: Uint32Array;
  private readonly nodes: NodeTable;
  private end = 1;

  constructor(nodes: NodeTable) {
    this.nodes = nodes;
    this.places = sharedWords(nodes.count);
  }

  /** Values that were asked for. */
  get size(): number {
    return this.end - 1;
  }

  /** Asks for those of a node, where it has no record. */
  add(node: number): void {
    if (this.places[node] !== 0 || !isPosted(this.nodes, node)) return;
    this.end += this.nodes.sampled[SAMPLED_MODULI * node]!;
    this.places[node] = this.end;
  }

  /** Memory for what was asked for. */
  memory(): RecoveredValues {
    return { places: this.places, values: sharedDoubles(this.end) };
  }

  /** Nothing is asked for. */
  clear(): void {
    this.places.fill(0);
    this.end = 1;
  }
}

/** Puts what was asked for of some postings to its place; other threads may do so with others. @param top of them all */
export function recover({ places, values }: RecoveredValues, { low, numbers }: SpilledChunk, top: number): void {
  const high = top * 2 ** 32;
  for (let i = 0; i < numbers.length; i++) {
    const node = numbers[i]!;
    if (places[node] !== 0) values[Atomics.sub(places, node, 1) - 1] = fingerprintOfKey(high + low[i]!);
  }
}

/** The values of a node that was asked for, ascending. @param count of them */
export function valuesOf({ places, values }: RecoveredValues, node: number, count: number): Float64Array {
  const from = places[node]!;
  return Float64Array.from(values.subarray(from, from + count)).sort();
}
