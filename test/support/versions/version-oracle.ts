import type { ChangedVersion, ChangeKind, VersionsAnswer } from '../../../src/service/api.ts';
import { intersectionSize, referenceShingles, referenceTokens } from '../core/reference.ts';

/* The versions of a URL from all of its sightings, by the texts themselves: what the service says without any text. */

/** null: it was gone. */
export interface Sight {
  readonly at: number;
  readonly text: string | null;
}

export interface ExpectedVersion {
  readonly observedAt: number;
  readonly lastSeen: number;
  readonly kind: ChangeKind | null;
  /** Exact; null where nothing is compared. */
  readonly shares: {
    readonly resemblance: number;
    readonly beforeInAfter: number;
    readonly afterInBefore: number;
  } | null;
}

interface Run {
  readonly observedAt: number;
  lastSeen: number;
  readonly live: boolean;
  /** What is there, or was before it was gone. */
  readonly text: string | null;
}

/** The newest first. @param sights of different times, in any order */
export function expectedVersions(sights: readonly Sight[], shingleSize: number): ExpectedVersion[] {
  const runs: Run[] = [];
  for (const { at, text } of sights.toSorted((a, b) => a.at - b.at)) {
    const last = runs.at(-1);
    const live = text !== null;
    if (last?.live === live && (!live || last.text === text)) last.lastSeen = at;
    else runs.push({ observedAt: at, lastSeen: at, live, text: text ?? last?.text ?? null });
  }
  const setOf = shinglesOf(shingleSize);
  return runs
    .map(({ observedAt, lastSeen, live, text }, i): ExpectedVersion => {
      const before = runs[i - 1];
      if (before === undefined) return { observedAt, lastSeen, kind: null, shares: null };
      if (!live) return { observedAt, lastSeen, kind: 'gone', shares: null };
      const shares = before.text === null ? null : sharesOf(setOf(before.text), setOf(text!));
      return { observedAt, lastSeen, kind: kindOf(before, text!, shares), shares };
    })
    .reverse();
}

function kindOf(before: Run, text: string, shares: ExpectedVersion['shares']): ChangeKind {
  if (!before.live) return 'back';
  if (wordsOf(before.text!).join(' ') === wordsOf(text).join(' ')) return 'formatting';
  return shares!.resemblance >= 0.5 ? 'edited' : 'replaced';
}

const words = new Map<string, readonly string[]>();
function wordsOf(text: string): readonly string[] {
  const known = words.get(text);
  if (known !== undefined) return known;
  const found = referenceTokens(text);
  words.set(text, found);
  return found;
}

const sets = new Map<string, ReadonlySet<string>>();
const shinglesOf = (size: number) => (text: string) => {
  const known = sets.get(text);
  if (known !== undefined) return known;
  const set = referenceShingles(wordsOf(text), size);
  sets.set(text, set);
  return set;
};

function sharesOf(before: ReadonlySet<string>, after: ReadonlySet<string>) {
  const inBoth = intersectionSize(before, after);
  const part = (of: number) => (of === 0 ? 1 : inBoth / of);
  return {
    resemblance: part(before.size + after.size - inBoth),
    beforeInAfter: part(before.size),
    afterInBefore: part(after.size),
  };
}

export interface Differences {
  /** Sentences. */
  readonly wrong: string[];
  /** Shares that were told, and of these that lie in their interval. */
  shares: number;
  covered: number;
  /** Kinds, and of these that were told as undecided: edited or replaced. */
  kinds: number;
  undecided: number;
  /** Kinds that are another one, of those that were undecided. */
  otherKinds: number;
}

export const noDifferences = (): Differences => ({
  ...{ wrong: [], shares: 0, covered: 0, kinds: 0, undecided: 0, otherKinds: 0 },
});

const SHARES = ['resemblance', 'beforeInAfter', 'afterInBefore'] as const;

/** Holds what the service says of a URL against what is so. */
export function compareVersions(
  { url, versions }: Pick<VersionsAnswer, 'url' | 'versions'>,
  expected: readonly ExpectedVersion[],
  found: Differences,
): void {
  const times = (of: { observedAt: string | number; lastSeen: string | number }) =>
    `${new Date(of.observedAt).toISOString()} to ${new Date(of.lastSeen).toISOString()}`;
  const [is, should] = [versions.map(times), expected.map(times)];
  if (is.join() !== should.join()) found.wrong.push(`${url}: ${is.join()}, not ${should.join()}`);
  else for (const [i, version] of versions.entries()) compareChange(url, version, expected[i]!, found);
}

function compareChange(
  url: string,
  { observedAt, change }: ChangedVersion,
  { kind, shares }: ExpectedVersion,
  found: Differences,
): void {
  found.kinds++;
  if (change?.resemblance?.decision === 'undecided') found.undecided++;
  if ((change?.kind ?? null) !== kind) {
    // what is near the threshold may be told either way, and it says so
    if (change?.resemblance?.decision === 'undecided') found.otherKinds++;
    else found.wrong.push(`${url} ${observedAt}: ${change?.kind}, not ${kind}`);
  }
  if ((change?.resemblance ?? null) === null) {
    if (shares !== null) found.wrong.push(`${url} ${observedAt}: nothing is said of shares`);
    return;
  }
  for (const name of SHARES) {
    const { low, high } = change![name]!;
    found.shares++;
    found.covered += Number(shares![name] >= low - 1e-6 && shares![name] <= high + 1e-6);
  }
}
