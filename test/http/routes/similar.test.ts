import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTextMaker } from '../../support/core/make-documents.ts';
import {
  createHttpFixture,
  type HttpFixture,
  JSON_TYPE,
  linesOf,
  NDJSON,
  TEXT,
} from '../../support/http/http-fixture.ts';

const maker = createTextMaker(7);
const page = maker.text(200);
const near = maker.changed(page, 0.02);

let fixture: HttpFixture;
beforeAll(async () => {
  fixture = await createHttpFixture();
  await fixture.parts.put('https://a.example/x', page);
  await fixture.parts.put('https://b.example/y', near);
});
afterAll(() => fixture.close());

const post = (url: string, payload: string | Buffer, headers: Record<string, string>) =>
  fixture.app.inject({ method: 'POST', url, payload, headers });
const postJson = (body: object) => post('/similar', JSON.stringify(body), JSON_TYPE);
const urlsOf = (body: { matches: { sources: { url: string }[] }[] }) =>
  body.matches.flatMap(({ sources }) => sources.map(({ url }) => url));
const BOTH = ['https://a.example/x', 'https://b.example/y'];

describe('POST /similar', () => {
  it('takes a text or a page as it is, or JSON, and finds the same', async () => {
    for (const answer of [
      await post('/similar', page, TEXT),
      await post('/similar', `<p>${page}</p>`, { 'content-type': 'text/html; charset=utf-8' }),
      await post('/similar', `<p>${page}</p>`, {}),
      await post('/similar', `<p>${page}</p>`, { 'content-type': 'application/octet-stream' }),
      await postJson({ document: { text: page } }),
      await postJson({ document: { html: `<p>${page}</p>` } }),
    ]) {
      expect(answer.statusCode).toBe(200);
      expect(urlsOf(answer.json())).toEqual(BOTH);
    }
  });

  it('takes the same options in the query string as in JSON', async () => {
    const inQuery = await post(
      '/similar?url=https%3A%2F%2Fc.example%2F&resemblance=0.99&queryInMatch=off&matchInQuery=0.99&limit=1&sort=matchInQuery&sourcesPerMatch=1&groupBy=host&include=live&excludeHosts=d.example&excludeUrls=https%3A%2F%2Fe.example%2F&passages=true&undecided=include&deadlineMs=5000',
      page,
      TEXT,
    );
    const inJson = await postJson({
      document: { url: 'https://c.example/', text: page },
      thresholds: { resemblance: 0.99, queryInMatch: null, matchInQuery: 0.99 },
      ...{ limit: 1, cursor: null, sort: 'matchInQuery', sourcesPerMatch: 1, groupBy: 'host', include: ['live'] },
      exclude: { hosts: ['d.example'], urls: ['https://e.example/'] },
      ...{ passages: true, undecided: 'include', deadlineMs: 5000 },
    });
    expect(inQuery.statusCode).toBe(200);
    expect({ ...inQuery.json<object>(), elapsedMs: 0 }).toEqual({ ...inJson.json<object>(), elapsedMs: 0 });
    expect(urlsOf(inQuery.json())).toEqual(BOTH.slice(0, 1));
    expect(inQuery.json().matches[0].passages).toHaveLength(1);
  });

  it('filters alike in the query string, in JSON, in lines and by URL', async () => {
    const filters: [string, object, string[]][] = [
      ['hosts=b.example,c.example', { hosts: ['b.example', 'c.example'] }, BOTH.slice(1)],
      ['urlPrefix=https%3A%2F%2Fa.example%2Fx', { urlPrefix: 'https://a.example/x' }, BOTH.slice(0, 1)],
      ['meta=%7B%22no%22%3A1%7D', { meta: { no: 1 } }, []],
      ['seenAfter=2000-01-01T00:00:00Z', { seenAfter: '2000-01-01T00:00:00Z' }, BOTH],
      ['seenAfter=2100-01-01T00:00:00Z', { seenAfter: '2100-01-01T00:00:00Z' }, []],
    ];
    for (const [query, json, urls] of filters) {
      const question = { document: { text: page }, ...json };
      const lines = await post('/similar', JSON.stringify(question), NDJSON);
      const answers = [(await post(`/similar?${query}`, page, TEXT)).json(), (await postJson(question)).json()];
      for (const answer of [...answers, (linesOf(lines.body)[0] as { answer: object }).answer]) {
        expect([query, urlsOf(answer as never)]).toEqual([query, urls]);
      }
      const byUrl = await fixture.app.inject(`/similar?url=https%3A%2F%2Fz.example%2F&fetch=never&${query}`);
      expect(byUrl.json()).toMatchObject({ status: 404, code: 'unknown-url' });
    }
    for (const [query, field] of [
      ['hosts=', 'hosts'],
      ['hosts=a/b', 'hosts[0]'],
      ['urlPrefix=x', 'urlPrefix'],
      ['meta=x', 'meta'],
      ['meta=%5B%5D', 'meta'],
      ['seenAfter=x', 'seenAfter'],
    ]) {
      expect((await post(`/similar?${query}`, page, TEXT)).json()).toMatchObject({ status: 400, field });
    }
  });

  it('leaves thresholds that are not given at their defaults', async () => {
    const { recall } = (await postJson({ document: { text: page }, thresholds: { resemblance: null } })).json();
    expect(recall).toEqual({ resemblance: null, queryInMatch: expect.any(Number), matchInQuery: null });
  });

  it('does not list the document itself', async () => {
    const answer = await post(`/similar?url=${encodeURIComponent(BOTH[0]!)}`, page, TEXT);
    expect(urlsOf(answer.json())).toEqual([BOTH[1]]);
  });

  it('pages with a cursor that goes with its question only', async () => {
    const first = (await post('/similar?limit=1', page, TEXT)).json();
    expect(first.cursor).toEqual(expect.any(String));
    const second = await post(`/similar?limit=1&cursor=${first.cursor}`, page, TEXT);
    expect([...urlsOf(first), ...urlsOf(second.json())]).toEqual(BOTH);
    const other = await post(`/similar?limit=1&resemblance=0.4&cursor=${first.cursor}`, page, TEXT);
    expect(other.json()).toMatchObject({ status: 400, code: 'invalid-cursor' });
  });

  it.each([
    ['no document', {}, { field: 'document', code: 'invalid-request' }],
    ['an empty document', { document: {} }, { field: 'document', code: 'invalid-request' }],
    ['two bodies', { document: { text: 'a', html: 'b' } }, { field: 'document.html', code: 'invalid-request' }],
    ['an unknown field', { document: { text: 'a' }, Limit: 3 }, { field: 'Limit', code: 'invalid-request' }],
    ['an unknown field within', { document: { txt: 'a' } }, { field: 'document.txt', code: 'invalid-request' }],
    ['a number as a text', { document: { text: 'a' }, limit: '3' }, { field: 'limit' }],
    ['a list of one as a text', { document: { text: ['a'] } }, { field: 'document.text' }],
    [
      'a share over 1',
      { document: { text: 'a' }, thresholds: { resemblance: 1.1 } },
      { field: 'thresholds.resemblance', limit: { name: 'maximum', value: 1 } },
    ],
    [
      'a limit over its own',
      { document: { text: 'a b' }, limit: 1001 },
      { field: 'limit', limit: { name: 'limitMax', value: 1000 } },
    ],
    [
      'no threshold',
      { document: { text: 'a b' }, thresholds: { resemblance: null, queryInMatch: null } },
      { field: 'thresholds' },
    ],
    ['a state that is none', { document: { text: 'a' }, include: ['live', 'dead'] }, { field: 'include[1]' }],
    ['a relative URL', { document: { url: '/x' } }, { code: 'invalid-url', field: 'document.url' }],
    ['half a surrogate pair', { document: { text: '\ud800' } }, { code: 'invalid-utf8', field: 'document.text' }],
    ['no words', { document: { text: '...' } }, { status: 422, code: 'empty-document' }],
  ])('refuses %s', async (_what, body, problem) => {
    const answer = await postJson(body);
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(answer.json()).toMatchObject({ status: answer.statusCode, ...problem });
    expect(answer.statusCode).toBeGreaterThanOrEqual(400);
    expect(answer.statusCode).toBeLessThan(500);
  });

  it('refuses options beside JSON, bodies of other kinds, codings, and no body', async () => {
    const document = JSON.stringify({ document: { text: page } });
    expect((await post('/similar?limit=3', document, JSON_TYPE)).json()).toMatchObject({ status: 400, field: 'limit' });
    expect((await post('/similar?limt=3', page, TEXT)).json()).toMatchObject({ status: 400, field: 'limt' });
    expect((await post('/similar', page, { 'content-type': 'image/png' })).statusCode).toBe(415);
    expect((await post('/similar', page, { 'content-type': 'application/x-www-form-urlencoded' })).statusCode).toBe(
      415,
    );
    expect((await post('/similar', page, { 'content-type': 'nonsense' })).statusCode).toBe(415);
    expect((await post('/similar', page, { ...TEXT, 'content-encoding': 'br' })).json()).toMatchObject({
      ...{ status: 415, field: 'content-encoding' },
    });
    expect((await fixture.app.inject({ method: 'POST', url: '/similar' })).json()).toMatchObject({
      ...{ status: 400, field: 'body' },
    });
    expect((await post('/similar', '', TEXT)).json()).toMatchObject({ status: 422, code: 'empty-document' });
    expect((await post('/similar', '', JSON_TYPE)).json()).toMatchObject({ status: 400, code: 'invalid-json' });
  });
});

describe('GET /similar', () => {
  it('answers from the index, and by fetching what is not there', async () => {
    const known = await fixture.app.inject('/similar?url=https://a.example/x');
    expect(known.json()).toMatchObject({ query: { from: 'index' } });
    expect(urlsOf(known.json())).toEqual([BOTH[1]]);
    fixture.parts.web.pages.set('https://c.example/z', page);
    const fetched = await fixture.app.inject('/similar?url=https://c.example/z&passages=true');
    expect(fetched.json()).toMatchObject({ query: { from: 'fetch' } });
    expect(urlsOf(fetched.json())).toEqual(BOTH);
    const fields: unknown[] = [];
    for (const way of [
      () => fixture.app.inject('/similar?url=https://c.example/z&fetch=never'),
      () => post('/similar', JSON.stringify({ document: { url: 'https://c.example/z' }, fetch: 'never' }), JSON_TYPE),
    ]) {
      const { status, code, field } = (await way()).json<Record<string, unknown>>();
      expect([status, code]).toEqual([404, 'unknown-url']);
      fields.push(field);
    }
    expect(fields).toEqual(['url', 'document.url']);
    fixture.parts.web.pages.set('https://a.example/x', near);
    const again = await fixture.app.inject('/similar?url=https://a.example/x&fetch=always');
    expect(again.json()).toMatchObject({ query: { from: 'fetch' } });
  });

  it('asks with a past version, by its time or its content', async () => {
    const url = 'https://versions.example/';
    const [old, now] = [maker.text(50), maker.text(60)];
    const { content } = await fixture.parts.put(url, old, { observedAt: Date.parse('2020-01-01T00:00:00Z') });
    await fixture.parts.put(url, now);
    const ask = async (at: string) => (await fixture.app.inject(`/similar?url=${url}&at=${at}`)).json();
    const version = { observedAt: '2020-01-01T00:00:00.000Z', state: 'live', httpStatus: null, content: content!.id };
    expect(await ask('2020-01-01T02:00:00%2B01:00')).toMatchObject({ query: { from: 'index', tokens: 50, version } });
    expect(await ask(content!.id)).toMatchObject({ query: { tokens: 50, version } });
    const document = { url, at: '2020-06-01T00:00:00Z' };
    const line = await post('/similar', JSON.stringify({ document }), NDJSON);
    expect(JSON.parse(line.body.split('\n')[0]!)).toMatchObject({ answer: { query: { tokens: 50, version } } });
    const both = JSON.stringify({ a: document, b: { url } });
    expect((await post('/compare', both, JSON_TYPE)).json()).toMatchObject({ a: { tokens: 50 }, b: { tokens: 60 } });
    expect(await ask('2019-01-01T00:00:00Z')).toMatchObject({ status: 404, code: 'unknown-version', field: 'at' });
    for (const none of ['yesterday', '2020-01-01', '1969-01-01T00:00:00Z', content!.id.slice(1), '']) {
      expect(await ask(none)).toMatchObject({ status: 400, code: 'invalid-request', field: 'at' });
    }
    const { detail } = await ask('2020-01-01T02:00:00+01:00');
    expect(detail).toMatch(/^at has a \+ in it, .* %2B/);
    const given = JSON.stringify({ document: { ...document, text: old } });
    expect((await post('/similar', given, JSON_TYPE)).json()).toMatchObject({ status: 400, field: 'document.at' });
  });

  it('says what it could not fetch, and what is no address', async () => {
    const answer = async (url: string) => (await fixture.app.inject(`/similar?url=${encodeURIComponent(url)}`)).json();
    expect(await answer('https://nowhere.example/')).toMatchObject({ status: 502, code: 'fetch-failed' });
    expect(await answer('urn:isbn:123')).toMatchObject({ status: 404, code: 'unknown-url' });
    expect(await answer('x')).toMatchObject({ status: 400, code: 'invalid-url', field: 'url' });
    expect((await fixture.app.inject('/similar')).json()).toMatchObject({ status: 400, field: 'url' });
  });

  it('answers HEAD like GET without a body', async () => {
    const answer = await fixture.app.inject({ method: 'HEAD', url: '/similar?url=https://a.example/x' });
    expect([answer.statusCode, answer.body]).toEqual([200, '']);
  });
});
