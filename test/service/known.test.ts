import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentAnswer, VersionsAnswer } from '../../src/service/api.ts';
import { createTextMaker } from '../support/core/make-documents.ts';
import {
  ALL,
  createServiceFixture,
  ofText,
  ofUrl,
  refused,
  type ServiceFixture,
  START_MS,
} from '../support/service/service-fixture.ts';

const DAY_MS = 86_400_000;
const URL = 'https://a.example/page';
const make = createTextMaker(55);
const text = make.text(200);
let fixture: ServiceFixture;
beforeEach(() => {
  fixture = createServiceFixture();
});
afterEach(() => fixture.close());

const document = (url = URL, page: { limit?: number; cursor?: string | null } = {}) =>
  fixture.service.document(url, { limit: 10, cursor: null, ...page }, ALL);

describe('gone and forget', () => {
  it('keep a gone document findable, and leave nothing of a forgotten one', async () => {
    await fixture.put(URL, text);
    fixture.clock.nowMs += 1000;
    const gone = await fixture.service.gone({ url: `${URL}#x`, httpStatus: 410, observedAt: null }, ALL);
    expect(gone).toMatchObject({ url: URL, status: 'gone', newContent: false, content: { tokens: 200 } });
    expect((await fixture.similar(ofText(text))).matches[0]?.sources[0]).toMatchObject({ url: URL, state: 'gone' });
    const forgotten = await fixture.service.forget(URL, ALL);
    expect(forgotten).toMatchObject({ url: URL, status: 'deleted', content: null });
    expect((await fixture.similar(ofText(text))).matches).toEqual([]);
    expect(await fixture.service.stats()).toMatchObject({ sources: 0, contents: 0, postings: 0 });
  });

  it('refuse what is not there, and a status that does not mean gone', async () => {
    const refuse = refused('unknown-url', { field: 'url' });
    await expect(fixture.service.gone({ url: URL, httpStatus: 410, observedAt: null }, ALL)).rejects.toMatchObject(
      refuse,
    );
    await expect(fixture.service.forget(URL, ALL)).rejects.toMatchObject(refuse);
    await expect(fixture.service.versions(URL, { limit: 1, cursor: null }, ALL)).rejects.toMatchObject(refuse);
    await expect(document()).rejects.toMatchObject(refuse);
    const ok = fixture.service.gone({ url: URL, httpStatus: 200, observedAt: null }, ALL);
    await expect(ok).rejects.toMatchObject(refused('invalid-request', { field: 'status' }));
  });
});

describe('what is known of a URL', () => {
  it('is its document, with the sources of the same words a page at a time', async () => {
    for (let copy = 0; copy < 7; copy++) await fixture.put(`https://b.example/${copy}`, copy > 3 ? text : `${text}!`);
    const urls: string[] = [];
    let cursor: string | null = null;
    do {
      const page: DocumentAnswer = await document('https://b.example/5', { limit: 3, cursor });
      expect(page).toMatchObject({ url: 'https://b.example/5', sourceCount: 7 });
      for (const { url, identical } of page.sources) expect(identical).toBe(Number(url.at(-1)) > 3);
      urls.push(...page.sources.map(({ url }) => url));
      cursor = page.cursor;
    } while (cursor !== null);
    expect(urls).toEqual(Array.from({ length: 7 }, (_, copy) => `https://b.example/${copy}`));
  });

  it('has no place for a cursor of another content', async () => {
    for (const url of ['urn:1', 'urn:2', 'urn:3']) await fixture.put(url, text);
    const { cursor } = await document('urn:1', { limit: 1 });
    fixture.clock.nowMs += 1000;
    await fixture.put('urn:1', make.text(50));
    await expect(document('urn:1', { cursor })).rejects.toMatchObject(refused('invalid-cursor'));
    await expect(document('urn:2', { limit: 0 })).rejects.toMatchObject(refused('invalid-request', { field: 'limit' }));
  });

  it('has dated versions, newest first, a page at a time', async () => {
    const days = [3, 1, 4, 0, 2];
    for (const day of days) await fixture.put(URL, make.text(60), { observedAt: START_MS - day * DAY_MS });
    await fixture.service.gone({ url: URL, httpStatus: 404, observedAt: START_MS + 1 }, ALL);
    const listed: VersionsAnswer['versions'][number][] = [];
    let cursor: string | null = null;
    do {
      const page: VersionsAnswer = await fixture.service.versions(URL, { limit: 2, cursor }, ALL);
      expect(page.url).toBe(URL);
      listed.push(...page.versions);
      cursor = page.cursor;
    } while (cursor !== null);
    expect(listed.map(({ observedAt }) => Date.parse(observedAt) - START_MS)).toEqual([
      1,
      ...[0, 1, 2, 3, 4].map((day) => 0 - day * DAY_MS),
    ]);
    expect(listed[0]).toMatchObject({ state: 'gone', httpStatus: 404 });
    for (const { content } of listed) expect(content).toMatch(/^([0-9a-f]{32}|forgotten)$/);
    expect(listed.some(({ content }) => content === 'forgotten')).toBe(true);
  });

  it('is an error where its record cannot be read', async () => {
    await fixture.put(URL, text);
    const broken = createServiceFixture({
      wrapStore: () =>
        new Proxy(fixture.store, {
          get: (target, name) =>
            name === 'content' || name === 'contentHead'
              ? async () => undefined
              : Reflect.get(target, name).bind(target),
        }),
    });
    await expect(broken.similar(ofUrl(URL))).rejects.toMatchObject(refused('index-unreadable'));
    await expect(broken.service.document(URL, { limit: 1, cursor: null }, ALL)).rejects.toMatchObject(
      refused('index-unreadable'),
    );
    await broken.close();
  });
});
