import type { Version } from '../store/port.ts';
import type { DocumentAnswer, PageRequest, VersionsAnswer } from './api.ts';
import type { ServiceParts } from './context.ts';
import { contentOf, describeContent, unknownUrl } from './document/query.ts';
import { toldSource } from './document/told-source.ts';
import { checkPageLimit } from './options.ts';
import { type CursorScope, openCursor, sealCursor } from './similar/cursor.ts';
import { toMatchSource } from './similar/source-list.ts';
import { nameSource } from './url.ts';
import { rateOf } from './versions/rate.ts';
import { describeVersions } from './versions/version-change.ts';

/* What is known of a URL: the document, the sources of the same content, its dated versions. */

/** @throws ShingledError `invalid-url`, `invalid-request`, `invalid-cursor`, `unknown-url`, `index-unreadable` */
export async function knownDocument(parts: ServiceParts, url: string, page: PageRequest): Promise<DocumentAnswer> {
  const { store, limits } = parts;
  checkPageLimit(page.limit, limits);
  const name = nameSource(url, 'url', limits.urlBytesMax);
  const known = await store.source(name.url);
  if (known === undefined) throw unknownUrl('url');
  const { source, record } = await contentOf(store, known, (id) => store.contentHead(id));
  // the list is one of the content's sources: after a change of content its cursor points to nothing in the new list
  const { id } = record;
  const readHolders = (limit: number, after?: string) =>
    store.holders({ id }, after === undefined ? { limit } : { limit, after });
  const scope: CursorScope = { purpose: 'sources', binding: id };
  const { listed, cursor, isAll } = await readPage(parts, page, scope, readHolders, (holder) => holder.url);
  const sourceCount = isAll ? listed.length : await countHolders(parts, id);
  return {
    ...toldSource(source),
    content: describeContent(record),
    sources: listed.map((holder) => toMatchSource(holder, holder.bytesDigest === source.bytesDigest)),
    sourceCount,
    cursor,
  };
}

async function countHolders({ store }: ServiceParts, id: string): Promise<number> {
  const { live, gone, past } = await store.holderCounts({ id }, []);
  return live + gone + past;
}

/** @throws ShingledError `invalid-url`, `invalid-request`, `invalid-cursor`, `unknown-url` */
export async function knownVersions(parts: ServiceParts, url: string, page: PageRequest): Promise<VersionsAnswer> {
  const { store, limits } = parts;
  checkPageLimit(page.limit, limits);
  const name = nameSource(url, 'url', limits.urlBytesMax);
  const readVersions = async (limit: number, before?: string) => {
    if ((await store.source(name.url)) === undefined) throw unknownUrl('url');
    return store.versions(name.url, before === undefined ? { limit } : { limit, before: Number(before) });
  };
  const scope: CursorScope = { purpose: 'versions', binding: name.url };
  const lastOf = ({ observedAt }: Version) => String(observedAt);
  const { found, listed, cursor } = await readPage(parts, page, scope, readVersions, lastOf);
  return { url: name.url, versions: describeVersions(found, listed.length), rate: rateOf([found]), cursor };
}

/** Reads one more than the page holds, so that there is a cursor exactly where there is something to come. */
async function readPage<T>(
  { identity: { cursorKey } }: ServiceParts,
  { limit, cursor }: PageRequest,
  scope: CursorScope,
  read: (limit: number, after?: string) => Promise<readonly T[]>,
  positionOf: (last: T) => string,
) {
  const after = cursor === null ? undefined : openCursor(cursorKey, scope, cursor).toString();
  const found = await read(limit + 1, after);
  const listed = found.slice(0, limit);
  const isMore = found.length > limit;
  const next = isMore ? sealCursor(cursorKey, scope, Buffer.from(positionOf(listed.at(-1)!))) : null;
  return { found, listed, cursor: next, isAll: after === undefined && !isMore };
}
