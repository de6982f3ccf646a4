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

const maker = createTextMaker(8);
const page = maker.text(200);
const A = 'https://a.example/x';

let fixture: HttpFixture;
beforeAll(async () => {
  fixture = await createHttpFixture();
});
afterAll(() => fixture.close());

const at = (url: string, more = '') => `/documents?url=${encodeURIComponent(url)}${more}`;
const put = (url: string, payload?: string | Buffer, headers: Record<string, string> = TEXT) =>
  fixture.app.inject({ method: 'PUT', url, ...(payload === undefined ? {} : { payload, headers }) });
const get = (url: string) => fixture.app.inject(url);
const bulk = (...lines: unknown[]) =>
  fixture.app.inject({
    method: 'POST',
    url: '/documents',
    headers: NDJSON,
    payload: lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
  });

describe('PUT /documents', () => {
  it('answers 201 for a new URL and 200 for a known one', async () => {
    const first = await put(at(A), page);
    expect(first.statusCode).toBe(201);
    expect(first.json()).toMatchObject({ url: A, status: 'created', newContent: true, content: { tokens: 200 } });
    const again = await put(at(A), page);
    expect(again.statusCode).toBe(200);
    expect(again.json()).toMatchObject({ status: 'unchanged', newContent: false });
  });

  it('takes options from the query string or from JSON, and names the nearest', async () => {
    const meta = { crawl: 'spring', n: [1, { deep: null }] };
    const time = '2026-01-02T03:04:05.000Z';
    const query = `&observedAt=${time}&similar=5&meta=${encodeURIComponent(JSON.stringify(meta))}`;
    const inQuery = await put(at('https://b.example/1', query), page);
    const inJson = await put(
      at('https://b.example/2'),
      JSON.stringify({ text: page, observedAt: '2026-01-02T04:04:05+01:00', meta, similar: 5 }),
      JSON_TYPE,
    );
    for (const answer of [inQuery, inJson]) {
      expect(answer.json()).toMatchObject({ status: 'created', observedAt: time, newContent: false });
      expect(answer.json().similar[0].sources.map(({ url }: { url: string }) => url)).toContain(A);
    }
    for (const url of ['https://b.example/1', 'https://b.example/2']) {
      expect((await get(at(url))).json()).toMatchObject({ url, meta, observedAt: time });
    }
  });

  it('counts only what select leaves, and not what remove names', async () => {
    const html = `<nav>nav words</nav><article>${page}<aside>aside words</aside></article>`;
    const answer = await put(at('https://s.example/', '&select=article&remove=aside,%20nav'), html, {
      'content-type': 'text/html',
    });
    expect(answer.json()).toMatchObject({ content: { tokens: 200 } });
  });

  it('fetches, and notes that a URL is gone', async () => {
    fixture.parts.web.pages.set('https://f.example/', page);
    expect((await put(at('https://f.example/', '&fetch=true'))).json()).toMatchObject({ status: 'created' });
    expect((await put(at('https://f.example/', '&status=410'), '')).json()).toMatchObject({ status: 'gone' });
    expect((await get(at('https://f.example/'))).json()).toMatchObject({ state: 'gone', httpStatus: 410 });
    const unknown = await put(at('https://never.example/', '&status=404'));
    expect(unknown.json()).toMatchObject({ status: 404, code: 'unknown-url' });
  });

  it.each([
    ['nothing to index', at(A), undefined, { field: 'body' }],
    ['a body and fetch', at(A, '&fetch=true'), page, { field: 'fetch' }],
    ['a body and a status', at(A, '&status=410'), page, { field: 'status' }],
    ['fetch and a status', at(A, '&fetch=true&status=410'), undefined, { field: 'fetch' }],
    ['a status that does not say gone', at(A, '&status=500'), undefined, { field: 'status' }],
    ['a URL that is relative', at('x'), page, { code: 'invalid-url', field: 'url' }],
    ['a URL with a password', at('https://me:secret@a.example/'), page, { code: 'invalid-url', field: 'url' }],
    ['no URL', '/documents', page, { field: 'url' }],
    ['a time that is none', at(A, '&observedAt=yesterday'), page, { field: 'observedAt' }],
    ['a time without a zone', at(A, '&observedAt=2026-01-02T03:04:05'), page, { field: 'observedAt' }],
    ['a time before 1970', at(A, '&observedAt=1969-12-31T23:59:59Z'), page, { field: 'observedAt' }],
    [
      'a time of the future',
      at(A, '&observedAt=2126-01-01T00:00:00Z'),
      page,
      { status: 422, code: 'observed-in-future' },
    ],
    ['meta that is no JSON', at(A, '&meta=%7B'), page, { code: 'invalid-json' }],
    ['meta that is no object', at(A, '&meta=%5B%5D'), page, { code: 'invalid-request' }],
    [
      'meta that is too large',
      at(A, `&meta=${encodeURIComponent(JSON.stringify({ a: 'x'.repeat(5000) }))}`),
      page,
      { field: 'meta', limit: { name: 'metaBytesMax', value: 4096 } },
    ],
    [
      'too many nearest',
      at(A, '&similar=101'),
      page,
      { field: 'similar', limit: { name: 'putSimilarMax', value: 100 } },
    ],
    ['a selector that is none', at(A, '&select=%3A%3A%3A'), '<p>one two three</p>', { code: 'invalid-selector' }],
    [
      'bytes that are no text',
      at(A),
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0]),
      { status: 415, code: 'unsupported-media-type' },
    ],
  ])('refuses %s', async (_what, url, payload, problem) => {
    const type = typeof payload === 'string' && payload.startsWith('<') ? { 'content-type': 'text/html' } : TEXT;
    const answer = await put(url, payload, type);
    expect(answer.json()).toMatchObject({ status: answer.statusCode, ...problem });
    expect(answer.statusCode).toBeLessThan(500);
    expect(answer.statusCode).toBeGreaterThanOrEqual(400);
  });

  it('refuses what stands in the body and in the query string', async () => {
    const answer = await put(at(A, '&similar=1'), JSON.stringify({ text: page, similar: 2 }), JSON_TYPE);
    expect(answer.json()).toMatchObject({ status: 400, field: 'similar' });
  });
});

describe('GET and DELETE /documents', () => {
  it('tell what is known and forget it', async () => {
    const url = 'https://d.example/x';
    await put(at(url), maker.text(100));
    const known = await get(at(url));
    expect(known.json()).toMatchObject({ url, state: 'live', sourceCount: 1, cursor: null });
    const forgotten = await fixture.app.inject({ method: 'DELETE', url: at(url) });
    expect(forgotten.json()).toMatchObject({ url, status: 'deleted' });
    for (const answer of [await get(at(url)), await fixture.app.inject({ method: 'DELETE', url: at(url) })]) {
      expect(answer.json()).toMatchObject({ status: 404, code: 'unknown-url' });
    }
  });

  it('page through the URLs with the same content', async () => {
    const text = maker.text(100);
    for (let host = 0; host < 5; host++) await put(at(`https://h${host}.example/`), text);
    const urls: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const answer = await get(at('https://h0.example/', `&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`));
      const body = answer.json<{ sources: { url: string }[]; cursor: string | null }>();
      urls.push(...body.sources.map(({ url }) => url));
      cursor = body.cursor;
    }
    expect(urls.sort()).toEqual([0, 1, 2, 3, 4].map((host) => `https://h${host}.example/`));
  });

  it('list the versions of a URL, newest first', async () => {
    const url = 'https://v.example/';
    for (const day of ['01', '03', '02']) {
      await put(at(url, `&observedAt=2026-01-${day}T00:00:00Z`), maker.text(50));
    }
    const answer = await get(`/documents/versions?url=${url}&limit=2`);
    const { versions, cursor } = answer.json();
    expect(versions.map(({ observedAt }: { observedAt: string }) => observedAt.slice(8, 10))).toEqual(['03', '02']);
    const rest = await get(`/documents/versions?url=${url}&limit=2&cursor=${cursor}`);
    expect(rest.json()).toMatchObject({ versions: [{ observedAt: '2026-01-01T00:00:00.000Z' }], cursor: null });
    const tampered = await get(`/documents/versions?url=${url}&limit=2&cursor=${cursor}x`);
    expect(tampered.json()).toMatchObject({ status: 400, code: 'invalid-cursor' });
  });
});

describe('POST /documents', () => {
  it('writes line by line, answers in order, and sums up', async () => {
    const [url, other] = ['https://bulk.example/1', 'https://bulk.example/2'];
    const answer = await bulk(
      { op: 'put', url, text: page, observedAt: '2026-01-02T03:04:05Z', meta: { n: 1 } },
      { op: 'put', url: other, html: `<p>${page}</p>` },
      '{"op":"put","url":"https://bulk.example/3",',
      { op: 'put', url: 'https://bulk.example/4', text: '' },
      { op: 'gone', url: other, status: 404 },
      { op: 'delete', url },
      { op: 'delete', url: 'https://bulk.example/none' },
    );
    expect(answer.statusCode).toBe(200);
    expect(linesOf(answer.body)).toEqual([
      { line: 1, status: 201, url, result: 'created' },
      { line: 2, status: 201, url: other, result: 'created' },
      expect.objectContaining({ line: 3, status: 400, url: null, code: 'invalid-json' }),
      expect.objectContaining({ line: 4, status: 422, url: 'https://bulk.example/4', code: 'empty-document' }),
      { line: 5, status: 200, url: other, result: 'gone' },
      { line: 6, status: 200, url, result: 'deleted' },
      expect.objectContaining({ line: 7, status: 404, code: 'unknown-url' }),
      { summary: { lines: 7, ok: 4, failed: 3, complete: true } },
    ]);
  });

  it('says of a relaxed load when all of it is on disk, and takes no other word for it', async () => {
    const load = (durability: string) =>
      fixture.app.inject({
        method: 'POST',
        url: `/documents?durability=${durability}`,
        headers: NDJSON,
        payload: JSON.stringify({ op: 'put', url: 'https://relaxed.example/', text: page }),
      });
    const summaryOf = (body: string) => linesOf(body).at(-1);
    const counts = { lines: 1, ok: 1, failed: 0, complete: true };
    expect(summaryOf((await load('relaxed')).body)).toEqual({ summary: { ...counts, durable: true } });
    expect(summaryOf((await load('synced')).body)).toEqual({ summary: counts });
    expect((await load('some')).json()).toMatchObject({ status: 400, code: 'invalid-request', field: 'durability' });
  });

  it('lets the last of equal URLs win, and answers both', async () => {
    const url = 'https://twice.example/';
    const answer = await bulk({ op: 'put', url, text: maker.text(60) }, { op: 'put', url, text: maker.text(70) });
    expect(linesOf(answer.body).slice(0, 2)).toMatchObject([{ result: 'created' }, { result: 'updated' }]);
    expect((await get(at(url))).json()).toMatchObject({ content: { tokens: 70 } });
  });

  it.each([
    ['no op', { url: A, text: 'a b' }, 'op'],
    ['an op that is none', { op: 'post', url: A, text: 'a b' }, 'op'],
    ['a put without a body', { op: 'put', url: A }, 'text'],
    ['a put with two', { op: 'put', url: A, text: 'a', html: 'b' }, 'html'],
    ['a put with a status', { op: 'put', url: A, text: 'a', status: 410 }, 'status'],
    ['a delete with a body', { op: 'delete', url: A, text: 'a' }, 'text'],
    ['a delete with a time', { op: 'delete', url: A, observedAt: '2026-01-02T03:04:05Z' }, 'observedAt'],
    ['gone with meta', { op: 'gone', url: A, meta: {} }, 'meta'],
    ['an unknown field', { op: 'put', url: A, text: 'a', similarity: 3 }, 'similarity'],
    ['too many neighbours', { op: 'put', url: A, text: 'a', similar: 101 }, 'similar'],
    ['gone unless similar', { op: 'gone', url: A, unless: 'similar', thresholds: { resemblance: 0.9 } }, 'unless'],
    ['thresholds without unless', { op: 'put', url: A, text: 'a', thresholds: { resemblance: 0.9 } }, 'unless'],
    ['unless without thresholds', { op: 'put', url: A, text: 'a', unless: 'similar' }, 'unless'],
    ['half a surrogate pair', { op: 'put', url: A, text: '\udc00' }, 'text'],
  ])('refuses %s', async (_what, line, field) => {
    expect(linesOf((await bulk(line)).body)[0]).toMatchObject({ line: 1, status: 400, url: A, field });
  });

  it('takes NDJSON only, and no options', async () => {
    const line = JSON.stringify({ op: 'delete', url: A });
    const send = (url: string, headers: Record<string, string>) =>
      fixture.app.inject({ method: 'POST', url, headers, payload: line });
    expect((await send('/documents', JSON_TYPE)).statusCode).toBe(415);
    expect((await send('/documents', {})).statusCode).toBe(415);
    expect((await send('/documents?url=x', NDJSON)).json()).toMatchObject({ status: 400, field: 'url' });
    const nothing = await fixture.app.inject({ method: 'POST', url: '/documents' });
    expect(nothing.json()).toMatchObject({ status: 400, field: 'body' });
  });
});
