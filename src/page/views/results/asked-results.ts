import type { CollapseAnswer, CollapseRequest } from 'shingled/types';
import { ANSWER_DEADLINE_MS, postTo } from '../../asking/ask-service.ts';
import type { PastedPage } from './pasted-results.ts';

/* A page of results, and what of it is shown. */

export interface ResultsForm {
  readonly pasted: string;
  readonly thresholds: CollapseThresholds;
  /** How many of a host are shown; null for all. */
  readonly perHost: number | null;
}

export interface CollapseThresholds {
  readonly resemblance: number | null;
  readonly resultInRepresentative: number | null;
  readonly representativeInResult: number | null;
}

export interface AskedResults {
  readonly answer: CollapseAnswer;
  readonly request: CollapseRequest;
  readonly page: PastedPage;
}

export const FIRST_RESULTS: ResultsForm = {
  pasted: '',
  thresholds: { resemblance: 0.8, resultInRepresentative: 0.9, representativeInResult: 0.9 },
  perHost: null,
};

export const COLLAPSE_SHARES = {
  resemblance: { name: 'alike', means: 'of all the wording of both is in both' },
  resultInRepresentative: { name: 'result in what is shown', means: 'of a result is in what is shown for it' },
  representativeInResult: { name: 'what is shown in result', means: 'of what is shown is in the result' },
} as const;

export const COLLAPSE_SHARE_NAMES = Object.keys(COLLAPSE_SHARES) as (keyof CollapseThresholds)[];

export function isResultsForm(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { pasted, thresholds, perHost } = value as Partial<Record<keyof ResultsForm, unknown>>;
  const isHost = perHost === null || typeof perHost === 'number';
  return typeof pasted === 'string' && typeof thresholds === 'object' && thresholds !== null && isHost;
}

export function resultsRequest({ thresholds, perHost }: ResultsForm, page: PastedPage): CollapseRequest {
  return {
    results: page.results.map(({ sent }) => sent),
    thresholds: { ...thresholds },
    perHost,
    deadlineMs: ANSWER_DEADLINE_MS,
  };
}

export async function askResults(
  page: PastedPage,
  request: CollapseRequest,
  signal: AbortSignal,
): Promise<AskedResults> {
  const answer = await postTo<CollapseAnswer>('collapse', request, signal);
  return { answer, request, page };
}

/** In what two URLs of one page differ. */
export const URL_DIFFERENCES: Readonly<Record<string, string>> = {
  scheme: 'http or https',
  www: 'www.',
  slash: 'a slash at the end',
  tracking: 'tracking parameters',
  encoding: 'how letters are encoded',
  platform: "the platform's own spellings",
  'amp-cache': 'a cache of AMP pages',
};

/** Why a result is behind another one. */
export const BY: Readonly<Record<string, string>> = {
  'same-url': 'the same URL',
  equal: 'the same words',
  'title-and-snippet': 'the same title and snippet',
  title: 'the same title',
  snippet: 'the same snippet',
  resemblance: 'alike',
  resultInRepresentative: 'it is in what is shown',
  representativeInResult: 'what is shown is in it',
};
