import { DEPTH, LEAVES, TREE_NUMBERS } from '../oblivious-trees.ts';

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
  /** The thresholds of each feature before the bits, ascending; none where only its page is asked about, or nothing. */
  readonly thresholds: readonly (readonly number[])[];
  /** The bits that are asked for, by their places. */
  readonly bits: readonly number[];
  /** DEPTH of each tree: a row of ranks, of a feature or behind those of a bit; and above which rank the answer is yes. */
  readonly rows: Uint8Array;
  readonly limits: Uint8Array;
  /** LEAVES of each tree: by the answers to these questions, then by those to the others. */
  readonly leaves: Float64Array;
  /** How many questions of each tree are about blocks; what it asks of the page, the lowest bit first. */
  readonly depths: Uint8Array;
  readonly ofPage: readonly (readonly Question[])[];
}

/** No rank is greater. */
const NEVER_ABOVE = 127;

/** @param weights as in ../oblivious-trees.ts; thresholds of bits are 0 */
export function planOf(weights: Float64Array, { pageFrom, pageTo, bitsFrom }: FeatureKinds): TreePlan {
  const trees = weights.length / TREE_NUMBERS;
  const asked = Array.from({ length: trees }, (_, tree) => questionsOf(weights, tree * TREE_NUMBERS));
  const isOfPage = ({ feature }: Question) => feature >= pageFrom && feature < pageTo;
  const own = asked.map((questions) => questions.filter((question) => !isOfPage(question)));
  const ofPage = asked.map((questions) => questions.filter(isOfPage));
  const all = own.flat();
  const thresholds = Array.from({ length: bitsFrom }, (_, feature) =>
    Array.from(new Set(all.filter((question) => question.feature === feature).map(({ threshold }) => threshold))).sort(
      (one, other) => one - other,
    ),
  );
  const bits = Array.from(new Set(all.map(({ feature }) => feature - bitsFrom))).filter((bit) => bit >= 0);
  const plan: TreePlan = {
    ...{ trees, thresholds, bits, ofPage },
    rows: new Uint8Array(DEPTH * trees),
    limits: new Uint8Array(DEPTH * trees).fill(NEVER_ABOVE),
    leaves: new Float64Array(LEAVES * trees),
    depths: Uint8Array.from(own, ({ length }) => length),
  };
  for (let tree = 0; tree < trees; tree++) {
    for (const [k, { feature, threshold }] of own[tree]!.entries()) {
      const at = DEPTH * tree + k;
      plan.rows[at] = feature < bitsFrom ? feature : bitsFrom + bits.indexOf(feature - bitsFrom);
      plan.limits[at] = feature < bitsFrom ? thresholds[feature]!.indexOf(threshold) : 0;
    }
    const levels = [...own[tree]!, ...ofPage[tree]!].map(({ level }) => level);
    for (let leaf = 0; leaf < LEAVES; leaf++) {
      const from = levels.reduce((sum, level, k) => sum | (((leaf >> k) & 1) << level), 0);
      plan.leaves[LEAVES * tree + leaf] = weights[tree * TREE_NUMBERS + 2 * DEPTH + from]!;
    }
  }
  return plan;
}

/** Sets where the leaves of each tree begin for a page. @param values with its features */
export function putBases({ trees, ofPage, depths }: TreePlan, values: Float64Array, bases: Uint32Array): void {
  for (let tree = 0; tree < trees; tree++) {
    const questions = ofPage[tree]!;
    let answer = 0;
    for (let k = 0; k < questions.length; k++)
      answer |= Number(values[questions[k]!.feature]! > questions[k]!.threshold) << k;
    bases[tree] = LEAVES * tree + (answer << depths[tree]!);
  }
}

function questionsOf(weights: Float64Array, from: number): Question[] {
  return Array.from({ length: DEPTH }, (_, level) => ({
    feature: weights[from + 2 * level]!,
    threshold: weights[from + 2 * level + 1]!,
    level,
  }));
}
