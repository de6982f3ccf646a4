import type { MovedAnswer } from '../../../src/service/moved/moved-api.ts';

/** What is offered of old URLs against where their documents are. */
export interface Score {
  /** Old URLs, and those whose documents have moved to somewhere that is known. */
  asked: number;
  moved: number;
  /** Those of them for which a place of the document is offered as certain or likely. */
  found: number;
  /** Candidates offered as certain or likely, and those that are a place of the document. */
  offered: number;
  right: number;
}

export const newScore = (): Score => ({ asked: 0, moved: 0, found: 0, offered: 0, right: 0 });

/** Adds one answer. @returns whether nothing in it is wrong and nothing is missing */
export function score(
  into: Score,
  answer: Pick<MovedAnswer, 'candidates'>,
  places: ReadonlySet<string>,
  hasMoved: boolean,
): boolean {
  const offered = answer.candidates.filter(({ sure }) => sure !== 'possible');
  const right = offered.filter(({ url }) => places.has(url));
  into.asked++;
  into.offered += offered.length;
  into.right += right.length;
  if (hasMoved && places.size > 0) {
    into.moved++;
    if (right.length > 0) into.found++;
    else return false;
  }
  return right.length === offered.length;
}

export const recallOf = ({ found, moved }: Score) => found / moved;
export const precisionOf = ({ right, offered }: Score) => right / offered;
