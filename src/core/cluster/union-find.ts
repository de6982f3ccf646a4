/*
 * Which nodes hang together, as pairs are joined (Tarjan 1975): trees of nodes, the smaller one hung under the larger, paths
 * halved as they are walked. The size of a tree is that of its nodes' documents.
 *
 *   node     0   1   2   3   4         of a node the one it hangs under; of a root ~ the documents of its tree
 *   links   ~3   0  ~1   0  ~1         0 ◄─ 1, 0 ◄─ 3     2     4
 *
 * One column, since most of the time is spent waiting for it: at five million nodes each step is a miss of all caches.
 * Cost: next to nothing a step; 4 bytes a node.
 */

export class UnionFind {
  private readonly links: Int32Array;

  /** @param documentsOf of each node; together below 2^31; a number: so many nodes of one document each */
  constructor(documentsOf: Uint32Array | number) {
    if (typeof documentsOf === 'number') {
      this.links = new Int32Array(documentsOf).fill(~1);
      return;
    }
    this.links = new Int32Array(documentsOf.length);
    for (let node = 0; node < documentsOf.length; node++) this.links[node] = ~documentsOf[node]!;
  }

  /** The root of a node's tree. */
  find(node: number): number {
    const { links } = this;
    let at = node;
    for (let above = links[at]!; above >= 0; above = links[at]!) {
      const next = links[above]!;
      if (next < 0) return above;
      links[at] = next;
      at = next;
    }
    return at;
  }

  /** Documents of the tree of a root. */
  sizeOf(root: number): number {
    return ~this.links[root]!;
  }

  /** Joins the trees of two different roots; of equal ones the first stays a root. @returns the root of both */
  join(one: number, other: number): number {
    const { links } = this;
    const isLarge = links[one]! <= links[other]!;
    const large = isLarge ? one : other;
    const small = isLarge ? other : one;
    // ~x is -x - 1
    links[large]! += links[small]! + 1;
    links[small] = large;
    return large;
  }
}
