import { roundShare } from '../../core/compare/shares.ts';
import { ClusterAnswers } from '../result/cluster-answers.ts';
import { NumberSet } from './number-set.ts';
import type { CorpusAnswer, CorpusCluster, CorpusQuestion, LinkSide } from './port.ts';

/*
 * One cluster of a result, by the URL of a document: the part of its forest that hangs together at the threshold.
 *
 *   slots    hash of a URL -> document (open addressing)     at most a half are taken
 *   links    of each node its edges of the forest            node n: links[starts[n]] .. links[starts[n + 1] - 1]
 *
 * Cost: 8 to 16 bytes a document, 4 a node, 8 an edge of the forest. A cluster of up to some thousand documents costs its own
 * size, whatever the corpus has; a larger one also a bit for each document of the corpus.
 */

const NONE = 0xffff_ffff;
/** Edges and documents that are looked at in one step: some 3 ms. */
const STEP_LOOKS = 2 ** 15;

export class ClusterLookUp {
  private readonly answers: ClusterAnswers;
  private readonly slots: Uint32Array;
  private readonly starts: Uint32Array;
  private readonly links: Uint32Array;
  private looked = 0;

  /** @throws ShingledError `result-missing`, `result-damaged` */
  constructor(folder: string) {
    this.answers = ClusterAnswers.open(folder);
    const { result, forest } = this.answers;
    this.slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * result.documents.count + 2))).fill(NONE);
    for (let one = 0; one < result.documents.count; one++) this.slots[this.freeSlot(this.answers.urlOf(one))] = one;
    this.starts = new Uint32Array(result.nodes.count + 1);
    for (let i = 0; i < forest.count; i++) for (const node of [forest.a[i]!, forest.b[i]!]) this.starts[node + 1]!++;
    for (let node = 0; node < result.nodes.count; node++) this.starts[node + 1]! += this.starts[node]!;
    const next = this.starts.slice();
    this.links = new Uint32Array(2 * forest.count);
    for (let i = 0; i < forest.count; i++) {
      for (const node of [forest.a[i]!, forest.b[i]!]) this.links[next[node]!++] = i;
    }
  }

  get documents(): number {
    return this.answers.result.documents.count;
  }

  close(): void {
    this.answers.close();
  }

  /** In steps of a few ms, between which others may be answered. */
  *answerSteps({ urls, by, threshold, limit }: CorpusQuestion): Generator<undefined, CorpusAnswer> {
    const { createdAt, by: own, content = 'page', floor } = this.answers.result.summary;
    const told = { asOf: createdAt, by: own, content, floor };
    if (by !== own) return { ...told, state: 'other-likeness', cluster: null };
    if (threshold < floor) return { ...told, state: 'below-floor', cluster: null };
    const document = urls.map((url) => this.documentAt(url)).find((one) => one !== undefined);
    if (document === undefined) return { ...told, state: 'unknown-url', cluster: null };
    return { ...told, state: 'found', cluster: yield* this.clusterSteps(document, threshold, limit) };
  }

  private *clusterSteps(document: number, threshold: number, limit: number): Generator<undefined, CorpusCluster> {
    const { answers } = this;
    const { documents, summary } = answers.result;
    const members = new NumberSet(documents.count);
    const first = documents.nodes[document]!;
    const weakest = yield* this.reachSteps(first, threshold, null, (one) => members.add(one));
    const texts = new NumberSet(summary.counts.texts);
    const urls: string[] = [];
    let oldest: number | undefined;
    yield* members.visitSteps((one) => {
      texts.add(documents.contents[one]!);
      if (oldest === undefined || answers.isOlder(one, oldest)) oldest = one;
      if (urls.length < limit) urls.push(answers.urlOf(one));
    });
    return {
      ...{ documents: members.size, texts: texts.size, representative: answers.urlOf(oldest!) },
      weakest: weakest === null ? null : yield* this.linkSteps(weakest, threshold),
      urls,
    };
  }

  private *linkSteps(edge: number, threshold: number): Generator<undefined, NonNullable<CorpusCluster['weakest']>> {
    const { a, b, weight } = this.answers.forest;
    const likeness = roundShare(weight[edge]!);
    const [sideA, sideB] = [
      yield* this.sideSteps(a[edge]!, edge, threshold),
      yield* this.sideSteps(b[edge]!, edge, threshold),
    ];
    return { likeness, a: sideA, b: sideB };
  }

  private *sideSteps(node: number, without: number, threshold: number): Generator<undefined, LinkSide> {
    let documents = 0;
    yield* this.reachSteps(node, threshold, without, () => documents++);
    let oldest: number | undefined;
    yield* this.documentSteps(node, (one) => {
      if (oldest === undefined || this.answers.isOlder(one, oldest)) oldest = one;
    });
    return { url: this.answers.urlOf(oldest!), documents };
  }

  /**
   * Visits the documents that are reached from a node by edges of the threshold.
   *
   * @param without an edge that is not taken
   * @returns the weakest edge that was taken: edges of the forest come by falling weight
   */
  private *reachSteps(
    from: number,
    threshold: number,
    without: number | null,
    visit: (document: number) => void,
  ): Generator<undefined, number | null> {
    const { a, b, weight } = this.answers.forest;
    // a forest has no circles: only the edge by which a node was reached leads back
    const [nodes, cameBy] = [[from], [without]];
    let weakest: number | null = null;
    while (nodes.length > 0) {
      const [node, back] = [nodes.pop()!, cameBy.pop()!];
      yield* this.documentSteps(node, visit);
      for (let at = this.starts[node]!; at < this.starts[node + 1]!; at++) {
        if (this.isStep()) yield;
        const edge = this.links[at]!;
        if (weight[edge]! < threshold || edge === back) continue;
        if (weakest === null || edge > weakest) weakest = edge;
        nodes.push(a[edge] === node ? b[edge]! : a[edge]!);
        cameBy.push(edge);
      }
    }
    return weakest;
  }

  /** Visits the documents of a node, in the order of the input. */
  private *documentSteps(node: number, visit: (document: number) => void): Generator<undefined, void> {
    const { starts, byNode } = this.answers;
    for (let at = starts[node]!; at < starts[node + 1]!; at++) {
      if (this.isStep()) yield;
      visit(byNode[at]!);
    }
  }

  /** Whether what was looked at since the last time makes a step. */
  private isStep(): boolean {
    return ++this.looked % STEP_LOOKS === 0;
  }

  private documentAt(url: string): number | undefined {
    const mask = this.slots.length - 1;
    for (let slot = hashOf(url) & mask; this.slots[slot] !== NONE; slot = (slot + 1) & mask) {
      if (this.answers.urlOf(this.slots[slot]!) === url) return this.slots[slot];
    }
    return undefined;
  }

  private freeSlot(url: string): number {
    const mask = this.slots.length - 1;
    let slot = hashOf(url) & mask;
    while (this.slots[slot] !== NONE) slot = (slot + 1) & mask;
    return slot;
  }
}

/** FNV-1a, its bits mixed once more: the low ones choose the slot. */
function hashOf(url: string): number {
  let hash = 0x811c_9dc5;
  for (let i = 0; i < url.length; i++) hash = Math.imul(hash ^ url.charCodeAt(i), 0x0100_0193);
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b_3c6d) >>> 0;
}
