import { type Run, wordsOfRun } from './quoted-runs.ts';

/*
 * Which part of a text is whose: the runs of several contents -> passages that do not overlap.
 *
 *   text    0 1 2 3 4 5 6 7 8 9 …
 *   a         [-----------]             the longest run is taken first, and whole: who has most of a place in one go is
 *   b             [---------------]     its best source. Of others what is left is taken, if it is a shingle or more
 *   c           [---]
 *           . a a a a a a b b b b .     c has a part of what is a's: it is named there (`alsoIn`)
 *
 * Of runs of one length the part that explains more comes first. Cost: O(runs · log runs), and a shift of what was taken.
 */

/** Where a stretch of a text begins and ends; tokens and bytes. */
export interface ClaimedPassage extends Run {
  /** Which part has it, and which others have all of it. */
  readonly part: number;
  readonly alsoIn: readonly number[];
  /** Whether it is a whole run of its part. */
  readonly isWhole: boolean;
}

/**
 * @param runs of each part, in the order of the text
 * @param wordsLeast a rest of a run with fewer words is left out
 * @returns in the order of the text
 */
export function claimPassages(runs: readonly (readonly Run[])[], wordsLeast: number): ClaimedPassage[] {
  const all = runs.flatMap((own, part) => own.map((run) => ({ run, part })));
  all.sort((a, b) => wordsOfRun(b.run) - wordsOfRun(a.run) || a.part - b.part || a.run.firstToken - b.run.firstToken);
  const claimed: Omit<ClaimedPassage, 'alsoIn'>[] = [];
  for (const { run, part } of all) {
    let at = firstBehind(claimed, run.firstToken);
    let rest: Run | null = run;
    while (rest !== null) {
      const next: Omit<ClaimedPassage, 'alsoIn'> | undefined = claimed[at];
      const isFree: boolean = next === undefined || next.firstToken > rest.lastToken;
      const free: Run | null = isFree ? rest : before(rest, next!.firstToken, next!.start);
      if (free !== null && wordsOfRun(free) >= wordsLeast) {
        claimed.splice(at, 0, { ...free, part, isWhole: free === run });
        at++;
      }
      rest = isFree ? null : behind(rest, next!.lastToken, next!.end);
      at++;
    }
  }
  return claimed.map((passage) => ({ ...passage, alsoIn: othersWith(passage, runs) }));
}

/** Of passages in order the first that ends at a token or behind it. */
function firstBehind(passages: readonly Pick<Run, 'lastToken'>[], token: number): number {
  let low = 0;
  let high = passages.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (passages[middle]!.lastToken < token) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What of a run stands before a token; null where nothing does. */
function before(run: Run, token: number, byte: number): Run | null {
  if (token <= run.firstToken) return null;
  const lastToken = token - 1;
  return { ...run, lastToken, end: byte, tailFirst: Math.min(run.tailFirst, lastToken) };
}

function behind(run: Run, token: number, byte: number): Run | null {
  if (token >= run.lastToken) return null;
  const firstToken = token + 1;
  return { ...run, firstToken, start: byte, headLast: Math.max(run.headLast, firstToken) };
}

function othersWith(
  { part, firstToken, lastToken }: Pick<ClaimedPassage, 'part' | 'firstToken' | 'lastToken'>,
  runs: readonly (readonly Run[])[],
): number[] {
  const others: number[] = [];
  for (const [other, own] of runs.entries()) {
    const run = own[firstBehind(own, lastToken)];
    if (other !== part && run !== undefined && run.firstToken <= firstToken) others.push(other);
  }
  return others;
}
