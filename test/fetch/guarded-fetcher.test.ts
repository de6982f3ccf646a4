import { getEventListeners } from 'node:events';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { codeOf, errorOf } from '../support/fetch/loopback-fetcher.ts';
import { answer, head, routes } from '../support/fetch/origin-server.ts';
import { closeSites, startSite, textOf } from '../support/fetch/site.ts';

afterEach(closeSites);

const PAGE = '<p>Möwe</p>'.repeat(100);

describe('a fetch', () => {
  it('gives the bytes, the status and the Content-Type as sent', async () => {
    const bytes = Uint8Array.of(0x4d, 0xf6, 0x77, 0x65);
    const { get, url } = await startSite(
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
    const { get } = await startSite(answer({ body: 'short' }));
    const { bytes } = await get('/');
    expect(bytes.byteOffset).toBe(0);
    expect(bytes.buffer.byteLength).toBe(5);
  });

  it('has null for a Content-Type that was not sent', async () => {
    const { get } = await startSite((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\na'));
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
    const { get } = await startSite(answer({ headers: { 'content-encoding': coding }, body }));
    expect(textOf(await get('/'))).toBe(PAGE);
  });

  it('reads chunks, trailers and bodies that the end of the connection ends', async () => {
    const { get } = await startSite(
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
    const { get, origin } = await startSite(answer({ headers: { 'set-cookie': 'a=b' } }), {
      userAgent: 'shingled/9 (+https://a.example)',
    });
    await get('/');
    await get('/');
    expect(Object.fromEntries(origin.requests[1]!.headers)).toEqual({
      host: `site.example:${origin.port}`,
      connection: 'close',
      accept: 'text/html,application/xhtml+xml,text/plain;q=0.9,application/pdf;q=0.8,*/*;q=0.1',
      'accept-encoding': 'gzip, br',
      'user-agent': 'shingled/9 (+https://a.example)',
    });
    expect(origin.connections).toBe(2);
  });

  it.each([404, 410])('gives status %i without its body', async (status) => {
    const { get, origin } = await startSite(answer({ status, body: 'nothing here' }));
    const { httpStatus, bytes } = await get('/');
    expect([httpStatus, bytes.length]).toEqual([status, 0]);
    await origin.idle();
  });

  it('names the status of a server that gives no document', async () => {
    const { fetcher, url } = await startSite(answer({ status: 503 }));
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
    const { fetcher, url } = await startSite(behave, limits);
    const error = await errorOf(fetcher, url('/'));
    expect(error).toMatchObject({ code: 'fetch-too-large', limit: { name, value: Object.values(limits)[0] } });
  });

  it('takes a document of exactly the size allowed, and one that is short but compresses well', async () => {
    const limits = { bytesMax: 6000, ratioMax: 2, ratioFreeBytes: 6000 };
    const { get } = await startSite(
      answer({ headers: { 'content-encoding': 'br' }, body: brotliCompressSync('a'.repeat(6000)) }),
      limits,
    );
    expect((await get('/')).bytes.length).toBe(6000);
  });

  it('ends when its caller gives up, for the reason that the caller gives', async () => {
    const controller = new AbortController();
    const { fetcher, url, origin } = await startSite(() => controller.abort());
    const code = codeOf(fetcher, url('/'), { purpose: 'look-up', signal: controller.signal });
    expect(await code).toBe('deadline-exceeded');
    expect(await codeOf(fetcher, url('/'), { purpose: 'look-up', signal: AbortSignal.abort() })).toBe(
      'deadline-exceeded',
    );
    await origin.idle();
    expect(origin.connections).toBe(1);
  });

  it('leaves nothing on its caller, whose signal may live long', async () => {
    const { fetcher, url } = await startSite(answer({ body: 'fine' }));
    const { signal } = new AbortController();
    for (const path of ['/a', '/b']) await fetcher.fetch(url(path), { purpose: 'look-up', signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('ends when the fetcher closes, and none begins after', async () => {
    const asked = Promise.withResolvers<void>();
    const { fetcher, url, origin } = await startSite(() => asked.resolve());
    const code = codeOf(fetcher, url('/'));
    await asked.promise;
    await fetcher.close();
    expect(await code).toBe('draining');
    expect(await codeOf(fetcher, url('/'))).toBe('draining');
    await origin.idle();
  });

  it('asks nothing of a server that is over its turns, and says when to come back', async () => {
    const { fetcher, url, origin } = await startSite(answer({}), { perHostIntervalMs: 60_000 });
    expect(await codeOf(fetcher, url('/1'))).toBe('none');
    expect(await errorOf(fetcher, url('/2'))).toMatchObject({ code: 'overloaded', retryAfterS: 60 });
    expect(origin.paths).toEqual(['/1']);
  });
});
