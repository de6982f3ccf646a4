import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MOVED_URLS_MAX } from '../../../src/service/moved/moved-options.ts';
import { createTextMaker } from '../../support/core/make-documents.ts';
import {
  createHttpFixture,
  type HttpFixture,
  type HttpFixtureOptions,
  JSON_TYPE,
  linesOf,
  NDJSON,
} from '../../support/http/http-fixture.ts';
import { breach, openApi } from '../../support/http/openapi.ts';
import { ALL } from '../../support/service/service-fixture.ts';

const OLD = 'https://a.example/old';
const NEW = 'https://a.example/new';
const TEXT = createTextMaker(1).text(80);

let fixture: HttpFixture;
async function start(options: HttpFixtureOptions = {}): Promise<void> {
  await fixture?.close();
  fixture = await createHttpFixture(options);
  await fixture.parts.put(OLD, TEXT);
  fixture.parts.clock.nowMs += 1000;
  await fixture.parts.service.gone({ url: OLD, httpStatus: 404, observedAt: null }, ALL);
  await fixture.parts.put(NEW, TEXT);
}
beforeEach(() => start());
afterEach(() => fixture.close());

const get = async (query: string) => {
  const answer = await fixture.app.inject(`/moved?${query}`);
  return { status: answer.statusCode, body: answer.json() };
};
const post = (payload: string, headers: Record<string, string>, url = '/moved') =>
  fixture.app.inject({ method: 'POST', url, payload, headers });
const list = async (value: unknown) => {
  const answer = await post(JSON.stringify(value), JSON_TYPE);
  return { status: answer.statusCode, body: answer.json() };
};
const schemaOf = (method: 'get' | 'post') =>
  openApi.paths['/moved']![method]!.responses['200']!.content!['application/json']!.schema;
const oldUrl = `url=${encodeURIComponent(OLD)}`;
const FOUND = { url: OLD, state: 'gone', candidates: [{ url: NEW, how: 'within-host', sure: 'certain' }] };

describe('GET /moved', () => {
  it('says where a document is now', async () => {
    const { status, body } = await get(oldUrl);
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...FOUND, timegate: null });
    expect(breach(schemaOf('get'), body)).toBeNull();
  });

  it.each([
    ['url=https://a.example/none', 404, { code: 'unknown-url', field: 'url' }],
    ['url=old', 400, { code: 'invalid-url', field: 'url' }],
    [`url=https://a.example/${'x'.repeat(2100)}`, 400, { code: 'invalid-url', limit: { name: 'urlBytesMax' } }],
    ['', 400, { code: 'invalid-request', field: 'url' }],
    [`${oldUrl}&limit=0`, 400, { code: 'invalid-request', field: 'limit' }],
    [`${oldUrl}&limit=1001`, 400, { code: 'invalid-request', limit: { name: 'limitMax', value: 1000 } }],
    [`${oldUrl}&deadlineMs=60001`, 400, { code: 'invalid-request', limit: { name: 'deadlineMsMax' } }],
    [`${oldUrl}&always=yes`, 400, { code: 'invalid-request', field: 'always' }],
    [`${oldUrl}&fetch=always`, 400, { code: 'invalid-request', field: 'fetch' }],
  ])('refuses %s', async (query, status, body) => {
    expect(await get(query)).toMatchObject({ status, body });
  });

  it('looks for copies of a page that is alive where they are asked for', async () => {
    const live = `url=${encodeURIComponent(NEW)}`;
    await fixture.parts.put('https://b.example/copy', TEXT);
    expect((await get(live)).body).toMatchObject({ state: 'live', candidates: [] });
    expect((await get(`${live}&always=true`)).body).toMatchObject({ candidates: [{ how: 'copy' }] });
  });

  it('names an archive where one is set, and none of a name', async () => {
    await fixture.close();
    fixture = await createHttpFixture({ timegatePrefix: 'https://archive.example/web/' });
    for (const url of [OLD, 'urn:x:1']) await fixture.parts.put(url, TEXT);
    expect((await get(oldUrl)).body.timegate).toBe(`https://archive.example/web/${OLD}`);
    expect((await get('url=urn:x:1')).body.timegate).toBeNull();
  });

  it('counts limits that bit, and logs them', async () => {
    await start({ limits: { candidatesMax: 1 } });
    await fixture.parts.put('https://b.example/near', `${TEXT} and a little more`);
    expect((await get(oldUrl)).body).toMatchObject({ limits: [{ code: 'candidates' }] });
    const metrics = await fixture.app.inject('/metrics');
    expect(metrics.body).toContain('shingled_limits_reached_total{limit="candidates"} 1');
  });
});

describe('POST /moved', () => {
  it('answers a list, each URL for itself, in order', async () => {
    const { status, body } = await list({ urls: [OLD, 'old', NEW, 'https://a.example/none'], limit: 3 });
    expect(status).toBe(200);
    expect(body.answers).toMatchObject([
      { line: 1, status: 200, answer: FOUND },
      { line: 2, status: 400, code: 'invalid-url', url: 'old' },
      { line: 3, status: 200, answer: { state: 'live' } },
      { line: 4, status: 404, code: 'unknown-url', url: 'https://a.example/none' },
    ]);
    expect(breach(schemaOf('post'), body)).toBeNull();
    expect((await list({ urls: [] })).body.answers).toEqual([]);
  });

  // the former is how lines were sent before they had a path
  it.each(['/moved', '/moved/batch'])('at %s answers lines, each as soon as it can, then a summary', async (path) => {
    const lines = [{ url: OLD }, { url: OLD, limit: 0 }, { urls: [OLD] }, { url: NEW, always: true }];
    const payload = [...lines.map((line) => JSON.stringify(line)), '{', ''].join('\n');
    const answer = await post(payload, NDJSON, path);
    expect(answer.headers['content-type']).toBe('application/x-ndjson');
    expect(linesOf(answer.body)).toMatchObject([
      { line: 1, status: 200, answer: FOUND },
      { line: 2, status: 400, code: 'invalid-request', field: 'limit', url: OLD },
      { line: 3, status: 400, code: 'invalid-request', url: null },
      { line: 4, status: 200, answer: { state: 'live', candidates: [] } },
      { line: 5, status: 400, code: 'invalid-json', url: null },
      { summary: { lines: 5, ok: 2, failed: 3, complete: true } },
    ]);
  });

  it('refuses a list that is too long or none, and says what is allowed', async () => {
    const limit = { name: 'movedUrlsMax', value: MOVED_URLS_MAX };
    const tooMany = await list({ urls: Array.from({ length: MOVED_URLS_MAX + 1 }, () => OLD) });
    expect(tooMany).toMatchObject({ status: 400, body: { code: 'invalid-request', field: 'urls', limit } });
    expect(await list({ url: OLD })).toMatchObject({ status: 400, body: { code: 'invalid-request' } });
    expect(await list({ urls: [OLD, 7] })).toMatchObject({ status: 400, body: { field: 'urls[1]' } });
    expect(await list({ urls: [OLD], sure: 'likely' })).toMatchObject({ status: 400, body: { field: 'sure' } });
    const none = await fixture.app.inject({ method: 'POST', url: '/moved' });
    expect([none.statusCode, none.json().code]).toEqual([400, 'invalid-request']);
    const text = await post(OLD, { 'content-type': 'text/plain' });
    expect([text.statusCode, text.json().code]).toEqual([415, 'unsupported-media-type']);
  });

  it('repeats only the beginning of a URL that is too long', async () => {
    const { body } = await list({ urls: [`https://a.example/${'x'.repeat(5000)}`] });
    expect(body.answers).toMatchObject([{ status: 400, code: 'invalid-url' }]);
    expect(body.answers[0].url).toHaveLength(200);
  });
});

describe('over a real connection', () => {
  it('keeps no more of a list in memory than answers may take, however long it is', async () => {
    await start({ httpLimits: { answersBytesMax: 2 ** 17 } });
    await fixture.app.listen({ host: '127.0.0.1', port: 0 });
    const asked = await fetch(`http://localhost:${(fixture.app.server.address() as AddressInfo).port}/moved`, {
      method: 'POST',
      headers: JSON_TYPE,
      body: JSON.stringify({ urls: Array.from({ length: 500 }, () => OLD) }),
    });
    const text = await asked.text();
    expect([asked.status, asked.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(text.length).toBeGreaterThan(2 * 2 ** 17);
    const body = JSON.parse(text) as { answers: { line: number }[] };
    expect(body.answers.map(({ line }) => line)).toEqual(Array.from({ length: 500 }, (_, i) => i + 1));
    expect(breach(schemaOf('post'), body)).toBeNull();
  });

  it('answers one URL, a list and lines, and lines as they come', async () => {
    await fixture.app.listen({ host: '127.0.0.1', port: 0 });
    const base = `http://localhost:${(fixture.app.server.address() as AddressInfo).port}`;
    const one = await fetch(`${base}/moved?${oldUrl}`);
    expect(await one.json()).toMatchObject(FOUND);
    const many = await fetch(`${base}/moved`, {
      method: 'POST',
      headers: JSON_TYPE,
      body: JSON.stringify({ urls: Array.from({ length: 50 }, () => OLD) }),
    });
    const { answers } = (await many.json()) as { answers: unknown[] };
    expect(answers).toHaveLength(50);
    expect(answers.at(-1)).toMatchObject({ line: 50, answer: FOUND });
    // a line, its answer, and only then the next one
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const [writer, encoder, decoder] = [writable.getWriter(), new TextEncoder(), new TextDecoder()];
    const line = encoder.encode(`${JSON.stringify({ url: OLD })}\n`);
    const asked = fetch(`${base}/moved`, { method: 'POST', headers: NDJSON, body: readable, duplex: 'half' });
    await writer.write(line);
    const reader = (await asked).body!.getReader();
    expect(JSON.parse(decoder.decode((await reader.read()).value))).toMatchObject({ line: 1, answer: FOUND });
    await writer.write(line);
    expect(JSON.parse(decoder.decode((await reader.read()).value))).toMatchObject({ line: 2, answer: FOUND });
    await writer.close();
    expect(decoder.decode((await reader.read()).value)).toContain('"summary":{"lines":2,"ok":2');
  });
});
