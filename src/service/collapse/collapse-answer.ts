import type { Turns } from '../../sharing/turns.ts';
import type {
  CollapseAnswer,
  CollapsedGroup,
  CollapsedResult,
  CollapseMember,
  CollapseThresholds,
  ShownGroup,
  UnknownReason,
} from '../api.ts';
import { equivalenceOf, falseMatchesOf, printPair } from '../document/pair.ts';
import type { Group, Member, Placed } from './groups.ts';
import type { ListedResult } from './listed-result.ts';
import type { ShownEntry, ShownGroups } from './shown-groups.ts';

/* What is shown, as it is answered. */

type Answer = Pick<CollapseAnswer, 'groups' | 'shownBefore' | 'undecided' | 'unknown' | 'taken'>;

/** @param results all of them, of which a part may be shown */
export async function printAnswer(
  results: readonly ListedResult[],
  { groups, shownBefore, undecided, taken }: ShownGroups,
  minimumShingles: number,
  turns: Turns,
): Promise<Answer> {
  const members = [...membersOf(groups), ...membersOf(shownBefore)];
  const shares = new Map<Member, PrintedShares>();
  for (const member of members) {
    // an interval costs tens of microseconds
    if (turns.spent()) await turns.next();
    shares.set(member, printShares(member, members.length));
  }
  const printer = new Printer(results, minimumShingles, shares);
  return {
    groups: groups.map((group) => printer.entry(group)),
    shownBefore: shownBefore.map((group) => printer.entry(group)),
    undecided: undecided.filter(({ result }) => printer.printed.has(result)),
    unknown: printer.unknown.sort((a, b) => a.result - b.result),
    taken,
  };
}

class Printer {
  readonly printed = new Set<number>();
  readonly unknown: { result: number; reason: UnknownReason }[] = [];
  readonly #results: readonly ListedResult[];
  readonly #minimumShingles: number;

  readonly #shares: ReadonlyMap<Member, PrintedShares>;

  constructor(results: readonly ListedResult[], minimumShingles: number, shares: ReadonlyMap<Member, PrintedShares>) {
    this.#results = results;
    this.#minimumShingles = minimumShingles;
    this.#shares = shares;
  }

  entry({ group, moreOfHost }: ShownEntry): ShownGroup {
    return { ...this.#group(group), moreOfHost: moreOfHost.map((one) => this.#group(one)) };
  }

  #group({ representative, members }: Group): CollapsedGroup {
    return {
      representative: this.#result(representative),
      members: members.map((member) => this.#member(member, representative)),
    };
  }

  #result({ result, known }: Placed): CollapsedResult {
    const { given, reason } = this.#results[result]!;
    const { id, rank } = given;
    this.printed.add(result);
    if (known === null && reason !== null) this.unknown.push({ result, reason });
    return {
      result,
      ...(id === undefined ? {} : { id }),
      ...(rank === undefined ? {} : { rank }),
      from: known?.from ?? null,
      shingles: known?.shingleCount ?? null,
      short: known === null ? null : known.shingleCount < this.#minimumShingles,
    };
  }

  #member(member: Member, { known: ofRepresentative }: Placed): CollapseMember {
    const { by, comparison, known } = member;
    const areCompared = comparison !== null && known !== null && ofRepresentative !== null;
    const equivalence = areCompared
      ? equivalenceOf(known.bytesDigest === ofRepresentative.bytesDigest, known, ofRepresentative)
      : null;
    return { ...this.#result(member), by, equivalence, ...this.#shares.get(member)! };
  }
}

type PrintedShares = Pick<CollapseMember, keyof CollapseThresholds>;

function* membersOf(entries: readonly ShownEntry[]): Generator<Member> {
  for (const { group, moreOfHost } of entries) {
    yield* group.members;
    for (const { members } of moreOfHost) yield* members;
  }
}

/** @param pairs that are shown: figures are exact only where nothing agreed by chance in any of those that are called so */
function printShares({ comparison }: Member, pairs: number): PrintedShares {
  if (comparison === null) return { resemblance: null, resultInRepresentative: null, representativeInResult: null };
  const { pair, thresholds } = comparison;
  const { resemblance, aInB, bInA } = printPair(pair, thresholds, falseMatchesOf(pair) * pairs);
  return { resemblance, resultInRepresentative: bInA, representativeInResult: aInB };
}
