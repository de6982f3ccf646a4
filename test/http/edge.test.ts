import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ShingledError } from '../../src/errors.ts';
import { createHttpFixture, type HttpFixture, JSON_TYPE, linesOf, NDJSON, TEXT } from '../support/http/http-fixture.ts';

const LIMITS = { bodyBytesMax: 2000, bulkBytesMax: 10_000, bulkLinesMax: 5, jsonDepthMax: 8, targetBytesMax: 300 };

let fixture: HttpFixture;
beforeAll(async () => {
  fixture = await createHttpFixture({ httpLimits: LIMITS });
});
afterAll(() => fixture.close());

const post = (url: string, payload: string | Buffer, headers: Record<string, string>) =>
  fixture.app.inject({ method: 'POST', url, payload, headers });

describe('every answer', () => {
  it('has an id: the one that was sent where it is harmless, else a new one', async () => {
    const idOf = async (id: string) =>
      (await fixture.app.inject({ url: '/health/live', headers: { 'x-request-id': id } })).headers['x-request-id'];
    expect(await idOf('abc-1.2:3_4')).toBe('abc-1.2:3_4');
    for (const bad of ['', 'a b', 'é', '"x"', 'a'.repeat(65), 'a,b'])
      expect(await idOf(bad)).toMatch(/^[0-9a-f-]{36}$/);
    const problem = await fixture.app.inject({ url: '/nothing', headers: { 'x-request-id': 'mine' } });
    expect(problem.json().requestId).toBe('mine');
    expect(problem.headers['x-request-id']).toBe('mine');
  });

  it('is kept by nobody and runs nothing', async () => {
    for (const url of ['/stats', '/nothing', '/health/live']) {
      const { headers } = await fixture.app.inject(url);
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['content-security-policy']).toBe("default-src 'none';frame-ancestors 'none'");
      expect(headers['strict-transport-security']).toBeUndefined();
    }
  });
});

describe('what is no call', () => {
  it.each([
    ['GET', '/nothing', 404, 'unknown-route'],
    ['GET', '/similar/', 404, 'unknown-route'],
    ['GET', '/Similar', 404, 'unknown-route'],
    ['GET', '/documents/https://a.example/', 404, 'unknown-route'],
    ['GET', '/%ff', 400, 'malformed-request'],
    ['GET', `/${'x'.repeat(200)}`, 404, 'unknown-route'],
    ['GET', `/${'x'.repeat(400)}`, 414, 'uri-too-long'],
    ['GET', `/similar?url=${'x'.repeat(400)}`, 414, 'uri-too-long'],
    ['DELETE', '/similar', 405, 'method-not-allowed'],
    ['PATCH', '/documents', 405, 'method-not-allowed'],
    ['POST', '/stats', 405, 'method-not-allowed'],
    ['TRACE', '/similar', 405, 'method-not-allowed'],
  ] as const)('%s %s is answered %i %s', async (method, url, status, code) => {
    const answer = await fixture.app.inject({ method: method as 'GET', url });
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(answer.json()).toMatchObject({ status, code, type: `urn:shingled:error:${code}` });
    expect(answer.statusCode).toBe(status);
    if (status === 405) expect(answer.headers['allow']).toMatch(/OPTIONS$/);
    if (code === 'unknown-route') {
      expect(answer.json().detail).toBe(
        'There is nothing at this path. The API is described at /docs, and for programs at /openapi.json.',
      );
    }
  });

  it.each([
    ['a part of JSON', '{', 'application/json'],
    ['no JSON', '', 'application/json'],
    ['a type that is none', 'x', 'json'],
    ['text', 'x', 'text/plain'],
    ['what nobody reads', 'x', 'application/x-nothing'],
  ])('is answered so whatever comes with it: %s', async (_what, payload, type) => {
    for (const [method, url, code] of [
      ['POST', '/nothing', 'unknown-route'],
      ['DELETE', '/similar', 'method-not-allowed'],
      ['PUT', '/similar', 'method-not-allowed'],
    ] as const) {
      const answer = await fixture.app.inject({ method, url, payload, headers: { 'content-type': type } });
      expect(answer.json()).toMatchObject({ code });
    }
  });

  it('OPTIONS says what a path takes', async () => {
    const answer = await fixture.app.inject({ method: 'OPTIONS', url: '/documents' });
    expect([answer.statusCode, answer.headers['allow']]).toEqual([204, 'GET, HEAD, POST, PUT, DELETE, OPTIONS']);
    expect((await fixture.app.inject({ method: 'OPTIONS', url: '/nothing' })).statusCode).toBe(404);
  });
});

describe('bodies', () => {
  const text = 'word '.repeat(300);

  it.each([
    ['too large', text.repeat(2), TEXT, 413, 'body-too-large'],
    ['too large as JSON', JSON.stringify({ document: { text: text.repeat(2) } }), JSON_TYPE, 413, 'body-too-large'],
    ['not JSON', '{', JSON_TYPE, 400, 'invalid-json'],
    ['JSON of invalid UTF-8', Buffer.from('{"document":{"text":"\xff"}}', 'latin1'), JSON_TYPE, 400, 'invalid-utf8'],
    ['JSON too deep', '['.repeat(1000), JSON_TYPE, 400, 'invalid-json'],
    ['JSON with __proto__', '{"document":{"text":"a"},"__proto__":{}}', JSON_TYPE, 400, 'invalid-json'],
    ['JSON that is a list', '[]', JSON_TYPE, 400, 'invalid-request'],
    ['JSON that is null', 'null', JSON_TYPE, 400, 'invalid-request'],
    ['larger than NDJSON may be', text.repeat(10), NDJSON, 413, 'body-too-large'],
  ])('that are %s are refused', async (_what, payload, headers, status, code) => {
    const answer = await post('/similar', payload, headers);
    expect(answer.json()).toMatchObject({ status, code });
    expect(answer.statusCode).toBe(status);
  });

  it('of NDJSON end at their limits, with what was read before answered', async () => {
    const line = JSON.stringify({ op: 'put', url: 'https://a.example/', text: 'one two' });
    const long = JSON.stringify({ op: 'put', url: 'https://a.example/', text });
    const longer = JSON.stringify({ op: 'put', url: 'https://a.example/', text: text.repeat(2) });
    const statuses = async (...lines: string[]) =>
      linesOf((await post('/documents', lines.join('\n'), NDJSON)).body).map((value) => {
        const { status, summary } = value as { status?: number; summary?: { complete: boolean } };
        return status ?? summary?.complete;
      });
    expect(await statuses(line, longer, long)).toEqual([201, 413, 200, true]);
    expect(await statuses(line, line, line, line, line, line, line)).toEqual([200, 200, 200, 200, 200, 413, false]);
  });
});

describe('JSON', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'APPLICATION/JSON',
    ' application/json',
    'application/json ;x=y',
    'application/json;',
    'application/json\t; a=b',
  ])('is held to its schema however its type is written: %j', async (type) => {
    for (const url of ['/similar', '/compare', '/collapse']) {
      const answer = await post(url, '{"nonsense":1}', { 'content-type': type });
      expect([400, 415]).toContain(answer.statusCode);
    }
    const put = { method: 'PUT' as const, url: '/documents?url=https://a.example/', headers: { 'content-type': type } };
    for (const payload of ['{"nonsense":1}', '{"text":1}', '"text"', '[]']) {
      expect([400, 415]).toContain((await fixture.app.inject({ ...put, payload })).statusCode);
    }
  });
});

describe('an event loop that is late', () => {
  it('turns calls away for a while, but not those that ask how it is', async () => {
    const late = await createHttpFixture({ httpLimits: { eventLoopDelayMsMax: 1e-9 } });
    let answer = await late.app.inject('/stats');
    while (answer.statusCode === 200) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      answer = await late.app.inject('/stats');
    }
    expect(answer.json()).toMatchObject({ status: 503, code: 'overloaded', limit: { name: 'eventLoopDelayMsMax' } });
    expect(answer.headers['retry-after']).toBe('2');
    expect((await late.app.inject('/health/live')).statusCode).toBe(200);
    await late.close();
  });
});

describe('faults of ours', () => {
  it('say nothing of what happened, and are logged', async () => {
    const broken = await createHttpFixture({
      wrapService: () => ({
        similar: () => Promise.reject(new Error('planted secret')),
        stats: () => Promise.reject(new ShingledError('index-unreadable', 'planted secret')),
        bulk: async function* () {
          yield { line: 1, status: 201, url: 'u', result: 'created' };
          throw new Error('planted secret');
        },
      }),
    });
    const answers = [
      await broken.app.inject({ method: 'POST', url: '/similar', payload: 'one', headers: TEXT }),
      await broken.app.inject('/stats'),
    ];
    for (const answer of answers) {
      expect(answer.statusCode).toBe(500);
      expect(answer.body).not.toContain('planted');
    }
    const bulk = await broken.app.inject({ method: 'POST', url: '/documents', payload: '{}', headers: NDJSON });
    expect(linesOf(bulk.body).at(-1)).toEqual({ summary: { lines: 1, ok: 1, failed: 0, complete: false } });
    expect(broken.log.filter((line) => line.includes('planted secret') && line.includes('"level":50'))).toHaveLength(3);
    await broken.close();
  });

  it('and of others carry when to come back', async () => {
    const busy = await createHttpFixture({
      wrapService: () => ({
        similar: () => Promise.reject(new ShingledError('overloaded', 'Full.', { retryAfterS: 1.2 })),
      }),
    });
    const answer = await busy.app.inject({ method: 'POST', url: '/similar', payload: 'one', headers: TEXT });
    expect([answer.statusCode, answer.headers['retry-after'], answer.json().detail]).toEqual([503, '2', 'Full.']);
    await busy.close();
  });
});

describe('pages of other origins', () => {
  it('may call where their origin is named, and only there', async () => {
    const cors = await createHttpFixture({ http: { corsOrigins: ['https://app.example'] } });
    const ask = (origin: string, method: 'GET' | 'OPTIONS') =>
      cors.app.inject({ method, url: '/stats', headers: { origin, 'access-control-request-method': 'GET' } });
    for (const method of ['GET', 'OPTIONS'] as const) {
      const named = await ask('https://app.example', method);
      expect(named.statusCode).toBeLessThan(300);
      expect(named.headers['access-control-allow-origin']).toBe('https://app.example');
      expect((await ask('https://evil.example', method)).headers['access-control-allow-origin']).toBeUndefined();
    }
    expect(
      (await fixture.app.inject({ url: '/stats', headers: { origin: 'https://app.example' } })).headers[
        'access-control-allow-origin'
      ],
    ).toBeUndefined();
    await cors.close();
  });

  it('may read when to come back, and how much of their rate is left', async () => {
    const cors = await createHttpFixture({ http: { corsOrigins: ['https://app.example'], rateLimitPerMinute: 5 } });
    const { headers } = await cors.app.inject({ url: '/stats', headers: { origin: 'https://app.example' } });
    const exposed = String(headers['access-control-expose-headers']).split(', ');
    expect(exposed).toEqual(expect.arrayContaining(['retry-after', 'x-request-id']));
    const rates = Object.keys(headers).filter((name) => name.startsWith('x-ratelimit-'));
    expect(rates.toSorted()).toEqual(['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']);
    expect(exposed).toEqual(expect.arrayContaining(rates));
    await cors.close();
  });
});

describe('while draining', () => {
  it('calls are turned away and connections closed, but health can be asked', async () => {
    const stopping = await createHttpFixture();
    stopping.lifecycle.phase = 'draining';
    const answer = await stopping.app.inject('/stats');
    expect(answer.json()).toMatchObject({ status: 503, code: 'draining' });
    expect(answer.headers['connection']).toBe('close');
    expect(answer.headers['retry-after']).toBe('5');
    expect((await stopping.app.inject('/health/live')).statusCode).toBe(200);
    const ready = await stopping.app.inject('/health/ready');
    expect([ready.statusCode, ready.json()]).toEqual([
      503,
      { status: 'not-ready', checks: { phase: 'draining', undamaged: true, writable: true } },
    ]);
    await stopping.close();
  });
});
