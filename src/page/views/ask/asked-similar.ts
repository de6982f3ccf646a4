import type { SimilarAnswer, SimilarRequest } from 'shingled/types';
import { ADDRESS_LENGTH_MAX, formatAddress, type Params, shareParam } from '../../address/view-address.ts';
import { postTo } from '../../asking/ask-service.ts';
import { documentOf, type GivenDocument, isGivenDocument, NOTHING_GIVEN, textOf } from '../../asking/given-document.ts';
import type { ShareName } from '../../words/sentences.ts';

/* What is asked at the first view, and what came of it. */

export type Thresholds = Readonly<Record<ShareName, number | null>>;

export interface AskForm {
  readonly given: GivenDocument;
  readonly thresholds: Thresholds;
  /** Whether matches are shown whose interval reaches a threshold that their estimate misses. */
  readonly undecided: boolean;
  /** Whether every copy is looked for, to the last, and told by host. */
  readonly thorough: boolean;
}

export interface AskedSimilar {
  readonly answer: SimilarAnswer;
  /** What it was asked with. */
  readonly request: SimilarRequest;
  readonly thresholds: Thresholds;
  /** The query's text, where it is at hand. */
  readonly text: string | null;
}

const BY_DEFAULT: Thresholds = { resemblance: 0.5, queryInMatch: 0.8, matchInQuery: null };
export const WHEN_ON: Readonly<Record<ShareName, number>> = { resemblance: 0.5, queryInMatch: 0.8, matchInQuery: 0.8 };
export const FIRST_FORM: AskForm = { given: NOTHING_GIVEN, thresholds: BY_DEFAULT, undecided: false, thorough: false };

const PAGE = 100;
const DEADLINE_MS = 20_000;

/** Of a thorough question, each page. */
const THOROUGH = { thorough: true, limit: 1000, deadlineMs: 60_000 } as const;

export function isAskForm(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { given, thresholds, undecided, thorough } = value as Partial<Record<keyof AskForm, unknown>>;
  return (
    isGivenDocument(given) &&
    typeof thresholds === 'object' &&
    thresholds !== null &&
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
    undecided: params['undecided'] === 'include',
    thorough: params['thorough'] === 'true',
  };
}

/** @param withText whether a pasted text stands in the address, too */
export function paramsOf({ given, thresholds, undecided, thorough }: AskForm, withText: boolean): Params {
  const shares = Object.entries(thresholds)
    .filter(([name, share]) => share !== BY_DEFAULT[name as ShareName])
    .map(([name, share]) => [name, share === null ? 'off' : String(share)]);
  return {
    ...(given.by === 'url' ? { url: given.url.trim() } : {}),
    ...(given.by === 'text' && withText ? { text: given.text } : {}),
    ...(Object.fromEntries(shares) as Params),
    ...(undecided ? { undecided: 'include' } : {}),
    ...(thorough ? { thorough: 'true' } : {}),
  };
}

/** Null where no document is given, or nothing is looked for. */
export function requestOf({ given, thresholds, undecided, thorough }: AskForm): SimilarRequest | null {
  const document = documentOf(given);
  if (document === null || Object.values(thresholds).every((share) => share === null)) return null;
  return {
    ...{ document, thresholds, passages: true, limit: PAGE, deadlineMs: DEADLINE_MS },
    undecided: undecided ? 'include' : 'exclude',
    ...(thorough ? THOROUGH : {}),
  };
}

/** The query as document a of a pair, null of a file and of a text that is too long for an address. */
export function asOneOfTwo({ document }: SimilarRequest): Params | null {
  const { text, url } = document;
  const params: Params | null = text !== undefined ? { aText: text } : url !== undefined ? { a: url } : null;
  return params === null || formatAddress({ view: 'compare', params }).length > ADDRESS_LENGTH_MAX ? null : params;
}

/** The first page of matches; of a thorough question all, for the last one tells the hosts. */
export async function askSimilar(form: AskForm, request: SimilarRequest, signal: AbortSignal): Promise<AskedSimilar> {
  const answer = await postTo<SimilarAnswer>('similar', request, signal);
  const text = await textOf(request.document, signal);
  let asked: AskedSimilar = { answer, request, thresholds: form.thresholds, text };
  while (form.thorough && asked.answer.cursor !== null) asked = await askMore(asked, signal);
  return asked;
}

/** One more page behind those that are there. */
export async function askMore(before: AskedSimilar, signal: AbortSignal): Promise<AskedSimilar> {
  const next = await postTo<SimilarAnswer>('similar', { ...before.request, cursor: before.answer.cursor }, signal);
  const elapsedMs = Math.round((before.answer.elapsedMs + next.elapsedMs) * 10) / 10;
  return { ...before, answer: { ...next, elapsedMs, matches: [...before.answer.matches, ...next.matches] } };
}
