import type { CollapseThresholds } from '../../../src/service/api.ts';

/*
 * What /collapse is to answer, the slow and plain way: over whole sets of shingles, every pair looked at.
 */

export interface OracleResult {
  /** Shingles as they are; null: nothing is known of it. */
  readonly shingles: ReadonlySet<unknown> | null;
  /** The words in their order, or whatever is equal for them only. */
  readonly words: string;
  /** Equal for results of one URL; null: its own page. */
  readonly key: string | null;
  readonly preference: number;
}

export interface OracleOptions {
  readonly thresholds: CollapseThresholds;
  readonly minimumShingles: number;
}

export interface ExactPair {
  readonly resemblance: number;
  readonly aInB: number;
  readonly bInA: number;
}

function exactPair(a: ReadonlySet<unknown>, b: ReadonlySet<unknown>): ExactPair {
  const shared = a.size < b.size ? countIn(a, b) : countIn(b, a);
  return { resemblance: shared / (a.size + b.size - shared), aInB: shared / a.size, bInA: shared / b.size };
}

function countIn(a: ReadonlySet<unknown>, b: ReadonlySet<unknown>): number {
  let count = 0;
  for (const one of a) count += Number(b.has(one));
  return count;
}

/** Whether `result` meets `representative`. */
function meetsExactly(result: OracleResult, representative: OracleResult, options: OracleOptions): boolean {
  const [a, b] = [result.shingles, representative.shingles];
  if (a === null || b === null) return false;
  const pair = exactPair(a, b);
  const { resemblance, resultInRepresentative, representativeInResult } = options.thresholds;
  if (result.words === representative.words || pair.resemblance === 1) return true;
  if (resemblance !== null && pair.resemblance >= resemblance) return true;
  const [isLongA, isLongB] = [a, b].map(({ size }) => size >= options.minimumShingles);
  return (
    (isLongA === true && resultInRepresentative !== null && pair.aInB >= resultInRepresentative) ||
    (isLongB === true && representativeInResult !== null && pair.bInA >= representativeInResult)
  );
}

/** Whether `holder` is preferred as much as `held`, has enough of it, and not the other way round. */
function holdsExactly(holder: OracleResult, held: OracleResult, options: OracleOptions): boolean {
  const least = options.thresholds.resultInRepresentative;
  if (holder.shingles === null || held.shingles === null || least === null) return false;
  if (holder.preference !== held.preference || held.shingles.size < options.minimumShingles) return false;
  const { aInB, bInA } = exactPair(held.shingles, holder.shingles);
  return aInB >= least && bInA < least;
}

/** Groups of positions, the representative first, then the others in their order; groups by their first results. */
export function collapseExactly(results: readonly OracleResult[], options: OracleOptions): number[][] {
  const pages: number[][] = [];
  const order = [...results.keys()].sort((a, b) => {
    const [x, y] = [results[a]!.preference, results[b]!.preference];
    return x === y ? a - b : x < y ? -1 : 1;
  });
  for (const result of order) {
    const { key } = results[result]!;
    const page = key === null ? undefined : pages.find(([first]) => results[first!]!.key === key);
    if (page === undefined) pages.push([result]);
    else page.push(result);
  }
  const stands = (page: readonly number[]): OracleResult => {
    const best = page.find((result) => results[result]!.shingles !== null) ?? page[0]!;
    return { ...results[best]!, preference: results[page[0]!]!.preference };
  };
  const groups: number[][][] = [];
  const place = (page: number[]): void => {
    if (groups.some((group) => group.includes(page))) return;
    const join = () => {
      const met = groups.find(([representative]) => meetsExactly(stands(page), stands(representative!), options));
      met?.push(page);
      return met !== undefined;
    };
    if (join()) return;
    for (const other of pages) {
      if (groups.some((group) => group.includes(other)) || !holdsExactly(stands(other), stands(page), options))
        continue;
      place(other);
      if (join()) return;
    }
    groups.push([page]);
  };
  for (const page of pages) place(page);
  return groups
    .map((group) => {
      const [representative, ...others] = group.flat();
      return [representative!, ...others.sort((a, b) => a - b)];
    })
    .sort((a, b) => Math.min(...a) - Math.min(...b));
}
