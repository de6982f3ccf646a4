import { KEPT, leaderCover, type MayStandFor } from '../../core/cluster/cover.ts';
import type { Edges } from '../../core/cluster/edges.ts';
import type { Result } from './result-folder.ts';

/*
 * Which documents of a corpus may go. For each of them one stays that is as alike to it as was asked, by itself, not by way of
 * others (core/cluster/cover.ts).
 *
 *   documents of a node   the preferred one stays for all of them, where the node does
 *   nodes                 in the order of their preferred documents
 *
 * Where containment joins documents, the longer one stays whatever is preferred: what goes is contained in what stays.
 */

/** Which document of several stays. */
export type Preference = 'oldest' | 'newest' | 'longest' | 'shortest-url' | 'first';

/** What stays of a corpus, and of another one that was read with it. */
export interface Keeping {
  /** Or a number for each document, of which the greatest stays; NaN: it has none, and comes last. */
  readonly prefer: Preference | Float64Array;
  /** So many documents, the first ones, stay whatever they are. */
  readonly fixedCount: number;
  /** Whether only what these stand for goes. */
  readonly isFixedAlone: boolean;
}

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
  keeping: Keeping,
): Generator<Removal, void, undefined> {
  const { result, edges } = parts;
  const comesBefore = keptBefore(result, keeping);
  const preferred = preferredOf(parts, comesBefore);
  const order = Uint32Array.from(preferred.keys()).sort((a, b) =>
    comesBefore(preferred[a]!, preferred[b]!) ? -1 : Number(a !== b),
  );
  const { fixedCount, isFixedAlone } = keeping;
  const isFixed = Uint8Array.from(preferred, (document) => Number(document < fixedCount));
  const fixed = fixedCount === 0 ? null : { isFixed, isAlone: isFixedAlone };
  const edgeOf = leaderCover(order, edges, threshold, fixed, standingBy(result));
  const { nodes, count } = result.documents;
  for (let document = fixedCount; document < count; document++) {
    const node = nodes[document]!;
    const edge = edgeOf[node]!;
    const best = preferred[node]!;
    if (edge !== KEPT) yield { document, kept: preferred[edges.a[edge]! + edges.b[edge]! - node]!, edge };
    else if (best !== document && (!isFixedAlone || best < fixedCount)) yield { document, kept: best, edge: null };
  }
}

/** By containment a node stands for those alone that are no longer: they are contained in it. */
function standingBy({ nodes: { shingleCounts }, summary: { by } }: Result): MayStandFor {
  if (by === 'resemblance') return () => true;
  return (node, other) => shingleCounts[node]! >= shingleCounts[other]!;
}

/** Whether a document comes before another one; no two are of one place. */
export function orderOf({ documents, nodes }: Result, prefer: Keeping['prefer']): Order {
  const { dates, urlStarts } = documents;
  // none are held where none is known
  const dateOf = (one: number) => (dates.length === 0 ? Number.NaN : dates[one]!);
  const lengthOf = (one: number) => urlStarts[one + 1]! - urlStarts[one]!;
  const shinglesOf = (one: number) => nodes.shingleCounts[documents.nodes[one]!]!;
  const ofTime = (one: number, other: number) => lengthOf(one) - lengthOf(other);
  const difference: Readonly<Record<Preference, (one: number, other: number) => number>> = {
    oldest: (one, other) => leastFirst(dateOf(one), dateOf(other)) || ofTime(one, other),
    newest: (one, other) => greatestFirst(dateOf(one), dateOf(other)) || ofTime(one, other),
    longest: (one, other) => shinglesOf(other) - shinglesOf(one),
    'shortest-url': ofTime,
    first: () => 0,
  };
  const compared =
    typeof prefer === 'string'
      ? difference[prefer]
      : (one: number, other: number) => greatestFirst(prefer[one]!, prefer[other]!);
  return (one, other) => (compared(one, other) || one - other) < 0;
}

type Order = (one: number, other: number) => boolean;

/** NaN comes last. */
const greatestFirst = (one: number, other: number) =>
  Number.isNaN(one) || Number.isNaN(other) ? Number(Number.isNaN(one)) - Number(Number.isNaN(other)) : other - one;
const leastFirst = (one: number, other: number) => greatestFirst(-one, -other);

function keptBefore(result: Result, { prefer, fixedCount }: Keeping): Order {
  const isBefore = orderOf(result, prefer);
  const { documents, nodes, summary } = result;
  const shinglesOf = (one: number) => nodes.shingleCounts[documents.nodes[one]!]!;
  const isByLength = summary.by === 'containment';
  if (fixedCount === 0 && !isByLength) return isBefore;
  return (one, other) => {
    const isFixed = one < fixedCount;
    if (isFixed !== other < fixedCount) return isFixed;
    const longer = isByLength ? shinglesOf(one) - shinglesOf(other) : 0;
    return longer === 0 ? isBefore(one, other) : longer > 0;
  };
}

/** Of each node its preferred document. */
function preferredOf({ result, starts, byNode }: RemovalParts, comesBefore: Order) {
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
