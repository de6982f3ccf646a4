import { ShingledError } from '../../errors.ts';
import type { Holder, Meta } from '../../store/port.ts';
import type { MatchOptions } from '../api.ts';
import type { QueryContext } from '../context.ts';
import { nameHost, nameSource, nameUrlPrefix } from '../url.ts';

/*
 * Which sources of a match may be shown. A match that has no such source is none: it is passed over when its sources are read,
 * after all that shares enough with the query has been compared. So a filter lowers no recall; where more shares enough than is
 * read (candidatesMax), the answer is not complete, with a filter as without.
 */

export type SourceFilter = Awaited<ReturnType<typeof sourceFilter>>;

/** @throws ShingledError `invalid-request` or `invalid-url` for a host, a prefix or a URL that is none */
export async function sourceFilter(
  { limits: { urlBytesMax }, turns }: Pick<QueryContext, 'limits' | 'turns'>,
  { only, exclude, include, groupBy }: Pick<MatchOptions, 'only' | 'exclude' | 'include' | 'groupBy'>,
  ownUrl: string | null,
) {
  // to read a URL takes up to 200 us, a host of other scripts more
  const readEach = async (spellings: readonly string[], read: (spelling: string, index: number) => string) => {
    const names = new Set<string>();
    for (const [index, spelling] of spellings.entries()) {
      if (turns.spent()) await turns.next();
      names.add(read(spelling, index));
    }
    return names;
  };
  const urls = await readEach(exclude.urls, (url, index) => excludedUrl(url, `exclude.urls[${index}]`, urlBytesMax));
  if (ownUrl !== null) urls.add(ownUrl);
  const onlyHosts = only.hosts && (await readEach(only.hosts, (host, index) => nameHost(host, `hosts[${index}]`)));
  const urlPrefix = only.urlPrefix === null ? null : nameUrlPrefix(only.urlPrefix, 'urlPrefix', urlBytesMax);
  const hosts = await readEach(exclude.hosts, (host, index) => nameHost(host, `exclude.hosts[${index}]`));
  const groupByHost = groupBy === 'host';
  return {
    states: new Set<string>(include),
    /** null: of any host. */
    onlyHosts,
    urlPrefix,
    meta: only.meta,
    seenAfter: only.seenAfter,
    hosts,
    /** The excluded URLs and the query's own. */
    urls,
    groupByHost,
    /** Whether it takes the host of a source to say whether it may be shown. */
    needsHost: groupByHost || hosts.size > 0 || onlyHosts !== null,
    /** Whether states and URLs say which sources may be shown: then they are counted without being read. */
    isOfStates:
      !groupByHost &&
      hosts.size === 0 &&
      onlyHosts === null &&
      urlPrefix === null &&
      only.meta === null &&
      only.seenAfter === null,
  };
}

/** Whether a source may be shown, but for whether another one of its host is. */
export function passes(filter: SourceFilter, { url, state, lastSeen, meta }: Holder, host: string | null): boolean {
  const { states, onlyHosts, urlPrefix, seenAfter } = filter;
  return (
    states.has(state) &&
    !filter.urls.has(url) &&
    (urlPrefix === null || url.startsWith(urlPrefix)) &&
    (seenAfter === null || lastSeen > seenAfter) &&
    (host === null ? onlyHosts === null : !filter.hosts.has(host) && onlyHosts?.has(host) !== false) &&
    (filter.meta === null || hasMeta(meta, filter.meta))
  );
}

function excludedUrl(spelling: string, field: string, urlBytesMax: number): string {
  const { url, fetchable } = nameSource(spelling, field, urlBytesMax);
  if (!fetchable || !spelling.endsWith('*')) return url;
  const detail = `${field} ends in *, which stands for nothing here: name each URL, or exclude their host.`;
  throw new ShingledError('invalid-request', detail, { field });
}

/** Whether a source's meta has every key of another with the same value. */
export function hasMeta(meta: Meta | null, wanted: Meta): boolean {
  return Object.keys(wanted).every(
    (key) => meta !== null && Object.hasOwn(meta, key) && isSame(wanted[key], meta[key]),
  );
}

/** Of values that JSON has: whatever the order of keys. */
function isSame(a: unknown, b: unknown): boolean {
  if (!isStructured(a) || !isStructured(b)) return a === b;
  const keys = Object.keys(a);
  return (
    Array.isArray(a) === Array.isArray(b) &&
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]))
  );
}

function isStructured(value: unknown): value is Meta {
  return typeof value === 'object' && value !== null;
}
