import { OWN_SHINGLES_LEAST, type OwnContent, ownContentSteps } from '../../core/content/own-content.ts';
import type { ComparedSample } from '../../core/sketch/narrow.ts';
import type { HostTemplate } from '../../core/template/host-template.ts';
import { inTurns, type Turns } from '../../sharing/turns.ts';
import type { ContentId, Holder } from '../../store/port.ts';
import type { ToldContent } from '../api.ts';
import type { QueryContext } from '../context.ts';
import type { KnownDocument, Query } from '../document/query.ts';
import { hostOf } from '../url.ts';

/*
 * The content of a document as callers ask for it: its main text, less what the pages of its host have in common
 * (core/content/own-content.ts).
 *
 *   a query    the host of its URL; without a URL it has no template
 *   a match    the host of its first live source in the order of the index, else of its first source: whichever are shown
 */

export interface DocumentContent<Of extends ComparedSample = ComparedSample> {
  readonly id: ContentId;
  readonly main: ToldContent['main'];
  readonly template: HostTemplate | null;
  readonly own: OwnContent<Of>;
  /** Why nothing true can be said of it; null where it can. */
  readonly unknown: 'not-read' | 'too-little' | null;
}

/** What a content is told from. */
type Told<Of extends ComparedSample> = Pick<KnownDocument, 'id' | 'main' | 'shingleCount'> & { readonly sample: Of };

/** The content of a document whose host has such a template, or none. */
export async function contentWithout<Of extends ComparedSample>(
  { id, main, shingleCount, sample }: Told<Of>,
  template: HostTemplate | null,
  turns: Turns,
): Promise<DocumentContent<Of>> {
  if (main === 'not-read') {
    const own = { shingleCount, isExact: true, sample };
    return { id, main, template, own, unknown: main };
  }
  const own = await inTurns(ownContentSteps({ shingleCount, sample, main }, template), turns);
  const isLittle = (main !== null || template !== null) && isTooLittle(own);
  return { id, main: main === null ? 'whole' : 'read', template, own, unknown: isLittle ? 'too-little' : null };
}

const isTooLittle = ({ shingleCount, sample }: OwnContent): boolean =>
  shingleCount < OWN_SHINGLES_LEAST || sample.values.length === 0;

/** What it takes to read the template of a host. */
export type TemplateContext = Pick<QueryContext, 'store' | 'templates' | 'turns' | 'deadline'>;

/** Contents of queries that were told before, by the query. */
const known = new WeakMap<Query, Promise<DocumentContent<Query['sample']>>>();

/** The content of a query, made once. @throws the error of the deadline */
export function contentOfQuery(context: TemplateContext, query: Query): Promise<DocumentContent<Query['sample']>> {
  let content = known.get(query);
  if (content === undefined) {
    content = makeContentOf(context, query);
    known.set(query, content);
  }
  return content;
}

async function makeContentOf(context: TemplateContext, query: Query) {
  const host = query.url === null ? null : hostOf(query.url);
  return contentWithout(query, await context.templates.templateOf(host, context), context.turns);
}

/** Sources that are looked at for the host of a match, at the most. */
export const HOST_HOLDERS_MAX = 16;

/** The host by whose template a match is told. @param holders its first sources, at most HOST_HOLDERS_MAX of them */
export function hostOfMatch(holders: readonly Holder[]): string | null {
  const first = holders.find(({ state }) => state === 'live') ?? holders[0];
  return first === undefined ? null : hostOf(first.url);
}

export function describeOwn({ main, template }: DocumentContent): ToldContent {
  return {
    main,
    template: template && { pages: template.pages, shingles: template.shingles },
  };
}
