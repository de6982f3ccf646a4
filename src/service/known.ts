import type { DocumentAnswer, PageRequest, VersionsAnswer } from './api.ts';
import type { ServiceParts } from './context.ts';
import { contentOf, unknownUrl } from './document/query.ts';
import { describeVersion } from './document/versions.ts';
import { checkPageLimit } from './options.ts';
import { type CursorScope, openCursor, sealCursor } from './similar/cursor.ts';
import { EVERY_SOURCE } from './similar/source-filter.ts';
import { readSources, toMatchSource } from './similar/sources.ts';
import { nameSource } from './url.ts';
import { describeContent } from './write/documents.ts';

/* What is known of a URL: the document, the sources of the same content, its versions. */

/** @throws ShingledError `invalid-url`, `invalid-request`, `invalid-cursor`, `unknown-url`, `index-unreadable` */
export async function knownDocument(context: ServiceParts, url: string, page: PageRequest): Promise<DocumentAnswer> {
  const { store, limits } = context;
  checkPageLimit(page.limit, limits);
  const name = nameSource(url, 'url', limits.urlBytesMax);
  const known = await store.source(name.url);
  if (known === undefined) throw unknownUrl('url');
  const { source, record } = await contentOf(store, known, (id) => store.contentHead(id));
  // the list is one of the content's sources: after a change of content its cursor points to nothing in the new list
  const { id } = record;
  const scope: CursorScope = { purpose: 'sources', binding: id };
  const after = page.cursor === null ? undefined : readText(context, scope, page.cursor);
  const wanted = page.limit + 1;
  const holders = await store.holders({ id }, after === undefined ? { limit: wanted } : { limit: wanted, after });
  const listed = holders.slice(0, page.limit);
  const more = holders.length > page.limit;
  const { sourceCountMax, sourcesReadMax } = limits;
  const whole = after === undefined && !more;
  const counting = { listed: 0, countMax: sourceCountMax, bytesDigest: null };
  const sourceCount = whole
    ? listed.length
    : (await readSources(store, { id }, EVERY_SOURCE, counting, { left: sourcesReadMax }, null)).sourceCount;
  return {
    url: source.url,
    spelling: source.spelling,
    state: source.state,
    httpStatus: source.httpStatus,
    finalUrl: source.finalUrl,
    title: source.title,
    language: source.language,
    meta: source.meta,
    firstSeen: new Date(source.firstSeen).toISOString(),
    lastSeen: new Date(source.lastSeen).toISOString(),
    observedAt: new Date(source.observedAt).toISOString(),
    content: describeContent(record),
    sources: listed.map((holder) => toMatchSource(holder, holder.bytesDigest === source.bytesDigest)),
    sourceCount: Math.min(sourceCount, sourceCountMax),
    cursor: more ? sealText(context, scope, listed.at(-1)!.url) : null,
  };
}

/** @throws ShingledError `invalid-url`, `invalid-request`, `invalid-cursor`, `unknown-url` */
export async function knownVersions(context: ServiceParts, url: string, page: PageRequest): Promise<VersionsAnswer> {
  const { store, limits } = context;
  checkPageLimit(page.limit, limits);
  const name = nameSource(url, 'url', limits.urlBytesMax);
  const scope: CursorScope = { purpose: 'versions', binding: name.url };
  const before = page.cursor === null ? undefined : Number(readText(context, scope, page.cursor));
  if ((await store.source(name.url)) === undefined) throw unknownUrl('url');
  const wanted = page.limit + 1;
  const found = await store.versions(name.url, before === undefined ? { limit: wanted } : { limit: wanted, before });
  const listed = found.slice(0, page.limit);
  const more = found.length > page.limit;
  return {
    url: name.url,
    versions: listed.map(describeVersion),
    cursor: more ? sealText(context, scope, String(listed.at(-1)!.observedAt)) : null,
  };
}

function sealText(context: ServiceParts, scope: CursorScope, position: string): string {
  return sealCursor(context.identity.cursorKey, scope, Buffer.from(position));
}

function readText(context: ServiceParts, scope: CursorScope, cursor: string): string {
  return Buffer.from(openCursor(context.identity.cursorKey, scope, cursor)).toString();
}
