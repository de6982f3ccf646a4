/*
 * Which nodes share a shingle, for all shingles of a part of the postings (Broder 1997, §4.1).
 *
 *   sorted postings   f1: 3 9    f2: 4    f3: 0 4 7     f4: 1 2 5 … more than LIST_MAX nodes
 *   members           3 9'       -        0 4 7'        p1 p2 … p16'   1 2 5 … n'                  ' = the last one of a list
 *                     └ plain lists, their own entries ┘└ pivots ┘     └ all others ┘
 *
 * A pair a < b is counted in the row of a, by an entry that says where in `members` those behind a begin:
 *
 *   plain lists   each member but the last: what is behind itself
 *   common ones   a pivot: the pivots behind itself, and the others from the first larger one on
 *                 another: the pivots from the first larger one on
 *
 * A shingle of more than LIST_MAX nodes is mechanical text as a rule and would cost the square of its length. The paper leaves
 * it out (§5). We count its PIVOTS against all members: those with the lowest hashes. The hash is of the node alone. So lists
 * of one family have the same pivots, and a family that shares nothing else is found by them.
 *
 * Cost: some 5 ns a posting, and for one of a common shingle up to 16 increments later on.
 */

/** Broder 1997, §5: shingles of more documents are very common. */
export const LIST_MAX = 1000;
/** Members of a common list against which all are counted. */
export const PIVOTS = 16;
/** Set in the last member of a list, so nodes are below it. */
export const LAST = 0x8000_0000;

export interface ListCounts {
  /** Shingles of 2..LIST_MAX nodes. */
  lists: number;
  /** Of more. */
  common: number;
  commonPostings: number;
  /** Of one. */
  single: number;
}

/** Lists of a part of all shingles, in memory that threads share. Plain data. */
export interface ShingleLists {
  readonly members: Uint32Array<SharedArrayBuffer>;
  /** Entries of plain lists are the members themselves, up to here. */
  readonly plain: number;
  /** Those of common lists: of node nodes[i] one at froms[i]. */
  readonly nodes: Uint32Array<SharedArrayBuffer>;
  readonly froms: Uint32Array<SharedArrayBuffer>;
}

export class ListBuilder {
  readonly counts: ListCounts = { lists: 0, common: 0, commonPostings: 0, single: 0 };
  /** Entries of each node. */
  private readonly entries: Uint32Array;
  private readonly plain = new Growing();
  private readonly starred = new Growing();
  private readonly nodes = new Growing();
  private readonly froms = new Growing();

  /** @param entries of each node, to be added to */
  constructor(entries: Uint32Array) {
    this.entries = entries;
  }

  /** @param keys of shingles, ascending; of one shingle the nodes ascend */
  add(keys: Uint32Array, nodes: Uint32Array, count: number): void {
    this.plain.reserve(count);
    for (let from = 0, to = 0; from < count; from = to) {
      const key = keys[from]!;
      to = from + 1;
      while (to < count && keys[to] === key) to++;
      if (to - from === 1) this.counts.single++;
      else if (to - from <= LIST_MAX) this.addPlain(nodes, from, to);
      else this.addCommon(nodes, from, to);
    }
  }

  /** Once; nothing can be added afterwards. */
  end(): ShingleLists {
    const plain = this.plain.size;
    const members = shared(plain + this.starred.size);
    members.set(this.plain.values, 0);
    members.set(this.starred.values, plain);
    const froms = shared(this.froms.size);
    for (let i = 0; i < froms.length; i++) froms[i] = this.froms.values[i]! + plain;
    const nodes = shared(this.nodes.size);
    nodes.set(this.nodes.values);
    return { members, plain, nodes, froms };
  }

  private addPlain(nodes: Uint32Array, from: number, to: number): void {
    this.counts.lists++;
    const last = to - 1;
    for (let i = from; i < last; i++) {
      const node = nodes[i]!;
      this.plain.push(node);
      this.entries[node]!++;
    }
    this.plain.push((nodes[last]! | LAST) >>> 0);
  }

  private addCommon(nodes: Uint32Array, from: number, to: number): void {
    this.counts.common++;
    this.counts.commonPostings += to - from;
    const pivots = pivotsOf(nodes, from, to);
    const { starred } = this;
    starred.reserve(to - from);
    const firstPivot = starred.size;
    for (const [i, pivot] of pivots.entries()) starred.push(i === pivots.length - 1 ? (pivot | LAST) >>> 0 : pivot);
    const firstOther = starred.size;
    for (let i = from; i < to; i++) if (!pivots.includes(nodes[i]!)) starred.push(nodes[i]!);
    starred.markLast();
    for (let i = 0; i < pivots.length - 1; i++) this.enter(pivots[i]!, firstPivot + i + 1);
    const others = starred.values;
    // both ascend
    for (let at = firstOther, pivot = 0; at < others.length; at++) {
      const node = others[at]! & (LAST - 1);
      for (; pivot < pivots.length && pivots[pivot]! < node; pivot++) this.enter(pivots[pivot]!, at);
      if (pivot < pivots.length) this.enter(node, firstPivot + pivot);
    }
  }

  private enter(node: number, from: number): void {
    this.nodes.reserve(1);
    this.froms.reserve(1);
    this.nodes.push(node);
    this.froms.push(from);
    this.entries[node]!++;
  }
}

/** Of each node where its entries are, in the entries of all. */
export function entryStarts(entriesOf: readonly Uint32Array[], nodes: number): Uint32Array<SharedArrayBuffer> {
  const starts = shared(nodes + 1);
  let before = 0;
  for (let node = 0; node < nodes; node++) {
    starts[node] = before;
    for (const entries of entriesOf) before += entries[node]!;
  }
  starts[nodes] = before;
  return starts;
}

/**
 * Writes the entries of one part: where the members behind a node begin.
 *
 * @param next of each node where the next entry of this part goes; moved on
 */
export function writeEntries(
  { members, plain, nodes, froms }: ShingleLists,
  next: Uint32Array,
  entries: Uint32Array,
): void {
  for (let i = 0; i < plain; i++) {
    const member = members[i]!;
    if (member < LAST) entries[next[member]!++] = i + 1;
  }
  for (let i = 0; i < nodes.length; i++) entries[next[nodes[i]!]!++] = froms[i]!;
}

/** The members with the lowest hashes, ascending. */
function pivotsOf(nodes: Uint32Array, from: number, to: number): number[] {
  const pivots: number[] = [];
  const hashes: number[] = [];
  for (let i = from; i < to; i++) {
    const hash = hashOf(nodes[i]!);
    if (pivots.length === PIVOTS && hash >= hashes[PIVOTS - 1]!) continue;
    let at = Math.min(pivots.length, PIVOTS - 1);
    for (; at > 0 && hashes[at - 1]! > hash; at--) {
      pivots[at] = pivots[at - 1]!;
      hashes[at] = hashes[at - 1]!;
    }
    pivots[at] = nodes[i]!;
    hashes[at] = hash;
  }
  return pivots.sort((a, b) => a - b);
}

/** A permutation of 32-bit numbers (the finisher of MurmurHash3), so that no two nodes have one hash. */
function hashOf(node: number): number {
  let hash = node ^ (node >>> 16);
  hash = Math.imul(hash, 0x85eb_ca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const shared = (size: number) => new Uint32Array(new SharedArrayBuffer(4 * size));

/** Numbers of which nobody knows how many will come. */
class Growing {
  size = 0;
  private all = new Uint32Array(1024);

  get values(): Uint32Array {
    return this.all.subarray(0, this.size);
  }

  reserve(more: number): void {
    if (this.size + more <= this.all.length) return;
    const larger = new Uint32Array(Math.max(this.size + more, Math.ceil(1.5 * this.all.length)));
    larger.set(this.values);
    this.all = larger;
  }

  push(value: number): void {
    this.all[this.size++] = value;
  }

  markLast(): void {
    this.all[this.size - 1] = (this.all[this.size - 1]! | LAST) >>> 0;
  }
}
