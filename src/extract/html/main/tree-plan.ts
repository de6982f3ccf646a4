import { DEPTH, LEAVES, TREE_NUMBERS } from './oblivious-trees.ts';

/** Which features are the same for all blocks of a page, from..to-1, and from which on they are bits of one number. */
export interface FeatureKinds {
  readonly pageFrom: number;
  readonly pageTo: number;
  readonly bitsFrom: number;
}

/** What a tree asks. */
interface Question {
  readonly feature: number;
  readonly threshold: number;
  /** The bit of a leaf's number that the answer is. */
  readonly level: number;
}

/** Trees, made ready to be asked of many blocks of a page: page-trees.ts. */
export interface TreePlan {
  readonly trees: number;
  /** The features whose ranks are asked for, and the thresholds of each, ascending. */
  readonly columns: readonly { readonly feature: number; readonly thresholds: readonly number[] }[];
  /** The bits that are asked for, by their places. */
  readonly bits: readonly number[];
  /** DEPTH of each tree: a row of ranks, first those of columns, then those of bits; and above which rank the answer is yes. */
  readonly rows: Uint8Array;
  readonly limits: Uint8Array;
  /** LEAVES of each tree: by the answers to these questions, then by those to the others. */
  readonly leaves: Float64Array;
  /** How many questions of each tree are about blocks; what it asks of the page, the lowest bit first. */
  readonly depths: Uint8Array;
  readonly ofPage: readonly (readonly Question[])[];
}

/** Where blocks wait to be asked about, a column of STRIDE for each feature, and what turns them into sums. */
export interface TreesMemory {
  readonly columns: Float64Array;
  /** The bits of the elements around each block. */
  readonly inside: Uint32Array;
  /** Where the leaves of each tree begin. */
  readonly bases: Uint32Array;
  /** What all trees add to the score of each block, in log-odds. */
  readonly sums: Float64Array;
  /** Sets `sums` of the first blocks. */
  readonly finish: (count: number) => void;
}

/** Numbers of a column: assembly/trees.as.ts. */
export const STRIDE = 272;
/** No rank is greater. */
const NEVER_ABOVE = 127;

/** @param weights as in oblivious-trees.ts; thresholds of bits are 0 */
export function planOf(weights: Float64Array, { pageFrom, pageTo, bitsFrom }: FeatureKinds): TreePlan {
  const trees = weights.length / TREE_NUMBERS;
  const asked = Array.from({ length: trees }, (_, tree) => questionsOf(weights, tree * TREE_NUMBERS));
  const isOfPage = ({ feature }: Question) => feature >= pageFrom && feature < pageTo;
  const own = asked.map((questions) => questions.filter((question) => !isOfPage(question)));
  const ofPage = asked.map((questions) => questions.filter(isOfPage));
  const thresholds = new Map<number, Set<number>>();
  for (const { feature, threshold } of own.flat())
    thresholds.set(feature, (thresholds.get(feature) ?? new Set()).add(threshold));
  const columns = Array.from(thresholds)
    .filter(([feature]) => feature < bitsFrom)
    .map(([feature, all]) => ({ feature, thresholds: Array.from(all).sort((one, other) => one - other) }));
  const bits = Array.from(thresholds.keys(), (feature) => feature - bitsFrom).filter((bit) => bit >= 0);
  const plan: TreePlan = {
    ...{ trees, columns, bits, ofPage },
    rows: new Uint8Array(DEPTH * trees),
    limits: new Uint8Array(DEPTH * trees).fill(NEVER_ABOVE),
    leaves: new Float64Array(LEAVES * trees),
    depths: Uint8Array.from(own, ({ length }) => length),
  };
  for (let tree = 0; tree < trees; tree++) {
    for (const [k, { feature, threshold }] of own[tree]!.entries()) {
      const column = columns.findIndex((one) => one.feature === feature);
      plan.rows[DEPTH * tree + k] = column < 0 ? columns.length + bits.indexOf(feature - bitsFrom) : column;
      plan.limits[DEPTH * tree + k] = column < 0 ? 0 : columns[column]!.thresholds.indexOf(threshold);
    }
    const levels = [...own[tree]!, ...ofPage[tree]!].map(({ level }) => level);
    for (let leaf = 0; leaf < LEAVES; leaf++) {
      const from = levels.reduce((sum, level, k) => sum | (((leaf >> k) & 1) << level), 0);
      plan.leaves[LEAVES * tree + leaf] = weights[tree * TREE_NUMBERS + 2 * DEPTH + from]!;
    }
  }
  return plan;
}

function questionsOf(weights: Float64Array, from: number): Question[] {
  return Array.from({ length: DEPTH }, (_, level) => ({
    feature: weights[from + 2 * level]!,
    threshold: weights[from + 2 * level + 1]!,
    level,
  }));
}
