import { whereaboutsOf } from '../../core/moved/whereabouts.ts';
import { ShingledError } from '../../errors.ts';
import type { ContentWish } from '../api.ts';
import type { TimedContext } from '../context.ts';
import type { Query } from '../document/query.ts';
import { nameSource } from '../url.ts';
import { ownSources } from './like-pages.ts';
import type { MovedRequest, MovedState, RefusedPage } from './moved-api.ts';
import { isSameDocument, type ReadContent, type ShownContent, type ShownContents } from './shown-contents.ts';

/*
 * What became of an old URL, and which of its contents are looked for, in this order:
 *
 *   gone         all that it showed, the newest first
 *   replaced     what it showed before it showed another document:  B  A   of  [ C C' ] B A   where C' is C, edited
 *   redirected   what it shows
 *   live         nothing, or what it shows
 */

export interface OldUrl {
  readonly state: MovedState;
  /** Where its last answer came from, where that is another URL. */
  readonly leadsTo: string | null;
  readonly wanted: readonly ShownContent[];
  readonly refused: readonly RefusedPage[];
}

export async function readOldUrl(
  context: TimedContext,
  shown: ShownContents,
  read: ReadContent,
  { always, content }: Pick<MovedRequest, 'always' | 'content'>,
): Promise<OldUrl> {
  const { source, contents } = shown;
  const leadsTo = otherUrl(source.finalUrl, source.url, context.limits.urlBytesMax);
  if (source.state === 'gone') return { state: 'gone', leadsTo, wanted: contents, refused: [] };
  const before = await contentsBefore(context, shown, read, content);
  if (before !== null) {
    const refused = await refusedNow(context, shown, leadsTo);
    return { state: 'replaced', leadsTo, wanted: before, refused };
  }
  const wanted = always || leadsTo !== null ? contents.slice(0, 1) : [];
  return { state: leadsTo === null ? 'live' : 'redirected', leadsTo, wanted, refused: [] };
}

/** What it showed before the document that it shows; null where that is not known to have been another one. */
async function contentsBefore(
  context: TimedContext,
  shown: ShownContents,
  read: ReadContent,
  wish: ContentWish,
): Promise<readonly ShownContent[] | null> {
  const { contents, older, tookPlace, replaced } = shown;
  let after: Query | null = null;
  for (const [i, content] of older.entries()) {
    after ??= await read(contents[0]!);
    const before = await read(content);
    if (after === null || before === null) continue;
    if (!(await isSameDocument(context, before, after, wish))) return older.slice(i);
    after = before;
  }
  // by contents, what is kept was compared
  const isKnown = wish !== 'page' && replaced !== null && (replaced.hasSameMain || older[0]?.id === replaced.id);
  return tookPlace && !isKnown ? [] : null;
}

/** Why what it shows now is not what it showed. */
async function refusedNow(context: TimedContext, shown: ShownContents, leadsTo: string | null): Promise<RefusedPage[]> {
  const { source } = shown;
  const { refusal } = await ownSources(context, whereaboutsOf(source.url), source.contentId);
  if (leadsTo === null) return refusal === null ? [] : [{ url: source.url, ...refusal }];
  const isHome = whereaboutsOf(leadsTo).isHome && !whereaboutsOf(source.url).isHome;
  const reason = isHome ? 'home-page' : 'other-document';
  return [{ url: leadsTo, ...(refusal ?? { reason, sharedBy: null }) }];
}

/** A URL that an answer came from, where it is another one; what is none leads nowhere. */
export function otherUrl(finalUrl: string | null, url: string, urlBytesMax: number): string | null {
  if (finalUrl === null) return null;
  try {
    const other = nameSource(finalUrl, 'finalUrl', urlBytesMax).url;
    return other === url ? null : other;
  } catch (error) {
    if (error instanceof ShingledError) return null;
    throw error;
  }
}
