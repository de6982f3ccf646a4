import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serializeError } from '../../../src/http/told/logging.ts';
import { createHttpFixture, type HttpFixture, JSON_TYPE, NDJSON, TEXT } from '../../support/http/http-fixture.ts';

const SECRET = 'planted-secret-of-a-key';
const WORDS = 'planted words of a document that nobody should find in any log at all';
const HOST = 'planted-host.example';

let fixture: HttpFixture;
beforeAll(async () => {
  fixture = await createHttpFixture({
    http: { apiKeys: [{ name: 'crawler', scopes: ['read', 'write', 'fetch', 'admin'], secret: SECRET }] },
    httpLimits: { bodyBytesMax: 1000, targetBytesMax: 400 },
    wrapService: (service) => ({
      compare: (request, access) =>
        request.deadlineMs === 666
          ? Promise.reject(Object.assign(new TypeError('Invalid URL'), { input: WORDS, body: { text: WORDS } }))
          : service.compare(request, access),
    }),
  });
});
afterAll(() => fixture.close());

const authorization = `Bearer ${SECRET}`;
const url = encodeURIComponent(`https://planted-user:planted-pass@${HOST}/planted-path?planted=query`);

describe('the log', () => {
  it('holds no text, no key and no address of a caller, whatever goes right or wrong', async () => {
    let sent = 0;
    const send = (method: string, path: string, payload?: string, headers: Record<string, string> = {}) =>
      fixture.app.inject({
        method: method as 'GET',
        url: path,
        // of strangers there is a line a second for each address
        remoteAddress: `192.0.2.${++sent}`,
        headers: { authorization, ...headers },
        ...(payload === undefined ? {} : { payload }),
      });
    const json = (value: unknown) => JSON.stringify(value);
    await send('POST', '/similar?url=https://planted-host.example/x', WORDS, TEXT);
    await send('POST', '/similar', `{"document":{"text":"${WORDS}"`, JSON_TYPE);
    await send('POST', '/similar', json({ document: { text: WORDS }, 'planted-field': WORDS }), JSON_TYPE);
    await send('POST', '/similar', WORDS.repeat(30), TEXT);
    await send('POST', '/similar', WORDS, { 'content-type': 'planted/type' });
    await send('GET', `/similar?url=${url}`);
    await send('GET', `/similar?url=https://${HOST}/planted-path`);
    await send('GET', `/similar?planted=${url}`);
    await send('GET', `/planted-path/${url}`);
    await send('GET', `/planted-path/${'planted'.repeat(100)}`);
    await send('GET', '/planted-%ff');
    await send('PUT', `/documents?url=https://${HOST}/&meta=%7B%22planted%22%3A1%7D`, WORDS, TEXT);
    await send('PUT', `/documents?url=https://${HOST}/&select=%3Aplanted`, WORDS, { 'content-type': 'text/html' });
    await send(
      'POST',
      '/documents',
      `${json({ op: 'put', url: `https://${HOST}/1`, text: WORDS })}\n{"planted`,
      NDJSON,
    );
    await send('POST', '/compare', json({ a: { text: WORDS }, b: { text: WORDS }, deadlineMs: 666 }), JSON_TYPE);
    await send('POST', '/compare', json({ a: { text: WORDS }, b: { url: `https://${HOST}/` } }), JSON_TYPE);
    await send('POST', '/collapse', json({ results: [{ text: WORDS }, { url: `https://${HOST}/` }] }), JSON_TYPE);
    await send('DELETE', `/documents?url=https://${HOST}/`);
    await fixture.app.inject({
      url: '/stats',
      headers: { authorization: 'Bearer planted-wrong-key', 'user-agent': 'planted-agent', cookie: 'planted' },
    });
    expect(fixture.log.length).toBeGreaterThan(18);
    expect(fixture.log.filter((line) => line.toLowerCase().includes('planted'))).toEqual([]);
  });

  it('has one line a request: who, what, how it ended, how long it took', async () => {
    const before = fixture.log.length;
    const headers = { authorization, 'x-request-id': 'mine-1' };
    await fixture.app.inject({ url: '/similar?url=x', headers });
    await fixture.app.inject({ url: '/health/live' });
    const lines = fixture.log.slice(before).map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toEqual([
      expect.objectContaining({
        ...{ level: 30, requestId: 'mine-1', key: 'crawler', method: 'GET', route: '/similar' },
        ...{ status: 400, code: 'invalid-url', ms: expect.any(Number), msg: 'request' },
      }),
      expect.objectContaining({ level: 20, route: '/health/live', status: 200 }),
    ]);
    expect(lines[0]).not.toHaveProperty('aborted');
  });

  it('tells a fault with its stack and its causes by code, without what libraries hang on them', () => {
    const cause = Object.assign(new Error('planted'), { code: 'ECONNRESET' });
    const error = Object.assign(new TypeError('broken', { cause }), {
      code: 'ERR_X',
      input: 'planted',
      body: 'planted',
    });
    const logged = serializeError(error);
    expect(logged).toMatchObject({ type: 'TypeError', code: 'ERR_X', message: 'broken', causes: ['Error ECONNRESET'] });
    expect(logged.stack).toContain('logging.test.ts');
    expect(JSON.stringify(logged)).not.toContain('planted');
    expect(serializeError('planted')).toMatchObject({ type: 'string', message: '' });
  });
});
