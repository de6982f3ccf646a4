import type { CompareAnswer, CompareRequest } from 'shingled/types';
import type { Params } from '../../address/view-address.ts';
import { postTo } from '../../asking/ask-service.ts';
import { documentOf, type GivenDocument, isGivenDocument, NOTHING_GIVEN } from '../../asking/given-document.ts';

/* What is asked of two documents. */

export interface CompareForm {
  readonly a: GivenDocument;
  readonly b: GivenDocument;
}

export const FIRST_PAIR: CompareForm = { a: NOTHING_GIVEN, b: NOTHING_GIVEN };
export const SIDES = ['a', 'b'] as const;

const DEADLINE_MS = 30_000;

export function isCompareForm(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { a, b } = value as Partial<Record<keyof CompareForm, unknown>>;
  return isGivenDocument(a) && isGivenDocument(b);
}

/** A pair as an address says it, over what was typed before. */
export function pairFrom(params: Params, typed: CompareForm): CompareForm {
  const sideFrom = (side: 'a' | 'b'): GivenDocument => {
    const text = params[`${side}Text`];
    const url = params[side];
    if (text !== undefined) return { ...NOTHING_GIVEN, text };
    return url === undefined ? typed[side] : { ...NOTHING_GIVEN, by: 'url', url, at: params[`${side}At`] ?? '' };
  };
  return { a: sideFrom('a'), b: sideFrom('b') };
}

/** @param withTexts whether pasted texts stand in the address, too */
export function pairParams(form: CompareForm, withTexts: boolean): Params {
  const params: Record<string, string> = {};
  for (const side of SIDES) {
    const { by, text, url, at } = form[side];
    if (by === 'text' && withTexts) params[`${side}Text`] = text;
    if (by === 'url') Object.assign(params, { [side]: url.trim(), [`${side}At`]: at.trim() });
  }
  return params;
}

/** Null where a document is not given yet. */
export function pairRequest(form: CompareForm, fetch: 'auto' | 'always'): CompareRequest | null {
  const a = documentOf(form.a);
  const b = documentOf(form.b);
  if (a === null || b === null) return null;
  return { a, b, differences: true, texts: true, explain: true, fetch, deadlineMs: DEADLINE_MS };
}

export function askCompare(request: CompareRequest, signal: AbortSignal): Promise<CompareAnswer> {
  return postTo<CompareAnswer>('compare', request, signal);
}
