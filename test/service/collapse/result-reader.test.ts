import { describe, expect, it } from 'vitest';
import type { CollapseRequest } from '../../../src/service/api.ts';
import { createTextMaker } from '../../support/core/make-documents.ts';
import { positions, requestOf, startCollapse, type TestResult } from '../../support/service/collapse-fixture.ts';
import { ALL, refused } from '../../support/service/service-fixture.ts';
import { withMethods } from '../../support/store/store-methods.ts';

/* What is known of results, by when, and what is said where nothing is. */

const make = createTextMaker(92);
const NEVER = new Promise<never>(() => {});

describe('URLs of results', () => {
  it('that are equal are one group, read or not, known or not, past the deadline or before', async () => {
    const { fixture, ask } = startCollapse();
    const text = make.text(60);
    await fixture.put('https://known.example/', text);
    fixture.web.pages.set('https://slow.example/', NEVER);
    const results = [
      { url: 'https://unknown.example/a?utm_source=x' },
      { url: 'https://known.example/' },
      { url: 'http://www.unknown.example/a/' },
      { url: 'https://known.example/#part', snippet: make.text(12) },
      { url: 'https://slow.example/' },
      { url: 'http://slow.example/' },
      { url: 'https://unknown.example/a', text: make.text(40) },
      { url: 'https://known.example/', text: make.text(40) },
      { url: 'javascript:void(0)' },
      { url: 'javascript:void(0)' },
    ];
    const groups = [
      [0, 2, 6],
      [1, 3, 7],
      [4, 5],
      [8, 9],
    ];
    const answer = await ask(results);
    expect(positions(answer)).toEqual(groups);
    expect(answer.groups.flatMap(({ members }) => members.map(({ by }) => by))).toEqual(Array(6).fill('same-url'));
    expect(answer.unknown).toEqual([
      { result: 4, reason: 'unknown-url' },
      { result: 5, reason: 'unknown-url' },
      { result: 8, reason: 'invalid-url' },
      { result: 9, reason: 'invalid-url' },
    ]);
    // what is known of one of them is known of the page
    expect(answer.groups[0]!.representative).toMatchObject({ result: 0, from: 'body', short: false });
    expect(positions(await ask(results, { fetch: 'auto', deadlineMs: 400 }))).toEqual(groups);
    const exact = await ask(results, { urls: 'exact' });
    expect(positions(exact)).toEqual([[0], [1, 3, 7], [2], [4], [5], [6], [8, 9]]);
  });

  it('are not one page for having an empty URL, which keeps none of the others back', async () => {
    const { ask } = startCollapse();
    const [a, b] = [make.text(60), make.text(60)];
    const answer = await ask([{ url: '' }, { url: '', text: a }, { url: '' }, { url: '', text: b }, { text: a }]);
    expect(positions(answer)).toEqual([[0], [1, 4], [2], [3]]);
    expect(answer.unknown).toEqual([0, 2].map((result) => ({ result, reason: 'invalid-url' })));
  });

  it('join two known results by their words too, so that a page is never in two groups', async () => {
    const { ask } = startCollapse();
    const [a, b] = [make.text(60), make.text(60)];
    const url = 'https://a.example/';
    expect(positions(await ask([{ text: a }, { text: b }, { url, text: a }, { url, text: b }]))).toEqual([
      [0, 2, 3],
      [1],
    ]);
  });
});

describe('a choice of elements', () => {
  it('is made of an html, and of a page that is fetched, not of what the index knows', async () => {
    const { fixture, ask } = startCollapse();
    const [text, other] = [make.text(60), make.text(60)];
    const html = `<nav>${other}</nav><p>${text}</p>`;
    await fixture.put('https://known.example/', html);
    fixture.web.pages.set('https://known.example/', html);
    const results = [{ text }, { html, remove: 'nav' }, { url: 'https://known.example/', select: 'p' }];
    expect(positions(await ask(results))).toEqual([[0, 1], [2]]);
    expect(positions(await ask(results, { fetch: 'auto' }))).toEqual([[0, 1, 2]]);
  });
});

it('has an id of 1,000 characters at most', async () => {
  const { ask } = startCollapse();
  const { groups } = await ask([{ text: 'a b c', id: 'i'.repeat(1000) }]);
  expect(groups[0]!.representative.id).toBe('i'.repeat(1000));
  await expect(ask([{ text: 'a' }, { text: 'b', id: 'i'.repeat(1001) }])).rejects.toMatchObject(
    refused('invalid-request', { field: 'results[1].id', limit: { name: 'idCharactersMax', value: 1000 } }),
  );
});

describe('what cannot be compared', () => {
  it('stands alone, each with its reason', async () => {
    const { fixture } = startCollapse();
    const text = make.text(50);
    await fixture.put('urn:known', text);
    fixture.web.pages.set('https://new.example/', text);
    fixture.web.pages.set('https://down.example/', 'fetch-timeout');
    fixture.web.pages.set('https://gone.example/', 404);
    fixture.web.pages.set('https://empty.example/', '<p></p>');
    const results: TestResult[] = [
      { url: 'https://new.example/' },
      { url: 'urn:known' },
      { url: 'https://down.example/' },
      { url: 'urn:unknown' },
      { text: ' ! ' },
      { url: 'no url' },
      { text, id: 'image' },
      { url: 'https://gone.example/' },
      { url: 'https://empty.example/' },
    ];
    const asImage = (more: Partial<CollapseRequest>) => {
      const request = requestOf(results, more);
      const body = { bytes: Buffer.from([0, 1, 2, 3]), contentType: 'image/png' };
      const given = request.results.map((result) => (result.id === 'image' ? { ...result, body } : result));
      return fixture.service.collapse({ ...request, results: given }, ALL);
    };
    const offline = await asImage({});
    expect(positions(offline)).toEqual(results.map((_, at) => [at]));
    const { unknown } = offline;
    const reasons = (of: typeof unknown) => of.map(({ result, reason }) => [result, reason]);
    expect(reasons(unknown)).toEqual([
      [0, 'unknown-url'],
      [2, 'unknown-url'],
      [3, 'unknown-url'],
      [4, 'empty-document'],
      [5, 'invalid-url'],
      [6, 'unusable'],
      [7, 'unknown-url'],
      [8, 'unknown-url'],
    ]);
    expect(offline.complete).toBe(true);
    expect(fixture.web.asked).toEqual([]);
    const online = await asImage({ fetch: 'auto' });
    expect(positions(online)[0]).toEqual([0, 1]);
    expect(online.groups[0]!.representative.from).toBe('fetch');
    expect(reasons(online.unknown)).toEqual([
      [2, 'fetch-failed'],
      [3, 'unknown-url'],
      [4, 'empty-document'],
      [5, 'invalid-url'],
      [6, 'unusable'],
      [7, 'fetch-failed'],
      [8, 'empty-document'],
    ]);
    expect(online.complete).toBe(true);
  });

  it('is said to be unreadable where the index cannot be trusted, and keeps nothing else back', async () => {
    const text = make.text(50);
    const { fixture, ask } = startCollapse({
      wrapStore: withMethods((store) => ({
        getMany: async (urls) =>
          (await store.getMany(urls)).map((known, i) => (urls[i] === 'https://bad.example/' ? 'unreadable' : known)),
      })),
    });
    for (const host of ['good', 'bad', 'better']) await fixture.put(`https://${host}.example/`, text);
    const answer = await ask(['good', 'bad', 'better'].map((host) => ({ url: `https://${host}.example/` })));
    expect(positions(answer)).toEqual([[0, 2], [1]]);
    expect(answer.unknown).toEqual([{ result: 1, reason: 'unreadable' }]);
    expect(answer).toMatchObject({ complete: false, limits: [{ code: 'unreadable', affected: 1, of: 3 }] });
  });
});
