import type { TreeEdge } from '../../core/cluster/grow/growing-tree.ts';
import { estimateOverlap } from '../../core/compare/estimate.ts';
import { containmentOf, printShare, resemblanceOf } from '../../core/compare/shares.ts';
import { noRecall, printRecall } from '../../core/query/recall.ts';
import type { EstimatedShare, LimitReached } from '../api.ts';
import type { QueryContext } from '../context.ts';
import { kindOf } from '../document/feature-sets.ts';
import { contentOf } from '../document/query.ts';
import type { ClusterMember, ClusterRequest, IndexCluster, WeakestPair } from './cluster-api.ts';
import { type GrownCluster, growCluster } from './grow-cluster.ts';
import { isOlder } from './member-sources.ts';

/* The cluster of a URL in the index, as it is answered. */

/** @returns null where the index does not know the URL; all but when it was answered */
export async function clusterInIndex(
  context: QueryContext,
  url: string,
  request: ClusterRequest,
): Promise<Omit<IndexCluster, 'asOf'> | null> {
  const { store, turns, deadline } = context;
  const source = await deadline.race(store.source(url));
  if (source === undefined) return null;
  const { record } = await deadline.race(contentOf(store, source, (id) => store.content(id)));
  const grown = await growCluster(context, record, request);
  const { tree, sources } = grown;
  const members: ClusterMember[] = [];
  for (const number of tree.taken) {
    // an interval costs tens of microseconds
    if (turns.spent()) await turns.next();
    deadline.throwIfGivenUp();
    const { id, tokenCount, shingleCount } = tree.documents[number]!;
    const edge = tree.edgeOf(number);
    const joinedBy =
      edge === null ? null : { contentId: tree.documents[edge.from]!.id, likeness: likenessOf(edge, request) };
    const { sources: shown, sourceCount } = sources.get(number)!;
    const size = { ...kindOf({ tokenCount }), tokens: tokenCount, shingles: shingleCount };
    members.push({ contentId: id, ...size, joinedBy, sources: shown, sourceCount });
  }
  const limits = limitsOf(grown);
  return {
    representative: representativeOf(grown),
    members,
    contentCount: members.length,
    weakest: weakestOf(grown, members),
    ...recallOf(grown),
    complete: grown.wholeLooked && limits.every(({ code }) => COSTS_NOTHING.has(code)),
    limits,
  };
}

/** What is left out by these is told by {@link GrownCluster.wholeLooked}, or no member: they need not have cost anything. */
const COSTS_NOTHING: ReadonlySet<string> = new Set(['look-ups', 'capped-lists', 'source-counts', 'answer-bytes']);

function recallOf({ recall, recallBySize, met }: GrownCluster): Pick<IndexCluster, 'recall' | 'recallBySize'> {
  const stated = { resemblance: recall, queryInMatch: null, matchInQuery: null };
  const all = recallBySize === null ? stated : { ...stated, matchInQueryBySize: recallBySize };
  const { resemblance, matchInQueryBySize } = printRecall(met.unreadable > 0 ? noRecall(all) : all);
  return {
    recall: resemblance!,
    ...(matchInQueryBySize === undefined ? {} : { recallBySize: matchInQueryBySize }),
  };
}

function likenessOf({ evidence }: TreeEdge, { by, threshold }: ClusterRequest): EstimatedShare {
  const { shinglesA, shinglesB } = evidence;
  const of = (overlap: number) =>
    by === 'resemblance'
      ? resemblanceOf(overlap, shinglesA, shinglesB)
      : containmentOf(overlap, Math.min(shinglesA, shinglesB));
  const { estimate, low, high } = estimateOverlap(evidence);
  return printShare(of(estimate), of(low), of(high), threshold);
}

function representativeOf({ tree, sources }: GrownCluster): string {
  const oldest = tree.taken.map((number) => sources.get(number)!.oldest).filter((holder) => holder !== null);
  // a URL moves on to another content at any time: then nobody may hold the first one any more
  return oldest.reduce((best, one) => (isOlder(one, best) ? one : best)).url;
}

/** Of several as weak the one that was taken last: what came after it is on its side. */
function weakestOf({ tree }: GrownCluster, members: readonly ClusterMember[]): WeakestPair | null {
  const { taken } = tree;
  let weakest: number | null = null;
  for (const number of taken) {
    const edge = tree.edgeOf(number);
    if (edge !== null && (weakest === null || edge.weight <= tree.edgeOf(weakest)!.weight)) weakest = number;
  }
  if (weakest === null) return null;
  // each hangs on one that was taken before it
  const beyond = new Set([weakest]);
  for (const number of taken) if (beyond.has(tree.edgeOf(number)?.from ?? -1)) beyond.add(number);
  const { joinedBy, contentId } = members[taken.indexOf(weakest)]!;
  return {
    likeness: joinedBy!.likeness,
    a: { contentId: joinedBy!.contentId, contentCount: taken.length - beyond.size },
    b: { contentId, contentCount: beyond.size },
  };
}

function limitsOf({ tree, sources, open, late, met }: GrownCluster): LimitReached[] {
  const members = tree.taken.length;
  const cut = [...tree.taken].filter((number) => sources.get(number)!.cut).length;
  const short = [...tree.taken].filter((number) => sources.get(number)!.short).length;
  const known = tree.documents.length;
  const limits: LimitReached[] = [
    { code: 'look-ups', affected: met.keysWanted - met.keys, of: met.keysWanted },
    { code: 'capped-lists', affected: met.listsCut, of: met.keys },
    { code: 'candidates', affected: met.leftOut, of: known + met.leftOut },
    { code: 'unreadable', affected: met.unreadable, of: Math.max(known, met.unreadable) },
    { code: late ? 'deadline' : 'members', affected: open, of: members + open },
    { code: 'sources', affected: cut, of: members },
    { code: 'answer-bytes', affected: short, of: members },
  ];
  return limits.filter(({ affected }) => affected > 0);
}
