import { KEPT, leaderCover } from '../../core/cluster/cover.ts';
import type { Edges } from '../../core/cluster/edges.ts';
import type { Result } from './result-folder.ts';

/*
 * Which documents of a corpus may go. For each of them one stays that is as alike to it as was asked, by itself, not by way of
 * others (core/cluster/cover.ts).
 *
 *   documents of a node   the preferred one stays for all of them, where the node does
 *   nodes                 in the order of their preferred documents
 */

/** Which document of several stays. */
export type Preference = 'oldest' | 'longest' | 'shortest-url' | 'first';

export interface Removal {
  readonly document: number;
  /** The document that stays for it. */
  readonly kept: number;
  /** Index of the edge between their nodes; null where both are of one. */
  readonly edge: number | null;
}

export interface RemovalParts {
  readonly result: Result;
  /** All edges, by falling weight. */
  readonly edges: Edges;
  /** Documents by node: those of node n are at starts[n] .. starts[n + 1] - 1. */
  readonly starts: Uint32Array;
  readonly byNode: Uint32Array;
}

/** In the order of the input. */
export function* removalsOf(
  parts: RemovalParts,
  threshold: number,
  keep: Preference,
): Generator<Removal, void, undefined> {
  const { result, edges } = parts;
  const comesBefore = orderOf(result, keep);
  const preferred = preferredOf(parts, comesBefore);
  const order = Uint32Array.from(preferred.keys()).sort((a, b) =>
    comesBefore(preferred[a]!, preferred[b]!) ? -1 : Number(a !== b),
  );
  const edgeOf = leaderCover(order, edges, threshold);
  const { nodes, count } = result.documents;
  for (let document = 0; document < count; document++) {
    const node = nodes[document]!;
    const edge = edgeOf[node]!;
    if (edge !== KEPT) yield { document, kept: preferred[edges.a[edge]! + edges.b[edge]! - node]!, edge };
    else if (preferred[node] !== document) yield { document, kept: preferred[node]!, edge: null };
  }
}

/** Whether a document comes before another one; no two are of one place. */
export function orderOf({ documents, nodes }: Result, keep: Preference): (one: number, other: number) => boolean {
  const { dates, urlStarts } = documents;
  const dateOf = (one: number) => (Number.isNaN(dates[one]!) ? Number.POSITIVE_INFINITY : dates[one]!);
  const lengthOf = (one: number) => urlStarts[one + 1]! - urlStarts[one]!;
  const shinglesOf = (one: number) => nodes.shingleCounts[documents.nodes[one]!]!;
  const difference: Readonly<Record<Preference, (one: number, other: number) => number>> = {
    // of two that nobody dates the difference would be no number
    oldest: (one, other) =>
      dateOf(one) === dateOf(other) ? lengthOf(one) - lengthOf(other) : dateOf(one) - dateOf(other),
    longest: (one, other) => shinglesOf(other) - shinglesOf(one),
    'shortest-url': (one, other) => lengthOf(one) - lengthOf(other),
    first: () => 0,
  };
  return (one, other) => (difference[keep](one, other) || one - other) < 0;
}

/** Of each node its preferred document. */
function preferredOf({ result, starts, byNode }: RemovalParts, comesBefore: (one: number, other: number) => boolean) {
  const preferred = new Uint32Array(result.nodes.count);
  for (let node = 0; node < preferred.length; node++) {
    let best = byNode[starts[node]!]!;
    for (let at = starts[node]! + 1; at < starts[node + 1]!; at++) {
      if (comesBefore(byNode[at]!, best)) best = byNode[at]!;
    }
    preferred[node] = best;
  }
  return preferred;
}
