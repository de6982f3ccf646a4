import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTextMaker } from '../../support/core/make-documents.ts';
import {
  ALL,
  createServiceFixture,
  putOf,
  refused,
  type ServiceFixture,
  START_MS,
} from '../../support/service/service-fixture.ts';

const DAY_MS = 86_400_000;
const URL = 'https://a.example/page';
const make = createTextMaker(50);
const text = make.text(200);
let fixture: ServiceFixture;
beforeEach(() => {
  fixture = createServiceFixture();
});
afterEach(() => fixture.close());

const document = (url = URL, page: { limit?: number; cursor?: string | null } = {}) =>
  fixture.service.document(url, { limit: 10, cursor: null, ...page }, ALL);

describe('put', () => {
  it('indexes a document under its normalised URL, and says what it is', async () => {
    const spelling = 'HTTPS://A.example:443/page#top';
    const answer = await fixture.put(spelling, text, { meta: { topic: 'x' } });
    expect(answer).toEqual({
      url: URL,
      status: 'created',
      newContent: true,
      contentKept: true,
      observedAt: '2026-03-01T12:00:00.000Z',
      content: {
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        tokens: 200,
        shingles: 196,
        short: false,
        main: 'whole',
        mainShingles: 196,
        createdAt: '2026-03-01T12:00:00.000Z',
      },
      elapsedMs: expect.any(Number),
    });
    expect(await document()).toMatchObject({ url: URL, spelling, state: 'live', meta: { topic: 'x' }, sourceCount: 1 });
  });

  it('keeps history of years ago that is told today, and says so where it does not', async () => {
    const years = (count: number) => START_MS - count * 365 * DAY_MS;
    const texts = [4, 3, 2].map((age) => ({ age, words: make.text(60) }));
    for (const { age, words } of texts) {
      const answer = await fixture.put(URL, words, { observedAt: years(age) });
      expect(answer).toMatchObject({ newContent: true, contentKept: true });
    }
    const older = await fixture.put(URL, make.text(60), { observedAt: years(5) });
    expect(older).toMatchObject({ status: 'history', contentKept: true });
    expect(await fixture.put(URL, make.text(60), { observedAt: years(6) })).toMatchObject({
      ...{ status: 'history', newContent: false, contentKept: false, content: null },
    });
    const page = await fixture.service.versions(URL, { limit: 10, cursor: null }, ALL);
    expect(page.versions.map(({ content }) => content === 'forgotten')).toEqual([false, false, false, false, true]);
  });

  it('tells created, updated, unchanged and history apart, and known words from new ones', async () => {
    const other = make.text(100);
    await fixture.put(URL, text);
    fixture.clock.nowMs += DAY_MS;
    expect(await fixture.put(URL, text)).toMatchObject({ status: 'unchanged', newContent: false });
    expect(await fixture.put(URL, `  ${text.toUpperCase()}`)).toMatchObject({ status: 'unchanged', newContent: false });
    expect(await fixture.put('urn:copy', text)).toMatchObject({ status: 'created', newContent: false });
    expect(await fixture.put(URL, other)).toMatchObject({
      status: 'updated',
      newContent: true,
      content: { tokens: 100 },
    });
    const older = await fixture.put(URL, make.text(30), { observedAt: START_MS - DAY_MS });
    expect(older).toMatchObject({ status: 'history', observedAt: '2026-02-28T12:00:00.000Z' });
    expect((await document()).content.tokens).toBe(100);
  });

  it('is answered with the content as it is read afterwards, whether the put brought it or not', async () => {
    const other = make.text(90);
    const writes = [
      [URL, text, {}, 'created'],
      [URL, other, {}, 'updated'],
      ['urn:copy', text, {}, 'created'],
      [URL, other, {}, 'unchanged'],
      [URL, make.text(40), { observedAt: START_MS - DAY_MS }, 'history'],
      [URL, text, { observedAt: START_MS - DAY_MS - 1 }, 'history'],
    ] as const;
    for (const [url, body, options, status] of writes) {
      fixture.clock.nowMs += 1000;
      const { content, ...answer } = await fixture.put(url, body, options);
      expect(answer.status).toBe(status);
      const record = await fixture.store.content(content!.id);
      expect(content).toEqual({
        id: record!.id,
        tokens: record!.tokenCount,
        shingles: record!.shingleCount,
        short: false,
        main: 'whole',
        mainShingles: record!.shingleCount,
        createdAt: new Date(record!.createdAt).toISOString(),
      });
    }
  });

  it('is refused a time too far ahead, an unusable URL, a large meta, by field and limit', async () => {
    const ahead = await fixture.put('urn:ahead', text, { observedAt: START_MS + DAY_MS });
    expect(ahead.observedAt).toBe('2026-03-02T12:00:00.000Z');
    const limit = { name: 'futureObservedMs', value: DAY_MS };
    await expect(fixture.put(URL, text, { observedAt: START_MS + DAY_MS + 1 })).rejects.toMatchObject(
      refused('observed-in-future', { field: 'observedAt', limit }),
    );
    await expect(fixture.put(URL, text, { observedAt: -1 })).rejects.toMatchObject(refused('invalid-request'));
    await expect(fixture.put('/page', text)).rejects.toMatchObject(refused('invalid-url', { field: 'url' }));
    await expect(fixture.put(URL, text, { meta: { note: 'x'.repeat(5000) } })).rejects.toMatchObject(
      refused('invalid-request', { field: 'meta', limit: { name: 'metaBytesMax', value: 4096 } }),
    );
    let deep: Record<string, unknown> = {};
    for (let depth = 0; depth < 100_000; depth++) deep = { deep };
    await expect(fixture.put(URL, text, { meta: deep })).rejects.toMatchObject(
      refused('invalid-request', { field: 'meta' }),
    );
    await expect(fixture.put(URL, text, { similar: 101 })).rejects.toMatchObject(
      refused('invalid-request', { field: 'similar', limit: { name: 'putSimilarMax', value: 100 } }),
    );
    await expect(fixture.put(URL, '...')).rejects.toMatchObject(refused('empty-document'));
    await expect(document()).rejects.toMatchObject(refused('unknown-url'));
  });

  it('keeps the same record whether neighbours are asked for or not', async () => {
    const long = make.text(3000);
    await fixture.put('urn:a', long);
    const alone = await fixture.store.content((await document('urn:a')).content.id);
    await fixture.service.forget('urn:a', ALL);
    await fixture.put('urn:b', long, { similar: 5 });
    const asked = await fixture.store.content((await document('urn:b')).content.id);
    expect(asked?.sample).toEqual(alone?.sample);
    expect(asked?.sample.modulus).toBe(4);
  });

  it('names the nearest others, never itself', async () => {
    for (let copy = 0; copy < 4; copy++) await fixture.put(`https://b.example/${copy}`, `${text} ${'x '.repeat(copy)}`);
    const answer = await fixture.put(URL, text, { similar: 2 });
    expect(answer.similar?.map(({ sources }) => sources.map(({ url }) => url))).toEqual([
      ['https://b.example/0'],
      ['https://b.example/1'],
    ]);
    expect(answer.similar?.[0]).toMatchObject({ equivalence: 'lexical' });
    expect(answer.similarComplete).toBe(true);
  });

  it('stands even where the others cannot be named', async () => {
    const failing = createServiceFixture({
      limits: { putSimilarMs: 5 },
      wrapStore: (store) =>
        new Proxy(store, {
          get: (target, name) => {
            if (name === 'candidates') return () => new Promise(() => {});
            const value: unknown = Reflect.get(target, name, target);
            return typeof value === 'function' ? value.bind(target) : value;
          },
        }),
    });
    const answer = await failing.put(URL, text, { similar: 2 });
    expect(answer).toMatchObject({ status: 'created', similar: [], similarComplete: false });
    await failing.close();
  });
});

describe('put by fetching', () => {
  const fetch = { body: null };

  it('crawls the page, and keeps where it was', async () => {
    fixture.web.pages.set(URL, `<html lang="de"><title>Seite</title><p>${text}`);
    expect(await fixture.put(URL, '', fetch)).toMatchObject({ status: 'created', content: { tokens: 201 } });
    expect(fixture.web.asked).toEqual([{ url: URL, purpose: 'crawl' }]);
    expect(await document()).toMatchObject({
      httpStatus: 200,
      finalUrl: `${URL}?final`,
      title: 'Seite',
      language: 'de',
    });
  });

  it('notes that a known page is gone, and changes nothing when fetching fails', async () => {
    await fixture.put(URL, text);
    fixture.web.pages.set(URL, 'fetch-timeout');
    await expect(fixture.put(URL, '', fetch)).rejects.toMatchObject(refused('fetch-timeout'));
    expect((await document()).state).toBe('live');
    fixture.web.pages.set(URL, 404);
    expect(await fixture.put(URL, '', fetch)).toMatchObject({ status: 'gone', content: { tokens: 200 } });
    expect(await document()).toMatchObject({ state: 'gone', httpStatus: 404 });
    fixture.web.pages.set('https://a.example/unknown', 410);
    const unknown = fixture.put('https://a.example/unknown', '', fetch);
    await expect(unknown).rejects.toMatchObject(refused('fetch-status', { field: 'url' }));
  });

  it('needs a URL that can be fetched', async () => {
    await expect(fixture.put('urn:a', '', fetch)).rejects.toMatchObject(refused('not-fetchable', { field: 'url' }));
    expect(fixture.web.asked).toEqual([]);
  });

  it('writes nothing for a caller who has given up', async () => {
    fixture.web.pages.set(URL, text);
    const put = fixture.service.put({ ...putOf(URL, ''), ...fetch }, ALL, AbortSignal.abort());
    await expect(put).rejects.toMatchObject({ name: 'ShingledError' });
    await expect(document()).rejects.toMatchObject(refused('unknown-url'));
    const caller = new AbortController();
    const leaving = createServiceFixture({
      wrapDocuments: (documents) => ({
        ...documents,
        queued: 0,
        process: async (input, asking) => {
          caller.abort();
          return documents.process(input, asking);
        },
      }),
    });
    const left = leaving.service.put(putOf(URL, text), ALL, caller.signal);
    await expect(left).rejects.toMatchObject(refused('deadline-exceeded'));
    expect(await leaving.service.stats()).toMatchObject({ sources: 0 });
    await leaving.close();
  });
});
