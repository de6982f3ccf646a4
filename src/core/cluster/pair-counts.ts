import { LAST, type ShingleLists } from './shingle-lists.ts';

/*
 * How many shingles each pair of nodes shares, a row at a time (Broder 1997, §4.1, without its file of pairs).
 *
 *   row a    for each entry of a, the members behind it: count[b]++, b > a
 *
 *   entries   | node 0: 12 377 | node 1: 4 | …      in the entries of a node those of one part after those of the other
 *   members   of each part: … 3 9' 0 4 7' …         ' = the last one of a list
 *
 * A row needs the counts of its own pairs only, so pairs are never sorted. Cost: 1 to 4 ns an increment.
 */

/** Where the entries of a part are: of node a those from starts[a] + before[a] on, entries[a] of them. */
export interface PairParts {
  readonly parts: readonly { readonly lists: ShingleLists; readonly entries: Uint32Array }[];
  readonly starts: Uint32Array;
  readonly entries: Uint32Array;
  readonly nodes: number;
}

type Counts = Uint8Array | Uint32Array;

/** Bytes where no node has more entries than a byte can count: a row meets nodes anywhere, so more of them are in the cache. */
function countsFor({ starts, nodes }: PairParts): Counts {
  let most = 0;
  for (let node = 0; node < nodes; node++) most = Math.max(most, starts[node + 1]! - starts[node]!);
  return most < 256 ? new Uint8Array(nodes) : new Uint32Array(nodes);
}

/** Counts the pairs of a node with larger ones. */
export class PairCounter {
  /** Nodes that the last row shares something with; `size` of them, in no order. */
  partners = new Uint32Array(1024);
  size = 0;
  /** Increments of all rows so far. */
  increments = 0;
  private readonly counts: Counts;
  private readonly from: PairParts;

  constructor(from: PairParts) {
    this.from = from;
    this.counts = countsFor(from);
  }

  /** How many shingles the last row shares with a node; 0 from the next row on. */
  take(partner: number): number {
    const count = this.counts[partner]!;
    this.counts[partner] = 0;
    return count;
  }

  /** Counts a row; each partner is to be taken before the next one. */
  row(node: number): void {
    const { parts, starts, entries } = this.from;
    this.size = 0;
    let at = starts[node]!;
    for (const part of parts) {
      const end = at + part.entries[node]!;
      for (; at < end; at++) this.count(part.lists.members, entries[at]!);
    }
  }

  private count(members: Uint32Array, from: number): void {
    const { counts } = this;
    for (let i = from; ; i++) {
      const member = members[i]!;
      const partner = member & (LAST - 1);
      if (counts[partner]!++ === 0) this.meet(partner);
      if (member >= LAST) {
        this.increments += i - from + 1;
        return;
      }
    }
  }

  private meet(partner: number): void {
    if (this.size === this.partners.length) {
      const larger = new Uint32Array(2 * this.size);
      larger.set(this.partners);
      this.partners = larger;
    }
    this.partners[this.size++] = partner;
  }
}
