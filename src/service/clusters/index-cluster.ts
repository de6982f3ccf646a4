import { estimateOverlap } from '../../core/compare/estimate.ts';
import { containmentOf, printShare, resemblanceOf } from '../../core/compare/shares.ts';
import { estimateOwnShares } from '../../core/content/own-shares.ts';
import { noRecall, printRecall } from '../../core/query/recall.ts';
import { inTime } from '../../sharing/deadline.ts';
import type { EstimatedShare, LimitReached } from '../api.ts';
import { type ContentOutcome, contentComparer, decidingShares, isKnownContent } from '../content/content-pair.ts';
import { type DocumentContent, describeOwn } from '../content/document-content.ts';
import { createContentReader } from '../content/match-contents.ts';
import type { QueryContext } from '../context.ts';
import { kindOf } from '../document/feature-sets.ts';
import { comparePair, type Pair } from '../document/pair.ts';
import { contentOf } from '../document/query.ts';
import { AnswerTemplates } from '../templates.ts';
import type { ClusterMember, ClusterRequest, IndexCluster, MemberPair, WeakestPair } from './cluster-api.ts';
import { type GrownCluster, growCluster } from './grow-cluster.ts';
import { isOlder } from './member-sources.ts';

/* The cluster of a URL in the index, as it is answered. */

/** @returns null where the index does not know the URL; all but when it was answered */
export async function clusterInIndex(
  within: QueryContext,
  url: string,
  request: ClusterRequest,
): Promise<Omit<IndexCluster, 'asOf'> | null> {
  const templates = new AnswerTemplates(within.templates);
  const context: QueryContext = { ...within, templates };
  const { store, turns, deadline } = context;
  const source = await deadline.race(store.source(url));
  if (source === undefined) return null;
  const { record } = await deadline.race(contentOf(store, source, (id) => store.content(id)));
  const grown = await growCluster(context, record, request);
  const { tree, sources } = grown;
  const contents = await memberContents(context, grown);
  const members: ClusterMember[] = [];
  for (const number of tree.taken) {
    // an interval costs tens of microseconds
    if (turns.spent()) await turns.next();
    deadline.throwIfGivenUp();
    const { id, tokenCount, shingleCount } = tree.documents[number]!;
    const { sources: shown, sourceCount } = sources.get(number)!;
    const size = { ...kindOf({ tokenCount }), tokens: tokenCount, shingles: shingleCount };
    const joinedBy = joinOf(grown, contents, number, request);
    members.push({ contentId: id, ...size, ...printOwn(contents.get(number)), joinedBy, sources: shown, sourceCount });
  }
  const limits = limitsOf(grown);
  const isComplete = grown.wholeLooked && limits.every(({ code }) => COSTS_NOTHING.has(code));
  const untold = grown.late ? 0 : tree.taken.length - contents.size;
  if (untold > 0) limits.push({ code: 'deadline', affected: untold, of: tree.taken.length });
  const unknown = request.content === 'main' ? (contents.get(tree.taken[0]!)?.unknown ?? null) : null;
  return {
    representative: representativeOf(grown),
    members,
    contentCount: members.length,
    weakest: weakestOf(grown, members),
    ...recallOf(grown),
    complete: isComplete && (request.content === 'page' || !templates.isCut),
    limits: [...limits, ...templates.limits],
    ...(unknown === null ? {} : { contentUnknown: unknown }),
  };
}

/** Members whose contents are told at the same time. */
const AT_A_TIME = 16;

/** What each member says by itself: what the cluster was grown by, else as far as the time allows. */
async function memberContents(
  context: QueryContext,
  { tree, sources }: GrownCluster,
): Promise<ReadonlyMap<number, DocumentContent>> {
  const read = createContentReader(context);
  const contents = new Map<number, DocumentContent>();
  for (let from = 0; from < tree.taken.length; from += AT_A_TIME) {
    const some = tree.taken.slice(from, from + AT_A_TIME);
    const one = async (number: number) => {
      const member = tree.documents[number]!;
      return member.told ?? (await read(member, sources.get(number)!.templateHost));
    };
    const isKnown = some.every((number) => tree.documents[number]!.told !== null);
    const told = isKnown
      ? await Promise.all(some.map(one))
      : await inTime(() => Promise.all(some.map(one)), context.deadline);
    if (told === null) break;
    for (const [i, number] of some.entries()) contents.set(number, told[i]!);
  }
  return contents;
}

function printOwn(content: DocumentContent | undefined): Pick<ClusterMember, 'content' | 'contentUnknown'> {
  if (content === undefined) return { content: null, contentUnknown: 'deadline' };
  const { unknown, own } = content;
  if (unknown !== null) return { content: null, contentUnknown: unknown };
  return { content: { ...describeOwn(content), shingles: own.shingleCount } };
}

/** By which pair a member was joined; null of the first. */
function joinOf(
  { tree }: GrownCluster,
  contents: ReadonlyMap<number, DocumentContent>,
  number: number,
  request: ClusterRequest,
): MemberPair | null {
  const edge = tree.edgeOf(number);
  if (edge === null) return null;
  const from = tree.documents[edge.from]!;
  const isFirst = from.id < tree.documents[number]!.id;
  const [a, b] = isFirst ? [edge.from, number] : [number, edge.from];
  const pair = comparePair(tree.documents[a]!, tree.documents[b]!);
  const [contentA, contentB] = [contents.get(a), contents.get(b)];
  const outcome = contentA === undefined || contentB === undefined ? 'deadline' : contentComparer(contentA)(contentB);
  const deciding = request.content === 'page' ? null : decidingShares(request.content, pair, outcome);
  return {
    contentId: from.id,
    likeness: pageLikeness(pair, request),
    ...contentLikeness(outcome, request),
    ...(deciding === null ? {} : { decidedBy: deciding.by }),
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

function pageLikeness({ evidence }: Pair, { by, threshold }: ClusterRequest): EstimatedShare {
  const { shinglesA, shinglesB } = evidence;
  const of = (overlap: number) =>
    by === 'resemblance'
      ? resemblanceOf(overlap, shinglesA, shinglesB)
      : containmentOf(overlap, Math.min(shinglesA, shinglesB));
  const { estimate, low, high } = estimateOverlap(evidence);
  return printShare(of(estimate), of(low), of(high), threshold);
}

function contentLikeness(
  outcome: ContentOutcome,
  { by, threshold }: ClusterRequest,
): Pick<MemberPair, 'content' | 'contentUnknown'> {
  if (!isKnownContent(outcome)) return { content: null, contentUnknown: outcome };
  const { resemblance, aInB, bInA } = estimateOwnShares(outcome.evidence);
  const ofSmaller = aInB.estimate >= bInA.estimate ? aInB : bInA;
  const { estimate, low, high } = by === 'resemblance' ? resemblance : ofSmaller;
  return { content: { likeness: printShare(estimate, low, high, threshold) } };
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
  const { contentId: from, ...likeness } = joinedBy!;
  return {
    ...likeness,
    a: { contentId: from, contentCount: taken.length - beyond.size },
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
