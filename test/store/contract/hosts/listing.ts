import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SourceRange } from '../../../../src/store/port.ts';
import { deletePlan, gonePlan } from '../../../support/store/level-plans.ts';
import type { StoreFixture } from '../fixture.ts';

/** In the order of their keys. Some hosts sort between example.com and what is below it. */
const URLS = [
  'tag:x',
  'urn:isbn:1',
  'urn:isbn:12',
  'http://10.0.0.1/',
  'http://[::1]:8080/a',
  'https://com/',
  'http://example.com:8080/a',
  'https://example.com/',
  'https://example.com/a',
  'https://example.com/a/b',
  'https://example.com/ab',
  'https://example-shop.com/',
  'https://a.example.com/',
  'https://b.a.example.com/a',
  'https://www.example.com/a',
  'https://notexample.com/a',
];

const HOSTS = ['', '10.0.0.1', '[::1]', 'com', 'example.com', 'a.example.com', 'xample.com', 'none.example'];
const PREFIXES = ['urn:', 'urn:isbn:1', 'https://example.com/', 'https://example.com/a', 'http://example.com:8080/'];

type Range = Omit<SourceRange, 'limit'>;

/** What the port says, of URLs that are in order. */
function expected({ host, subdomains, prefix, after }: Range): string[] {
  return URLS.slice(after === undefined ? 0 : URLS.indexOf(after) + 1).filter((url) => {
    const own = url.startsWith('http') ? new URL(url).hostname : '';
    return (
      (host === undefined || own === host || (subdomains === true && own.endsWith(`.${host}`))) &&
      url.startsWith(prefix ?? '')
    );
  });
}

/** The list of sources, a page at a time. */
export function describeListing(fixture: StoreFixture): void {
  const { text, put } = fixture;

  /** Pages to the end, however they are cut. */
  async function allOf(range: Range, limit: number): Promise<string[][]> {
    const [listed, urls]: string[][] = [[], []];
    let after = range.after;
    for (let next: string | null = null; ; after = next) {
      const page = await fixture.store.sources({ ...range, after, limit }, { versionsMax: 0 });
      expect(page.listed.length).toBeLessThanOrEqual(limit);
      listed!.push(...page.listed.map(({ url }) => url));
      next = page.after;
      if (next === null) break;
    }
    after = range.after;
    for (let next: string | null = null; ; after = next) {
      const page = await fixture.store.sourceUrls({ ...range, after, limit });
      expect(page.urls.length).toBeLessThanOrEqual(limit);
      urls!.push(...page.urls);
      next = page.after;
      if (next === null) break;
    }
    return [listed!, urls!];
  }

  it('lists nothing where there is nothing', async () => {
    const range = { limit: 10 };
    const page = { listed: [], after: null };
    expect(await fixture.store.sources(range, { versionsMax: 5 })).toEqual(page);
    expect(await fixture.store.sourceUrls(range)).toEqual({ urls: [], after: null });
  });

  it('lists the sources of a host, of hosts below it, and of a prefix, whatever the size of pages', async () => {
    for (const url of URLS.toReversed()) await put(url, text(1), 1000);
    expect(await allOf({}, 100)).toEqual([URLS, URLS]);
    const ranges = fc.record(
      {
        host: fc.constantFrom(...HOSTS),
        subdomains: fc.boolean(),
        prefix: fc.constantFrom(...PREFIXES),
        after: fc.constantFrom(...URLS),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(ranges, fc.integer({ min: 1, max: 6 }), async (range, limit) => {
        const urls = expected(range);
        expect(await allOf(range, limit)).toEqual([urls, urls]);
      }),
      { seed: 14, numRuns: 150 },
    );
  });

  it('goes on after a URL that is not there', async () => {
    for (const url of URLS) await put(url, text(1), 1000);
    const after = 'https://example.com/aa';
    await fixture.store.apply(deletePlan('https://example.com/ab', 2000));
    const page = await fixture.store.sourceUrls({ host: 'example.com', subdomains: true, after, limit: 2 });
    expect(page.urls).toEqual(['https://a.example.com/', 'https://b.a.example.com/a']);
  });

  it('lists each source as it is asked for by its URL, with as many of its versions as are wanted', async () => {
    const [a, b, c] = ['https://a.example/', 'https://b.example/', 'urn:c'] as const;
    for (const at of [1, 2, 3, 4]) await put(a, text(at), at * 1000, { title: `Überschrift ${at}` });
    await put(b, text(9), 1000, { meta: { kept: [true] }, spelling: 'HTTPS://B.EXAMPLE', finalUrl: a });
    await put(c, text(9), 1000);
    await fixture.store.apply(gonePlan(c, 2000));
    const urls = [c, a, b];
    for (const versionsMax of [0, 1, 3, 100]) {
      const { listed } = await fixture.store.sources({ limit: 10 }, { versionsMax });
      expect(listed).toEqual(
        await Promise.all(
          urls.map(async (url) => ({
            url,
            source: await fixture.store.source(url),
            versions: versionsMax === 0 ? [] : await fixture.store.versions(url, { limit: versionsMax }),
          })),
        ),
      );
    }
  });

  it('lists the versions of neighbours, some of many, each with its own', async () => {
    for (const [i, url] of URLS.entries()) {
      for (let version = 0; version <= (i * 5) % 7; version++)
        await put(url, text(10 * i + version), 1000 * (version + 1));
    }
    await fixture.store.apply(deletePlan('https://example.com/a/b', 9000));
    const ranges: Range[] = [{}, { host: 'example.com', subdomains: true }, { after: 'https://example.com/' }];
    for (const range of ranges) {
      for (const versionsMax of [1, 2, 4, 100]) {
        const { listed } = await fixture.store.sources({ ...range, limit: 9 }, { versionsMax });
        expect(listed.length).toBeGreaterThan(6);
        for (const { url, versions } of listed) {
          expect([url, versions]).toEqual([url, await fixture.store.versions(url, { limit: versionsMax })]);
        }
      }
    }
  });

  it('misses nothing that is there all the time, and gives nothing twice, while others are written', async () => {
    const stay = Array.from({ length: 60 }, (_, i) => `https://${i % 7}.example/${i}`);
    for (const url of stay) await put(url, text(1), 1000);
    const met: string[] = [];
    let after: string | undefined;
    for (let round = 0; ; round++) {
      const page = await fixture.store.sources({ after, limit: 5 }, { versionsMax: 0 });
      met.push(...page.listed.map(({ url }) => url));
      if (page.after === null) break;
      after = page.after;
      await Promise.all([0, 1, 2].map((i) => put(`https://${(round + i) % 7}.example/more/${round}`, text(2), 1000)));
      await fixture.store.apply(deletePlan(`https://${(round + 1) % 7}.example/more/${round}`, 2000));
    }
    expect(new Set(met).size).toBe(met.length);
    expect(met.filter((url) => stay.includes(url)).sort()).toEqual(stay.sort());
  });
}
