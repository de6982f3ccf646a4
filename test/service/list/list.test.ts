import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HostsAnswer, Selection } from '../../../src/service/api.ts';
import {
  selectedByHand as byHand,
  createListedIndex,
  hostOf,
  LISTED,
  pagesOf as pagesIn,
  urlsOf,
} from '../../support/service/listed-index.ts';
import {
  ALL,
  createServiceFixture,
  refused,
  type ServiceFixture,
  START_MS,
} from '../../support/service/service-fixture.ts';
import { withMethods } from '../../support/store/store-methods.ts';

const HOUR_MS = 3_600_000;

let fixture: ServiceFixture;
beforeAll(async () => {
  fixture = await createListedIndex();
});
afterAll(() => fixture.close());

const pagesOf = (selection: Selection, limit: number, asked = fixture) => pagesIn(asked, selection, limit);

async function hostsOf(selection: Selection, limit: number, asked = fixture): Promise<HostsAnswer['hosts']> {
  const hosts: HostsAnswer['hosts'][number][] = [];
  for (let cursor: string | null = null; ; ) {
    const page: HostsAnswer = await asked.service.countByHost(selection, { limit, cursor }, ALL);
    expect(page.hosts.length).toBeLessThanOrEqual(limit);
    hosts.push(...page.hosts.map(({ host, documents }) => ({ host, documents })));
    cursor = page.cursor;
    if (cursor === null) return hosts;
  }
}

function hostsByHand(selection: Selection): HostsAnswer['hosts'] {
  const counts = new Map<string | null, number>();
  for (const url of byHand(selection)) counts.set(hostOf(url), (counts.get(hostOf(url)) ?? 0) + 1);
  return Array.from(counts, ([host, documents]) => ({ host, documents }));
}

const SELECTIONS = fc.oneof(
  selections({ host: fc.constantFrom('a.example', '10.0.0.1', 'none.example'), subdomains: fc.boolean() }),
  selections({ prefix: fc.constantFrom('https://a.example/docs/', 'urn:', 'urn:isbn:1', 'https://b.example/') }),
  selections({}),
);

function selections(where: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Selection> {
  const filters = {
    state: fc.constantFrom('live', 'gone'),
    meta: fc.constantFrom({ kind: 'news' }, { kind: 'other' }),
    observedFrom: fc.constantFrom(START_MS - 2 * HOUR_MS, START_MS),
    observedTo: fc.constantFrom(START_MS + HOUR_MS, START_MS + 2),
  };
  return fc.record(
    { ...where, ...filters },
    { requiredKeys: Object.keys(where) as never[] },
  ) as fc.Arbitrary<Selection>;
}

describe('a list', () => {
  it('has what is known of each document, by reversed host', async () => {
    const [page] = await pagesOf({}, 1000);
    expect(urlsOf([page!])).toEqual(LISTED);
    expect(page).toMatchObject({ unreadable: [], cursor: null });
    for (const document of page!.documents.slice(0, 8)) {
      const {
        content,
        sources: _,
        sourceCount: __,
        cursor: ___,
        ...known
      } = await fixture.service.document(document.url, { limit: 1, cursor: null }, ALL);
      expect(document).toEqual({ ...known, contentId: content.id });
    }
  });

  it('is of what was selected, whatever the size of pages', async () => {
    await fc.assert(
      fc.asyncProperty(SELECTIONS, fc.integer({ min: 1, max: 9 }), async (selection, limit) => {
        const pages = await pagesOf(selection, limit);
        expect(urlsOf(pages)).toEqual(byHand(selection));
        expect(pages.slice(0, -1).every(({ documents }) => documents.length === limit)).toBe(true);
        expect(await hostsOf(selection, limit)).toEqual(hostsByHand(selection));
      }),
      { seed: 15, numRuns: 120 },
    );
  });

  it('has short pages where few of those looked at pass, and ends all the same', async () => {
    const few = await createListedIndex({ limits: { examinedMax: 3 }, wrapStore: smallPages });
    await fc.assert(
      fc.asyncProperty(SELECTIONS, fc.integer({ min: 1, max: 9 }), async (selection, limit) => {
        expect(urlsOf(await pagesOf(selection, limit, few))).toEqual(byHand(selection));
        expect(await hostsOf(selection, limit, few)).toEqual(hostsByHand(selection));
      }),
      { seed: 16, numRuns: 80 },
    );
    const pages = await pagesOf({ meta: { kind: 'none' } }, 9, few);
    expect(pages.length).toBe(Math.ceil(LISTED.length / 4) + (LISTED.length % 4 === 0 ? 1 : 0));
    await few.close();
  });

  it('ends a page where meta is large', async () => {
    const large = createServiceFixture({ limits: { metaBytesMax: 2 ** 20 } });
    const meta = { notes: 'x'.repeat(1_000_000) };
    for (let i = 0; i < 12; i++) await large.put(`https://a.example/${i}`, `words of document ${i}`, { meta });
    const pages = await pagesOf({}, 1000, large);
    expect(pages.map(({ documents }) => documents.length)).toEqual([5, 5, 2]);
    await large.close();
  });

  it('takes hosts and prefixes as they are spelled', async () => {
    for (const [selection, normal] of [
      [
        { host: 'A.Example', subdomains: true },
        { host: 'a.example', subdomains: true },
      ],
      [{ prefix: 'HTTPS://A.example:443/x/../docs/' }, { prefix: 'https://a.example/docs/' }],
      [{ prefix: 'URN:' }, { prefix: 'urn:' }],
      [{ host: 'a.example', prefix: 'https://a.example/docs/1' }, { prefix: 'https://a.example/docs/1' }],
      [{ host: 'a.example', subdomains: true, prefix: 'https://www.a.example' }, { prefix: 'https://www.a.example/' }],
    ] as const) {
      expect(urlsOf(await pagesOf(selection, 100))).toEqual(byHand(normal));
      expect(byHand(normal).length).toBeGreaterThan(0);
    }
  });

  it.each<[Selection, string, string]>([
    [{ host: 'a/b' }, 'invalid-request', 'host'],
    [{ host: `${'x'.repeat(8192)}.example` }, 'invalid-request', 'host'],
    [{ subdomains: true }, 'invalid-request', 'subdomains'],
    [{ prefix: '/docs' }, 'invalid-url', 'prefix'],
    [{ prefix: 'https://' }, 'invalid-url', 'prefix'],
    [{ prefix: 'data:' }, 'invalid-url', 'prefix'],
    [{ prefix: 'https://a.example/#x' }, 'invalid-request', 'prefix'],
    [{ prefix: 'https://a.example/*' }, 'invalid-request', 'prefix'],
    [{ prefix: `https://a.example/${'x'.repeat(8192)}` }, 'invalid-url', 'prefix'],
    [{ host: 'a.example', prefix: 'https://www.a.example/' }, 'invalid-request', 'prefix'],
    [{ host: 'a.example', subdomains: true, prefix: 'urn:x' }, 'invalid-request', 'prefix'],
    [{ observedFrom: -1 }, 'invalid-request', 'observedFrom'],
    [{ observedTo: Number.NaN }, 'invalid-request', 'observedTo'],
    [{ observedFrom: 5, observedTo: 5 }, 'invalid-request', 'observedTo'],
    [{ meta: { a: 'x'.repeat(5000) } }, 'invalid-request', 'meta'],
    [{ state: 'past' as 'gone' }, 'invalid-request', 'state'],
  ])('refuses %j', async (selection, code, field) => {
    const page = { limit: 10, cursor: null };
    const problem = refused(code as 'invalid-request', { field });
    await expect(fixture.service.list(selection, page, ALL)).rejects.toMatchObject(problem);
    await expect(fixture.service.countByHost(selection, page, ALL)).rejects.toMatchObject(problem);
    await expect(fixture.service.forgetSelected(selection, { dryRun: true, confirm: null }, ALL)).rejects.toMatchObject(
      problem,
    );
    expect(() => fixture.service.export(selection, null, ALL)).toThrow(expect.objectContaining(problem));
  });

  it('tells of one host what its pages have in common', async () => {
    const one = createServiceFixture();
    const words = (from: number) => Array.from({ length: 60 }, (_, i) => `w${from + i}`).join(' ');
    for (let i = 1; i <= 4; i++) await one.put(`https://t.example/${i}`, `${words(0)} ${words(1000 * i)}`);
    const asked = async (selection: Selection) =>
      (await one.service.countByHost(selection, { limit: 10, cursor: null }, ALL)).hosts;
    const counted = { host: 't.example', documents: 4 };
    expect(await asked({ host: 't.example' })).toEqual([{ ...counted, template: { pages: 4, shingles: 56 } }]);
    expect(await asked({ host: 't.example', subdomains: true })).toEqual([counted]);
    expect(await asked({ prefix: 'https://t.example/' })).toEqual([counted]);
    expect(await asked({ host: 'none.example' })).toEqual([]);
    await one.close();
  });

  it('refuses limits out of bounds, and cursors of another list', async () => {
    for (const limit of [0, 1001, 1.5, Number.NaN]) {
      const page = { limit, cursor: null };
      await expect(fixture.service.list({}, page, ALL)).rejects.toMatchObject({ field: 'limit' });
      await expect(fixture.service.countByHost({}, page, ALL)).rejects.toMatchObject({ field: 'limit' });
    }
    const { cursor } = await fixture.service.list({ host: 'a.example' }, { limit: 1, cursor: null }, ALL);
    const hosts = await fixture.service.countByHost({}, { limit: 1, cursor: null }, ALL);
    const invalid = refused('invalid-cursor', { field: 'cursor' });
    for (const [selection, forged] of [
      [{}, cursor],
      [{ host: 'a.example', subdomains: true }, cursor],
      [{}, hosts.cursor],
      [{}, Buffer.from('https://a.example/').toString('base64url')],
    ] as const) {
      const page = { limit: 1, cursor: forged };
      await expect(fixture.service.list(selection, page, ALL)).rejects.toMatchObject(invalid);
    }
    const page = { limit: 1, cursor };
    await expect(fixture.service.countByHost({ host: 'a.example' }, page, ALL)).rejects.toMatchObject(invalid);
  });

  it('turns away what is more than it can do, and does the rest', async () => {
    const asked = Array.from({ length: 10_000 }, () => fixture.service.list({}, { limit: 1, cursor: null }, ALL));
    const settled = await Promise.allSettled(asked);
    const done = settled.filter(({ status }) => status === 'fulfilled');
    expect(done.length).toBeGreaterThan(100);
    for (const one of settled) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'overloaded' });
  });
});

/** A store whose pages end after four sources. */
const smallPages = withMethods((store) => ({
  sources: (range, options) => store.sources({ ...range, limit: Math.min(4, range.limit) }, options),
  sourceUrls: (range) => store.sourceUrls({ ...range, limit: Math.min(4, range.limit) }),
}));
