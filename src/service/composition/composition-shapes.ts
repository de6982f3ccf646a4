import type { PartShare } from '../../core/composition/part-share.ts';
import type {
  ContentFigures,
  ContentUnknown,
  LimitReached,
  Match,
  MatchOptions,
  Passage,
  QueryDescription,
  ToldContent,
} from '../api.ts';

/* What is asked and answered by "made of": see composition.ts. */

export interface CompositionOptions
  extends Pick<MatchOptions, 'content' | 'include' | 'exclude' | 'only' | 'passages' | 'fetch' | 'deadlineMs'> {
  /** `sources`: what explains so much of the text; `quotations`: what so many words in one place are from. */
  readonly find: 'sources' | 'quotations';
  /** Of sources: the least share of the text that a part adds to those before it, by its estimate; above 0, up to 1. */
  readonly minimumShare: number;
  /** Of quotations: words. */
  readonly minimumWords: number;
  /** Parts, at the most. */
  readonly limit: number;
  readonly sourcesPerPart: number;
}

/** A content of the index that explains some of the text, the URLs that show it, and how much it explains. */
export interface CompositionPart
  extends Pick<Match, 'shingles' | 'title' | 'meta' | 'sources' | 'sourceCount' | 'moreSources'> {
  /** Of the text's shingles those that it has, whatever others have; of a quoted content those in its quotations. */
  readonly share: PartShare;
  /** Of the text's shingles those that it has and no part before it. */
  readonly unique: PartShare;
  /** The same of what the text says by itself: how much the part has of it by itself, of a part without a content in all. */
  readonly content: PartContent | null;
  /** Present where `content` is null: why. */
  readonly contentUnknown?: ContentUnknown;
}

export interface PartContent extends ToldContent {
  readonly share: PartShare;
  readonly unique: PartShare;
  /** Distinct shingles of the content of the part, an estimate where a template was taken off. */
  readonly shingles: number;
}

/** What the text says by itself, and how much of it no part has. */
export interface TextContent extends ToldContent {
  /** Its distinct shingles, an estimate where a template was taken off. */
  readonly shingles: number;
  readonly unexplained: PartShare;
}

export interface CompositionPassage extends Passage {
  /** Its best source, by its place in `parts`; and which others have all of it. */
  readonly part: number;
  readonly alsoIn: readonly number[];
}

/** `decidedBy`: by which figures parts were chosen. */
export interface CompositionAnswer extends ContentFigures<TextContent> {
  readonly query: QueryDescription;
  /** What explains most first, then what adds most to those before it. */
  readonly parts: readonly CompositionPart[];
  /** Whether there are more of which `limit` left the next out. */
  readonly more: boolean;
  /** What no part has: with all `unique` it is 1, but for rounding. */
  readonly unexplained: PartShare;
  /** In the order of the text, none overlaps another. Present where asked for and the text is at hand. */
  readonly passages?: readonly CompositionPassage[];
  /**
   * The chance that a content was looked at, or a lower bound of it; null where that was not asked for. `share`: of one that
   * has `minimumShare` of the text that no other part has. `words`: of one that has `minimumWords` words of it in a row.
   */
  readonly recall: { readonly share: number | null; readonly words: number | null };
  readonly complete: boolean;
  readonly limits: readonly LimitReached[];
  readonly elapsedMs: number;
}
