import type { Turns } from '../../sharing/turns.ts';
import type {
  CollapseAnswer,
  CollapsedContents,
  CollapsedGroup,
  CollapsedResult,
  CollapseMember,
  CollapseRequest,
  CollapseShares,
  ContentFigures,
  ShownGroup,
  UnknownReason,
} from '../api.ts';
import { isKnownContent, printContentShares } from '../content/content-pair.ts';
import { describeOwn } from '../content/document-content.ts';
import { equivalenceOf, falseMatchesOf, printPair } from '../document/pair.ts';
import type { Group, Groups, Member, Placed } from './groups.ts';
import type { ListedResult } from './listed-result.ts';
import { siteOf } from './page-url.ts';

/*
 * Groups -> what a search page shows of them, and how that is answered.
 *
 *   groups in the order of their first results       1   2   3   4   5   6   7  …
 *   host, at most perHost = 2 of each                a   a   b   a   c   a   d
 *   shown, want = 4                                  a   a   b       c          d is one too many: taken = its first result
 *                                                        '-- 4, 6   more of the host
 *
 * A group that is represented by what an earlier page has shown is not shown again. Its host counts: pages together show
 * what one long page would.
 */

interface ShownEntry {
  readonly group: Group;
  readonly moreOfHost: Group[];
}

export interface ShownGroups {
  readonly groups: readonly ShownEntry[];
  /** Those represented by what was shown before, where something new belongs to them. */
  readonly shownBefore: readonly ShownEntry[];
  /** The results before this position are in one of the groups, but for those shown before. */
  readonly taken: number;
  readonly undecided: Groups['undecided'];
}

export function showGroups(
  { groups, undecided }: Groups,
  results: readonly ListedResult[],
  { perHost, want, urls }: CollapseRequest,
): ShownGroups {
  /** The groups of each host so far. */
  const hosts = new Map<string, { readonly count: number; readonly last: ShownEntry }>();
  const hostOf = ({ representative }: Group) => {
    const url = results[representative.result]!.page?.url;
    return perHost === null || url === undefined ? null : siteOf(url, urls);
  };
  const show = (group: Group): ShownEntry => {
    const entry = { group, moreOfHost: [] };
    const host = hostOf(group);
    if (host !== null) hosts.set(host, { count: 1 + (hosts.get(host)?.count ?? 0), last: entry });
    return entry;
  };
  const isShown = ({ result }: Placed) => results[result]!.given.shown;
  const before = groups
    .filter(({ representative }) => isShown(representative))
    .map((group) => show({ ...group, members: group.members.filter((member) => !isShown(member)) }));
  const shown: ShownEntry[] = [];
  let taken = results.length;
  const others = groups.filter(({ representative }) => !isShown(representative));
  for (const group of others.sort((a, b) => firstOf(a) - firstOf(b))) {
    const ofHost = hosts.get(hostOf(group) ?? '');
    if (ofHost !== undefined && ofHost.count >= perHost!) {
      ofHost.last.moreOfHost.push(group);
      continue;
    }
    if (shown.length === want) {
      taken = firstOf(group);
      break;
    }
    shown.push(show(group));
  }
  const shownBefore = before.filter(({ group, moreOfHost }) => group.members.length + moreOfHost.length > 0);
  return { groups: shown, shownBefore, taken, undecided };
}

function firstOf({ representative, members }: Group): number {
  return Math.min(representative.result, members[0]?.result ?? Number.POSITIVE_INFINITY);
}

/** @param results all of them, of which a part may be shown */
export async function printAnswer(
  results: readonly ListedResult[],
  { groups, shownBefore, undecided, taken }: ShownGroups,
  minimumShingles: number,
  turns: Turns,
): Promise<Pick<CollapseAnswer, 'groups' | 'shownBefore' | 'undecided' | 'unknown' | 'taken'>> {
  const members = [...groups, ...shownBefore].flatMap(({ group, moreOfHost }) =>
    [group, ...moreOfHost].flatMap((one) => one.members),
  );
  const shares = new Map<Member, CollapseShares>();
  for (const member of members) {
    // an interval costs tens of microseconds
    if (turns.spent()) await turns.next();
    shares.set(member, printShares(member, members.length));
  }
  const printed = new Set<number>();
  const unknown: { result: number; reason: UnknownReason }[] = [];
  const printResult = ({ result, known, hasCaption }: Placed): CollapsedResult => {
    const { given, reason } = results[result]!;
    const { id, rank } = given;
    printed.add(result);
    if (known === null && !hasCaption && reason !== null) unknown.push({ result, reason });
    return {
      result,
      ...(id === undefined ? {} : { id }),
      ...(rank === undefined ? {} : { rank }),
      from: known?.from ?? (hasCaption ? 'snippet' : null),
      shingles: known?.shingleCount ?? null,
      short: known === null ? null : known.shingleCount < minimumShingles,
    };
  };
  const printMember = (member: Member, { known: other }: Placed): CollapseMember => {
    const { by, urlDiffersBy, comparison, known } = member;
    const areCompared = comparison !== null && known !== null && other !== null;
    const equivalence = areCompared ? equivalenceOf(known.bytesDigest === other.bytesDigest, known, other) : null;
    return { ...printResult(member), by, urlDiffersBy, equivalence, ...shares.get(member)!, ...printContents(member) };
  };
  const printGroup = ({ representative, members: joined }: Group): CollapsedGroup => ({
    representative: printResult(representative),
    members: joined.map((member) => printMember(member, representative)),
  });
  const printEntry = ({ group, moreOfHost }: ShownEntry): ShownGroup => ({
    ...printGroup(group),
    moreOfHost: moreOfHost.map(printGroup),
  });
  return {
    groups: groups.map(printEntry),
    shownBefore: shownBefore.map(printEntry),
    undecided: undecided.filter(({ result }) => printed.has(result)),
    unknown: unknown.sort((a, b) => a.result - b.result),
    taken,
  };
}

/** @param pairs that are shown: figures are exact only where nothing agreed by chance in any of those that are called so */
function printShares({ comparison }: Member, pairs: number): CollapseShares {
  if (comparison === null) return { resemblance: null, resultInRepresentative: null, representativeInResult: null };
  const { pair, thresholds } = comparison;
  const { resemblance, aInB, bInA } = printPair(pair, thresholds, falseMatchesOf(pair) * pairs);
  return { resemblance, resultInRepresentative: bInA, representativeInResult: aInB };
}

/** The figures of contents, where those were asked for. */
function printContents({ comparison }: Member): Partial<ContentFigures<CollapsedContents>> {
  if (comparison === null || comparison.content === null) return {};
  const { content, deciding, thresholds } = comparison;
  const decidedBy = deciding?.by ?? null;
  if (!isKnownContent(content)) return { content: null, contentUnknown: content, decidedBy };
  const { resemblance, aInB, bInA } = printContentShares(content, thresholds);
  const shares = { resemblance, resultInRepresentative: bInA, representativeInResult: aInB };
  const told = { representative: describeOwn(content.a), result: describeOwn(content.b) };
  return { content: { ...shares, ...told }, decidedBy };
}
