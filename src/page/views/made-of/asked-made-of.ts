import type { CompositionAnswer, CompositionRequest } from 'shingled/types';
import { type Params, shareParam } from '../../address/view-address.ts';
import { postTo } from '../../asking/ask-service.ts';
import { documentOf, type GivenDocument, isGivenDocument, NOTHING_GIVEN, textOf } from '../../asking/given-document.ts';
import { type ContentWish, isContentWish } from '../../words/content-wishes.ts';

/* What a text is made of: what is asked, and what came of it. */

export interface MadeOfForm {
  readonly given: GivenDocument;
  readonly find: 'sources' | 'quotations';
  readonly minimumShare: number;
  readonly minimumWords: number;
  readonly content: ContentWish;
}

export interface AskedMadeOf {
  readonly answer: CompositionAnswer;
  readonly text: string | null;
}

export const FIRST_MADE_OF: MadeOfForm = {
  given: NOTHING_GIVEN,
  find: 'sources',
  minimumShare: 0.02,
  minimumWords: 25,
  content: 'page',
};

const PARTS_MAX = 100;
const DEADLINE_MS = 30_000;

export function isMadeOfForm(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { given, find, minimumShare, minimumWords, content } = value as Partial<Record<keyof MadeOfForm, unknown>>;
  const areNumbers = typeof minimumShare === 'number' && typeof minimumWords === 'number';
  const isFind = find === 'sources' || find === 'quotations';
  return isGivenDocument(given) && isFind && areNumbers && isContentWish(content);
}

/** A form as an address says it, over what was typed before. */
export function madeOfFrom(params: Params, typed: MadeOfForm): MadeOfForm {
  const { url, text, find, content } = params;
  if (url === undefined && text === undefined) return typed;
  const words = Number(params['minimumWords'] ?? FIRST_MADE_OF.minimumWords);
  return {
    given: {
      ...NOTHING_GIVEN,
      by: text === undefined ? 'url' : 'text',
      text: text ?? typed.given.text,
      url: url ?? '',
    },
    find: find === 'quotations' ? find : 'sources',
    minimumShare: shareParam(params, 'minimumShare', FIRST_MADE_OF.minimumShare) ?? FIRST_MADE_OF.minimumShare,
    minimumWords: Number.isInteger(words) && words > 0 ? words : FIRST_MADE_OF.minimumWords,
    content: isContentWish(content) ? content : 'page',
  };
}

/** @param withText whether a pasted text stands in the address, too */
export function madeOfParams(
  { given, find, minimumShare, minimumWords, content }: MadeOfForm,
  withText: boolean,
): Params {
  return {
    ...(given.by === 'url' ? { url: given.url.trim() } : {}),
    ...(given.by === 'text' && withText ? { text: given.text } : {}),
    ...(find === 'sources' ? {} : { find }),
    ...(minimumShare === FIRST_MADE_OF.minimumShare ? {} : { minimumShare: String(minimumShare) }),
    ...(minimumWords === FIRST_MADE_OF.minimumWords ? {} : { minimumWords: String(minimumWords) }),
    ...(content === FIRST_MADE_OF.content ? {} : { content }),
  };
}

/** Null where no document is given. */
export function madeOfRequest({
  given,
  find,
  minimumShare,
  minimumWords,
  content,
}: MadeOfForm): CompositionRequest | null {
  const document = documentOf(given);
  if (document === null) return null;
  const least = find === 'sources' ? { minimumShare } : { minimumWords };
  return { ...least, document, find, content, passages: true, limit: PARTS_MAX, deadlineMs: DEADLINE_MS };
}

export async function askMadeOf(request: CompositionRequest, signal: AbortSignal): Promise<AskedMadeOf> {
  const answer = await postTo<CompositionAnswer>('composition', request, signal);
  return { answer, text: await textOf(request.document, signal) };
}
