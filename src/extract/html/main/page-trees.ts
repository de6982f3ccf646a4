import { DEPTH, LEAVES, TREE_NUMBERS } from './oblivious-trees.ts';

/*
 * Oblivious trees (oblivious-trees.ts) asked of many blocks of a page: the same sums, bit for bit, in a tenth of the time.
 *
 *   Questions about the page have one answer for all its blocks: they choose some of the leaves once.
 *   Of any other feature only its rank counts: how many of the thresholds that it is compared with are below it.
 *   The ranks of four blocks stand in one number, a byte each. Adding 127 - k to each byte sets the top bit of those above k.
 *
 *   tree   page questions ──┬── own questions, four blocks at a time      leaves, those of one answer about the page side by side
 *                           └── answered once
 */

/** Blocks that are asked about together. */
const LANES = 4;
const EACH_LANE = 0x0101_0101;
const TOP_BITS = 0x8080_8080 | 0;
const TOP = 127;
const ROOM_LEAST = 256;
/** Instead of a feature, where a tree asks less. */
const NONE = 0xff;

/** A feature that trees ask of blocks, and the thresholds that it is compared with, ascending. */
interface Ranked {
  readonly feature: number;
  readonly thresholds: readonly number[];
}

/** Serves one page at a time. */
export class PageTrees {
  /** Blocks that are asked about. */
  count = 0;
  /** What all trees add to the score of each, in log-odds, after `finish`. */
  sums: Float64Array = new Float64Array(ROOM_LEAST);
  readonly #trees: number;
  /** Features by the number of their thresholds, most first; and how many of them have a first threshold, a second, … */
  readonly #features: Uint8Array;
  readonly #having: readonly number[];
  /** The first threshold of each of them, then the second of those that have it, … */
  readonly #thresholds: Float64Array;
  /** What each tree asks of the page, DEPTH numbers each. */
  readonly #pageFeatures: Uint8Array;
  readonly #pageThresholds: Float64Array;
  /** Which ranks it asks for, and what is added to them, DEPTH numbers each; how many of these questions there are. */
  readonly #ranked: Uint8Array;
  readonly #added: Int32Array;
  readonly #depths: Uint8Array;
  readonly #leaves: Float64Array;
  /** Where the leaves of each tree begin, for this page. */
  readonly #bases: Uint16Array;
  #room = ROOM_LEAST;
  /** The ranks of each feature, of all blocks; as bytes, and of four blocks at a time. */
  #ranks: Uint8Array;
  #ranksOfFour: Int32Array;

  /** @param weights as in oblivious-trees.ts @param from,to the features from..to-1 are the same for all blocks of a page */
  constructor(weights: Float64Array, from: number, to: number) {
    const trees = weights.length / TREE_NUMBERS;
    const isOfPage = (feature: number) => feature >= from && feature < to;
    const ranked = rankedIn(weights).filter(({ feature }) => !isOfPage(feature));
    this.#trees = trees;
    this.#features = Uint8Array.from(ranked, ({ feature }) => feature);
    this.#having = Array.from(
      { length: ranked[0]?.thresholds.length ?? 0 },
      (_, k) => ranked.filter(({ thresholds }) => thresholds.length > k).length,
    );
    this.#thresholds = Float64Array.from(
      this.#having.flatMap((having, k) => ranked.slice(0, having).map(({ thresholds }) => thresholds[k]!)),
    );
    this.#pageFeatures = new Uint8Array(DEPTH * trees).fill(NONE);
    this.#pageThresholds = new Float64Array(DEPTH * trees);
    this.#ranked = new Uint8Array(DEPTH * trees);
    this.#added = new Int32Array(DEPTH * trees);
    this.#depths = new Uint8Array(trees);
    this.#leaves = new Float64Array(LEAVES * trees);
    this.#bases = new Uint16Array(trees);
    this.#ranks = new Uint8Array(ranked.length * ROOM_LEAST);
    this.#ranksOfFour = new Int32Array(this.#ranks.buffer);
    for (let tree = 0; tree < trees; tree++)
      this.#put(tree, weights.subarray(tree * TREE_NUMBERS, (tree + 1) * TREE_NUMBERS), ranked, isOfPage);
  }

  #put(tree: number, numbers: Float64Array, ranked: readonly Ranked[], isOfPage: (feature: number) => boolean): void {
    const page: number[] = [];
    const own: number[] = [];
    for (let level = 0; level < DEPTH; level++) {
      const [feature, threshold] = [numbers[2 * level]!, numbers[2 * level + 1]!];
      if (isOfPage(feature)) {
        this.#pageFeatures[DEPTH * tree + page.length] = feature;
        this.#pageThresholds[DEPTH * tree + page.length] = threshold;
        page.push(level);
        continue;
      }
      const row = ranked.findIndex((one) => one.feature === feature);
      this.#ranked[DEPTH * tree + own.length] = row;
      this.#added[DEPTH * tree + own.length] = (TOP - ranked[row]!.thresholds.indexOf(threshold)) * EACH_LANE;
      own.push(level);
    }
    this.#depths[tree] = own.length;
    const levels = [...own, ...page];
    for (let leaf = 0; leaf < LEAVES; leaf++) {
      const from = levels.reduce((sum, level, k) => sum | (((leaf >> k) & 1) << level), 0);
      this.#leaves[LEAVES * tree + leaf] = numbers[2 * DEPTH + from]!;
    }
  }

  /** Begins a page of so many blocks. @param values with the features of the page */
  begin(values: Float64Array, blocks: number): void {
    this.count = 0;
    if (blocks > this.#room) {
      this.#room = LANES * Math.ceil((2 * blocks) / LANES);
      this.sums = new Float64Array(this.#room);
      this.#ranks = new Uint8Array(this.#features.length * this.#room);
      this.#ranksOfFour = new Int32Array(this.#ranks.buffer);
    }
    const [features, thresholds] = [this.#pageFeatures, this.#pageThresholds];
    for (let tree = 0, at = 0; tree < this.#trees; tree++, at += DEPTH) {
      let answer = 0;
      for (let k = 0; k < DEPTH && features[at + k] !== NONE; k++)
        answer |= Number(values[features[at + k]!]! > thresholds[at + k]!) << k;
      this.#bases[tree] = LEAVES * tree + (answer << this.#depths[tree]!);
    }
  }

  /** One more block to be asked about. @param values its features */
  add(values: Float64Array): void {
    const [features, thresholds, having] = [this.#features, this.#thresholds, this.#having];
    const ranks = this.#ranks;
    const room = this.#room;
    const block = this.count++;
    const all = features.length;
    for (let k = 0, at = block; k < all; k++, at += room) ranks[at] = Number(values[features[k]!]! > thresholds[k]!);
    for (let round = 1, at = all; round < having.length; round++) {
      const end = having[round]!;
      for (let k = 0; k < end; k++, at++) ranks[room * k + block]! += Number(values[features[k]!]! > thresholds[at]!);
    }
  }

  /** Sets `sums` of the blocks that were added. */
  finish(): void {
    const { sums, count } = this;
    const four = this.#ranksOfFour;
    const leaves = this.#leaves;
    const [ranked, added] = [this.#ranked, this.#added];
    const width = this.#room / LANES;
    sums.fill(0, 0, LANES * Math.ceil(count / LANES));
    for (let tree = 0, at = 0; tree < this.#trees; tree++, at += DEPTH) {
      const base = this.#bases[tree]!;
      const [addedA, addedB, addedC, addedD] = [added[at]!, added[at + 1]!, added[at + 2]!, added[at + 3]!];
      let a = width * ranked[at]!;
      let b = width * ranked[at + 1]!;
      let c = width * ranked[at + 2]!;
      let d = width * ranked[at + 3]!;
      for (let block = 0; block < count; block += LANES) {
        const leaf =
          (((four[a++]! + addedA) & TOP_BITS) >>> 7) |
          (((four[b++]! + addedB) & TOP_BITS) >>> 6) |
          (((four[c++]! + addedC) & TOP_BITS) >>> 5) |
          (((four[d++]! + addedD) & TOP_BITS) >>> 4);
        sums[block]! += leaves[base + (leaf & 0xf)]!;
        sums[block + 1]! += leaves[base + ((leaf >>> 8) & 0xf)]!;
        sums[block + 2]! += leaves[base + ((leaf >>> 16) & 0xf)]!;
        sums[block + 3]! += leaves[base + (leaf >>> 24)]!;
      }
    }
  }
}

function rankedIn(weights: Float64Array): Ranked[] {
  const found = new Map<number, Set<number>>();
  for (let tree = 0; tree < weights.length; tree += TREE_NUMBERS) {
    for (let at = tree; at < tree + 2 * DEPTH; at += 2)
      found.set(weights[at]!, (found.get(weights[at]!) ?? new Set()).add(weights[at + 1]!));
  }
  return Array.from(found, ([feature, thresholds]) => ({
    feature,
    thresholds: Array.from(thresholds).sort((one, other) => one - other),
  })).sort((one, other) => other.thresholds.length - one.thresholds.length);
}
