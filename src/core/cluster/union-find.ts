/*
 * Which nodes hang together, as pairs are joined (Tarjan 1975): trees of nodes, the smaller one hung under the larger, paths
 * halved as they are walked. The size of a tree is that of its nodes' documents. Cost: next to nothing a step; 8 bytes a node.
 */

export class UnionFind {
  private readonly parents: Uint32Array;
  private readonly sizes: Uint32Array;

  /** @param documentsOf of each node */
  constructor(documentsOf: Uint32Array) {
    this.parents = Uint32Array.from(documentsOf, (_, node) => node);
    this.sizes = documentsOf.slice();
  }

  /** The root of a node's tree. */
  find(node: number): number {
    const { parents } = this;
    let at = node;
    while (parents[at] !== at) {
      parents[at] = parents[parents[at]!]!;
      at = parents[at]!;
    }
    return at;
  }

  /** Documents of the tree of a root. */
  sizeOf(root: number): number {
    return this.sizes[root]!;
  }

  /** Joins the trees of two different roots. @returns the root of both */
  join(one: number, other: number): number {
    const [large, small] = this.sizes[one]! >= this.sizes[other]! ? [one, other] : [other, one];
    this.parents[small] = large;
    this.sizes[large]! += this.sizes[small]!;
    return large;
  }
}
