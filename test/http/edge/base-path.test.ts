import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { belowBasePath } from '../../../src/http/edge/base-path.ts';
import { createHttpFixture, type HttpFixture } from '../../support/http/http-fixture.ts';
import { listening } from '../../support/http/raw-client.ts';

const BASE = '/tools/shingled';

describe('a base path', () => {
  it.each([
    ['/tools/shingled/stats?a=/tools/shingled/', '/stats?a=/tools/shingled/'],
    ['/tools/shingled/', '/'],
    ['/tools/shingled', '/tools/shingled'],
    ['/tools/shingled?a=1', '/tools/shingled?a=1'],
    ['/tools/shingledx/stats', '/tools/shingledx/stats'],
    ['/tools/shingled/tools/shingled/stats', '/tools/shingled/stats'],
    ['/stats', '/stats'],
    ['http://a.example/tools/shingled/stats', 'http://a.example/stats'],
    ['http://a.example/x/tools/shingled/stats', 'http://a.example/x/tools/shingled/stats'],
    ['http://a.example?/tools/shingled/stats', 'http://a.example?/tools/shingled/stats'],
    ['*', '*'],
  ])('of %s leaves %s', (target, left) => {
    expect(belowBasePath(BASE, target)).toBe(left);
    expect(belowBasePath('', target)).toBe(target);
  });

  it.each(['', '/a', '/tools/a.b-c_d~1'])('may be %j', (path) => {
    expect(readConfig({ BASE_PATH: path }).config.BASE_PATH).toBe(path);
  });

  it.each(['tools', '/', '/tools/', '//tools', '/a//b', '/a/../b', '/.', '/a b', '/a?b', '/a%2Fb'])(
    'may not be %j',
    (path) => {
      expect(() => readConfig({ BASE_PATH: path })).toThrow('BASE_PATH: ');
    },
  );

  it('is taken off whatever stands behind it', () => {
    fc.assert(fc.property(fc.string(), (rest) => belowBasePath(BASE, `${BASE}/${rest}`) === `/${rest}`));
  });
});

describe('a service below a base path', () => {
  const secret = 'a-secret-of-this-test';
  let fixture: HttpFixture;
  let port: number;
  beforeAll(async () => {
    const apiKeys = [{ name: 'me', scopes: ['read', 'admin'], secret }] as const;
    fixture = await createHttpFixture({ http: { basePath: BASE, apiKeys } });
    port = await listening(fixture.app);
  });
  afterAll(() => fixture.close());
  const get = (path: string, headers = {}) => fetch(`http://127.0.0.1:${port}${path}`, { headers, redirect: 'manual' });

  it('names its own addresses where there is nothing', async () => {
    for (const path of [`${BASE}/nothing`, '/nothing']) {
      const { detail } = (await (await get(path)).json()) as { detail: string };
      expect(detail).toContain(`described at ${BASE}/docs, and for programs at ${BASE}/openapi.json.`);
    }
  });

  it.each(['/stats', '/health/live', '/metrics', '/openapi.json', '/docs', '/docs/json', '/docs/static/index.css'])(
    'answers %s there, and past the proxy',
    async (path) => {
      const headers = { authorization: `Bearer ${secret}` };
      for (const base of [BASE, '']) expect((await get(base + path, headers)).status).toBe(200);
    },
  );

  it('asks for keys there, and knows nothing else', async () => {
    expect((await get(`${BASE}/stats`)).status).toBe(401);
    for (const path of [`${BASE}x/stats`, `${BASE}${BASE}/stats`, `${BASE}//stats`, '/tools/stats'])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
  });

  it('leads to itself with a slash, and from there to its documentation', async () => {
    const bare = await get(BASE);
    expect([bare.status, bare.headers.get('location')]).toEqual([308, `${BASE}/`]);
    const start = await get(`${BASE}/`);
    expect([start.status, start.headers.get('location')]).toEqual([302, 'docs']);
  });

  it('is named by the OpenAPI document', async () => {
    const { servers } = (await (await get('/openapi.json')).json()) as { servers: { url: string }[] };
    expect(servers.map(({ url }) => url)).toEqual([BASE]);
  });

  it('stands in no line of the log but as the route of its bare path', async () => {
    fixture.log.length = 0;
    await get(`${BASE}/stats?q=a-question`, { authorization: `Bearer ${secret}` });
    await expect.poll(() => fixture.log.join('')).toContain('"route":"/stats"');
    expect(fixture.log.join('')).not.toMatch(/a-question|tools/);
  });
});
