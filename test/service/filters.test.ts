import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Match, MatchOptions, OnlySources, SimilarAnswer } from '../../src/service/api.ts';
import { createTextMaker } from '../support/core/make-documents.ts';
import {
  createServiceFixture,
  OPTIONS,
  ofText,
  refused,
  type ServiceFixture,
  START_MS,
} from '../support/service/service-fixture.ts';

/* Which sources count, and hosts that are shown once: held against the answer without, filtered by hand. */

const HOUR_MS = 3_600_000;
const HOSTS = ['a.example', 'www.a.example', 'b.example', 'a.example.evil', '[::1]'];
const METAS = [null, { kind: 'news', n: 1 }, { kind: 'news', n: 2, tags: ['x', { y: null }] }, { kind: 'Blog' }];
const make = createTextMaker(71);
const base = make.text(120);

let fixture: ServiceFixture;
beforeAll(async () => {
  fixture = createServiceFixture();
  for (let copy = 0; copy < 60; copy++) {
    const host = HOSTS[make.prng.below(HOSTS.length)]!;
    const url = copy % 12 === 0 ? `urn:copy:${copy}` : `http${copy % 2 ? 's' : ''}://${host}/docs/${copy}`;
    // some share their words with others
    const words = copy % 3 === 0 ? `${base} ${'x '.repeat(copy % 7)}` : make.changed(base, 0.02);
    const observedAt = START_MS - make.prng.below(5) * HOUR_MS;
    await fixture.put(url, words, { meta: METAS[make.prng.below(METAS.length)]!, observedAt });
  }
});
afterAll(() => fixture.close());

const NONE: OnlySources = { hosts: null, urlPrefix: null, meta: null, seenAfter: null };
const ask = (more: Partial<MatchOptions> = {}) =>
  fixture.similar(ofText(base), { limit: 1000, sourcesPerMatch: 1000, ...more });
const only = (filter: Partial<OnlySources>) => ask({ only: { ...NONE, ...filter } });
const urlsOf = ({ matches }: Pick<SimilarAnswer, 'matches'>) =>
  matches.map(({ sources }) => sources.map(({ url }) => url));
const hostOf = (url: string) => (url.startsWith('http') ? new URL(url).hostname : url);

/** The URLs of the answer without a filter, those that are left of each match, and no match of which nothing is left. */
async function byHand(keeps: (source: Match['sources'][number]) => boolean | Promise<boolean>): Promise<string[][]> {
  const left: string[][] = [];
  for (const { sources } of (await ask()).matches) {
    const kept: string[] = [];
    for (const source of sources) if (await keeps(source)) kept.push(source.url);
    if (kept.length > 0) left.push(kept);
  }
  return left;
}

const metaOf = async (url: string) => (await fixture.store.source(url))?.meta ?? null;

describe('filters', () => {
  it('let a host count, its subdomains not, and no name', async () => {
    const answer = await only({ hosts: ['A.example', '::1'] });
    expect(urlsOf(answer)).toEqual(await byHand(({ url }) => ['a.example', '[::1]'].includes(hostOf(url))));
    expect(answer.matches.length).toBeGreaterThan(5);
    expect(answer.complete).toBe(true);
  });

  it('let the beginning of a URL count, in its normal form', async () => {
    for (const [prefix, normal] of [
      ['HTTPS://A.example', 'https://a.example/'],
      ['https://a.example:443/x/../docs/', 'https://a.example/docs/'],
      ['URN:copy:1', 'urn:copy:1'],
    ] as const) {
      const found = urlsOf(await only({ urlPrefix: prefix }));
      expect(found).toEqual(await byHand(({ url }) => url.startsWith(normal)));
      expect(found.length).toBeGreaterThan(0);
    }
  });

  it('let meta count that has the keys asked for, whatever else and in whatever order', async () => {
    const found = urlsOf(await only({ meta: { kind: 'news' } }));
    expect(found).toEqual(await byHand(async ({ url }) => (await metaOf(url))?.['kind'] === 'news'));
    expect(found.length).toBeGreaterThan(5);
    const deep = urlsOf(await only({ meta: { tags: ['x', { y: null }], kind: 'news' } }));
    expect(deep).toEqual(await byHand(async ({ url }) => (await metaOf(url))?.['n'] === 2));
    for (const meta of [{ kind: 'blog' }, { tags: { 0: 'x', 1: { y: null } } }, { tags: ['x'] }, { hasOwn: null }]) {
      expect(urlsOf(await only({ meta }))).toEqual([]);
    }
    expect(urlsOf(await only({ meta: {} }))).toEqual(urlsOf(await ask()));
  });

  it('let what was seen later count', async () => {
    const seenAfter = START_MS - 2 * HOUR_MS;
    const found = urlsOf(await only({ seenAfter }));
    expect(found).toEqual(await byHand(({ lastSeen }) => Date.parse(lastSeen) > seenAfter));
    expect(found.length).toBeLessThan((await ask()).matches.length);
  });

  it('refuse what is no host, prefix, meta or time, by its field', async () => {
    for (const [filter, problem] of [
      [{ hosts: [] }, refused('invalid-request', { field: 'hosts' })],
      [{ hosts: ['a.example', 'a/b'] }, refused('invalid-request', { field: 'hosts[1]' })],
      [
        { hosts: Array(1001).fill('a.example') as string[] },
        refused('invalid-request', { field: 'hosts', limit: { name: 'excludeMax', value: 1000 } }),
      ],
      [{ urlPrefix: '/docs' }, refused('invalid-url', { field: 'urlPrefix' })],
      [{ urlPrefix: 'https://a.example/#x' }, refused('invalid-request', { field: 'urlPrefix' })],
      [{ urlPrefix: 'https://a.example/x*' }, refused('invalid-request', { field: 'urlPrefix' })],
      [{ meta: { a: 'x'.repeat(5000) } }, refused('invalid-request', { field: 'meta' })],
      [{ seenAfter: -1 }, refused('invalid-request', { field: 'seenAfter' })],
    ] as const) {
      await expect(only(filter)).rejects.toMatchObject(problem);
    }
  });

  it('are carried by cursors', async () => {
    const filter = { ...NONE, hosts: ['a.example'] };
    const { cursor } = await ask({ only: filter, limit: 2 });
    expect((await ask({ only: filter, cursor })).matches).toEqual((await only(filter)).matches.slice(2));
    for (const other of [
      NONE,
      { ...filter, urlPrefix: 'urn:x' },
      { ...filter, meta: {} },
      { ...filter, seenAfter: 0 },
    ]) {
      await expect(ask({ only: other, cursor })).rejects.toMatchObject(refused('invalid-cursor'));
    }
  });

  it('cost no match, and where not all could be compared the answer says so', async () => {
    const full = createServiceFixture({ limits: { candidatesMax: 8 } });
    for (let copy = 0; copy < 40; copy++) await full.put(`https://many.example/${copy}`, make.changed(base, 0.005));
    await full.put('https://one.example/', make.changed(base, 0.03));
    const answer = await full.similar(ofText(base), { only: { ...NONE, hosts: ['one.example'] } });
    expect([answer.matches.length, answer.complete, answer.recall.resemblance]).toEqual([0, false, 0]);
    expect(answer.limits.map(({ code }) => code)).toContain('candidates');
    await full.close();
  });
});

describe('groupBy=host', () => {
  it('shows each host once, at its best match, on any pages', async () => {
    const seen = new Set<string>();
    const byHandOnce = (await byHand(() => true)).flatMap((urls) => {
      const first = urls.filter((url) => !seen.has(hostOf(url)) && seen.add(hostOf(url)));
      return first.length === 0 ? [] : [first];
    });
    const whole = await ask({ groupBy: 'host' });
    expect(urlsOf(whole)).toEqual(byHandOnce);
    expect(whole.matches.map(({ sourceCount }) => sourceCount)).toEqual(byHandOnce.map(({ length }) => length));
    expect(whole.matches.length).toBeLessThan((await ask()).matches.length / 2);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 3 }),
        async (limit, sourcesPerMatch) => {
          const paged: string[][] = [];
          let cursor: string | null = null;
          do {
            const page: SimilarAnswer = await ask({ groupBy: 'host', limit, sourcesPerMatch, cursor });
            expect(page.matches.length).toBeGreaterThan(0);
            paged.push(...urlsOf(page));
            cursor = page.cursor;
          } while (cursor !== null);
          expect(paged).toEqual(byHandOnce.map((urls) => urls.slice(0, sourcesPerMatch)));
        },
      ),
      { seed: 5, numRuns: 10 },
    );
  });

  it('goes by the sources that count', async () => {
    const answer = await ask({
      groupBy: 'host',
      exclude: { hosts: ['a.example'], urls: [] },
      only: { ...NONE, meta: { n: 1 } },
    });
    const hosts = urlsOf(answer).flat().map(hostOf);
    expect(hosts).toHaveLength(new Set(hosts).size);
    expect(hosts).not.toContain('a.example');
    expect(hosts.length).toBeGreaterThan(1);
  });
});

it('the defaults filter nothing', () => {
  expect(OPTIONS.only).toEqual(NONE);
});
