import { type ToldOwnContent, toldContentSteps } from '../../core/content/told-content.ts';
import type { ComparedSample } from '../../core/sketch/narrow.ts';
import type { HostTemplate } from '../../core/template/host-template.ts';
import { inTurns, type Turns } from '../../sharing/turns.ts';
import type { ContentId, Holder } from '../../store/port.ts';
import type { ToldContent } from '../api.ts';
import type { QueryContext } from '../context.ts';
import type { KnownDocument, Query } from '../document/query.ts';
import type { TemplateReader } from '../templates.ts';
import { hostOf } from '../url.ts';

/*
 * The content of a document as callers ask for it: its main text, less what the pages of its host have in common
 * (core/content/told-content.ts).
 *
 *   a query    the host of its URL; without a URL it has no template
 *   a match    the host of its first live source in the order of the index, else of its first source: whichever are shown
 */

export interface DocumentContent<Of extends ComparedSample = ComparedSample> extends ToldOwnContent<Of> {
  readonly id: ContentId;
}

/** Whether the content of a document is all of it, so that its figures are those of the page. */
export const isWholePage = ({ main, template }: Pick<DocumentContent, 'main' | 'template'>) =>
  main === 'whole' && template === null;

/** What a content is told from. */
type Told<Of extends ComparedSample> = Pick<KnownDocument, 'id' | 'main' | 'shingleCount'> & { readonly sample: Of };

/** The content of a document whose host has such a template, or none. */
export async function contentWithout<Of extends ComparedSample>(
  told: Told<Of>,
  template: HostTemplate | null,
  turns: Turns,
): Promise<DocumentContent<Of>> {
  return { id: told.id, ...(await inTurns(toldContentSteps(told, template), turns)) };
}

/** What it takes to read the template of a host. */
export type TemplateContext = Pick<QueryContext, 'store' | 'templates' | 'turns' | 'deadline'>;

type ContentOfQuery = Promise<DocumentContent<Query['sample']>>;

/** Contents of queries that were told before, by the query and what its template was read by. */
const known = new WeakMap<Query, { readonly templates: TemplateReader; readonly content: ContentOfQuery }>();

/** The content of a query, made once for an answer. @throws the error of the deadline */
export function contentOfQuery(context: TemplateContext, query: Query): ContentOfQuery {
  const { templates } = context;
  const before = known.get(query);
  if (before?.templates === templates) return before.content;
  const content = makeContentOf(context, query);
  known.set(query, { templates, content });
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
