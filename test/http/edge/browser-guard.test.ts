import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpFixture, type HttpFixture, type HttpFixtureOptions } from '../../support/http/http-fixture.ts';
import { connectRaw, listening } from '../../support/http/raw-client.ts';

const KEY = { name: 'me', scopes: ['read', 'write'] as const, secret: 'secret-of-mine-0123' };
const WITH_KEY = { authorization: `Bearer ${KEY.secret}` };

type Http = NonNullable<HttpFixtureOptions['http']>;

/** A service that listens: only then is there a port to compare with. */
async function opened(http: Http): Promise<{ fixture: HttpFixture; port: number }> {
  const fixture = await createHttpFixture({ http: { allowedHosts: [], ...http } });
  return { fixture, port: await listening(fixture.app) };
}

async function statusOf(fixture: HttpFixture, headers: Record<string, string>, url = '/stats', method = 'GET') {
  const answer = await fixture.app.inject({ method: method as 'GET', url, headers });
  return answer.statusCode < 400 ? answer.statusCode : (answer.json().code as string);
}

describe('the host of a request, without keys', () => {
  let fixture: HttpFixture;
  let port: number;
  beforeAll(async () => {
    ({ fixture, port } = await opened({}));
  });
  afterAll(() => fixture.close());

  it.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.8.9.10', '[::1]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]'])(
    'may be %s at our port, and at no other',
    async (name) => {
      expect(await statusOf(fixture, { host: `${name}:${port}` })).toBe(200);
      for (const other of [`${name}:${port + 1}`, `${name}:0${port}0`, name]) {
        expect(await statusOf(fixture, { host: other })).toBe('unknown-host');
      }
    },
  );

  it.each([
    'attacker.example',
    'localhost.attacker.example',
    'attacker.example.localhost',
    'localhost.',
    'local host',
    '127.0.0.1.attacker.example',
    '128.0.0.1',
    '0.0.0.0',
    '10.0.0.1',
    '[::2]',
    '[::',
    '::1',
    '',
    'localhost@attacker.example',
    'attacker.example#localhost',
    'localhost, attacker.example',
    'localhost/',
    '%6cocalhost',
    'ⓛocalhost',
  ])('may not be %j', async (name) => {
    for (const host of [name, `${name}:${port}`]) expect(await statusOf(fixture, { host })).toBe('unknown-host');
  });

  it.each([
    ['/', 'GET'],
    ['/docs', 'GET'],
    ['/openapi.json', 'GET'],
    ['/metrics', 'GET'],
    ['/nothing', 'GET'],
    ['/documents?url=https://a.example/', 'PUT'],
    ['/documents?url=https://a.example/', 'DELETE'],
    ['/documents?url=https://a.example/', 'OPTIONS'],
    ['/similar', 'POST'],
    ['/admin/compact', 'POST'],
  ])('is asked for at %s by %s, before anything else is', async (url, method) => {
    expect(await statusOf(fixture, { host: `attacker.example:${port}` }, url, method)).toBe('unknown-host');
  });

  it('does not matter to those that watch over the process', async () => {
    for (const url of ['/health/live', '/health/ready'])
      expect(await statusOf(fixture, { host: '10.0.0.7:8080' }, url)).toBe(200);
  });

  it('is not taken from X-Forwarded-Host, nor from the target', async () => {
    const forged = { host: 'attacker.example', 'x-forwarded-host': `localhost:${port}`, forwarded: 'host=localhost' };
    expect(await statusOf(fixture, forged)).toBe('unknown-host');
    const client = await connectRaw(port);
    client.socket.write(
      `GET http://localhost:${port}/stats HTTP/1.1\r\nHost: attacker.example\r\nConnection: close\r\n\r\n`,
    );
    expect(await client.closed()).toMatch(/^HTTP\/1\.1 (404|421) /);
  });
});

describe('a request that names', () => {
  it.each([
    ['two hosts', 'Host: localhost\r\nHost: localhost', 400],
    ['two hosts in other letters', 'Host: localhost\r\nhOST: attacker.example', 400],
    ['no host', 'X: y', 400],
    ['one host', 'Host: localhost', 200],
  ])('%s is answered rightly, with keys or without', async (_what, lines, status) => {
    for (const apiKeys of [[], [KEY]]) {
      const fixture = await createHttpFixture({ http: { apiKeys } });
      const client = await connectRaw(await listening(fixture.app));
      const more = `Authorization: ${WITH_KEY.authorization}\r\nConnection: close`;
      client.socket.write(`GET /stats HTTP/1.1\r\n${lines}\r\n${more}\r\n\r\n`);
      const answer = await client.closed();
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      if (status === 400) expect(answer).toContain('"code":"malformed-request"');
      await fixture.close();
    }
  });
});

describe('ALLOWED_HOSTS', () => {
  const allowedHosts = ['Search.example', 'other.example:8443', '[2001:DB8::7]'];
  const named = ['search.example', 'SEARCH.example:8080', 'other.example:8443', '[2001:db8:0::7]', '[2001:db8::7]:9'];
  const unnamed = ['other.example', 'other.example:8080', 'a.search.example', '[2001:db8::8]', 'attacker.example'];

  it('gives other names, at any port or at one, also to a service without keys', async () => {
    const { fixture, port } = await opened({ allowedHosts });
    for (const host of [...named, `localhost:${port}`]) expect(await statusOf(fixture, { host })).toBe(200);
    for (const host of unnamed) expect(await statusOf(fixture, { host })).toBe('unknown-host');
    await fixture.close();
  });

  it('is all that is allowed with keys too, where any name is without it', async () => {
    const closed = await opened({ allowedHosts, apiKeys: [KEY] });
    for (const host of [...named, `127.0.0.1:${closed.port}`])
      expect(await statusOf(closed.fixture, { host, ...WITH_KEY })).toBe(200);
    for (const host of unnamed) expect(await statusOf(closed.fixture, { host, ...WITH_KEY })).toBe('unknown-host');
    await closed.fixture.close();
    const open = await opened({ apiKeys: [KEY] });
    for (const host of [...named, ...unnamed]) expect(await statusOf(open.fixture, { host, ...WITH_KEY })).toBe(200);
    await open.fixture.close();
  });
});

describe('the origin of a request, without keys', () => {
  let fixture: HttpFixture;
  let host: string;
  beforeAll(async () => {
    const service = await opened({ corsOrigins: ['https://app.example'] });
    fixture = service.fixture;
    host = `localhost:${service.port}`;
  });
  afterAll(() => fixture.close());

  const foreign = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: '' },
    { origin: 'http://localhost:1' },
    { origin: 'https://app.example.evil.example' },
    { origin: 'https://app.example, https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'same-origin, cross-site' },
    { 'sec-fetch-site': '' },
    { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example', 'sec-fetch-mode': 'no-cors' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
  ];
  const calls = [
    ['GET', '/stats'],
    ['GET', '/similar?url=https://a.example/'],
    ['POST', '/similar'],
    ['PUT', '/documents?url=https://a.example/'],
    ['DELETE', '/documents?url=https://a.example/'],
    ['POST', '/admin/compact'],
    ['OPTIONS', '/documents'],
  ];

  it.each(foreign)('may not be that of another page: %j', async (headers) => {
    for (const [method, url] of calls)
      expect([method, await statusOf(fixture, { host, ...headers }, url, method)]).toEqual([method, 'foreign-origin']);
  });

  it('may be ours, nobody’s, or one that CORS_ORIGINS names', async () => {
    const own = [
      {},
      { origin: `http://${host}` },
      { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' },
      { 'sec-fetch-site': 'same-origin', origin: `http://${host}` },
      { 'sec-fetch-site': 'cross-site', origin: 'https://app.example', 'sec-fetch-mode': 'cors' },
      { origin: 'https://app.example' },
    ];
    for (const headers of own) expect(await statusOf(fixture, { host, ...headers })).toBe(200);
  });

  it('may be foreign where somebody follows a link to a page that is for all, and in no other way', async () => {
    const link = { host, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    for (const url of ['/docs', '/openapi.json']) {
      expect(await statusOf(fixture, link, url)).toBe(200);
      for (const other of [{ 'sec-fetch-dest': 'iframe' }, { 'sec-fetch-mode': 'no-cors' }, { 'sec-fetch-dest': '' }])
        expect(await statusOf(fixture, { ...link, ...other }, url)).toBe('foreign-origin');
    }
    expect(await statusOf(fixture, link, '/nothing')).toBe('unknown-route');
    expect(await statusOf(fixture, link, '/docs', 'POST')).toBe('foreign-origin');
  });

  it('does not matter with keys: a page has none', async () => {
    const keyed = await opened({ apiKeys: [KEY] });
    for (const headers of foreign) {
      expect(await statusOf(keyed.fixture, { host, ...headers, ...WITH_KEY })).toBe(200);
      expect(await statusOf(keyed.fixture, { host, ...headers })).toBe('unauthorized');
    }
    await keyed.fixture.close();
  });
});
