import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PutRequest } from '../../../src/service/api.ts';
import { createTextMaker } from '../../support/core/make-documents.ts';
import { bulkOf, putUnless, resultOf, UNLESS } from '../../support/service/put-unless.ts';
import {
  ALL,
  createServiceFixture,
  OPTIONS,
  ofText,
  putOf,
  refused,
  type ServiceFixture,
  said,
} from '../../support/service/service-fixture.ts';
import { withMethods } from '../../support/store/store-methods.ts';

/* Insert unless similar: what stands against a document. */

const A = 'https://a.example/';
const B = 'https://b.example/';
const make = createTextMaker(90);
const text = make.text(60);
const near = `${text} ${make.text(3)}`;

let fixture: ServiceFixture;
beforeEach(() => {
  fixture = createServiceFixture();
});
afterEach(() => fixture.close());

const put = (url: string, words: string, more: Partial<PutRequest> = {}) =>
  fixture.put(url, words, { unless: UNLESS, ...more });
const known = async (url: string) => (await fixture.store.source(url)) !== undefined;

describe('a put unless similar', () => {
  it('is written where nothing is like it, else skipped with what stands against it', async () => {
    const first = await put(A, text);
    expect(first).toMatchObject({ status: 'created' });
    expect('similar' in first || 'similarComplete' in first).toBe(false);
    const stats = await fixture.service.stats();
    expect(await put(B, near, { observedAt: 1000 })).toEqual({
      url: B,
      status: 'skipped',
      newContent: false,
      contentKept: false,
      observedAt: '1970-01-01T00:00:01.000Z',
      content: null,
      similar: [expect.objectContaining({ sources: [expect.objectContaining({ url: A, state: 'live' })] })],
      similarComplete: true,
      elapsedMs: expect.any(Number),
    });
    expect(await known(B)).toBe(false);
    expect((await fixture.service.stats()).postings).toBe(stats.postings);
    expect(await put(B, make.text(60), { similar: 2 })).toMatchObject({ status: 'created', similar: [] });
  });

  it('says with /similar beforehand what it would do', async () => {
    await put(A, text);
    const asked = { ...OPTIONS, thresholds: UNLESS, include: ['live'] } as const;
    const ask = (words: string) => said(fixture.service.similar(ofText(words, B), asked, ALL));
    expect((await ask(near)).matches).toEqual((await put(B, near)).similar);
    expect((await ask(make.text(60))).matches).toEqual([]);
  });

  it('names as many of what stands against it as similar says, three where it does not', async () => {
    for (let copy = 0; copy < 6; copy++) await fixture.put(`urn:copy:${copy}`, `${text} ${'x '.repeat(copy)}`);
    expect((await put(A, text)).similar).toHaveLength(3);
    expect((await put(A, text, { similar: 5 })).similar).toHaveLength(5);
  });

  it('is not stood against by its own URL, nor by what is gone, past or deleted', async () => {
    await put(A, text);
    expect(await put(A, text)).toMatchObject({ status: 'unchanged' });
    expect(await put(A, near)).toMatchObject({ status: 'updated' });
    await put(A, make.text(60));
    // text is past by now
    expect(await put(B, text)).toMatchObject({ status: 'created' });
    await fixture.service.gone({ url: B, httpStatus: 410, observedAt: null }, ALL);
    expect(await put('urn:c', text)).toMatchObject({ status: 'created' });
    await fixture.service.forget('urn:c', ALL);
    expect(await put('urn:d', near)).toMatchObject({ status: 'created' });
  });

  it('leaves a known URL what it said; sent again, a write that was done is none to skip', async () => {
    const other = make.text(60);
    await put(A, text);
    await put(B, other);
    expect(await put(B, near)).toMatchObject({ status: 'skipped' });
    const { content } = await fixture.service.document(B, { limit: 1, cursor: null }, ALL);
    expect(content.tokens).toBe(60);
    // a near-copy of A came in by another way, and A is sent again
    await fixture.put('urn:copy', near);
    expect(await put(A, text)).toMatchObject({ status: 'unchanged' });
    await fixture.service.gone({ url: A, httpStatus: 410, observedAt: null }, ALL);
    expect(await put(A, text)).toMatchObject({ status: 'back' });
  });

  it('refuses thresholds that ask for nothing, or that everything meets', async () => {
    const none = { resemblance: null, queryInMatch: null, matchInQuery: null };
    await expect(put(A, text, { unless: none })).rejects.toMatchObject(refused('invalid-request', { field: 'unless' }));
    for (const [value, field] of [
      [0, 'thresholds.queryInMatch'],
      [1.5, 'thresholds.queryInMatch'],
    ] as const) {
      await expect(put(A, text, { unless: { ...none, queryInMatch: value } })).rejects.toMatchObject(
        refused('invalid-request', { field }),
      );
    }
    expect(await known(A)).toBe(false);
  });

  it('fetches what it is to fetch, and notes that it is gone', async () => {
    await fixture.put(A, text);
    fixture.web.pages.set(B, near);
    expect(await put(B, '', { body: null })).toMatchObject({ status: 'skipped' });
    fixture.web.pages.set(A, 410);
    expect(await put(A, '', { body: null })).toMatchObject({ status: 'gone' });
    expect(await put(B, '', { body: null })).toMatchObject({ status: 'created' });
  });

  it('writes nothing where the index cannot be asked in time', async () => {
    const never = withMethods(() => ({ candidates: () => new Promise(() => {}) }));
    const slow = createServiceFixture({ limits: { putSimilarMs: 5, bulkWaitMs: 5 }, wrapStore: never });
    await expect(slow.put(A, text, { unless: UNLESS })).rejects.toMatchObject(refused('deadline-exceeded'));
    const answers = await bulkOf(slow, [putUnless(A, text), { op: 'put', ...putOf(B, near) }]);
    expect(answers.map(resultOf)).toEqual(['deadline-exceeded', 'created']);
    expect(await slow.store.source(A)).toBeUndefined();
    await slow.close();
  });

  it('is written where something may have been left out, and says so', async () => {
    const lossy = withMethods((store) => ({
      candidates: async (query) => ({ ...(await store.candidates(query)), candidates: [], unreadable: 1 }),
    }));
    const damaged = createServiceFixture({ wrapStore: lossy });
    await damaged.put(A, text);
    const answer = await damaged.put(B, near, { unless: UNLESS });
    expect(answer).toMatchObject({ status: 'created', similarComplete: false });
    expect(answer.similar).toBeUndefined();
    expect(await bulkOf(damaged, [putUnless('urn:c', near)])).toMatchObject([
      { result: 'created', similarComplete: false },
    ]);
    await damaged.close();
  });
});
