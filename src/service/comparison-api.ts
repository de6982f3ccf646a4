import type { StretchKind } from '../core/differences/compare-texts.ts';

/* What POST /compare tells besides its shares: shapes of service/api.ts that are of one use only. */

/** `unread`: beyond what was compared, or what is shown. */
export type SpanKind = StretchKind | 'unread';

export interface Span extends Place {
  readonly kind: SpanKind;
  /** Position among the spans of the other text of the one with the same words; null where none is shown. */
  readonly partner: number | null;
}

/** The text of one document as it was extracted, in spans: each character is in exactly one, in order. */
export interface SpannedText {
  /** Code units of UTF-16 of the whole text. */
  readonly characters: number;
  /** As far as it was compared, where it was asked for. */
  readonly text?: string;
  readonly spans: readonly Span[];
  /** Where its main text stands, in order; null where all of it counts as main, or it is not told: of very many places. */
  readonly main: readonly Place[] | null;
}

/** Characters from .. to - 1 of a text, in code units of UTF-16. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

export interface Differences {
  /** False where `limits` says what was left out. */
  readonly complete: boolean;
  readonly a: SpannedText;
  readonly b: SpannedText;
}

/** At which two documents are the same, or not. */
export type ReadingStep = 'bytes' | 'decoding' | 'text' | 'tokens' | 'shingles' | 'sampling';
/** Which a query by the one passes on its way to the other, or not. */
export type QueryStep = 'look-up' | 'lists' | 'threshold';

/** What a step knows of one document; each is there where the step is about it, and it is known. */
export interface StepFigures {
  readonly bytes?: number;
  readonly mediaType?: string;
  readonly charset?: string;
  /** Code units of UTF-16. */
  readonly characters?: number;
  readonly tokens?: number;
  readonly shingles?: number;
  /** Of how many shingles one is taken, and how many were. */
  readonly modulus?: number;
  readonly sampled?: number;
  /** Shingles that a query by a looks up; that b has posted. */
  readonly lookedUp?: number;
  readonly posted?: number;
  /** Whether its content is in the index. */
  readonly indexed?: boolean;
}

export interface ExplanationStep<Step = ReadingStep | QueryStep> {
  readonly step: Step;
  /**
   * Up to `sampling` whether both are the same here; from `look-up` on whether a query by a gets past this step to b.
   * Null where that is not known.
   */
  readonly same: boolean | null;
  readonly a: StepFigures;
  readonly b: StepFigures;
  readonly detail: string;
  /** A few words or characters of each, around the first points at which they part. */
  readonly examples?: readonly { readonly a: string; readonly b: string }[];
}

/** What became of a query by a. */
export interface QueryOutcome {
  readonly found: boolean;
  /** Place of b among the matches, from 1; null where it is none. */
  readonly rank: number | null;
  readonly matches: number;
  /** False where a limit may have left out a match. */
  readonly complete: boolean;
  readonly detail: string;
}

export interface Explanation {
  readonly steps: readonly ExplanationStep[];
  /** The first step at which they are not the same; null where there is none. */
  readonly partAt: ReadingStep | null;
  /** The first step that keeps a query by a, at the thresholds of the request, from b; null where it finds b. */
  readonly lostAt: QueryStep | null;
  /** Queries that were made: at the thresholds of the request, null where it has none; and at those of POST /similar. */
  readonly asked: QueryOutcome | null;
  readonly byDefault: QueryOutcome;
}
