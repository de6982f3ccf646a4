import type { ListAnswer, Selection } from '../../../src/service/api.ts';
import { ALL, createServiceFixture, type FixtureOptions, type ServiceFixture, START_MS } from './service-fixture.ts';

/* An index of a few hosts, with names among them, some gone, some with meta, observed in different hours. */

const HOUR_MS = 3_600_000;

/** In the order of the list. */
export const LISTED = [
  ...['tag:x', 'urn:isbn:1', 'urn:isbn:12'],
  'http://10.0.0.1/',
  ...Array.from({ length: 12 }, (_, i) => `https://a.example/docs/${String(i).padStart(2, '0')}`),
  ...['http://a.example:8080/x', 'https://a.example/news/1'],
  ...['https://a-shop.example/', 'https://www.a.example/docs/1', 'https://b.example/'],
].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));

/** Reversed host, then URL; an address is not reversed. */
function orderOf(url: string): string {
  const host = url.startsWith('http') ? new URL(url).hostname : '';
  return `${/^[0-9.]+$/.test(host) ? host : host.split('.').reverse().join('.')}\0${url}`;
}

const stateOf = (at: number) => (at % 5 === 2 ? 'gone' : 'live');
const metaOf = (at: number) => (at % 3 === 0 ? { kind: 'news', n: at } : null);
const observedAtOf = (at: number) => START_MS - (at % 4) * HOUR_MS;

export async function createListedIndex(options: FixtureOptions = {}): Promise<ServiceFixture> {
  const fixture = createServiceFixture(options);
  for (const [at, url] of LISTED.entries()) {
    const observedAt = observedAtOf(at);
    await fixture.put(url, `these are the words of document number ${at}`, { meta: metaOf(at), observedAt });
    if (stateOf(at) === 'gone') await fixture.service.gone({ url, httpStatus: 410, observedAt: observedAt + 1 }, ALL);
  }
  return fixture;
}

export const hostOf = (url: string) => (url.startsWith('http') ? new URL(url).hostname : null);

/** What a selection says, one document after the other. */
export function selectedByHand(selection: Selection): string[] {
  const { host, subdomains, prefix, observedFrom, observedTo, meta, state } = selection;
  return LISTED.filter((url, at) => {
    const own = hostOf(url);
    const seenAt = observedAtOf(at) + (stateOf(at) === 'gone' ? 1 : 0);
    return (
      (host === undefined || own === host || (subdomains === true && own?.endsWith(`.${host}`))) &&
      (prefix === undefined || url.startsWith(prefix)) &&
      (observedFrom === undefined || seenAt >= observedFrom) &&
      (observedTo === undefined || seenAt < observedTo) &&
      (meta === undefined || metaOf(at)?.kind === meta['kind']) &&
      (state === undefined || stateOf(at) === state)
    );
  });
}

/** All pages of a list. */
export async function pagesOf(asked: ServiceFixture, selection: Selection, limit: number): Promise<ListAnswer[]> {
  const pages: ListAnswer[] = [];
  for (let cursor: string | null = null; ; ) {
    const page: ListAnswer = await asked.service.list(selection, { limit, cursor }, ALL);
    pages.push(page);
    cursor = page.cursor;
    if (cursor === null) return pages;
  }
}

export const urlsOf = (pages: readonly ListAnswer[]) =>
  pages.flatMap(({ documents }) => documents.map(({ url }) => url));
