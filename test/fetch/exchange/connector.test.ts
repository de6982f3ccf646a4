import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAddressPolicy } from '../../../src/fetch/exchange/address-policy.ts';
import { createConnector } from '../../../src/fetch/exchange/connector.ts';
import { targetOf } from '../../../src/fetch/exchange/target.ts';
import type { FetcherOptions } from '../../../src/fetch/guarded-fetcher.ts';
import { codeOf, everyNameIs, fetcherFor, resolverOf } from '../../support/fetch/loopback-fetcher.ts';
import { answer, type OriginServer, redirect, startOrigin } from '../../support/fetch/origin-server.ts';

let canary: OriginServer;

beforeAll(async () => {
  canary = await startOrigin(answer({ body: 'SECRET' }));
});
afterAll(() => canary.close());

/** The end of fetching a URL from a fetcher that allows the canary's port, and whether the canary was touched. */
async function attempt(url: string, options: FetcherOptions = {}) {
  const before = canary.connections;
  const fetcher = fetcherFor(canary, { privateAllowed: [], connectTimeoutMs: 2000, ...options });
  const code = await codeOf(fetcher, url);
  await fetcher.close();
  return { code, touched: canary.connections > before };
}

const LOOPBACK_HOSTS = [
  ...[
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '0x7f.1',
    '0x7f000001',
    '2130706433',
    '017700000001',
    '0177.0.0.1',
    '0x7F.0.0.0x1',
  ],
  ...['１２７.０.０.１', '①②⑦.⓪.⓪.①', '127。0。0。1', '127．0．0．1', '%31%32%37.0.0.1', '127.0.0.1.', '12\t7.0.\n0.1'],
  ...[
    '127.0.\u00ad0.1',
    '127.0.\u200b0.1',
    '0',
    '0.0.0.0',
    '0x0',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.b.localhost',
  ],
  ...[
    'loc\u200balhost',
    'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
    '[::1]',
    '[::]',
    '[0:0::0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
  ],
  ...['[::ffff:0:127.0.0.1]', '[64:ff9b::127.0.0.1]', '[64:ff9b:1::7f00:1]', '[2002:7f00:1::]', '[2001:0:7f00:1::]'],
  ...['[2001:0:808:808::80ff:fffe]', '[fe80::5efe:127.0.0.1]'],
];

describe('the connector', () => {
  it.each(LOOPBACK_HOSTS)('does not connect to http://%s', async (host) => {
    expect(await attempt(`http://${host}:${canary.port}/`)).toEqual({ code: 'fetch-failed', touched: false });
  });

  it.each(['[::1%25lo]', '127.0.0.1%00.example', '256.0.0.1', '127.0.0.1.0x', 'user@127.0.0.1', 'a:b@127.0.0.1'])(
    'is not even asked for http://%s',
    async (host) => {
      expect(await attempt(`http://${host}:${canary.port}/`)).toEqual({ code: 'invalid-url', touched: false });
    },
  );

  it.each(['http:127.0.0.1', 'http:\\\\127.0.0.1', 'ht\ttp://127.0.0.1', '  HTTP:/127.0.0.1'])(
    'does not connect to %j, which is the same',
    async (start) => {
      expect(await attempt(`${start}:${canary.port}/`)).toEqual({ code: 'fetch-failed', touched: false });
    },
  );

  it('is not asked for ports that are not allowed', async () => {
    const options = { privateAllowed: ['127.0.0.0/8'], portsAllowed: [80, 443] };
    expect(await attempt(`http://127.0.0.1:${canary.port}/`, options)).toEqual({
      code: 'not-fetchable',
      touched: false,
    });
  });

  it.each([
    [['127.0.0.1']],
    [['::1']],
    [['::ffff:127.0.0.1']],
    [['127.0.0.1', '8.8.8.8']],
    [['8.8.8.8', '127.0.0.1']],
    [['2606:4700:4700::1111', '1.1.1.1', 'fe80::1']],
    [['127.1']],
    [['localhost']],
    [['']],
    [[]],
  ])('refuses a name that is %j, whole', async (addresses) => {
    const options = { resolver: everyNameIs(...addresses) };
    expect(await attempt(`http://name.example:${canary.port}/`, options)).toEqual({
      code: 'fetch-failed',
      touched: false,
    });
  });

  it('dials what it checked: a name that changes between the two is asked for once', async () => {
    const answers = [['127.0.0.1'], ['10.0.0.1']];
    const resolver = { resolve: () => Promise.resolve(answers.shift() ?? []) };
    const options = { privateAllowed: ['127.0.0.1/32'], resolver };
    expect(await attempt(`http://name.example:${canary.port}/`, options)).toEqual({ code: 'none', touched: true });
    expect(answers).toEqual([['10.0.0.1']]);
  });

  it('checks again at every redirect, to the same name too', async () => {
    const again = await startOrigin(redirect('/again'));
    const answers = [['127.0.0.1'], ['10.0.0.1']];
    const asked: string[] = [];
    const resolver = {
      resolve: (hostname: string) => {
        asked.push(hostname);
        return Promise.resolve(answers.shift() ?? []);
      },
    };
    const fetcher = fetcherFor(again, { privateAllowed: ['127.0.0.1/32'], resolver });
    expect(await codeOf(fetcher, `http://name.example:${again.port}/`)).toBe('fetch-failed');
    expect([again.connections, asked.length]).toEqual([1, 2]);
    await Promise.all([fetcher.close(), again.close()]);
  });

  it('looks at who answered: a peer that is not permitted gets nothing', async () => {
    const before = canary.requests.length;
    const permitted: string[] = [];
    const policy = { permits: (address: string) => permitted.push(address) === 1 };
    const resolver = everyNameIs('127.0.0.1');
    const connect = createConnector({
      policy,
      resolver,
      ownAddresses: () => [],
      ownPorts: () => [],
      connectTimeoutMs: 2000,
    });
    const target = targetOf(`http://name.example:${canary.port}/`, { portsAllowed: [canary.port], urlBytesMax: 100 });
    await expect(connect(target, new AbortController().signal)).rejects.toMatchObject({ code: 'fetch-failed' });
    expect(permitted).toEqual(['127.0.0.1', '127.0.0.1']);
    await canary.idle();
    expect(canary.requests.length).toBe(before);
  });

  it("refuses the machine's own addresses, asked for anew each time", async () => {
    const own: string[] = [];
    const publicButOwn = createConnector({
      policy: createAddressPolicy({ privateAllowed: [], denied: [] }),
      resolver: everyNameIs('198.41.0.4'),
      ownAddresses: () => own,
      ownPorts: () => [],
      connectTimeoutMs: 50,
    });
    own.push('198.41.0.4');
    const target = targetOf('http://name.example/', { portsAllowed: [80], urlBytesMax: 100 });
    await expect(publicButOwn(target, new AbortController().signal)).rejects.toMatchObject({
      cause: { reason: 'address' },
    });
  });

  it('knows localhost by itself, and asks for names without a dot only where private networks are allowed', async () => {
    const asked: string[] = [];
    const table = resolverOf({ wiki: ['127.0.0.1'], localhost: ['8.8.8.8'] });
    const resolver = {
      resolve: (hostname: string) => {
        asked.push(hostname);
        return table.resolve(hostname);
      },
    };
    const allowed = { resolver, privateAllowed: ['127.0.0.0/8'] };
    expect(await attempt(`http://localhost:${canary.port}/`, allowed)).toEqual({ code: 'none', touched: true });
    expect(await attempt(`http://wiki:${canary.port}/`, { resolver })).toEqual({
      code: 'fetch-failed',
      touched: false,
    });
    expect(asked).toEqual([]);
    expect(await attempt(`http://wiki:${canary.port}/`, allowed)).toEqual({ code: 'none', touched: true });
    expect(asked).toEqual(['wiki']);
  });

  it('tries a second address where the first does not answer', async () => {
    const options = { privateAllowed: ['127.0.0.0/8', '::1/128'], resolver: everyNameIs('::1', '127.0.0.1') };
    expect(await attempt(`http://name.example:${canary.port}/`, options)).toEqual({ code: 'none', touched: true });
  });

  it('waits for a name server and for a connection no longer than its timeout', async () => {
    const resolver = { resolve: () => new Promise<never>(() => {}) };
    const options = { resolver, connectTimeoutMs: 30 };
    expect(await attempt('http://name.example/', options)).toEqual({ code: 'fetch-failed', touched: false });
    const noTime = { resolver, fetchTimeoutMs: 30 };
    expect(await attempt('http://name.example/', noTime)).toEqual({ code: 'fetch-failed', touched: false });
  });
});
