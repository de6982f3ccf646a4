import { longestGap, type TextPassage } from '../passages/passages.ts';
import type { ShingleSequence } from '../sketch/sketch.ts';
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
 * A run begins and ends with a window that was sampled. It may go on as far as the next one that was sampled and is not
 * shared. So many words it may have, at the most (+ shared, - not, ? not sampled):
 *
 *   window   … - ? ? ? + ? ? + ? ? - …        A quotation counts by what it may have: whoever asks for 25 words in a row misses
 *                [-------------]              none of those that were looked up, and is told of some of fewer words.
 *
 * Of a content that is known by a sample, two windows are asked for.
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

export interface QuotedOptions {
  /** By which the content is known. */
  readonly modulus: number;
  readonly minimumWords: number;
}

/**
 * Those passages of a piece that are, or are of, a quotation.
 *
 * @param passages in the order of the text
 */
export function quotedPassages(
  { fingerprints, shingleSize }: Pick<ShingleSequence, 'fingerprints' | 'shingleSize'>,
  passages: readonly TextPassage[],
  { modulus, minimumWords }: QuotedOptions,
): TextPassage[] {
  const quoted: TextPassage[] = [];
  let group: TextPassage[] = [];
  let words = 0;
  let end = 0;
  const close = () => {
    const isSeen = modulus === 1 || group.length > 1 || group[0]!.words > shingleSize;
    if (isSeen && words >= minimumWords) quoted.push(...group);
    group = [];
    words = 0;
  };
  for (const passage of passages) {
    const { firstToken, lastToken } = passage;
    const from = firstToken - unsampledFrom(fingerprints, modulus, firstToken - 1, -1);
    const to = lastToken + unsampledFrom(fingerprints, modulus, lastToken - shingleSize + 2, 1);
    if (group.length > 0 && from - end - 1 > GAP_MOST) close();
    words += to - (group.length === 0 ? from : Math.max(from, end + 1)) + 1;
    end = to;
    group.push(passage);
  }
  if (group.length > 0) close();
  return quoted;
}

/** Windows that were not sampled, from one on in a direction; no more than are bridged. */
function unsampledFrom(fingerprints: Float64Array, modulus: number, window: number, step: 1 | -1): number {
  const most = longestGap(modulus);
  let count = 0;
  for (let at = window; count < most && at >= 0 && at < fingerprints.length; at += step) {
    if (fingerprints[at]! % modulus === 0) break;
    count++;
  }
  return count;
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
