import type { TextPassage } from '../passages/passages.ts';
import type { TextPiece } from './text-pieces.ts';

/*
 * Runs: passages (core/passages/passages.ts) of a text that was read in pieces, by their places in the whole text.
 *
 * A quotation is what a content shares in one place, at least so many words of it. Who quotes leaves words out and changes
 * others, so runs belong together that have no more than GAP_MOST words between them:
 *
 *   text     … she said [of the things that matter] she knew [the least were those she was asked about] …
 *                        `------ 5 words ------'  2 between  `----------- 8 words -----------'            13 words
 *
 * A run begins and ends with a window that was sampled. At modulus m some m - 1 words at either end are shared in the mean and
 * not seen. Each run counts for so many more, and as many more may stand between two. Of a content that is known by a sample,
 * two windows are asked for.
 */

/** A stretch of a text that a content shares; bytes and tokens of the whole text. */
export interface Run {
  readonly firstToken: number;
  readonly lastToken: number;
  /** Bytes: where the first token begins, where the last ends. */
  readonly start: number;
  readonly end: number;
  readonly exact: boolean;
  /** See TextPassage. */
  readonly headLast: number;
  readonly tailFirst: number;
}

export const wordsOfRun = ({ firstToken, lastToken }: Pick<Run, 'firstToken' | 'lastToken'>): number =>
  lastToken - firstToken + 1;

/** Words between two runs of one quotation, at the most. */
const GAP_MOST = 10;

/** The passages of a piece by their places in the text. */
export function runsOf({ from, firstToken: before, sequence }: TextPiece, passages: readonly TextPassage[]): Run[] {
  return passages.map(({ firstToken, lastToken, exact, headLast, tailFirst }) => ({
    firstToken: before + firstToken,
    lastToken: before + lastToken,
    start: from + sequence.tokenStarts[firstToken]!,
    end: from + sequence.tokenEnds[lastToken]!,
    exact,
    headLast: before + headLast,
    tailFirst: before + tailFirst,
  }));
}

/**
 * Those passages of a piece that are, or are of, a quotation.
 *
 * @param passages in the order of the text
 * @param modulus by which the content is known
 */
export function quotedPassages(
  passages: readonly TextPassage[],
  { modulus, shingleSize, minimumWords }: { modulus: number; shingleSize: number; minimumWords: number },
): TextPassage[] {
  const quoted: TextPassage[] = [];
  let group: TextPassage[] = [];
  const unseen = 2 * (modulus - 1);
  const close = () => {
    const seen = group.reduce((sum, { words }) => sum + words, 0);
    const isSeen = modulus === 1 || group.length > 1 || seen > shingleSize;
    if (isSeen && seen + group.length * unseen >= minimumWords) quoted.push(...group);
    group = [];
  };
  for (const passage of passages) {
    const last = group.at(-1);
    if (last !== undefined && passage.firstToken - last.lastToken - 1 > GAP_MOST + unseen) close();
    group.push(passage);
  }
  if (group.length > 0) close();
  return quoted;
}

/** Runs of one content in the order of the text; those that overlap, since pieces do, are one. */
export function joinRuns(runs: readonly Run[]): Run[] {
  const joined: Run[] = [];
  for (const run of runs.toSorted((a, b) => a.firstToken - b.firstToken || b.lastToken - a.lastToken)) {
    const last = joined.at(-1);
    if (last === undefined || run.firstToken > last.lastToken) joined.push(run);
    else if (run.lastToken > last.lastToken) {
      const { lastToken, end, tailFirst } = run;
      joined[joined.length - 1] = { ...last, lastToken, end, tailFirst, exact: last.exact && run.exact };
    }
  }
  return joined;
}
