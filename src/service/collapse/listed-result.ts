import { ShingledError } from '../../errors.ts';
import type { Turns } from '../../sharing/turns.ts';
import type { CollapsedResult, CollapseResult, Preference, UnknownReason } from '../api.ts';
import type { DocumentContent } from '../content/document-content.ts';
import type { KnownDocument } from '../document/query.ts';
import { nameHost } from '../url.ts';
import type { Caption } from './captions/caption-words.ts';
import { type PageUrl, pageUrl, siteOf, siteOfHost, type UrlRule } from './page-url.ts';

/** A document that is known of a result. */
export interface KnownResult extends KnownDocument {
  readonly from: Exclude<CollapsedResult['from'], 'snippet' | null>;
  readonly bytesDigest: string;
}

/** A result of a list, and what has become known of it so far. */
export interface ListedResult {
  readonly given: CollapseResult;
  /** null where it has no URL, or none that can be used. */
  readonly page: PageUrl | null;
  /** Equal for results that are one page by their URLs; null where there is no URL. */
  readonly key: string | null;
  known: KnownResult | null;
  /** The content of what is known, where it was asked for. */
  content: DocumentContent | null;
  /** Its title and snippet, where they say anything. */
  caption: Caption | null;
  /** Why no document of it is known; `deadline` also where the index stands in for a body that was not read in time. */
  reason: UnknownReason | null;
  /** ms since 1970, the caller's or when the index first saw it; null where neither says it. */
  seenAt: number | null;
}

/** The results of a list, before anything is read. */
export async function listResults(
  results: readonly CollapseResult[],
  rule: UrlRule,
  urlBytesMax: number,
  turns: Turns,
): Promise<ListedResult[]> {
  const listed: ListedResult[] = [];
  for (const [i, given] of results.entries()) {
    // a URL of encoded letters takes 100 us
    if (turns.spent()) await turns.next();
    const page = usablePage(given.url, rule, `results[${i}].url`, urlBytesMax);
    // to have none is not to have the same one; of one that cannot be used only the very spelling is the same page
    const key = given.url ? (page?.key ?? `?${given.url}`) : null;
    listed.push({
      given,
      page,
      key,
      known: null,
      content: null,
      caption: null,
      reason: reasonBefore(given, page),
      seenAt: given.observedAt,
    });
  }
  return listed;
}

/** Whether what the index has of the URL is what is asked for. */
export function isAsStored(given: CollapseResult): boolean {
  return given.body === null && isWhole(given);
}

/** Whether the whole document is asked for: the index keeps no text to choose elements of. */
export function isWhole({ select, remove }: CollapseResult): boolean {
  return select === null && remove === null;
}

/** Whether a page is not known, and might be by fetching it. */
export function isMissing({ given, page, known }: ListedResult): boolean {
  return given.body === null && page?.fetchable === true && known === null;
}

/** null where a URL is not given or cannot be used. */
function usablePage(url: string | null, rule: UrlRule, field: string, urlBytesMax: number): PageUrl | null {
  if (url === null) return null;
  try {
    return pageUrl(url, rule, field, urlBytesMax);
  } catch (error) {
    if (error instanceof ShingledError && error.code === 'invalid-url') return null;
    throw error;
  }
}

/** Why nothing is known of a result before it is read. */
function reasonBefore({ url, body }: CollapseResult, page: PageUrl | null): UnknownReason {
  if (body !== null) return 'deadline';
  if (url === null) return 'short-snippet';
  return page === null ? 'invalid-url' : 'unknown-url';
}

/** Why a result could not be read. @throws what is a fault of ours and not the result's */
export function reasonOf(error: unknown): UnknownReason {
  if (!(error instanceof ShingledError)) throw error;
  switch (error.code) {
    case 'empty-document':
      return 'empty-document';
    case 'fetch-failed':
    case 'fetch-status':
    case 'fetch-timeout':
    case 'fetch-too-large':
    case 'robots-disallowed':
      return 'fetch-failed';
    case 'internal':
    case 'index-unreadable':
    case 'overloaded':
    case 'draining':
      throw error;
    default:
      return 'unusable';
  }
}

/**
 * Which results represent: the smaller the number the sooner; of equal ones the earlier result. What was shown is in front
 * of all, and what says nothing of what is asked for (no date, no URL, nothing known) behind.
 *
 * @throws ShingledError `invalid-request` for a host that is none
 */
export function preferenceBy(prefer: Preference, rule: UrlRule): (result: ListedResult) => number {
  const preferenceOf = orderBy(prefer, rule);
  return (result) =>
    result.given.shown ? Number.NEGATIVE_INFINITY : (preferenceOf(result) ?? Number.POSITIVE_INFINITY);
}

function orderBy(prefer: Preference, rule: UrlRule): (result: ListedResult) => number | undefined {
  if (typeof prefer !== 'string') {
    const ranks = new Map<string, number>();
    for (const [i, host] of prefer.entries()) {
      const site = siteOfHost(nameHost(host, `prefer[${i}]`), rule);
      if (!ranks.has(site)) ranks.set(site, i);
    }
    return ({ page }) => ranks.get((page && siteOf(page.url, rule)) ?? '');
  }
  switch (prefer) {
    case 'first':
      return () => 0;
    case 'longest':
      return ({ known }) => (known === null ? undefined : -known.shingleCount);
    case 'oldest':
      return ({ seenAt }) => seenAt ?? undefined;
    case 'shortest-url':
      return ({ page }) => page?.url.length;
  }
}
