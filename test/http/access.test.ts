import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Scope } from '../../src/http/http-options.ts';
import { createHttpFixture, type HttpFixture, JSON_TYPE, NDJSON, TEXT } from '../support/http/http-fixture.ts';
import { createHttpOnDisk } from '../support/http/http-on-disk.ts';

const SCOPES: readonly Scope[] = ['read', 'fetch', 'write', 'admin'];
const keys = SCOPES.map((scope) => ({ name: `only-${scope}`, scopes: [scope], secret: `secret-of-${scope}-0123` }));
const TEXT_OF_WORDS = 'one two three four five six';
const url = '/documents?url=https://a.example/';

interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly payload?: string;
  readonly headers?: Record<string, string>;
  readonly scope: Scope;
}

const CALLS: readonly Call[] = [
  { method: 'POST', url: '/similar', payload: TEXT_OF_WORDS, headers: TEXT, scope: 'read' },
  { method: 'GET', url: '/similar?url=https://a.example/', scope: 'read' },
  { method: 'POST', url: '/similar', payload: '', headers: NDJSON, scope: 'read' },
  { method: 'POST', url: '/similar/batch', payload: '', headers: NDJSON, scope: 'read' },
  { method: 'POST', url: '/moved/batch', payload: '', headers: NDJSON, scope: 'read' },
  { method: 'PUT', url, payload: TEXT_OF_WORDS, headers: TEXT, scope: 'write' },
  { method: 'POST', url: '/documents', payload: '', headers: NDJSON, scope: 'write' },
  { method: 'GET', url, scope: 'read' },
  { method: 'GET', url: url.replace('?', '/versions?'), scope: 'read' },
  {
    method: 'POST',
    url: '/compare',
    payload: '{"a":{"text":"a"},"b":{"text":"b"}}',
    headers: JSON_TYPE,
    scope: 'read',
  },
  { method: 'POST', url: '/collapse', payload: '{"results":[]}', headers: JSON_TYPE, scope: 'read' },
  { method: 'GET', url: '/stats', scope: 'read' },
  { method: 'GET', url: '/metrics', scope: 'admin' },
  { method: 'POST', url: '/admin/backup', payload: '{"name":"x"}', headers: JSON_TYPE, scope: 'admin' },
  { method: 'POST', url: '/admin/compact', scope: 'admin' },
  { method: 'DELETE', url, scope: 'write' },
];
const OPEN = ['/health/live', '/health/ready', '/openapi.json', '/docs'];

describe('with keys', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shingled-access-'));
  let fixture: HttpFixture;
  beforeAll(async () => {
    fixture = await createHttpOnDisk(folder, { http: { apiKeys: keys } });
    await fixture.parts.put('https://a.example/', TEXT_OF_WORDS);
  });
  afterAll(async () => {
    await fixture.close();
    rmSync(folder, { recursive: true });
  });

  const call = ({ scope: _scope, headers = {}, ...request }: Call, authorization?: string) =>
    fixture.app.inject({
      ...request,
      headers: { ...headers, ...(authorization === undefined ? {} : { authorization }) },
    });
  const bearer = (scope: Scope) => `Bearer secret-of-${scope}-0123`;

  it.each(CALLS)('$method $url needs the scope $scope, and no other will do', async (request) => {
    for (const scope of SCOPES.filter((other) => other !== request.scope)) {
      const answer = await call(request, bearer(scope));
      expect(answer.json()).toMatchObject({
        status: 403,
        code: 'forbidden',
        detail: expect.stringContaining(request.scope),
      });
    }
    expect([200, 201]).toContain((await call(request, bearer(request.scope))).statusCode);
  });

  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Bearer wrong',
    'Bearer secret-of-read-012',
    'Bearer secret-of-read-01234',
    'bearer  SECRET-OF-READ-0123',
    'Basic secret-of-read-0123',
    'secret-of-read-0123',
    'Bearer secret-of-read-0123, Bearer secret-of-read-0123',
    `Bearer ${'x'.repeat(5000)}`,
  ])('asks who it is that sends %j', async (authorization) => {
    const answer = await call(CALLS[0]!, authorization);
    const isKey = /^bearer +\S{1,1024}$/i.test(authorization ?? '');
    const detail = isKey ? 'This key is not known.' : 'Send Authorization: Bearer <key>.';
    expect(answer.json()).toMatchObject({ status: 401, code: 'unauthorized', detail });
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="shingled"');
  });

  it('takes the scheme in any case', async () => {
    expect((await call(CALLS[0]!, 'bearer secret-of-read-0123')).statusCode).toBe(200);
  });

  it('leaves health and documentation open, and says nothing of routes that are not there', async () => {
    for (const open of OPEN) expect((await fixture.app.inject(open)).statusCode).toBe(200);
    expect((await fixture.app.inject('/nothing')).statusCode).toBe(404);
  });

  it('asks for the scope fetch where a call would fetch', async () => {
    const both = { apiKeys: [{ name: 'rw', scopes: ['read', 'write'] as const, secret: 'secret-of-rw-012345' }] };
    const other = await createHttpFixture({ http: both });
    const headers = { authorization: 'Bearer secret-of-rw-012345' };
    const web = 'https://web.example/';
    other.parts.web.pages.set(web, TEXT_OF_WORDS);
    const ask = async (method: 'GET' | 'PUT' | 'POST', path: string, payload?: object) =>
      (await other.app.inject({ method, url: path, headers, ...(payload === undefined ? {} : { payload }) })).json();
    expect(await ask('GET', `/similar?url=${web}`)).toMatchObject({ code: 'unknown-url' });
    expect(await ask('GET', `/similar?url=${web}&fetch=always`)).toMatchObject({ code: 'forbidden' });
    expect(await ask('POST', '/similar', { document: { url: web } })).toMatchObject({ code: 'unknown-url' });
    expect(await ask('PUT', `/documents?url=${web}&fetch=true`)).toMatchObject({ code: 'forbidden' });
    expect(await ask('PUT', `/documents?url=${web}`, { fetch: true })).toMatchObject({ code: 'forbidden' });
    expect(await ask('POST', '/compare', { a: { url: web }, b: { text: 'a b' } })).toMatchObject({
      code: 'unknown-url',
    });
    expect(await ask('POST', '/collapse', { results: [], fetch: 'auto' })).toMatchObject({ code: 'forbidden' });
    expect(other.parts.web.asked).toEqual([]);
    await other.close();
  });

  it('asks every route of the description for a scope, but those of health', async () => {
    const { paths } = (await fixture.app.inject('/openapi.json')).json<{
      paths: Record<string, Record<string, { security?: unknown[] }>>;
    }>();
    for (const [path, operations] of Object.entries(paths)) {
      for (const [method, { security }] of Object.entries(operations)) {
        const answer = await fixture.app.inject({ method: method.toUpperCase() as 'GET', url: path });
        const open = path.startsWith('/health/');
        expect([path, method, answer.statusCode === 401]).toEqual([path, method, !open]);
        expect([path, method, security?.length === 0]).toEqual([path, method, open]);
      }
    }
  });
});

describe('rates', () => {
  it('are counted for each key, and said with when to come back', async () => {
    const two = keys.slice(0, 1).concat({ name: 'other', scopes: ['read'], secret: 'secret-of-other-01' });
    const fixture = await createHttpFixture({ http: { apiKeys: two, rateLimitPerMinute: 3 } });
    const ask = (secret: string) =>
      fixture.app.inject({ url: '/stats', headers: { authorization: `Bearer ${secret}` } });
    for (let asked = 0; asked < 3; asked++) expect((await ask(two[0]!.secret)).statusCode).toBe(200);
    const refused = await ask(two[0]!.secret);
    expect(refused.json()).toMatchObject({
      status: 429,
      code: 'rate-limited',
      limit: { name: 'rateLimitPerMinute', value: 3 },
    });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect((await ask(two[1]!.secret)).statusCode).toBe(200);
    for (let asked = 0; asked < 5; asked++) expect((await fixture.app.inject('/health/live')).statusCode).toBe(200);
    await fixture.close();
  });

  it('are not limited at 0', async () => {
    const fixture = await createHttpFixture();
    for (let asked = 0; asked < 50; asked++) expect((await fixture.app.inject('/stats')).statusCode).toBe(200);
    await fixture.close();
  });
});
