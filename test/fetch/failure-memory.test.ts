import { afterEach, describe, expect, it } from 'vitest';
import { codeOf, errorOf, fetcherFor } from '../support/fetch/loopback-fetcher.ts';
import { answer, routes, startOrigin } from '../support/fetch/origin-server.ts';
import { closeLater, closeSites, startSite, textOf } from '../support/fetch/site.ts';

afterEach(closeSites);

describe('a failure', () => {
  it('is answered again for a while without trying, with the seconds that are left', async () => {
    let nowMs = 0;
    const { fetcher, url, origin } = await startSite(answer({ status: 500 }), {
      failureMemoryMs: 60_000,
      now: () => nowMs,
    });
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
    const { fetcher } = await startSite(answer({}), { resolver, failureMemoryMs: 60_000 });
    for (const url of ['http://a.example/1', 'http://a.example/2', 'https://a.example/']) await codeOf(fetcher, url);
    expect(asked).toEqual(['a.example', 'a.example']);
  });

  it('of the caller or of this process is not remembered', async () => {
    const { fetcher, url, get } = await startSite(answer({ body: 'fine' }), { failureMemoryMs: 60_000 });
    await codeOf(fetcher, url('/'), { purpose: 'look-up', signal: AbortSignal.abort() });
    expect(textOf(await get('/'))).toBe('fine');
  });

  it('has one code and one message whatever was refused or broke, and its reason only for the log', async () => {
    const heard: string[] = [];
    const plain = await startOrigin(() => {}, { onConnection: (socket) => socket.end('HTTP/1.1 400 Bad\r\n\r\n') });
    const closed = await startOrigin(() => {});
    await closed.close();
    const { fetcher, url } = await startSite(routes({ '/reset': (socket) => socket.resetAndDestroy() }), {
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
    closeLater(other, plain);
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
