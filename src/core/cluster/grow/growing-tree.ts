import { likeliestOverlap } from '../../compare/estimate.ts';
import type { OverlapEvidence } from '../../compare/evidence.ts';
import { compareSamples, countMultiples, type SampleOverlap } from '../../compare/sample-comparer.ts';
import { containmentOf, resemblanceOf } from '../../compare/shares.ts';
import type { OwnContent } from '../../content/own-content.ts';
import { likeliestOwnShares } from '../../content/own-shares.ts';
import { runToEnd } from '../../memory/steps.ts';
import type { ComparedSample } from '../../sketch/narrow.ts';
import type { Likeness } from '../pair-floor.ts';
import { ValueHolders } from './value-holders.ts';

/*
 * The maximum spanning tree of a cluster, grown from one document while further ones become known (Prim 1957):
 *
 *   tree     documents taken, in their order: each by the strongest edge that any document outside had then
 *   fringe   known documents outside with an edge of at least the threshold into the tree; of each the strongest is kept
 *   far      known documents outside without one
 *
 * A pair is looked at once: when one of it is taken and the other is known, or becomes known after it. How much two share
 * at the most is counted for all pairs of a document at a time (core/cluster/grow/value-holders.ts). Only where that may be
 * stronger than what the one outside has, the two are compared: in a family some ln(documents) times for each. Weights are
 * those of a comparison of the two, the one with the smaller id first: they do not depend on the way.
 * Cost: for each document that of counting, and some 5 ns for each one that shares anything.
 */

/** A document as it is compared: where two have contents of their own, by these. */
export interface TreeDocument {
  /** Distinct. */
  readonly id: string;
  /** Equal where the sets of shingles are. */
  readonly shingleDigest: string;
  readonly shingleCount: number;
  readonly sample: ComparedSample;
  /** What it says by itself, a part of its sample or all of it. */
  readonly own?: OwnContent | null;
}

/** How a document hangs on the tree: on which one, and how alike the two are. */
export interface TreeEdge {
  readonly from: number;
  readonly weight: number;
}

/** Values that are compared in one step, of samples of all sizes; and what a look at a document counts for beside them. */
const STEP_COMPARED = 2 ** 17;
const LOOK_VALUES = 512;

type Place = 'tree' | 'outside' | 'dropped';

export class GrowingTree<D extends TreeDocument> {
  /** All that are known, by their numbers. */
  readonly documents: D[] = [];
  /** Numbers of those in the tree, in the order in which they were taken. */
  readonly taken: number[] = [];
  readonly #by: Likeness;
  readonly #threshold: number;
  readonly #holders = new ValueHolders();
  readonly #places: Place[] = [];
  readonly #edges: (TreeEdge | null)[] = [];
  /** Of each document in the tree, which one it was. */
  readonly #turns: number[] = [];
  #counts = new Uint32Array(64);
  #met = new Uint32Array(64);

  /** @param threshold above 0, up to 1: edges that are weaker are none */
  constructor(by: Likeness, threshold: number) {
    this.#by = by;
    this.#threshold = threshold;
  }

  /** A document becomes known. @returns its number */
  add(document: D): number {
    return runToEnd(this.addSteps(document));
  }

  /** The same in steps of some ms, between which nothing else may be asked of the tree. */
  *addSteps(document: D): Generator<undefined, number> {
    const number = this.documents.push(document) - 1;
    this.#places.push('outside');
    this.#edges.push(null);
    yield* this.#holders.addSteps(document.sample);
    if (this.taken.length === 0) return number;
    yield* this.#meetSteps(number, (other) =>
      this.#places[other] === 'tree' ? this.#join(other, number, this.#counts[other]!) : 0,
    );
    return number;
  }

  /** The edge by which a document hangs on the tree, or would; null of the first, and where there is none. */
  edgeOf(number: number): TreeEdge | null {
    return this.#edges[number]!;
  }

  /** Numbers of the fringe, the strongest first; of equals the one with the smaller id. */
  fringe(): number[] {
    const fringe: number[] = [];
    for (let number = 0; number < this.documents.length; number++) {
      if (this.#places[number] === 'outside' && this.#edges[number] !== null) fringe.push(number);
    }
    return fringe.sort((one, other) => (this.#isBefore(one, other) ? -1 : 1));
  }

  /** The first of the fringe; undefined where it is empty. */
  strongest(): number | undefined {
    let best: number | undefined;
    for (let number = 0; number < this.documents.length; number++) {
      if (this.#places[number] !== 'outside' || this.#edges[number] === null) continue;
      if (best === undefined || this.#isBefore(number, best)) best = number;
    }
    return best;
  }

  /** Takes a document into the tree: the first one, then the strongest of the fringe each time. */
  take(number: number): void {
    runToEnd(this.takeSteps(number));
  }

  /** The same in steps of some ms, between which nothing else may be asked of the tree. */
  *takeSteps(number: number): Generator<undefined, void> {
    this.#places[number] = 'tree';
    this.#turns[number] = this.taken.push(number);
    yield* this.#meetSteps(number, (other) =>
      this.#places[other] === 'outside' ? this.#join(number, other, this.#counts[other]!) : 0,
    );
  }

  /** A document of the fringe does not belong to it, whatever it is like. */
  drop(number: number): void {
    this.#places[number] = 'dropped';
  }

  #isBefore(one: number, other: number): boolean {
    const [a, b] = [this.#edges[one]!.weight, this.#edges[other]!.weight];
    return a === b ? this.documents[one]!.id < this.documents[other]!.id : a > b;
  }

  /**
   * Looks at every document that shares values with one, how many being in the counts; where that has no values, at all.
   *
   * @param look returns how many values it has compared
   */
  *#meetSteps(number: number, look: (other: number) => number): Generator<undefined, void> {
    const size = this.documents.length;
    if (this.#counts.length < size) {
      this.#counts = new Uint32Array(2 * size);
      this.#met = new Uint32Array(2 * size);
    }
    const isEmpty = this.documents[number]!.sample.values.length === 0;
    const found = isEmpty ? size : this.#holders.count(number, this.#counts, this.#met);
    let compared = 0;
    for (let i = 0; i < found; i++) {
      compared += LOOK_VALUES + look(isEmpty ? i : this.#met[i]!);
      if (compared < STEP_COMPARED) continue;
      compared = 0;
      yield;
    }
    if (isEmpty) return;
    for (let i = 0; i < found; i++) this.#counts[this.#met[i]!] = 0;
  }

  /**
   * Notes the edge from a document of the tree to one outside, where it is stronger than what that has.
   *
   * @returns how many values it has compared
   */
  #join(from: number, to: number, sharedMost: number): number {
    const one = this.documents[from]!;
    const other = this.documents[to]!;
    const isByOwn = one.own && other.own && !(one.own.sample === one.sample && other.own.sample === other.sample);
    if (isByOwn) {
      this.#joinByOwn(from, to, sharedMost);
      return valuesOf(one, other);
    }
    const isWhole = one.sample.modulus === 1 && other.sample.modulus === 1;
    // most pairs of a large cluster end here
    if (isWhole && !this.#isEnough(from, to, this.#weightOf(sharedMost, one, other))) return 0;
    const equalSets = one.shingleDigest === other.shingleDigest;
    if (!equalSets && sharedMost === 0) return 0;
    const [a, b] = one.id < other.id ? [one, other] : [other, one];
    if (!equalSets && !isWhole) {
      const most = likeliestOverlap(evidenceOf(a, b, sharedMost));
      if (!this.#isEnough(from, to, this.#weightOf(most, a, b))) return valuesOf(a, b);
    }
    const counts = compareSamples(a.sample, b.sample);
    const evidence = { ...counts, shinglesA: a.shingleCount, shinglesB: b.shingleCount, equalSets };
    const weight = this.#weightOf(likeliestOverlap(evidence), a, b);
    if (this.#isEnough(from, to, weight)) this.#edges[to] = { from, weight };
    return valuesOf(a, b);
  }

  /** The same by what both say by themselves: they share no more of that than of all that they say. */
  #joinByOwn(from: number, to: number, sharedMost: number): void {
    const [one, other] = [this.documents[from]!, this.documents[to]!];
    const [a, b] = one.id < other.id ? [one.own!, other.own!] : [other.own!, one.own!];
    if (sharedMost === 0) return;
    const most = this.#ownWeightOf(a, b, evidenceOf(a, b, sharedMost));
    if (!this.#isEnough(from, to, most)) return;
    const weight = this.#ownWeightOf(a, b, compareSamples(a.sample, b.sample));
    if (this.#isEnough(from, to, weight)) this.#edges[to] = { from, weight };
  }

  #ownWeightOf(a: OwnContent, b: OwnContent, counts: SampleOverlap): number {
    const { resemblance, aInB, bInA } = likeliestOwnShares({ a, b, counts, isSame: false });
    return this.#by === 'resemblance' ? resemblance : Math.max(aInB, bInA);
  }

  /** Whether an edge is stronger than what the document outside has; of equals the one to what was taken first. */
  #isEnough(from: number, to: number, weight: number): boolean {
    const edge = this.#edges[to]!;
    if (edge === null) return weight >= this.#threshold;
    return weight > edge.weight || (weight === edge.weight && this.#turns[from]! < this.#turns[edge.from]!);
  }

  #weightOf(overlap: number, { shingleCount: nA }: D, { shingleCount: nB }: D): number {
    return this.#by === 'resemblance' ? resemblanceOf(overlap, nA, nB) : containmentOf(overlap, Math.min(nA, nB));
  }
}

type Sized = Pick<TreeDocument, 'shingleCount' | 'sample'>;

const valuesOf = ({ sample: a }: Sized, { sample: b }: Sized): number => a.values.length + b.values.length;

/** What a comparison of two says that share so many values. */
function evidenceOf(a: Sized, b: Sized, sharedMost: number): OverlapEvidence {
  const modulus = Math.max(a.sample.modulus, b.sample.modulus);
  const [sampledA, sampledB] = [countMultiples(a.sample, modulus), countMultiples(b.sample, modulus)];
  return {
    ...{ modulus, sampledA, sampledB, shared: Math.min(sharedMost, sampledA, sampledB), equalSets: false },
    ...{ shinglesA: a.shingleCount, shinglesB: b.shingleCount },
    falseDensity: (sampledA * modulus) / 2 ** Math.min(a.sample.bits, b.sample.bits),
  };
}
