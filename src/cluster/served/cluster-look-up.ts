import { roundShare } from '../../core/compare/shares.ts';
import { ClusterAnswers } from '../result/cluster-answers.ts';
import type { CorpusAnswer, CorpusCluster, CorpusQuestion, LinkSide } from './port.ts';

/*
 * One cluster of a result, by the URL of a document: the part of its forest that hangs together at the threshold.
 *
 *   slots    hash of a URL -> document (open addressing)     at most a half are taken
 *   links    of each node its edges of the forest            node n: links[starts[n]] .. links[starts[n + 1] - 1]
 *
 * Cost: 8 to 16 bytes a document, 4 a node, 8 an edge of the forest; a cluster costs its own size, whatever the corpus has.
 */

const NONE = 0xffff_ffff;

export class ClusterLookUp {
  private readonly answers: ClusterAnswers;
  private readonly slots: Uint32Array;
  private readonly starts: Uint32Array;
  private readonly links: Uint32Array;

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

  answer({ urls, by, threshold, limit }: CorpusQuestion): CorpusAnswer {
    const { createdAt, by: own, floor } = this.answers.result.summary;
    const told = { asOf: createdAt, by: own, floor };
    if (by !== own) return { ...told, state: 'other-likeness', cluster: null };
    if (threshold < floor) return { ...told, state: 'below-floor', cluster: null };
    const document = urls.map((url) => this.documentAt(url)).find((one) => one !== undefined);
    if (document === undefined) return { ...told, state: 'unknown-url', cluster: null };
    return { ...told, state: 'found', cluster: this.clusterOf(document, threshold, limit) };
  }

  private clusterOf(document: number, threshold: number, limit: number): CorpusCluster {
    const { answers } = this;
    const { nodes, weakest } = this.reached(answers.result.documents.nodes[document]!, threshold, null);
    const documents = answers.documentsIn(Uint32Array.from(nodes));
    return {
      documents: documents.length,
      texts: new Set(documents.map((one) => answers.result.documents.contents[one]!)).size,
      representative: answers.urlOf(answers.representativeOf(documents)),
      weakest: weakest === null ? null : this.linkOf(weakest, threshold),
      urls: documents.slice(0, limit).map((one) => answers.urlOf(one)),
    };
  }

  private linkOf(edge: number, threshold: number): NonNullable<CorpusCluster['weakest']> {
    const { a, b, weight } = this.answers.forest;
    const side = (node: number): LinkSide => {
      const { nodes } = this.reached(node, threshold, edge);
      return { url: this.answers.nameOf(node), documents: this.answers.documentsIn(Uint32Array.from(nodes)).length };
    };
    return { likeness: roundShare(weight[edge]!), a: side(a[edge]!), b: side(b[edge]!) };
  }

  /** What is reached from a node by edges of the threshold, and the weakest of these. @param but an edge that is not taken */
  private reached(node: number, threshold: number, but: number | null) {
    const { a, b, weight } = this.answers.forest;
    const nodes = new Set([node]);
    // edges of the forest come by falling weight
    let weakest: number | null = null;
    for (const one of nodes) {
      for (let at = this.starts[one]!; at < this.starts[one + 1]!; at++) {
        const edge = this.links[at]!;
        if (weight[edge]! < threshold || edge === but) continue;
        if (weakest === null || edge > weakest) weakest = edge;
        nodes.add(a[edge] === one ? b[edge]! : a[edge]!);
      }
    }
    return { nodes, weakest };
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
