/*
 * A family as the tree of its strongest pairs, and what it falls into where the weak ones are cut.
 *
 * Members come in the order in which Prim's algorithm joined them, each with the pair that joined it. So a parent stands before
 * its children, and at any threshold above the one that was asked for, the parts are what the pairs at or above it still join:
 *
 *     row  node            parts at 60 %
 *     0    ●               A
 *     1    ├─ ● 81 %       A
 *     2    │  └─ ● 55 %    B
 *     3    └─ ● 72 %       A
 *
 * Cost: O(n log n) to lay out n members, O(n) to cut.
 */

export interface JoinedMember {
  readonly contentId: string;
  readonly joinedBy: (Joined & { readonly contentId: string }) | null;
}

export interface TreeNode {
  /** Position among the members as they came. */
  readonly member: number;
  /** Row of the node that it hangs from, null of the first. */
  readonly parent: number | null;
  /** How many nodes stand above it. */
  readonly depth: number;
  /** By how much it hangs: 0 to 1, and 1 of the first. */
  readonly likeness: number;
}

interface Joined<Share = { readonly estimate: number }> {
  readonly likeness: Share;
  readonly content?: { readonly likeness: Share } | null;
  readonly decidedBy?: 'page' | 'content' | null;
}

/** How alike two are by the figures that joined them: those of their contents where these were asked for. */
export const joinedLikeness = <Share>({ likeness, content, decidedBy }: Joined<Share>): Share =>
  decidedBy === 'content' ? (content?.likeness ?? likeness) : likeness;

/** The rows of a drawing: each node behind its parent, among its siblings by likeness. */
export function treeOf(members: readonly JoinedMember[]): TreeNode[] {
  const positions = new Map(members.map(({ contentId }, at) => [contentId, at]));
  const children = new Map<number | null, number[]>();
  for (const [at, { joinedBy }] of members.entries()) {
    const parent = (joinedBy === null ? undefined : positions.get(joinedBy.contentId)) ?? null;
    // nothing hangs from what came later: that would be a circle
    const above = parent !== null && parent < at ? parent : null;
    children.set(above, [...(children.get(above) ?? []), at]);
  }
  const likenessOf = (at: number) => {
    const { joinedBy } = members[at]!;
    return joinedBy === null ? 1 : joinedLikeness(joinedBy).estimate;
  };
  const nodes: TreeNode[] = [];
  const waiting = (children.get(null) ?? [])
    .map((member) => ({ member, parent: null as number | null, depth: 0 }))
    .reverse();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const row = nodes.length;
    nodes.push({ ...next, likeness: likenessOf(next.member) });
    const below = (children.get(next.member) ?? []).toSorted((x, y) => likenessOf(x) - likenessOf(y) || y - x);
    for (const member of below) waiting.push({ member, parent: row, depth: next.depth + 1 });
  }
  return nodes;
}

/** What a tree falls into. */
export interface Parts {
  /** Of each row the part that it is in; the largest part is 0, of equal ones that which comes first. */
  readonly of: readonly number[];
  /** Rows in each part. */
  readonly sizes: readonly number[];
}

/** The parts of a tree whose pairs below a threshold are cut. */
export function partsAt(nodes: readonly TreeNode[], threshold: number): Parts {
  const raw: number[] = [];
  const counts: number[] = [];
  for (const { parent, likeness } of nodes) {
    const part = parent === null || likeness < threshold ? counts.length : raw[parent]!;
    raw.push(part);
    counts[part] = (counts[part] ?? 0) + 1;
  }
  const order = counts.map((_size, part) => part).sort((x, y) => counts[y]! - counts[x]! || x - y);
  const rank = new Map(order.map((part, at) => [part, at]));
  return { of: raw.map((part) => rank.get(part)!), sizes: order.map((part) => counts[part]!) };
}

/** A pair whose cut parts what it is in. */
export interface Link {
  readonly row: number;
  readonly likeness: number;
  /** Rows on the side of the parent, and on that of the row itself, were only this pair cut. */
  readonly sides: readonly [number, number];
}

/** The weakest pairs that still hold at a threshold, weakest first. */
export function weakestLinks(nodes: readonly TreeNode[], threshold: number, most: number): Link[] {
  const holds = ({ parent, likeness }: TreeNode) => parent !== null && likeness >= threshold;
  const below = nodes.map(() => 1);
  for (let row = nodes.length - 1; row > 0; row--) {
    const node = nodes[row]!;
    if (holds(node)) below[node.parent!]! += below[row]!;
  }
  const { of, sizes } = partsAt(nodes, threshold);
  return nodes
    .map((node, row) => ({ node, row }))
    .filter(({ node }) => holds(node))
    .sort((x, y) => x.node.likeness - y.node.likeness || x.row - y.row)
    .slice(0, most)
    .map(({ node, row }) => ({ row, likeness: node.likeness, sides: [sizes[of[row]!]! - below[row]!, below[row]!] }));
}

/** How many parts there are from each likeness on: the first from 0, and each until the next. */
export function partCounts(nodes: readonly TreeNode[]): { readonly above: number; readonly parts: number }[] {
  const roots = nodes.filter(({ parent }) => parent === null).length;
  const likenesses = nodes.filter(({ parent }) => parent !== null).map(({ likeness }) => likeness);
  const steps = [{ above: 0, parts: roots }];
  for (const [cut, likeness] of likenesses.sort((x, y) => x - y).entries()) {
    const last = steps.at(-1)!;
    if (last.above === likeness && steps.length > 1)
      steps[steps.length - 1] = { above: likeness, parts: roots + cut + 1 };
    else steps.push({ above: likeness, parts: roots + cut + 1 });
  }
  return steps;
}

/** `A` to `Z`, then `AA`, `AB` and so on: a name for each part. */
export function partName(part: number): string {
  const letter = String.fromCharCode(65 + (part % 26));
  return part < 26 ? letter : partName(Math.floor(part / 26) - 1) + letter;
}
