import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { FetcherOptions } from '../../../src/fetch/guarded-fetcher.ts';
import { codeOf, errorOf, fetcherFor } from '../../support/fetch/loopback-fetcher.ts';
import {
  answer,
  type Behaviour,
  head,
  redirect,
  repeat,
  routes,
  startOrigin,
} from '../../support/fetch/origin-server.ts';
import { closeLater, closeSites, startSite } from '../../support/fetch/site.ts';

afterEach(closeSites);

/** A site with the given robots.txt; `crawl` fetches a path of it and tells how that ended. */
async function site(robots: Behaviour, options: FetcherOptions = {}, table: Readonly<Record<string, Behaviour>> = {}) {
  const page = answer({ body: 'page' });
  const known = routes({ ...table, '/robots.txt': robots, '/a': page, '/b': page });
  const { origin, fetcher, url } = await startSite(known, options);
  return { origin, fetcher, url, crawl: (path: string) => codeOf(fetcher, url(path), { purpose: 'crawl' }) };
}

const text = (...lines: readonly string[]) =>
  answer({ headers: { 'content-type': 'text/plain' }, body: lines.join('\n') });
const NO_A = text('User-agent: *', 'Disallow: /a');

describe('a crawl', () => {
  it('keeps to robots.txt, which a look-up does not ask for', async () => {
    const { crawl, origin, fetcher, url } = await site(NO_A);
    expect([await crawl('/a'), await crawl('/b')]).toEqual(['robots-disallowed', 'none']);
    expect(await codeOf(fetcher, url('/a'))).toBe('none');
    expect(origin.paths).toEqual(['/robots.txt', '/b', '/a']);
  });

  it('looks for the name before the slash of its User-Agent', async () => {
    const robots = text('User-agent: crawler', 'Disallow: /a', 'User-agent: *', 'Disallow: /b');
    const { crawl } = await site(robots, { userAgent: 'Crawler/1.0 (+https://c.example)' });
    expect([await crawl('/a'), await crawl('/b')]).toEqual(['robots-disallowed', 'none']);
  });

  it('asks again after a day', async () => {
    let nowMs = 0;
    const { crawl, origin } = await site(NO_A, { now: () => nowMs, perHostIntervalMs: 0 });
    await crawl('/a');
    nowMs = 86_399_999;
    await crawl('/a');
    nowMs++;
    await crawl('/a');
    expect(origin.paths).toEqual(['/robots.txt', '/robots.txt']);
  });

  it('keeps to the robots.txt of each origin that a redirect leads through', async () => {
    const { crawl, origin } = await site(
      text('User-agent: *', 'Disallow: /hidden'),
      {},
      { '/go': redirect('/hidden') },
    );
    expect(await crawl('/go')).toBe('robots-disallowed');
    expect(origin.paths).toEqual(['/robots.txt', '/go']);
  });

  it.each([400, 401, 403, 404, 410, 451])('takes everything where robots.txt is answered with %i', async (status) => {
    const { crawl } = await site(answer({ status }));
    expect(await crawl('/a')).toBe('none');
  });

  it.each([429, 500, 503, 204, 304])('reads status %i as RFC 9309 does', async (status) => {
    const { crawl, origin } = await site(answer({ status }));
    const expected = status === 204 ? 'none' : 'robots-disallowed';
    expect([await crawl('/a'), await crawl('/b')]).toEqual([expected, expected]);
    expect(origin.paths.filter((path) => path === '/robots.txt').length).toBe(1);
  });

  it('forgets sooner that a robots.txt could not be read', async () => {
    let nowMs = 0;
    const { crawl, origin, fetcher, url } = await site(answer({ status: 500 }), { now: () => nowMs });
    expect(await crawl('/a')).toBe('robots-disallowed');
    nowMs = 600_000;
    const error = await errorOf(fetcher, url('/a'), { purpose: 'crawl' });
    expect(error?.message).toContain('cannot be read');
    expect(origin.paths).toEqual(['/robots.txt', '/robots.txt']);
  });

  it.each([
    ['is cut off', (socket) => socket.end(`${head(200, { 'content-length': '100' })}User-agent: *`)],
    ['is not HTTP', (socket) => socket.end('hello')],
    ['redirects in a circle', redirect('/robots.txt')],
    ['redirects to a private host', redirect('http://10.0.0.1/robots.txt')],
    ['is not in the coding that it names', answer({ headers: { 'content-encoding': 'zstd' }, body: 'x' })],
    ['is in an unknown coding', answer({ headers: { 'content-encoding': 'x' }, body: 'a\0b' })],
  ] as [string, Behaviour][])('takes nothing where robots.txt %s', async (_name, robots) => {
    const { crawl } = await site(robots);
    expect(await crawl('/a')).toBe('robots-disallowed');
  });

  it('follows the redirects of a robots.txt, whose rules stay those of the first origin', async () => {
    const { crawl } = await site(redirect('/elsewhere'), {}, { '/elsewhere': NO_A });
    expect([await crawl('/a'), await crawl('/b')]).toEqual(['robots-disallowed', 'none']);
  });

  it('reads a robots.txt in gzip, and of an endless one as much as is allowed', async () => {
    const zipped = await site(
      answer({ headers: { 'content-encoding': 'gzip' }, body: gzipSync('User-agent: *\nDisallow: /a') }),
    );
    expect([await zipped.crawl('/a'), await zipped.crawl('/b')]).toEqual(['robots-disallowed', 'none']);
    const endless = await site((socket) => {
      socket.write(`${head(200, {})}User-agent: *\nDisallow: /a\n`);
      repeat(socket, 'Disallow: /c\n'.repeat(1000));
    });
    expect([await endless.crawl('/a'), await endless.crawl('/b')]).toEqual(['robots-disallowed', 'none']);
    await endless.origin.idle();
  });

  it('is over at its deadline where robots.txt never ends, and does not ask again soon', async () => {
    const { crawl, origin } = await site(
      (socket) => {
        socket.write(head(200, {}));
        repeat(socket, '# ', 10);
      },
      { fetchTimeoutMs: 300 },
    );
    expect(await crawl('/a')).toBe('fetch-timeout');
    expect(await crawl('/b')).toBe('robots-disallowed');
    expect(origin.paths).toEqual(['/robots.txt']);
  });

  it('fails with a host that cannot be connected to, instead of blaming its robots.txt', async () => {
    const closed = await startOrigin(() => {});
    await closed.close();
    const fetcher = fetcherFor(closed);
    closeLater(fetcher);
    expect(await codeOf(fetcher, `http://site.example:${closed.port}/`, { purpose: 'crawl' })).toBe('fetch-failed');
  });

  it('waits for a turn at each host that a robots.txt redirects to, and blames nobody for its own limits', async () => {
    const hosts: string[] = [];
    const behave: Behaviour = (socket, { headers, path }) => {
      const host = headers.get('host')!.split(':')[0]!;
      hosts.push(host);
      if (path !== '/robots.txt') return answer({ body: 'page' })(socket, { headers, path });
      const victim = `http://victim.example:${socket.localPort}/robots.txt`;
      return redirect(host === 'victim.example' ? '/rules' : victim)(socket, { headers, path });
    };
    const { fetcher, url } = await startSite(behave, { perHostIntervalMs: 60_000 });
    const crawl = (n: number) => codeOf(fetcher, url('/').replace('site', `from${n}`), { purpose: 'crawl' });
    // each has to go back to where it came from, and has been there already
    for (let n = 0; n < 10; n++) expect(await crawl(n % 5)).toBe('overloaded');
    expect(hosts.filter((host) => host === 'victim.example').length).toBe(2);
  });

  it('is not told sooner or later that a robots.txt leads to where nobody may look', async () => {
    const { fetcher, url } = await site(redirect('http://10.0.0.1/robots.txt'), { failureStepMs: 150 });
    for (const path of ['/a', '/b']) {
      const startedMs = performance.now();
      expect(await codeOf(fetcher, url(path), { purpose: 'crawl' })).toBe('robots-disallowed');
      // a timer may fire a little early
      expect(performance.now() - startedMs).toBeGreaterThan(145);
    }
  });

  it('leaves a host its Crawl-delay, up to a limit', async () => {
    const robots = text('User-agent: *', 'Crawl-delay: 3600');
    const { crawl, fetcher, url } = await site(robots, { crawlDelayMaxMs: 20_000 });
    expect(await crawl('/a')).toBe('none');
    expect(await errorOf(fetcher, url('/b'), { purpose: 'crawl' })).toMatchObject({
      code: 'overloaded',
      retryAfterS: 20,
    });
  });

  it('spends no turn on what is known to be forbidden', async () => {
    const { crawl } = await site(NO_A, { perHostIntervalMs: 60_000 });
    expect(await crawl('/b')).toBe('none');
    expect([await crawl('/a'), await crawl('/b')]).toEqual(['robots-disallowed', 'overloaded']);
  });
});
