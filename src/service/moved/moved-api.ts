import type { Sureness } from '../../core/moved/sureness.ts';
import type { ShingledError } from '../../errors.ts';
import type {
  ContentFigures,
  ContentShares,
  ContentWish,
  Equivalence,
  EstimatedShare,
  LimitReached,
  LineFailure,
  SimilarAnswer,
} from '../api.ts';

/* The shapes of what is asked and answered of URLs whose documents have moved. */

export interface MovedOptions {
  /** Candidates that are answered, at most. */
  readonly limit: number;
  /** Whether candidates are looked for of a URL that still shows its document, too. */
  readonly always: boolean;
  /** By which figures pages are the same document, or like it. */
  readonly content: ContentWish;
  /** null: 1,000 ms. */
  readonly deadlineMs: number | null;
}

export interface MovedRequest extends MovedOptions {
  readonly url: string;
}

/**
 * What became of the URL:
 *
 * - live: it shows its document
 * - redirected: the same, from another address
 * - replaced: it shows something else than before
 * - gone: 404 or 410 was seen or told
 */
export type MovedState = 'live' | 'redirected' | 'replaced' | 'gone';

/**
 * How the document came to be there:
 *
 * - redirect: the old URL was seen to lead there
 * - within-host, other-host: it was first seen there after it was last seen at the old one
 * - copy: it was there before that: no move, but the document is there
 */
export type MovedHow = 'redirect' | 'within-host' | 'other-host' | 'copy';

export interface MovedCandidate extends ContentFigures<ContentShares> {
  readonly url: string;
  readonly how: MovedHow;
  readonly sure: Sureness;
  readonly equivalence: Equivalence;
  readonly resemblance: EstimatedShare;
  /** How much of what the old URL said is there. */
  readonly queryInMatch: EstimatedShare;
  /** When it was first and last seen there; null where the index knows only that something leads there. */
  readonly firstSeen: string | null;
  readonly lastSeen: string | null;
  readonly title: string | null;
  /** The URL that leads there, where that is another one than the old one; null: none. */
  readonly via: string | null;
  /** When the old URL was last seen with the document that this is compared with. */
  readonly shownUntil: string;
}

/**
 * Why a page is not offered, though it says the same, or the old URL leads there:
 *
 * - soft-404: it took the place of many different documents
 * - parked: the same, on many hosts
 * - home-page: the first page of a host, where the old URL was none
 * - other-document: the old URL leads there, but it says something else than the old URL did
 */
export type RefusedReason = 'soft-404' | 'parked' | 'home-page' | 'other-document';

export interface RefusedPage {
  /** The old URL itself, where that is what it shows or showed last. */
  readonly url: string;
  readonly reason: RefusedReason;
  /**
   * Different documents that it took the place of, as many as were counted: of many pages that are gone by what the first of
   * them showed before. Null where that is not the reason.
   */
  readonly sharedBy: number | null;
}

export interface MovedAnswer {
  readonly url: string;
  readonly state: MovedState;
  /** When the URL was last seen to show a document, whichever. */
  readonly lastSeen: string;
  /** The surest first. */
  readonly candidates: readonly MovedCandidate[];
  readonly refused: readonly RefusedPage[];
  /** Contents that the URL had and that are no longer kept: what they said is not looked for. */
  readonly contentsForgotten: number;
  /** Where archives have old versions of the URL; null where none is configured, or the URL is a name. */
  readonly timegate: string | null;
  /** As of similar documents; null where nothing was looked for. */
  readonly recall: SimilarAnswer['recall'];
  readonly complete: boolean;
  readonly limits: readonly LimitReached[];
  /** Present where `main` was asked for and nothing that was looked for has a content of which anything can be said: why. */
  readonly contentUnknown?: 'not-read' | 'too-little';
  readonly elapsedMs: number;
}

/** One line of a batch as it was read: a question, or why there is none. */
export type MovedLine =
  | { readonly line: number; readonly request: MovedRequest }
  | { readonly line: number; readonly url: string | null; readonly error: ShingledError };

export type MovedLineAnswer =
  | { readonly line: number; readonly status: 200; readonly answer: MovedAnswer }
  | ({ readonly line: number; readonly url: string | null } & LineFailure);
