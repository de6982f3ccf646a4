import { exportsOf } from '../../memory/web-assembly.ts';
import { BLOCKS_MAX, type BlockTable, type Columns, LEVELS } from '../block-table.ts';
import { DEPTH } from '../oblivious-trees.ts';
import { type BlockScores, ROLES, WORDS_TABLED } from './block-scores.ts';
import { CONTEXT_FEATURES, LONG_AT, PAGE_END, putPageFeatures } from './context-features.ts';
import { BLOCK_FEATURES } from './feature-places.ts';
import { likelihood } from './feature-worth.ts';
import { MODEL_BINARY } from './main-model-binary.generated.ts';
import { CONTEXT_AT, type MainScores, pageWorth, putFirstScores } from './second-scores.ts';
import { putBases, type TreePlan } from './tree-plan.ts';

/*
 * block-scores.ts and second-scores.ts in WebAssembly (assembly/main-model.as.ts). Memory that no page has needed so far takes
 * no room.
 */

/** So much has a place there. */
const [RANKS_MAX, THRESHOLDS_MAX, TREES_MAX] = [112, 512, 256];
/** What is added up of a page. */
const PAGE_SUMS = 5;

type Table =
  | 'COUNTS'
  | 'BITS'
  | 'THRESHOLDS'
  | 'QUESTIONS'
  | 'BASES'
  | 'LEAVES'
  | 'WEIGHTS'
  | 'PAGE_SUMS'
  | 'PAGE_WORTH';
type FirstTable = 'FEATURES' | 'WORDS_WORTH' | 'LOGS' | 'LOGS_MOST' | 'GOOD';
type Numbers = 'WORDS' | 'LINKED' | 'SENTENCES' | 'COMMAS' | 'CAPITALS' | 'NUMBERS' | 'BYTES' | 'DEPTH';
type Bytes = 'ENDS' | 'TAG' | 'HINT' | 'HINT_DISTANCE';
type Result = 'FIRSTS' | 'SCORES' | 'LIKELIHOODS' | 'ADDED';

/** What assembly/main-model.as.ts exports. */
interface Exports
  extends Readonly<
    Record<Table | FirstTable | Numbers | Bytes | 'INSIDE' | 'AROUND' | Result, { readonly value: number }>
  > {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly addUp: (count: number, elements: number) => number;
  readonly scoreFirst: (count: number) => void;
  readonly begin: (count: number, elements: number) => void;
  readonly score: (count: number, trees: number, bits: number) => void;
}

/** Null where the runtime has no WebAssembly, or the trees are too many for it. */
export function createModelMemory(own: BlockScores, plan: TreePlan): MainScores | null {
  const { trees, thresholds, bits } = plan;
  if (thresholds.length + bits.length > RANKS_MAX || trees > TREES_MAX) return null;
  if (thresholds.flat().length > THRESHOLDS_MAX) return null;
  let exports: Exports;
  try {
    exports = exportsOf(MODEL_BINARY) as Exports;
  } catch {
    return null;
  }
  const [, weights] = own.models;
  writeFirst(exports, own);
  writeSecond(exports, weights, plan);
  const { buffer } = exports.memory;
  const copyColumns = columnCopier(exports);
  const floats = (address: Result) => new Float32Array(buffer, exports[address].value, BLOCKS_MAX);
  const [scores, likelihoods, added] = [floats('SCORES'), floats('LIKELIHOODS'), floats('ADDED')];
  const firsts = new Float64Array(buffer, exports.FIRSTS.value, BLOCKS_MAX);
  const bases = new Uint32Array(buffer, exports.BASES.value, trees);
  const good = new Float64Array(buffer, exports.GOOD.value, 2);
  const sums = new Float64Array(buffer, exports.PAGE_SUMS.value, PAGE_SUMS);
  const worth = new Float64Array(buffer, exports.PAGE_WORTH.value, 2);
  const values = new Float64Array(PAGE_END);

  /** The first scores; what has no logarithm in the table is left to TypeScript. */
  function scoreFirst(blocks: BlockTable): void {
    const { count, elements } = blocks;
    if (exports.addUp(count, elements) === 0) {
      putFirstScores(own, blocks, { scores, likelihoods, added });
      return;
    }
    good[1] = Math.log1p(good[0]!) / 8;
    exports.scoreFirst(count);
    for (let i = 0; i < count; i++) if (scores[i] !== Number.NEGATIVE_INFINITY) likelihoods[i] = likelihood(firsts[i]!);
  }

  function finish(blocks: BlockTable): void {
    const { columns, count, elements } = blocks;
    copyColumns(columns, count);
    scoreFirst(blocks);
    exports.begin(count, elements);
    const [words, scored, top, linked, long] = [sums[0]!, sums[1]!, sums[2]!, sums[3]!, sums[4]!];
    putPageFeatures(values, { words, scored, top, linked, long }, count);
    putBases(plan, values, bases);
    worth[0] = pageWorth(weights, values);
    worth[1] = values[LONG_AT]!;
    exports.score(count, trees, bits.length);
  }

  return { scores, finish };
}

/** Both models side by side, in vectors of two. */
function writeFirst(exports: Exports, { models: [first, second], words }: BlockScores): void {
  const { buffer } = exports.memory;
  const features = new Float64Array(buffer, exports.FEATURES.value, 2 * (BLOCK_FEATURES + 1));
  for (let k = 0; k < BLOCK_FEATURES; k++) features.set([first[k]!, second[k]!], 2 * k);
  features[2 * BLOCK_FEATURES] = first[BLOCK_FEATURES]!;
  new Float64Array(buffer, exports.WORDS_WORTH.value, ROLES * WORDS_TABLED).set(
    words.subarray(0, ROLES * WORDS_TABLED),
  );
  const logs = new Float64Array(buffer, exports.LOGS.value, exports.LOGS_MOST.value);
  for (let n = 0; n < logs.length; n++) logs[n] = Math.log1p(n);
}

function writeSecond(exports: Exports, weights: Float64Array, plan: TreePlan): void {
  const { trees, thresholds, bits, rows, limits, leaves } = plan;
  const { buffer } = exports.memory;
  const putBytes = (address: Table, bytes: readonly number[]) => {
    new Uint8Array(buffer, exports[address].value, bytes.length).set(bytes);
  };
  const putNumbers = (address: Table, numbers: readonly number[]) => {
    new Float64Array(buffer, exports[address].value, numbers.length).set(numbers);
  };
  putBytes(
    'COUNTS',
    thresholds.map(({ length }) => length),
  );
  putBytes('BITS', bits);
  putNumbers('THRESHOLDS', thresholds.flat());
  putNumbers('LEAVES', [...leaves]);
  putNumbers('WEIGHTS', [...weights.subarray(BLOCK_FEATURES, CONTEXT_AT + CONTEXT_FEATURES + 1)]);
  const questions = Array.from({ length: trees }, (_, tree) => [
    ...rows.subarray(DEPTH * tree, DEPTH * (tree + 1)),
    ...limits.subarray(DEPTH * tree, DEPTH * (tree + 1)),
  ]);
  putBytes('QUESTIONS', questions.flat());
}

/** Copies the columns of a page to their places. */
function columnCopier(exports: Exports): (columns: Columns, count: number) => void {
  const { buffer } = exports.memory;
  const numbers = (address: Numbers) => new Uint16Array(buffer, exports[address].value, BLOCKS_MAX);
  const bytes = (address: Bytes) => new Uint8Array(buffer, exports[address].value, BLOCKS_MAX);
  const [words, linked, sentences] = [numbers('WORDS'), numbers('LINKED'), numbers('SENTENCES')];
  const [commas, capitals, digits] = [numbers('COMMAS'), numbers('CAPITALS'), numbers('NUMBERS')];
  const [length, depth] = [numbers('BYTES'), numbers('DEPTH')];
  const [ends, tag, hintDistance] = [bytes('ENDS'), bytes('TAG'), bytes('HINT_DISTANCE')];
  const hint = new Int8Array(buffer, exports.HINT.value, BLOCKS_MAX);
  const inside = new Uint32Array(buffer, exports.INSIDE.value, BLOCKS_MAX);
  const around = new Uint32Array(buffer, exports.AROUND.value, LEVELS * BLOCKS_MAX);
  return (columns, count) => {
    words.set(columns.words.subarray(0, count));
    linked.set(columns.linked.subarray(0, count));
    sentences.set(columns.sentences.subarray(0, count));
    commas.set(columns.commas.subarray(0, count));
    capitals.set(columns.capitals.subarray(0, count));
    digits.set(columns.numbers.subarray(0, count));
    length.set(columns.bytes.subarray(0, count));
    depth.set(columns.depth.subarray(0, count));
    ends.set(columns.ends.subarray(0, count));
    tag.set(columns.tag.subarray(0, count));
    hintDistance.set(columns.hintDistance.subarray(0, count));
    hint.set(columns.hint.subarray(0, count));
    inside.set(columns.inside.subarray(0, count));
    around.set(columns.around.subarray(0, LEVELS * count));
  };
}
