import { GrowingWords } from '../memory/growing-words.ts';
import { pivotsOf } from './pivots.ts';

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
 * it out (§5). We count its pivots (pivots.ts) against all members, so that a family that shares nothing else is found.
 *
 * Cost: some 5 ns a posting, and for one of a common shingle up to 16 increments later on.
 */

/** Broder 1997, §5: shingles of more documents are very common. */
export const LIST_MAX = 1000;
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

/** Lists of a part of all shingles, as they are found. Plain data, in memory that threads share. */
export interface FoundLists {
  /** Of plain lists. */
  readonly plain: Uint32Array<SharedArrayBuffer>;
  /** Of common ones. */
  readonly common: Uint32Array<SharedArrayBuffer>;
  /** Common shingles of each node. */
  readonly commonOf: Uint32Array;
}

/** The same, for counting: plain data, too. */
export interface ShingleLists {
  readonly members: Uint32Array<SharedArrayBuffer>;
  /** Entries of plain lists are the members themselves, up to here. */
  readonly plain: number;
  /** Those of common lists: of node nodes[i] one at froms[i]. */
  readonly nodes: Uint32Array<SharedArrayBuffer>;
  readonly froms: Uint32Array<SharedArrayBuffer>;
}

/** Finds lists in sorted postings. */
export class ListFinder {
  readonly counts: ListCounts = { lists: 0, common: 0, commonPostings: 0, single: 0 };
  private readonly plain = new GrowingWords();
  private readonly common = new GrowingWords();
  private readonly commonOf: Uint32Array<SharedArrayBuffer>;
  private readonly entries: Uint32Array;

  /** @param entries of each node in plain lists, to be added to */
  constructor(entries: Uint32Array) {
    this.entries = entries;
    this.commonOf = shared(entries.length);
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

  end(): FoundLists {
    const [plain, common] = [shared(this.plain.size), shared(this.common.size)];
    plain.set(this.plain.values);
    common.set(this.common.values);
    return { plain, common, commonOf: this.commonOf };
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
    this.common.reserve(to - from);
    for (let i = from; i < to; i++) {
      this.common.push(nodes[i]!);
      this.commonOf[nodes[i]!]!++;
    }
    this.common.mark(LAST);
  }
}

/**
 * Lists with their entries.
 *
 * @param rank of a node: those with the lowest are pivots of common lists
 * @param entries of each node, those of plain lists counted; to be added to
 */
export function listsOf(
  { plain, common }: FoundLists,
  rank: (node: number) => number,
  entries: Uint32Array,
): ShingleLists {
  const stars = new StarBuilder(plain.length, entries);
  for (let from = 0, at = 0; at < common.length; at++) {
    if (common[at]! < LAST) continue;
    const nodes = common.slice(from, at + 1);
    nodes[nodes.length - 1]! &= LAST - 1;
    stars.add(nodes, pivotsOf(nodes, rank));
    from = at + 1;
  }
  return stars.end(plain);
}

/** Common lists, each with its pivots apart. */
class StarBuilder {
  private readonly members = new GrowingWords();
  private readonly nodes = new GrowingWords();
  private readonly froms = new GrowingWords();
  private readonly before: number;
  private readonly entries: Uint32Array;

  constructor(before: number, entries: Uint32Array) {
    this.before = before;
    this.entries = entries;
  }

  add(nodes: Uint32Array, pivots: readonly number[]): void {
    const { members } = this;
    members.reserve(nodes.length);
    const firstPivot = members.size;
    for (const pivot of pivots) members.push(pivot);
    members.mark(LAST);
    const firstOther = members.size;
    for (const node of nodes) if (!pivots.includes(node)) members.push(node);
    members.mark(LAST);
    for (let i = 0; i < pivots.length - 1; i++) this.enter(pivots[i]!, firstPivot + i + 1);
    const { values } = members;
    // both ascend
    for (let at = firstOther, pivot = 0; at < values.length; at++) {
      const node = values[at]! & (LAST - 1);
      for (; pivot < pivots.length && pivots[pivot]! < node; pivot++) this.enter(pivots[pivot]!, at);
      if (pivot < pivots.length) this.enter(node, firstPivot + pivot);
    }
  }

  end(plain: Uint32Array): ShingleLists {
    const members = shared(plain.length + this.members.size);
    members.set(plain);
    members.set(this.members.values, plain.length);
    const [nodes, froms] = [shared(this.nodes.size), shared(this.froms.size)];
    nodes.set(this.nodes.values);
    froms.set(this.froms.values);
    return { members, plain: plain.length, nodes, froms };
  }

  private enter(node: number, from: number): void {
    this.nodes.reserve(1);
    this.froms.reserve(1);
    this.nodes.push(node);
    this.froms.push(this.before + from);
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

const shared = (size: number) => new Uint32Array(new SharedArrayBuffer(4 * size));
