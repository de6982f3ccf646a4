import type { LimitReached, Match, SimilarAnswer, SimilarRequest } from 'shingled/types';
import { ADDRESS_LENGTH_MAX, formatAddress, type Params, shareParam } from '../../address/view-address.ts';
import { ANSWER_DEADLINE_MS, postTo, Refusal } from '../../asking/ask-service.ts';
import { documentOf, type GivenDocument, isGivenDocument, NOTHING_GIVEN, textOf } from '../../asking/given-document.ts';
import type { Question } from '../../asking/use-question.ts';
import { type ContentWish, isContentWish } from '../../words/content-wishes.ts';
import type { ShareName } from '../../words/sentences.ts';
import { type Place, unionOf } from '../../words/text-marks.ts';

/* What is asked at the first view, and what came of it. */

export type Thresholds = Readonly<Record<ShareName, number | null>>;

export interface AskForm {
  readonly given: GivenDocument;
  readonly thresholds: Thresholds;
  /** By which figures thresholds go. */
  readonly content: ContentWish;
  /** Whether matches are shown whose interval reaches a threshold that their estimate misses. */
  readonly undecided: boolean;
  /** Whether every copy is looked for, to the last, and told by host. */
  readonly thorough: boolean;
}

export interface AskedSimilar {
  readonly answer: SimilarAnswer;
  /** What it was asked with. */
  readonly given: GivenDocument;
  readonly request: SimilarRequest;
  readonly thresholds: Thresholds;
  /** The query's text, where it is at hand. */
  readonly text: string | null;
  /** Where the text has passages that any match has, apart from one another and in order. */
  readonly shared: readonly Place[];
}

const BY_DEFAULT: Thresholds = { resemblance: 0.5, queryInMatch: 0.8, matchInQuery: null };
export const WHEN_ON: Readonly<Record<ShareName, number>> = { resemblance: 0.5, queryInMatch: 0.8, matchInQuery: 0.8 };
export const FIRST_FORM: AskForm = {
  given: NOTHING_GIVEN,
  thresholds: BY_DEFAULT,
  content: 'page',
  undecided: false,
  thorough: false,
};

const PAGE = 100;

/** Of a thorough question, each page: half a second's work among 5,000 copies. */
const THOROUGH = { thorough: true, limit: 500, deadlineMs: 60_000 } as const;

export function isAskForm(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { given, thresholds, content, undecided, thorough } = value as Partial<Record<keyof AskForm, unknown>>;
  return (
    isGivenDocument(given) &&
    typeof thresholds === 'object' &&
    thresholds !== null &&
    isContentWish(content) &&
    [undecided, thorough].every((flag) => typeof flag === 'boolean')
  );
}

/** A form as an address says it, over what was typed before. */
export function formFrom(params: Params, typed: AskForm): AskForm {
  const { url, text } = params;
  const isSaid = url !== undefined || text !== undefined;
  if (!isSaid) return typed;
  const by = text === undefined ? 'url' : 'text';
  return {
    given: { ...NOTHING_GIVEN, by, text: text ?? typed.given.text, url: url ?? '' },
    thresholds: {
      resemblance: shareParam(params, 'resemblance', BY_DEFAULT.resemblance),
      queryInMatch: shareParam(params, 'queryInMatch', BY_DEFAULT.queryInMatch),
      matchInQuery: shareParam(params, 'matchInQuery', BY_DEFAULT.matchInQuery),
    },
    content: isContentWish(params['content']) ? params['content'] : 'page',
    undecided: params['undecided'] === 'include',
    thorough: params['thorough'] === 'true',
  };
}

/** @param withText whether a pasted text stands in the address, too */
export function paramsOf({ given, thresholds, content, undecided, thorough }: AskForm, withText: boolean): Params {
  const shares = Object.entries(thresholds)
    .filter(([name, share]) => share !== BY_DEFAULT[name as ShareName])
    .map(([name, share]) => [name, share === null ? 'off' : String(share)]);
  return {
    ...(given.by === 'url' ? { url: given.url.trim() } : {}),
    ...(given.by === 'text' && withText ? { text: given.text } : {}),
    ...(Object.fromEntries(shares) as Params),
    ...(content === 'page' ? {} : { content }),
    ...(undecided ? { undecided: 'include' } : {}),
    ...(thorough ? { thorough: 'true' } : {}),
  };
}

/** Null where no document is given, or nothing is looked for. */
export function requestOf({ given, thresholds, content, undecided, thorough }: AskForm): SimilarRequest | null {
  const document = documentOf(given);
  if (document === null || Object.values(thresholds).every((share) => share === null)) return null;
  return {
    ...{ document, thresholds, passages: true, limit: PAGE, deadlineMs: ANSWER_DEADLINE_MS },
    ...{ content, undecided: undecided ? 'include' : 'exclude' },
    ...(thorough ? THOROUGH : {}),
  };
}

/** The query as document a of a pair, null of a file and of a text that is too long for an address. */
export function asOneOfTwo({ document }: SimilarRequest): Params | null {
  const { text, url } = document;
  const params: Params | null = text !== undefined ? { aText: text } : url !== undefined ? { a: url } : null;
  return params === null || formatAddress({ view: 'compare', params }).length > ADDRESS_LENGTH_MAX ? null : params;
}

/** Asks for the first page of matches; of a thorough question for all, page by page. Asked again it goes on where it was. */
export function askSimilar(
  { given, thresholds }: Pick<AskForm, 'given' | 'thresholds'>,
  request: SimilarRequest,
): Question<AskedSimilar> {
  let behind: Question<AskedSimilar> | null = null;
  return async (signal, tell) => {
    if (behind !== null) return behind(signal, tell);
    const [answer, text] = await Promise.all([
      postTo<SimilarAnswer>('similar', request, signal),
      textOf(request.document, signal),
    ]);
    const first = { answer, given, request, thresholds, text, shared: sharedOf(text, answer.matches, []) };
    if (request.thorough !== true || answer.cursor === null) return first;
    tell(first);
    behind = askMore(first);
    return behind(signal, tell);
  };
}

/** Asks for the page behind those that are there; of a thorough question for all of them, as the last one tells the hosts. */
export function askMore(before: AskedSimilar): Question<AskedSimilar> {
  let asked = before;
  let anew: Question<AskedSimilar> | null = null;
  return async (signal, tell) => {
    if (anew !== null) return anew(signal, tell);
    do {
      const { request, answer } = asked;
      const next = postTo<SimilarAnswer>('similar', { ...request, cursor: answer.cursor }, signal);
      asked = withNext(
        asked,
        await next.catch((error: unknown) => {
          // a page that is fetched each time may say something else by now: no cursor goes on from there
          if (error instanceof Refusal && error.code === 'invalid-cursor') anew = askSimilar(before, before.request);
          throw error;
        }),
      );
      tell(asked);
    } while (asked.request.thorough === true && asked.answer.cursor !== null);
    return asked;
  };
}

function withNext(before: AskedSimilar, next: SimilarAnswer): AskedSimilar {
  const elapsedMs = Math.round((before.answer.elapsedMs + next.elapsedMs) * 10) / 10;
  const complete = before.answer.complete && next.complete;
  const recall = lesser(before.answer.recall, next.recall);
  const limits = joined(before.answer.limits, next.limits);
  return {
    ...before,
    answer: { ...next, elapsedMs, complete, limits, recall, matches: [...before.answer.matches, ...next.matches] },
    shared: sharedOf(before.text, next.matches, before.shared),
  };
}

/** The limits that any of two pages met: most are of the query, which both pages say. */
function joined(before: readonly LimitReached[], next: readonly LimitReached[]): LimitReached[] {
  const byCode = Map.groupBy([...before, ...next], ({ code }) => code);
  return [...byCode.values()].map((same) => same.reduce((a, b) => (b.affected > a.affected ? b : a)));
}

/** What a page may have missed, the next one does not bring. */
function lesser(before: SimilarAnswer['recall'], next: SimilarAnswer['recall']): SimilarAnswer['recall'] {
  const least = (a: number | null, b: number | null) => (a === null || b === null ? null : Math.min(a, b));
  const bySize = before.matchInQueryBySize?.map((size, at) => ({
    ...size,
    recall: Math.min(size.recall, next.matchInQueryBySize?.[at]?.recall ?? 0),
  }));
  return {
    resemblance: least(before.resemblance, next.resemblance),
    queryInMatch: least(before.queryInMatch, next.queryInMatch),
    matchInQuery: least(before.matchInQuery, next.matchInQuery),
    ...(bySize === undefined ? {} : { matchInQueryBySize: bySize }),
  };
}

function sharedOf(text: string | null, matches: readonly Match[], before: readonly Place[]): readonly Place[] {
  return text === null ? [] : unionOf([...before, ...matches.flatMap(({ passages = [] }) => passages)]);
}
