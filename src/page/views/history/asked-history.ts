import type { MovedAnswer, VersionsAnswer } from 'shingled/types';
import { getFrom, Refusal, withQuery } from '../../asking/ask-service.ts';

/* What is asked of the history of a URL: its versions, and where its document lives now. */

export interface AskedHistory {
  readonly versions: VersionsAnswer;
  /** Null where the service cannot tell. */
  readonly moved: MovedAnswer | null;
}

const VERSIONS_MAX = 1000;

export async function askHistory(url: string, signal: AbortSignal): Promise<AskedHistory> {
  const asked = url.trim();
  const versions = getFrom<VersionsAnswer>(
    withQuery('documents/versions', { url: asked, limit: VERSIONS_MAX }),
    signal,
  );
  const moved = getFrom<MovedAnswer>(withQuery('moved', { url: asked, always: true }), signal).catch(
    (error: unknown) => {
      if (error instanceof Refusal) return null;
      throw error;
    },
  );
  const [told, found] = await Promise.all([versions, moved]);
  return { versions: told, moved: found };
}

/** What a change is called, with a shape for each. */
export const CHANGES: Readonly<Record<string, { readonly shape: string; readonly words: string }>> = {
  identical: { shape: '=', words: 'the same bytes' },
  formatting: { shape: '≈', words: 'the same words, in other bytes' },
  edited: { shape: '△', words: 'edited' },
  replaced: { shape: '■', words: 'replaced' },
  gone: { shape: '✕', words: 'gone' },
  back: { shape: '↩', words: 'back' },
};
