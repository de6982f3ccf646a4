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

export const stateOf = (at: number) => (at % 5 === 2 ? 'gone' : 'live');
export const metaOf = (at: number) => (at % 3 === 0 ? { kind: 'news', n: at } : null);
export const observedAtOf = (at: number) => START_MS - (at % 4) * HOUR_MS;

export async function createListedIndex(options: FixtureOptions = {}): Promise<ServiceFixture> {
  const fixture = createServiceFixture(options);
  for (const [at, url] of LISTED.entries()) {
    const observedAt = observedAtOf(at);
    await fixture.put(url, `these are the words of document number ${at}`, { meta: metaOf(at), observedAt });
    if (stateOf(at) === 'gone') await fixture.service.gone({ url, httpStatus: 410, observedAt: observedAt + 1 }, ALL);
  }
  return fixture;
}
