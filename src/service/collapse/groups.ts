import { drawsToPart, SharedValues } from '../../core/compare/shared-values.ts';
import { NARROW_BITS_MIN } from '../../core/sketch/narrow.ts';
import type { JoinedBy, JoinedByCaption, Thresholds, UrlPart } from '../api.ts';
import { contentComparer, decidingShares } from '../content/content-pair.ts';
import type { DocumentContent } from '../content/document-content.ts';
import type { TimedContext } from '../context.ts';
import { createPairComparer } from '../document/pair.ts';
import {
  CAPTION_MISSES_MAX,
  CaptionIndex,
  createCaptionComparer,
  type PlacedCaption,
} from './captions/caption-meeting.ts';
import { pagesOf } from './list-pages.ts';
import type { KnownResult, ListedResult } from './listed-result.ts';
import { type Judged, Meeting, type MeetingOptions, type Page } from './meeting.ts';
import { urlRulesBetween } from './page-url.ts';

/*
 * Results -> groups of near-copies, each with its representative. No chaining: every member meets its own representative,
 * not just another member, or has the URL of one that does.
 *
 *   results of one URL are one page                                              a page never falls into two groups
 *   pages in order of preference:  1  2  3  4  5  …
 *   the first that is in no group represents one                                 [ 1 | 3  5 ]   [ 2 | … ]
 *   and all that are in none and meet it are its members
 *
 * which is: each joins the first representative, in order of preference, that it meets. Of pages that are preferred
 * alike, one that holds another, and is not held by it, comes before it. So a page that is about to represent looks for
 * those that hold it first. They are larger by more than 1 / threshold each time, so that this ends.
 *
 * Cost: one count of shared values for each representative (core/compare/shared-values.ts), then a comparison for each
 * pair that may share enough. Captions are short: their words are looked up (captions/caption-meeting.ts).
 */

/** A result in its group. */
export interface Placed {
  readonly result: number;
  /** What is known of it, or of another result that is the same page. */
  readonly known: KnownResult | null;
  /** Whether its page has a caption that says something. */
  readonly hasCaption: boolean;
}

/** How the representative (A) and it (B) compare, and the thresholds that the pair had to meet. */
export interface Comparison extends Judged {
  readonly thresholds: Thresholds;
}

export interface Member extends Placed {
  readonly by: JoinedBy;
  /** By `same-url` only. */
  readonly urlDiffersBy: readonly UrlPart[] | null;
  /** null where they are not compared by documents. */
  readonly comparison: Comparison | null;
}

export interface Group {
  readonly representative: Placed;
  /** In the order of the results. */
  readonly members: readonly Member[];
}

export interface Groups {
  /** In the order of preference of their representatives. */
  readonly groups: readonly Group[];
  /** Results that no pair joined, though an interval reaches a threshold: each with the first such representative. */
  readonly undecided: readonly { readonly result: number; readonly representative: number }[];
}

interface Neighbour extends Comparison {
  readonly page: Page;
  /** null: they do not meet. */
  readonly by: JoinedBy | null;
}

interface CaptionedLike {
  readonly page: Page;
  readonly by: JoinedByCaption;
}

const NOTHING = { shingleCount: 0, sample: { modulus: 1, bits: NARROW_BITS_MIN, values: new Float64Array(0) } };

/**
 * @param preferenceOf the smaller the sooner a result represents; of equal ones the earlier
 * @throws the caller's reason where it gives up
 */
export async function formGroups(
  { turns, deadline }: TimedContext,
  results: readonly ListedResult[],
  preferenceOf: (result: ListedResult) => number,
  options: MeetingOptions,
): Promise<Groups> {
  const groups: Group[] = [];
  const undecided: Groups['undecided'][number][] = [];
  const meeting = new Meeting(options);
  const pages = pagesOf(results, results.map(preferenceOf), meeting);
  const shared = new SharedValues(pages.map(({ counted }) => counted ?? NOTHING));
  const captions = await CaptionIndex.of(
    pages.map(({ caption }) => caption),
    turns,
  );
  const draws = drawsToPart(meeting.leastShare);
  const isUndecided = new Set<Page>();
  /** All pages before this one are in groups. */
  let first = 0;

  async function assign(page: Page, candidates: readonly Page[]): Promise<void> {
    const neighbours = page.known === null ? [] : await neighboursOf(page.known, page, candidates);
    const holders = neighbours.filter(
      ({ page: other, deciding }) => deciding !== null && meeting.holds(other, page, deciding.shares),
    );
    for (const { page: holder } of holders) {
      if (!page.isAssigned && !holder.isAssigned) await assign(holder, candidatesOf(holder));
    }
    if (!page.isAssigned)
      represent(page, neighbours, page.caption === null ? [] : await captionedLike(page, page.caption));
  }

  /** The pages in no group that are one with a page by their captions, where no document of one of the two is known. */
  async function captionedLike(page: Page, caption: PlacedCaption): Promise<CaptionedLike[]> {
    const compareWith = createCaptionComparer(caption);
    const alike: CaptionedLike[] = [];
    let misses = 0;
    for (const number of captions.sharing(page.number)) {
      const other = pages[number]!;
      if (other.isAssigned || (other.known !== null && page.known !== null)) continue;
      if (turns.spent()) await turns.next();
      deadline.throwIfGivenUp();
      const by = compareWith(other.caption!);
      if (by !== null) alike.push({ page: other, by });
      else if (++misses === CAPTION_MISSES_MAX) break;
    }
    return alike;
  }

  /** The pages in no group that may share enough with one, compared with it. */
  async function neighboursOf(known: KnownResult, page: Page, candidates: readonly Page[]): Promise<Neighbour[]> {
    const judge = judgeBeside(known, page.content);
    const neighbours: Neighbour[] = [];
    for (const other of candidates) {
      if (turns.spent()) await turns.next();
      deadline.throwIfGivenUp();
      const judged = judge(other.known!, other.content);
      const thresholds = meeting.thresholdsFor(page.mayBeHeld, other.mayBeHeld);
      const by = meeting.metBy(page, other, judged.deciding?.shares ?? null, thresholds);
      neighbours.push({ ...judged, page: other, thresholds, by });
    }
    return neighbours;
  }

  /** Compares a page with others, by their contents where those count. */
  function judgeBeside(known: KnownResult, content: DocumentContent | null) {
    const comparePages = createPairComparer(known);
    const compareContents = content === null ? null : contentComparer(content);
    return (other: KnownResult, otherContent: DocumentContent | null): Judged => {
      const pair = comparePages(other);
      const outcome = compareContents === null || otherContent === null ? null : compareContents(otherContent);
      return { pair, content: outcome, deciding: decidingShares(meeting.wish, pair, outcome) };
    };
  }

  /** The pages in no group that may share enough with one, in order of preference. */
  function candidatesOf(page: Page): Page[] {
    const candidates: Page[] = [];
    if (page.known === null) return candidates;
    const counts = shared.countsOf(page.number);
    for (let number = first; number < pages.length; number++) {
      const other = pages[number]!;
      if (other.isAssigned || other.known === null || other === page) continue;
      const mayBeCounted = meeting.mayBeCounted(page, other);
      if (mayBeCounted !== true) {
        if (mayBeCounted === null || page.shingles === other.shingles) candidates.push(other);
        continue;
      }
      const count = counts[number]!;
      if (count === 0 && shared.arePartedBy(draws, page.number, number)) continue;
      if (shared.mayShare(page.number, number, count, meeting.leastShared(page, other))) candidates.push(other);
    }
    return candidates;
  }

  function represent(page: Page, neighbours: readonly Neighbour[], alike: readonly CaptionedLike[]): void {
    page.isAssigned = true;
    const [representative, ...others] = page.results;
    const members = others.map((result) => sameUrl(result, page, page));
    const join = (other: Page, by: JoinedBy, comparison: Comparison | null): void => {
      other.isAssigned = true;
      const [best, ...rest] = other.results;
      members.push({ ...placed(best!, other), by, urlDiffersBy: null, comparison });
      members.push(...rest.map((result) => sameUrl(result, other, page)));
    };
    for (const { page: other, by, ...comparison } of neighbours) {
      if (other.isAssigned) continue;
      if (by === null) noteUndecided(other, page, comparison);
      else join(other, by, comparison);
    }
    for (const { page: other, by } of alike) join(other, by, null);
    members.sort((a, b) => a.result - b.result);
    groups.push({ representative: placed(representative!, page), members });
  }

  function noteUndecided(page: Page, representative: Page, comparison: Comparison): void {
    if (isUndecided.has(page) || !meeting.isUndecided(representative, page, comparison)) return;
    isUndecided.add(page);
    undecided.push({ result: page.results[0]!, representative: representative.results[0]! });
  }

  /** A result with the URL of one that is in a group: with that, whatever it says. */
  function sameUrl(result: number, page: Page, representative: Page): Member {
    const { known, page: own } = results[result]!;
    const first = results[page.results[0]!]!.page;
    const urlDiffersBy = own === null || first === null ? [] : urlRulesBetween(own.url, first.url);
    const member = { ...placed(result, page), known: known ?? page.known, by: 'same-url', urlDiffersBy } as const;
    if (member.known === null || representative.known === null) return { ...member, comparison: null };
    const thresholds = meeting.thresholdsFor(representative.mayBeHeld, meeting.mayBeHeld(member.known));
    const judged = judgeBeside(representative.known, representative.content)(member.known, results[result]!.content);
    return { ...member, comparison: { ...judged, thresholds } };
  }

  for (const page of pages) {
    if (page.isAssigned) continue;
    first = page.number;
    // to find that nothing is shared takes a look at each other page
    if (turns.spent()) await turns.next();
    const candidates = candidatesOf(page);
    if (candidates.length === 0)
      represent(page, [], page.caption === null ? [] : await captionedLike(page, page.caption));
    else await assign(page, candidates);
  }
  return { groups, undecided };
}

function placed(result: number, { known, caption }: Page): Placed {
  return { result, known, hasCaption: caption !== null };
}
