import type { DocumentAnswer, MovedAnswer, VersionsAnswer } from 'shingled/types';
import { ANSWER_DEADLINE_MS, getFrom, Refusal, withQuery } from '../../asking/ask-service.ts';

/* What is asked of the history of a URL: its versions, and where its document lives now. */

export interface AskedHistory {
  readonly versions: VersionsAnswer;
  readonly document: DocumentAnswer;
  /** Or why that is not told. */
  readonly moved: MovedAnswer | Refusal;
}

const VERSIONS_MAX = 1000;

export async function askHistory(url: string, signal: AbortSignal): Promise<AskedHistory> {
  const asked = url.trim();
  const versions = getFrom<VersionsAnswer>(
    withQuery('documents/versions', { url: asked, limit: VERSIONS_MAX }),
    signal,
  );
  const document = getFrom<DocumentAnswer>(withQuery('documents', { url: asked, limit: 1 }), signal);
  const place = withQuery('moved', { url: asked, always: true, deadlineMs: ANSWER_DEADLINE_MS });
  const moved = getFrom<MovedAnswer>(place, signal).catch((error: unknown) => {
    if (error instanceof Refusal) return error;
    throw error;
  });
  const [told, known, found] = await Promise.all([versions, document, moved]);
  return { versions: told, document: known, moved: found };
}

/** What a change is called, with a shape for each. */
export const CHANGES: Readonly<Record<string, { readonly shape: string; readonly words: string }>> = {
  identical: { shape: '=', words: 'the same bytes' },
  formatting: { shape: '≈', words: 'the same words, in other bytes' },
  template: { shape: '□', words: 'the same main text, in another frame' },
  edited: { shape: '△', words: 'edited' },
  replaced: { shape: '■', words: 'replaced' },
  gone: { shape: '✕', words: 'gone' },
  back: { shape: '↩', words: 'back' },
};
