import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpFixture, type HttpFixture, linesOf } from '../../support/http/http-fixture.ts';
import { ALL } from '../../support/service/service-fixture.ts';

const PAGES = Array.from({ length: 12 }, (_, i) => `https://a.example/docs/${String(i).padStart(2, '0')}`);
const OTHERS = ['urn:isbn:1', 'https://www.a.example/x', 'https://b.example/'];
const SEEN = '2026-01-02T03:04:05.000Z';

let fixture: HttpFixture;
beforeAll(async () => {
  fixture = await createHttpFixture();
  const { put, service } = fixture.parts;
  for (const [at, url] of [...PAGES, ...OTHERS].entries()) {
    await put(url, `the words of document ${at}`, {
      meta: at % 2 === 0 ? { kind: 'news' } : null,
      observedAt: Date.parse(SEEN),
    });
  }
  await service.gone({ url: PAGES[0]!, httpStatus: 410, observedAt: Date.parse(SEEN) + 1 }, ALL);
});
afterAll(() => fixture.close());

const get = async (path: string) => {
  const answer = await fixture.app.inject(path);
  return { status: answer.statusCode, body: answer.json() };
};
const urlsOf = ({ body }: Awaited<ReturnType<typeof get>>) =>
  (body.documents as { url: string }[]).map(({ url }) => url);
const deleteList = async (query: string) => {
  const answer = await fixture.app.inject({ method: 'DELETE', url: `/documents/list?${query}` });
  return { status: answer.statusCode, body: answer.json() };
};
const encoded = encodeURIComponent;

describe('GET /documents/list', () => {
  it('lists a selection, 100 documents a page where not told otherwise', async () => {
    expect(urlsOf(await get('/documents/list'))).toEqual([OTHERS[0], ...PAGES, OTHERS[1], OTHERS[2]]);
    for (const [query, urls] of [
      ['host=a.example', PAGES],
      ['host=A.example&subdomains=true', [...PAGES, OTHERS[1]]],
      ['host=a.example&subdomains=false', PAGES],
      [`prefix=${encoded('https://a.example/docs/0')}`, PAGES.slice(0, 10)],
      ['prefix=urn:', [OTHERS[0]]],
      ['state=gone', [PAGES[0]]],
      [`observedFrom=${encoded('2026-01-02T03:04:05.001Z')}`, [PAGES[0]]],
      [`observedTo=${SEEN}`, []],
      [`host=a.example&meta=${encoded('{"kind":"news"}')}&state=live`, PAGES.filter((_, at) => at % 2 === 0 && at > 0)],
    ] as const) {
      const answer = await get(`/documents/list?${query}`);
      expect([query, answer.status, urlsOf(answer)]).toEqual([query, 200, urls]);
    }
  });

  it('goes from page to page', async () => {
    const urls: string[] = [];
    let cursor = '';
    for (let pages = 0; ; pages++) {
      const answer = await get(`/documents/list?host=a.example&limit=5${cursor}`);
      urls.push(...urlsOf(answer));
      if (answer.body.cursor === null) {
        expect(pages).toBe(2);
        break;
      }
      cursor = `&cursor=${answer.body.cursor}`;
    }
    expect(urls).toEqual(PAGES);
    expect(await get(`/documents/list?limit=5${cursor}`)).toMatchObject({
      status: 400,
      body: { code: 'invalid-cursor', field: 'cursor' },
    });
  });

  it.each([
    ['host=a/b', 'invalid-request', 'host'],
    [`host=${'x'.repeat(8000)}`, 'invalid-request', 'host'],
    ['subdomains=true', 'invalid-request', 'subdomains'],
    ['subdomains=yes&host=a.example', 'invalid-request', 'subdomains'],
    ['prefix=', 'invalid-request', 'prefix'],
    ['prefix=docs', 'invalid-url', 'prefix'],
    ['prefix=https://a.example/c++', 'invalid-request', 'prefix'],
    ['observedFrom=yesterday', 'invalid-request', 'observedFrom'],
    ['observedFrom=1969-01-01T00:00:00Z', 'invalid-request', 'observedFrom'],
    [`observedFrom=${SEEN}&observedTo=${SEEN}`, 'invalid-request', 'observedTo'],
    ['meta=news', 'invalid-json', 'meta'],
    ['meta=[]', 'invalid-request', 'meta'],
    ['state=past', 'invalid-request', 'state'],
    ['url=https://a.example/', 'invalid-request', 'url'],
  ])('refuses %.40s', async (query, code, field) => {
    for (const path of ['/documents/list', '/documents/hosts', '/documents/export']) {
      expect([path, await get(`${path}?${query}`)]).toMatchObject([path, { status: 400, body: { code, field } }]);
    }
    expect(await deleteList(`${query}&dryRun=true`)).toMatchObject({ status: 400, body: { code, field } });
  });

  it.each(['limit=0', 'limit=1001', 'limit=1e1', 'limit=-1'])('refuses %s', async (query) => {
    for (const path of ['/documents/list', '/documents/hosts', '/documents/changes']) {
      expect(await get(`${path}?${query}`)).toMatchObject({ status: 400, body: { field: 'limit' } });
    }
  });
});

describe('GET /documents/hosts', () => {
  it('counts the documents of each host, a page of hosts at a time', async () => {
    const all = await get('/documents/hosts');
    const hosts = [
      { host: null, documents: 1 },
      { host: 'a.example', documents: 12 },
      { host: 'www.a.example', documents: 1 },
      { host: 'b.example', documents: 1 },
    ];
    expect(all).toEqual({ status: 200, body: { hosts, unreadableCount: 0, cursor: null } });
    const first = await get('/documents/hosts?limit=2');
    expect(first.body.hosts).toEqual(hosts.slice(0, 2));
    const second = await get(`/documents/hosts?limit=2&cursor=${first.body.cursor}`);
    expect(second.body).toMatchObject({ hosts: hosts.slice(2), cursor: null });
    expect((await get('/documents/hosts?state=gone')).body.hosts).toEqual([{ host: 'a.example', documents: 1 }]);
  });
});

describe('GET /documents/changes', () => {
  it('says how often the documents of each host change, a page of hosts at a time', async () => {
    const { status, body } = await get('/documents/changes?host=a.example&subdomains=true');
    expect(status).toBe(200);
    expect(body.hosts).toMatchObject([
      { host: 'a.example', documents: 12, changes: { gone: 1 } },
      { host: 'www.a.example', documents: 1, versions: 1 },
    ]);
    const first = await get('/documents/changes?limit=2');
    expect(first.body.hosts).toMatchObject([{ host: null }, { host: 'a.example' }]);
    const second = await get(`/documents/changes?limit=2&cursor=${first.body.cursor}`);
    expect(second.body).toMatchObject({ hosts: [{ host: 'www.a.example' }, { host: 'b.example' }], cursor: null });
  });
});

describe('GET /documents/export', () => {
  it('answers a line for each document, with its versions, and says that it was whole', async () => {
    const answer = await fixture.app.inject('/documents/export?host=a.example');
    expect(answer.headers['content-type']).toBe('application/x-ndjson');
    const lines = linesOf(answer.body) as { url: string; versions: unknown[] }[];
    expect(lines.at(-1)).toEqual({ summary: { documents: 12, unreadableCount: 0, complete: true } });
    expect(lines.slice(0, -1).map(({ url }) => url)).toEqual(PAGES);
    expect(lines[0]).toMatchObject({ state: 'gone', versions: [{ state: 'gone' }, { state: 'live' }] });
    expect(lines[1]).toMatchObject({
      meta: null,
      versions: [{ state: 'live', observedAt: SEEN }],
      moreVersions: false,
    });
    const rest = await fixture.app.inject(`/documents/export?host=a.example&after=${PAGES[8]}`);
    expect(linesOf(rest.body)).toEqual([
      ...lines.slice(9, 12),
      { summary: { documents: 3, unreadableCount: 0, complete: true } },
    ]);
  });

  it('refuses an `after` that is no URL, and a request for its head', async () => {
    expect(await get('/documents/export?after=x')).toMatchObject({ status: 400, body: { field: 'after' } });
    const answer = await fixture.app.inject({ method: 'HEAD', url: '/documents/export' });
    expect(answer.statusCode).toBe(405);
  });

  it('says in its summary that it was not whole where reading fails', async () => {
    const failing = await createHttpFixture({
      wrapService: () => ({
        export: async function* () {
          yield { url: 'urn:x', code: 'index-unreadable', detail: 'It cannot be read.' };
          throw new Error('planted');
        },
      }),
    });
    const answer = await failing.app.inject('/documents/export');
    expect(linesOf(answer.body)).toEqual([
      { url: 'urn:x', code: 'index-unreadable', detail: 'It cannot be read.' },
      { summary: { documents: 0, unreadableCount: 1, complete: false } },
    ]);
    expect(failing.log.join('')).toContain('an export failed');
    await failing.close();
  });
});

describe('DELETE /documents/list', () => {
  it('counts, and deletes what was counted, once it is confirmed', async () => {
    const { put } = fixture.parts;
    for (let i = 0; i < 7; i++) await put(`https://c.example/${i}`, `more words of document ${i}`);
    expect(await deleteList('host=c.example')).toMatchObject({
      status: 400,
      body: { code: 'invalid-request', field: 'confirm', detail: expect.stringContaining('dryRun=true') },
    });
    const counted = await deleteList('host=c.example&dryRun=true');
    expect(counted).toMatchObject({ status: 200, body: { matched: 7, deleted: 0 } });
    const confirm = encoded(counted.body.confirm as string);
    expect(await deleteList(`host=c.example&dryRun=true&confirm=${confirm}`)).toMatchObject({ status: 400 });
    expect(await deleteList(`host=b.example&confirm=${confirm}`)).toMatchObject({ status: 400 });
    await put('https://c.example/more', 'the words of one document more');
    expect(await deleteList(`host=c.example&confirm=${confirm}`)).toMatchObject({
      status: 409,
      body: { code: 'selection-changed', field: 'confirm', detail: expect.stringContaining('8 documents now, not 7') },
    });
    const again = await deleteList('host=c.example&dryRun=true');
    const done = await deleteList(`host=c.example&confirm=${encoded(again.body.confirm as string)}`);
    expect(done).toMatchObject({ status: 200, body: { matched: 8, deleted: 8, confirm: null } });
    expect(urlsOf(await get('/documents/list?host=c.example'))).toEqual([]);
    expect(urlsOf(await get('/documents/list'))).toHaveLength(PAGES.length + OTHERS.length);
    const metrics = await fixture.app.inject('/metrics');
    expect(metrics.body).toContain('shingled_documents_total{result="deleted"} 8');
  });
});

it.each([
  ['list', '/documents/list'],
  ['countByHost', '/documents/hosts'],
  ['changesByHost', '/documents/changes'],
] as const)('a call of %s ends when its client has gone', async (use, path) => {
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<unknown>();
  const waits = (...given: readonly unknown[]) => {
    const signal = given.at(-1) as AbortSignal;
    begun.resolve();
    signal.addEventListener('abort', () => ended.resolve(signal.reason));
    return ended.promise.then(() => signal.throwIfAborted());
  };
  const held = await createHttpFixture({ wrapService: () => ({ [use]: waits }) });
  const client = new AbortController();
  const url = await held.app.listen({ port: 0, host: '127.0.0.1' });
  const answer = fetch(new URL(path, url), { signal: client.signal }).catch(() => null);
  await begun.promise;
  client.abort();
  expect(await ended.promise).toMatchObject({ code: 'deadline-exceeded' });
  await answer;
  await held.close();
});
