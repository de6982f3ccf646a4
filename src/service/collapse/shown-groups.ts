import type { Group, Groups } from './groups.ts';

/*
 * Groups -> what a search page shows of them.
 *
 *   groups in the order of their first results       1   2   3   4   5   6   7  …
 *   host, at most perHost = 2 of each                a   a   b   a   c   a   d
 *   shown, want = 4                                  a   a   b       c          d is one too many: taken = its first result
 *                                                        '-- 4, 6   more of the host
 *
 * A group that is represented by what an earlier page has shown is not shown again. Its host counts: pages together show
 * what one long page would.
 */

export interface ShownEntry {
  readonly group: Group;
  readonly moreOfHost: readonly Group[];
}

export interface ShownGroups {
  readonly groups: readonly ShownEntry[];
  /** Those represented by what was shown before, where something new belongs to them. */
  readonly shownBefore: readonly ShownEntry[];
  /** The results before this position are in one of the groups, but for those shown before. */
  readonly taken: number;
  readonly undecided: Groups['undecided'];
}

export interface ShownOptions {
  readonly perHost: number | null;
  readonly want: number | null;
  /** Of a result, by its position. */
  isShown(result: number): boolean;
  hostOf(result: number): string | null;
}

/** @param count how many results there are */
export function showGroups({ groups, undecided }: Groups, count: number, options: ShownOptions): ShownGroups {
  const { want, isShown } = options;
  const hosts = new Hosts(options);
  const isOld = ({ representative }: Group) => isShown(representative.result);
  const before = groups.filter(isOld).map((group) => hosts.add(withoutShown(group, isShown)));
  const shown: ShownEntry[] = [];
  let taken = count;
  for (const group of groups.filter((one) => !isOld(one)).sort((a, b) => firstOf(a) - firstOf(b))) {
    if (hosts.addToLast(group)) continue;
    if (shown.length === want) {
      taken = firstOf(group);
      break;
    }
    shown.push(hosts.add(group));
  }
  const shownBefore = before.filter(({ group, moreOfHost }) => group.members.length + moreOfHost.length > 0);
  return { groups: shown, shownBefore, taken, undecided };
}

/** The groups of each host so far. */
class Hosts {
  readonly #options: ShownOptions;
  readonly #entries = new Map<string, { count: number; last: { readonly moreOfHost: Group[] } }>();

  constructor(options: ShownOptions) {
    this.#options = options;
  }

  add(group: Group): ShownEntry {
    const entry = { group, moreOfHost: [] };
    const host = this.#hostOf(group);
    if (host !== null) this.#entries.set(host, { count: 1 + (this.#entries.get(host)?.count ?? 0), last: entry });
    return entry;
  }

  /** Adds a group behind the last one of its host, where that has as many as it may. */
  addToLast(group: Group): boolean {
    const host = this.#hostOf(group);
    const known = host === null ? undefined : this.#entries.get(host);
    if (known === undefined || known.count < this.#options.perHost!) return false;
    known.last.moreOfHost.push(group);
    return true;
  }

  #hostOf({ representative }: Group): string | null {
    const { perHost, hostOf } = this.#options;
    return perHost === null ? null : hostOf(representative.result);
  }
}

function firstOf({ representative, members }: Group): number {
  return Math.min(representative.result, members[0]?.result ?? Number.POSITIVE_INFINITY);
}

function withoutShown({ representative, members }: Group, isShown: ShownOptions['isShown']): Group {
  return { representative, members: members.filter(({ result }) => !isShown(result)) };
}
