import { exportsOf } from '../web-assembly.ts';
import { DEPTH } from './oblivious-trees.ts';
import { STRIDE, type TreePlan, type TreesMemory } from './tree-plan.ts';
import { TREES_BINARY } from './trees-binary.generated.ts';

/** So much has a place in assembly/trees.as.ts. */
const [COLUMNS_MAX, ROWS_MAX, THRESHOLDS_MAX, TREES_MAX] = [64, 112, 512, 256];

type Address = 'COUNTS' | 'BITS' | 'THRESHOLDS' | 'QUESTIONS' | 'BASES' | 'LEAVES' | 'SUMS' | 'INSIDE' | 'COLUMNS';

/** What assembly/trees.as.ts exports. */
interface Exports extends Readonly<Record<Address, { readonly value: number }>> {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly rank: (count: number, columns: number, bits: number) => void;
  readonly sum: (count: number, trees: number) => void;
}

/** The memory of WebAssembly for these trees; null where the runtime has none, or they are too many for it. */
export function createTreesMemory(plan: TreePlan): TreesMemory | null {
  const { trees, columns, bits, rows, limits, leaves } = plan;
  const thresholds = columns.flatMap((column) => column.thresholds);
  if (columns.length > COLUMNS_MAX || columns.length + bits.length > ROWS_MAX) return null;
  if (thresholds.length > THRESHOLDS_MAX || trees > TREES_MAX) return null;
  let exports: Exports;
  try {
    exports = exportsOf(TREES_BINARY) as Exports;
  } catch {
    return null;
  }
  const { buffer } = exports.memory;
  const bytesAt = (address: Address, length: number) => new Uint8Array(buffer, exports[address].value, length);
  const doublesAt = (address: Address, length: number) => new Float64Array(buffer, exports[address].value, length);
  bytesAt('COUNTS', columns.length).set(columns.map((column) => column.thresholds.length));
  bytesAt('BITS', bits.length).set(bits);
  doublesAt('THRESHOLDS', thresholds.length).set(thresholds);
  doublesAt('LEAVES', leaves.length).set(leaves);
  const questions = bytesAt('QUESTIONS', 2 * DEPTH * trees);
  for (let tree = 0; tree < trees; tree++) {
    questions.set(rows.subarray(DEPTH * tree, DEPTH * (tree + 1)), 2 * DEPTH * tree);
    questions.set(limits.subarray(DEPTH * tree, DEPTH * (tree + 1)), 2 * DEPTH * tree + DEPTH);
  }
  return {
    columns: doublesAt('COLUMNS', STRIDE * columns.length),
    inside: new Uint32Array(buffer, exports.INSIDE.value, STRIDE),
    bases: new Uint32Array(buffer, exports.BASES.value, trees),
    sums: doublesAt('SUMS', STRIDE),
    finish: (count) => {
      exports.rank(count, columns.length, bits.length);
      exports.sum(count, trees);
    },
  };
}
