import type { Content } from '../../store/port.ts';
import type { QueryContext } from '../context.ts';
import type { Query } from '../document/query.ts';
import { type ContentOutcome, createContentComparer } from './content-pair.ts';
import {
  contentOfQuery,
  contentWithout,
  HOST_HOLDERS_MAX,
  hostOfMatch,
} from './document-content.ts';

/*
 * The content of a query beside those of its matches. A match whose host is not known yet has its first sources read for it.
 */

/** @param host of the match; undefined where that is not known */
export type ContentTeller = (match: Content, host?: string | null) => Promise<ContentOutcome>;

/** Tells of each match of one answer. */
export function createContentTeller(context: QueryContext, query: Query): ContentTeller {
  const { store, deadline, turns } = context;
  const readHost = async ({ id, locator }: Content) =>
    hostOfMatch(await deadline.race(store.holders({ id, locator }, { limit: HOST_HOLDERS_MAX })));
  let comparer: ReturnType<typeof createContentComparer> | null = null;
  return async (match, host) => {
    comparer ??= contentOfQuery(context, query).then((content) => createContentComparer(content, turns));
    const compare = await comparer;
    const template = await context.templates.templateOf(host === undefined ? await readHost(match) : host, context);
    return compare(await contentWithout(match, template, turns));
  };
}
