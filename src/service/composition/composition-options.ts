import { DEFAULT_MATCH_OPTIONS } from '../limits.ts';
import type { CompositionOptions } from './composition-shapes.ts';

/** Parts of an answer, at the most: each is read and shown with its sources. */
export const PARTS_MAX = 100;
/** Words of the least quotation that may be asked for, and of the greatest: pieces of a text overlap by as many. */
export const QUOTED_WORDS_MIN = 8;
export const QUOTED_WORDS_MAX = 500;

/** What is asked for where the caller does not say. */
export const DEFAULT_COMPOSITION_OPTIONS: CompositionOptions = {
  find: 'sources',
  content: DEFAULT_MATCH_OPTIONS.content,
  // half of what is to be named for certain: see docs/composition.md
  minimumShare: 0.02,
  minimumWords: 25,
  limit: 20,
  sourcesPerPart: 3,
  include: DEFAULT_MATCH_OPTIONS.include,
  exclude: DEFAULT_MATCH_OPTIONS.exclude,
  only: DEFAULT_MATCH_OPTIONS.only,
  passages: true,
  fetch: DEFAULT_MATCH_OPTIONS.fetch,
  deadlineMs: null,
};
