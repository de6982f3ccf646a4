import type { ComparedSample } from '../../core/sketch/narrow.ts';
import type { Content, ContentRef } from '../../store/port.ts';
import type { Query } from '../document/query.ts';
import { type ContentOutcome, createContentComparer } from './content-pair.ts';
import {
  contentOfQuery,
  contentWithout,
  type DocumentContent,
  HOST_HOLDERS_MAX,
  hostOfMatch,
  type TemplateContext,
} from './document-content.ts';

/*
 * The content of a query beside those of its matches. A match whose host is not known yet has its first sources read for it.
 */

/** @param host of the match; undefined where that is not known */
export type ContentTeller = (match: Parameters<ContentReader>[0], host?: string | null) => Promise<ContentOutcome>;

/** The contents of matches of one answer. */
export type ContentReader = <Of extends ComparedSample>(
  match: ContentRef & Pick<Content<Of>, 'main' | 'shingleCount' | 'sample'>,
  host?: string | null,
) => Promise<DocumentContent<Of>>;

export function createContentReader(context: TemplateContext): ContentReader {
  const { store, deadline, turns, templates } = context;
  const readHost = async ({ id, locator }: ContentRef) =>
    hostOfMatch(await deadline.race(store.holders({ id, locator }, { limit: HOST_HOLDERS_MAX })));
  return async (match, host) => {
    const template = await templates.templateOf(host === undefined ? await readHost(match) : host, context);
    return contentWithout(match, template, turns);
  };
}

/** Tells of each match of one answer. */
export function createContentTeller(context: TemplateContext, query: Query): ContentTeller {
  const { turns } = context;
  const read = createContentReader(context);
  let comparer: ReturnType<typeof createContentComparer> | null = null;
  return async (match, host) => {
    comparer ??= contentOfQuery(context, query).then((content) => createContentComparer(content, turns));
    const compare = await comparer;
    return compare(await read(match, host));
  };
}

/** What the contents of two documents say of each other. @throws the error of the deadline */
export async function contentsBetween(context: TemplateContext, a: Query, b: Query): Promise<ContentOutcome> {
  const [contentA, contentB] = await Promise.all([contentOfQuery(context, a), contentOfQuery(context, b)]);
  return (await createContentComparer(contentA, context.turns))(contentB);
}
