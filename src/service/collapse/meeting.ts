import type { CountedDocument } from '../../core/compare/shared-values.ts';
import type { CollapseRequest, JoinedBy, Thresholds } from '../api.ts';
import { type ContentOutcome, type Deciding, decidingReach } from '../content/content-pair.ts';
import type { DocumentContent } from '../content/document-content.ts';
import { falseMatchesOf, type Pair, reaches, type Shares } from '../document/pair.ts';
import type { PlacedCaption } from './captions/caption-meeting.ts';
import type { KnownResult } from './listed-result.ts';

/*
 * When a page of a list meets the one that would represent it: by the first of
 *
 *   equal words or shingles  >  resemblance  >  the page in its representative  >  the representative in the page
 *
 * A containment counts only where the contained one has minimumShingles: a stub of three words is in half the Web. Where no
 * document of one of the two is known, their captions decide (captions/caption-meeting.ts). In pairs A is the
 * representative, B the page.
 */

/** Results of one URL, in order of preference: the first of them stands for the page. */
export interface Page {
  readonly number: number;
  readonly results: readonly number[];
  readonly preference: number;
  readonly known: KnownResult | null;
  /** Of what is known; null where the page is asked for. */
  readonly content: DocumentContent | null;
  /** By what documents are counted and their sizes told: their contents, where those count and there are some. */
  readonly counted: CountedDocument | null;
  /** Of the first result that has one. */
  readonly caption: PlacedCaption | null;
  readonly size: number;
  /** Equal for equal sets of shingles, which equal words have: numbers compare sooner than digests. */
  readonly shingles: number;
  /** Whether it may join another for being contained in it. */
  readonly mayBeHeld: boolean;
  isAssigned: boolean;
}

export type MeetingOptions = Pick<CollapseRequest, 'thresholds' | 'minimumShingles' | 'content'>;

/** How two pages compare, and by which figures that counts. */
export interface Judged {
  readonly pair: Pair;
  readonly content: ContentOutcome | null;
  readonly deciding: Deciding | null;
}

/** A product that is whole may come out a little larger. */
const ROUNDING = 1 - 1e-12;
const NEVER = Number.POSITIVE_INFINITY;

export class Meeting {
  readonly #thresholds: MeetingOptions['thresholds'];
  readonly #minimumShingles: number;
  readonly wish: MeetingOptions['content'];

  constructor({ thresholds, minimumShingles, content }: MeetingOptions) {
    this.#thresholds = thresholds;
    this.#minimumShingles = minimumShingles;
    this.wish = content;
  }

  mayBeHeld(counted: CountedDocument | null): boolean {
    return counted !== null && counted.shingleCount >= this.#minimumShingles;
  }

  /** Whether two pages that are not equal may be compared by what is counted of both; `null`: whatever is counted. */
  mayBeCounted({ content: a }: Page, { content: b }: Page): boolean | null {
    if (this.wish === 'page' || ((a?.unknown ?? null) === null && (b?.unknown ?? null) === null)) return true;
    return this.wish === 'auto' ? null : false;
  }

  /** The least share of the smaller of two pages that are not equal, with which they meet or one is held by the other. */
  get leastShare(): number {
    const { resemblance, resultInRepresentative, representativeInResult } = this.#thresholds;
    return Math.min(resemblance ?? 1, resultInRepresentative ?? 1, representativeInResult ?? 1) * ROUNDING;
  }

  /** What two must share to meet, or for the one to be held by the other; more than there is where neither can be. */
  leastShared(representative: Page, page: Page): number {
    if (representative.shingles === page.shingles) return 0;
    const leastToHold = this.#shareToHold(page, representative) * representative.size * ROUNDING;
    return Math.min(this.#leastToMeet(representative, page), leastToHold);
  }

  #leastToMeet(representative: Page, page: Page): number {
    const { resemblance, resultInRepresentative, representativeInResult } = this.#thresholds;
    const sizes = representative.size + page.size;
    const alike = resemblance === null ? NEVER : (resemblance * sizes) / (1 + resemblance);
    const inside = resultInRepresentative === null || !page.mayBeHeld ? NEVER : resultInRepresentative * page.size;
    const around =
      representativeInResult === null || !representative.mayBeHeld
        ? NEVER
        : representativeInResult * representative.size;
    return Math.min(alike, inside, around) * ROUNDING;
  }

  /** The share of one page that another must have to represent it; more than there is where it cannot. */
  #shareToHold(holder: Page, held: Page): number {
    const { resultInRepresentative: share } = this.#thresholds;
    return share === null || !held.mayBeHeld || holder.preference !== held.preference ? NEVER : share;
  }

  /** Whether a page (B) that is preferred alike holds another (A), and not the other way round. */
  holds(holder: Page, held: Page, { aInB, bInA }: Shares<number>): boolean {
    const share = this.#shareToHold(holder, held);
    return aInB >= share && bInA < share;
  }

  /** Those that a pair has to meet. */
  thresholdsFor(mayRepresentativeBeHeld: boolean, mayPageBeHeld: boolean): Thresholds {
    const { resemblance, resultInRepresentative, representativeInResult } = this.#thresholds;
    return {
      resemblance,
      queryInMatch: mayRepresentativeBeHeld ? representativeInResult : null,
      matchInQuery: mayPageBeHeld ? resultInRepresentative : null,
    };
  }

  /** By what they meet; null where they do not. */
  metBy(representative: Page, page: Page, shares: Shares<number> | null, thresholds: Thresholds): JoinedBy | null {
    if (representative.shingles === page.shingles) return 'equal';
    if (shares === null) return null;
    const { resemblance, aInB, bInA } = shares;
    if (thresholds.resemblance !== null && resemblance >= thresholds.resemblance) return 'resemblance';
    if (thresholds.matchInQuery !== null && bInA >= thresholds.matchInQuery) return 'resultInRepresentative';
    if (thresholds.queryInMatch !== null && aInB >= thresholds.queryInMatch) return 'representativeInResult';
    return null;
  }

  /** Whether the interval of a pair that does not meet reaches a threshold. */
  isUndecided(
    representative: Page,
    page: Page,
    { pair, deciding, content, thresholds }: Judged & { readonly thresholds: Thresholds },
  ): boolean {
    if (deciding === null) return false;
    if (deciding.by === 'content') return decidingReach(deciding, pair, content, thresholds);
    const { modulus } = pair.evidence;
    const least = this.#leastToMeet(representative, page);
    // an interval is dear, and ends no further than this above its estimate (core/query/overlap-needed.ts)
    const estimate = pair.aInB * representative.size;
    const highest = estimate + falseMatchesOf(pair) + 2 * Math.sqrt(modulus * least) + modulus;
    return highest >= least && reaches(pair, thresholds);
  }
}
