import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { DocumentReference, FetchWish, VersionWish } from '../../../src/service/api.ts';
import { createTextMaker } from '../../support/core/make-documents.ts';
import {
  ALL,
  createServiceFixture,
  OPTIONS,
  ofText,
  ofUrl,
  READ_ONLY,
  refused,
  type ServiceFixture,
  START_MS,
  said,
} from '../../support/service/service-fixture.ts';
import { withMethods } from '../../support/store/store-methods.ts';

const make = createTextMaker(92);
const [first, second, third] = [make.text(60), make.text(70), make.text(80)];
const URL = 'https://a.example/page';
const OTHER = 'https://b.example/first';
const BACK = 'https://c.example/back';
const at = (day: string) => Date.parse(`2026-02-${day}T00:00:00Z`);
const THRESHOLDS = { resemblance: 0.5, aInB: null, bInA: null };

let fixture: ServiceFixture;
/** Ids of what the URL said, the oldest first. */
let ids: readonly string[];
beforeAll(async () => {
  fixture = createServiceFixture({ settings: { retention: { ...RETENTION, pastContentsMax: 1 } } });
  for (const [day, text] of [
    ['01', first],
    ['03', second],
    ['05', third],
  ] as const) {
    await fixture.put(URL, text, { observedAt: at(day) });
  }
  await fixture.service.gone({ url: URL, httpStatus: 410, observedAt: at('07') }, ALL);
  await fixture.put(OTHER, second);
  await fixture.service.gone({ url: 'urn:x', httpStatus: 404, observedAt: at('01') }, ALL).catch(() => undefined);
  await fixture.put(BACK, first, { observedAt: at('05') });
  await fixture.service.gone({ url: BACK, httpStatus: 404, observedAt: at('02') }, ALL);
  const { versions } = await fixture.service.versions(URL, { limit: 10, cursor: null }, ALL);
  ids = versions.map(({ content }) => content!).reverse();
});
afterAll(() => fixture.close());

const RETENTION = { pastMs: 3_650 * 86_400_000, pastResemblanceMax: 0.95, versionsMax: 100 };
const past = (wish: VersionWish, url = URL): DocumentReference => ({ ...ofUrl(url), at: wish });
const similar = (reference: DocumentReference, fetch: FetchWish = 'auto') =>
  said(fixture.service.similar(reference, { ...OPTIONS, fetch }, ALL));
const compare = (a: DocumentReference, b: DocumentReference, fetch: FetchWish = 'auto') =>
  fixture.service.compare({ a, b, thresholds: THRESHOLDS, passages: false, fetch, deadlineMs: 10_000 }, ALL);

describe('a past version', () => {
  it('is what the URL said at that moment, to the millisecond', async () => {
    for (const [ms, words, observedAt] of [
      [at('03'), 70, at('03')],
      [at('05') - 1, 70, at('03')],
      [at('05'), 80, at('05')],
      [at('06'), 80, at('05')],
      [START_MS * 2, 80, at('07')],
    ] as const) {
      const { query } = await similar(past({ ms }));
      expect([ms, query.tokens, query.version?.observedAt]).toEqual([ms, words, new Date(observedAt).toISOString()]);
    }
    // gone by then: what was there before is what counts, as without `at`
    expect((await similar(past({ ms: at('08') }))).query).toMatchObject({
      from: 'index',
      version: { state: 'gone', httpStatus: 410, content: ids[2] },
    });
    expect((await similar(ofUrl(URL))).query).not.toHaveProperty('version');
  });

  it('finds what says the same, but never its own URL', async () => {
    const { matches, query } = await similar(past({ content: ids[1]! }));
    expect(query.version).toMatchObject({ observedAt: new Date(at('03')).toISOString(), content: ids[1] });
    expect(matches.map(({ equivalence, sources }) => [equivalence, sources.map(({ url }) => url)])).toEqual([
      ['identical', [OTHER]],
    ]);
    expect(matches[0]?.sources[0]?.identical).toBe(true);
  });

  it('is compared with what the URL says now, and with a page', async () => {
    expect(await compare(past({ ms: at('04') }), ofUrl(URL))).toMatchObject({
      a: { tokens: 70, version: { content: ids[1] } },
      b: { tokens: 80 },
      equivalence: 'none',
    });
    expect(await compare(past({ content: ids[1]! }), ofText(second))).toMatchObject({ equivalence: 'identical' });
    fixture.web.pages.set(URL, second);
    // the past comes from the index, the present from the web
    expect(await compare(past({ ms: at('04') }), ofUrl(URL), 'always')).toMatchObject({
      ...{ a: { from: 'index' }, b: { from: 'fetch' }, equivalence: 'identical' },
    });
  });

  it('pages on with its own cursor', async () => {
    await fixture.put('https://d.example/', `${second} and`);
    const options = { ...OPTIONS, limit: 1 };
    const page = await said(fixture.service.similar(past({ content: ids[1]! }), options, READ_ONLY));
    const { cursor } = page;
    expect(cursor).not.toBeNull();
    const next = await said(fixture.service.similar(past({ ms: at('03') }), { ...options, cursor }, READ_ONLY));
    expect(next.matches[0]?.sources[0]?.url).toBe('https://d.example/');
    const other = fixture.service.similar(past({ ms: at('05') }), { ...options, cursor }, READ_ONLY);
    await expect(other).rejects.toMatchObject(refused('invalid-cursor'));
  });

  it.each([
    ['a moment before the first', () => past({ ms: at('01') - 1 }), 'no version of it is as old as that'],
    ['a content of another URL', () => past({ content: ids[1]! }, BACK), 'no version of it has that content'],
    ['a content of nobody', () => past({ content: '0'.repeat(32) }), 'no version of it has that content'],
    ['a time when it was gone and never seen', () => past({ ms: at('03') }, BACK), 'nothing is known'],
  ])('is refused for %s', async (_what, reference, why) => {
    const answer = similar(reference());
    await expect(answer).rejects.toMatchObject(refused('unknown-version', { field: 'at' }));
    await expect(answer).rejects.toThrow(why);
  });

  it('is looked for by its content in parts, and no longer than until the deadline', async () => {
    const many = 'https://many.example/';
    let reads = 0;
    let late: Promise<void> | null = null;
    const slow = createServiceFixture({
      settings: { retention: { ...RETENTION, pastContentsMax: 1, versionsMax: 600 } },
      wrapStore: withMethods((store) => ({
        versions: async (url, page) => {
          reads++;
          await late;
          return store.versions(url, page);
        },
      })),
    });
    onTestFinished(() => slow.close());
    await slow.put(many, third, { observedAt: at('01') - 1 });
    for (let n = 0; n < 400; n++) await slow.put(many, n % 2 === 0 ? first : second, { observedAt: at('01') + n });
    const ask = (content: string, deadlineMs: number) =>
      slow.service.similar(past({ content }, many), { ...OPTIONS, deadlineMs }, ALL);
    await expect(ask('0'.repeat(32), 10_000)).rejects.toMatchObject(refused('unknown-version'));
    expect(reads).toBe(4);
    const { promise, resolve } = Promise.withResolvers<void>();
    [reads, late] = [0, promise];
    await expect(ask('0'.repeat(32), 10)).rejects.toMatchObject(refused('deadline-exceeded'));
    resolve();
    await setImmediate();
    expect(reads).toBe(1);
  });

  it('is refused once its words are forgotten', async () => {
    await fixture.service.forget(BACK, ALL);
    const { versions } = await fixture.service.versions(URL, { limit: 10, cursor: null }, ALL);
    expect(versions.at(-1)).toMatchObject({ content: 'forgotten' });
    const answer = compare(ofText('a'), past({ ms: at('02') }));
    await expect(answer).rejects.toMatchObject(refused('unknown-version', { field: 'b.at' }));
    await expect(answer).rejects.toThrow('forgotten');
  });

  it.each<[string, DocumentReference, FetchWish, string, string]>([
    ['a URL that is not known', past({ ms: 1 }, 'https://no.example/'), 'auto', 'unknown-url', 'url'],
    ['a body', { ...ofText('a', URL), at: { ms: 1 } }, 'auto', 'invalid-request', 'at'],
    ['no URL', { ...ofText('a'), body: null, at: { ms: 1 } }, 'auto', 'invalid-request', 'at'],
    ['other elements', { ...past({ ms: at('03') }), select: 'p' }, 'auto', 'invalid-request', 'select'],
    ['a fetch', past({ ms: at('03') }), 'always', 'invalid-request', 'fetch'],
  ])('does not go with %s, and nothing is fetched', async (_what, reference, fetch, code, field) => {
    const asked = fixture.web.asked.length;
    await expect(similar(reference, fetch)).rejects.toMatchObject({ code, field });
    expect(fixture.web.asked.length).toBe(asked);
  });
});
