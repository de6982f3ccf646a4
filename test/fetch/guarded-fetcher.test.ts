import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { FetcherOptions } from '../../src/fetch/guarded-fetcher.ts';
import type { FetchedDocument, Fetcher } from '../../src/fetch/port.ts';
import { codeOf, errorOf, fetcherFor } from '../support/loopback-fetcher.ts';
import {
  answer,
  type Behaviour,
  head,
  type OriginServer,
  redirect,
  routes,
  startOrigin,
} from '../support/origin-server.ts';

const opened: { close(): Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
});

interface Site {
  readonly origin: OriginServer;
  readonly fetcher: Fetcher;
  url(path: string): string;
  get(path: string): Promise<FetchedDocument>;
}

async function site(behave: Behaviour, options: FetcherOptions = {}): Promise<Site> {
  const origin = await startOrigin(behave);
  const fetcher = fetcherFor(origin, options);
  opened.push(fetcher, origin);
  const url = (path: string) => `http://site.example:${origin.port}${path}`;
  return { origin, fetcher, url, get: (path) => fetcher.fetch(url(path), { purpose: 'look-up' }) };
}

const PAGE = '<p>Möwe</p>'.repeat(100);
const textOf = ({ bytes }: FetchedDocument) => Buffer.from(bytes).toString();

describe('a fetch', () => {
  it('gives the bytes, the status and the Content-Type as sent', async () => {
    const bytes = Uint8Array.of(0x4d, 0xf6, 0x77, 0x65);
    const { get, url } = await site(
      answer({ status: 203, headers: { 'content-type': 'text/html; charset=ISO-8859-1' }, body: bytes }),
    );
    expect(await get('/page?q=1')).toEqual({
      finalUrl: url('/page?q=1'),
      httpStatus: 203,
      contentType: 'text/html; charset=ISO-8859-1',
      bytes,
    });
  });

  it('gives bytes in a buffer of their own, which may be handed to another thread', async () => {
    const { get } = await site(answer({ body: 'short' }));
    const { bytes } = await get('/');
    expect(bytes.byteOffset).toBe(0);
    expect(bytes.buffer.byteLength).toBe(5);
  });

  it('has null for a Content-Type that was not sent', async () => {
    const { get } = await site((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\na'));
    expect((await get('/')).contentType).toBeNull();
  });

  it.each([
    ['gzip', gzipSync(PAGE)],
    ['X-GZIP', gzipSync(PAGE)],
    ['gzip', Buffer.concat([gzipSync(PAGE.slice(0, 50)), gzipSync(PAGE.slice(50))])],
    ['br', brotliCompressSync(PAGE)],
    ['identity', Buffer.from(PAGE)],
    ['', Buffer.from(PAGE)],
  ])('decodes %j', async (coding, body) => {
    const { get } = await site(answer({ headers: { 'content-encoding': coding }, body }));
    expect(textOf(await get('/'))).toBe(PAGE);
  });

  it('reads chunks, trailers and bodies that the end of the connection ends', async () => {
    const { get } = await site(
      routes({
        '/chunks': (socket) =>
          socket.end(`${head(200, { 'transfer-encoding': 'chunked' })}3;a=b\r\none\r\n3\r\ntwo\r\n0\r\nx-a: 1\r\n\r\n`),
        '/close': (socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nall of it'),
        '/hints': (socket) => {
          socket.write(head(103, { link: '</a>' }));
          socket.end(`${head(200, { 'content-length': '6' })}hinted`);
        },
      }),
    );
    expect(textOf(await get('/chunks'))).toBe('onetwo');
    expect(textOf(await get('/close'))).toBe('all of it');
    expect(textOf(await get('/hints'))).toBe('hinted');
  });

  it('says who asks and what is understood, and sends nothing else', async () => {
    const { get, origin } = await site(answer({ headers: { 'set-cookie': 'a=b' } }), {
      userAgent: 'shingled/9 (+https://a.example)',
    });
    await get('/');
    await get('/');
    expect(Object.fromEntries(origin.requests[1]!.headers)).toEqual({
      host: `site.example:${origin.port}`,
      connection: 'close',
      accept: 'text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.1',
      'accept-encoding': 'gzip, br',
      'user-agent': 'shingled/9 (+https://a.example)',
    });
    expect(origin.connections).toBe(2);
  });

  it.each([404, 410])('gives status %i without its body', async (status) => {
    const { get, origin } = await site(answer({ status, body: 'nothing here' }));
    const { httpStatus, bytes } = await get('/');
    expect([httpStatus, bytes.length]).toEqual([status, 0]);
    await origin.idle();
  });

  it('names the status of a server that gives no document', async () => {
    const { fetcher, url } = await site(answer({ status: 503 }));
    const error = await errorOf(fetcher, url('/'));
    expect(error).toMatchObject({ code: 'fetch-status', message: 'The server answered with status 503.' });
  });

  it.each([
    ['bytesMax', { bytesMax: 1000 }, answer({ body: 'a'.repeat(1001) })],
    [
      'bytesMax',
      { bytesMax: 1000 },
      answer({ headers: { 'content-encoding': 'gzip' }, body: gzipSync('a'.repeat(1001)) }),
    ],
    [
      'ratioMax',
      { ratioMax: 20, ratioFreeBytes: 5000 },
      answer({ headers: { 'content-encoding': 'br' }, body: brotliCompressSync('a'.repeat(100_000)) }),
    ],
  ] as const)('names the limit %s that a document is over', async (name, limits, behave) => {
    const { fetcher, url } = await site(behave, limits);
    const error = await errorOf(fetcher, url('/'));
    expect(error).toMatchObject({ code: 'fetch-too-large', limit: { name, value: Object.values(limits)[0] } });
  });

  it('takes a document of exactly the size allowed, and one that is short but compresses well', async () => {
    const limits = { bytesMax: 6000, ratioMax: 2, ratioFreeBytes: 6000 };
    const { get } = await site(
      answer({ headers: { 'content-encoding': 'br' }, body: brotliCompressSync('a'.repeat(6000)) }),
      limits,
    );
    expect((await get('/')).bytes.length).toBe(6000);
  });

  it('ends when its caller gives up, for the reason that the caller gives', async () => {
    const { fetcher, url, origin } = await site(() => {});
    const controller = new AbortController();
    const code = codeOf(fetcher, url('/'), { purpose: 'look-up', signal: controller.signal });
    setTimeout(() => controller.abort(), 20);
    expect(await code).toBe('deadline-exceeded');
    expect(await codeOf(fetcher, url('/'), { purpose: 'look-up', signal: AbortSignal.abort() })).toBe(
      'deadline-exceeded',
    );
    await origin.idle();
    expect(origin.connections).toBe(1);
  });

  it('ends when the fetcher closes, and none begins after', async () => {
    const { fetcher, url, origin } = await site(() => {});
    const code = codeOf(fetcher, url('/'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    await fetcher.close();
    expect(await code).toBe('draining');
    expect(await codeOf(fetcher, url('/'))).toBe('draining');
    await origin.idle();
  });

  it('asks nothing of a server that is over its turns, and says when to come back', async () => {
    const { fetcher, url, origin } = await site(answer({}), { perHostIntervalMs: 60_000 });
    expect(await codeOf(fetcher, url('/1'))).toBe('none');
    expect(await errorOf(fetcher, url('/2'))).toMatchObject({ code: 'overloaded', retryAfterS: 60 });
    expect(origin.paths).toEqual(['/1']);
  });
});

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])(
    'of status %i is followed, relative to where it stands, without its fragment',
    async (status) => {
      const { get, url } = await site(
        routes({ '/a/b': redirect('../c?d=e#f', status), '/c': answer({ body: 'here' }) }),
      );
      const document = await get('/a/b');
      expect([document.finalUrl, textOf(document)]).toEqual([url('/c?d=e'), 'here']);
    },
  );

  it('to another host is a visit of its own', async () => {
    const { get, origin } = await site((socket, request) => {
      const { port } = origin;
      if (request.headers.get('host')!.startsWith('other')) return answer({ body: 'other' })(socket, request);
      redirect(`http://other.example:${port}/`)(socket, request);
    });
    expect((await get('/')).finalUrl).toBe(`http://other.example:${origin.port}/`);
    expect(origin.connections).toBe(2);
  });

  it('is followed as often as allowed and not once more', async () => {
    const next = (socket: Parameters<Behaviour>[0], request: Parameters<Behaviour>[1]) => {
      const left = Number(request.path.slice(1));
      (left === 0 ? answer({ body: 'end' }) : redirect(`/${left - 1}`))(socket, request);
    };
    const { get, fetcher, url } = await site(next, { redirectsMax: 3 });
    expect(textOf(await get('/3'))).toBe('end');
    const error = await errorOf(fetcher, url('/4'));
    expect(error).toMatchObject({ code: 'fetch-status', limit: { name: 'redirectsMax', value: 3 } });
  });

  it('to a URL beyond ASCII is read as UTF-8', async () => {
    const location = Buffer.from('/möwe').toString('latin1');
    const { get, url } = await site((socket, request) => {
      if (request.path !== '/') return answer({ body: 'gull' })(socket, request);
      socket.end(Buffer.from(head(301, { location, 'content-length': '0' }), 'latin1'));
    });
    expect((await get('/')).finalUrl).toBe(url('/m%C3%B6we'));
  });

  it('without a Location is a status like others', async () => {
    const { fetcher, url } = await site(answer({ status: 302 }));
    expect(await codeOf(fetcher, url('/'))).toBe('fetch-status');
  });
});

describe('a failure', () => {
  it('is answered again for a while without trying, with the seconds that are left', async () => {
    let nowMs = 0;
    const { fetcher, url, origin } = await site(answer({ status: 500 }), { failureMemoryMs: 60_000, now: () => nowMs });
    expect(await errorOf(fetcher, url('/a'))).toMatchObject({ code: 'fetch-status', retryAfterS: undefined });
    nowMs = 50_500;
    expect(await errorOf(fetcher, url('/a'))).toMatchObject({ code: 'fetch-status', retryAfterS: 10 });
    expect(await codeOf(fetcher, url('/b'))).toBe('fetch-status');
    nowMs = 60_000;
    await errorOf(fetcher, url('/a'));
    expect(origin.paths).toEqual(['/a', '/b', '/a']);
  });

  it('to connect stands for every URL of the origin', async () => {
    const asked: string[] = [];
    const resolver = {
      resolve: (hostname: string) => {
        asked.push(hostname);
        return Promise.resolve([]);
      },
    };
    const { fetcher } = await site(answer({}), { resolver, failureMemoryMs: 60_000 });
    for (const url of ['http://a.example/1', 'http://a.example/2', 'https://a.example/']) await codeOf(fetcher, url);
    expect(asked).toEqual(['a.example', 'a.example']);
  });

  it('of the caller or of this process is not remembered', async () => {
    const { fetcher, url, get } = await site(answer({ body: 'fine' }), { failureMemoryMs: 60_000 });
    await codeOf(fetcher, url('/'), { purpose: 'look-up', signal: AbortSignal.abort() });
    expect(textOf(await get('/'))).toBe('fine');
  });

  it('has one code and one message whatever was refused or broke, and its reason only for the log', async () => {
    const heard: string[] = [];
    const plain = await startOrigin(() => {}, { onConnection: (socket) => socket.end('HTTP/1.1 400 Bad\r\n\r\n') });
    const closed = await startOrigin(() => {});
    await closed.close();
    const { fetcher, url } = await site(routes({ '/reset': (socket) => socket.resetAndDestroy() }), {
      resolver: {
        resolve: (name) =>
          name === 'none.example' ? Promise.reject(new Error('ENOTFOUND')) : Promise.resolve(['127.0.0.1']),
      },
      onRefused: (reason, hostname) => heard.push(`${reason} ${hostname}`),
    });
    const other = fetcherFor(closed, {
      portsAllowed: [plain.port, closed.port],
      onRefused: (reason, hostname) => heard.push(`${reason} ${hostname}`),
    });
    opened.push(other, plain);
    const errors = [
      await errorOf(fetcher, 'http://10.0.0.1/'),
      await errorOf(fetcher, 'http://none.example/'),
      await errorOf(other, `https://127.0.0.1:${plain.port}/`),
      await errorOf(fetcher, url('/reset')),
      await errorOf(other, `http://127.0.0.1:${closed.port}/`),
    ];
    expect(new Set(errors.map((error) => `${error?.code} ${error?.message}`)).size).toBe(1);
    expect(errors[0]).toMatchObject({ code: 'fetch-failed', field: undefined, limit: undefined });
    const reasons = [
      'address 10.0.0.1',
      'dns none.example',
      'tls 127.0.0.1',
      'truncated site.example',
      'connect 127.0.0.1',
    ];
    expect(heard).toEqual(reasons);
  });
});
