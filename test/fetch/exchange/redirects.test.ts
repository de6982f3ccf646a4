import { afterEach, describe, expect, it } from 'vitest';
import { codeOf, errorOf } from '../../support/fetch/loopback-fetcher.ts';
import { answer, type Behaviour, head, redirect, routes } from '../../support/fetch/origin-server.ts';
import { closeSites, startSite, textOf } from '../../support/fetch/site.ts';

afterEach(closeSites);

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])(
    'of status %i is followed, relative to where it stands, without its fragment',
    async (status) => {
      const { get, url } = await startSite(
        routes({ '/a/b': redirect('../c?d=e#f', status), '/c': answer({ body: 'here' }) }),
      );
      const document = await get('/a/b');
      expect([document.finalUrl, textOf(document)]).toEqual([url('/c?d=e'), 'here']);
    },
  );

  it('to another host needs a turn there, and one on the same host does not', async () => {
    const { get, fetcher, url, origin } = await startSite(
      (socket, request) => {
        const other = `http://other.example:${origin.port}${request.path}`;
        const isOther = request.headers.get('host')!.startsWith('other');
        if (isOther) return answer({ body: 'other' })(socket, request);
        redirect(request.path === '/' ? '/next' : other)(socket, request);
      },
      { perHostIntervalMs: 60_000 },
    );
    expect((await get('/')).finalUrl).toBe(`http://other.example:${origin.port}/next`);
    expect(origin.paths).toEqual(['/', '/next', '/next']);
    expect(await codeOf(fetcher, `http://other.example:${origin.port}/`)).toBe('overloaded');
    expect(await codeOf(fetcher, url('/'))).toBe('overloaded');
  });

  it('is followed as often as allowed and not once more', async () => {
    const next = (socket: Parameters<Behaviour>[0], request: Parameters<Behaviour>[1]) => {
      const left = Number(request.path.slice(1));
      (left === 0 ? answer({ body: 'end' }) : redirect(`/${left - 1}`))(socket, request);
    };
    const { get, fetcher, url } = await startSite(next, { redirectsMax: 3 });
    expect(textOf(await get('/3'))).toBe('end');
    const error = await errorOf(fetcher, url('/4'));
    expect(error).toMatchObject({ code: 'fetch-status', limit: { name: 'redirectsMax', value: 3 } });
  });

  it('to a URL beyond ASCII is read as UTF-8', async () => {
    const location = Buffer.from('/möwe').toString('latin1');
    const { get, url } = await startSite((socket, request) => {
      if (request.path !== '/') return answer({ body: 'gull' })(socket, request);
      socket.end(Buffer.from(head(301, { location, 'content-length': '0' }), 'latin1'));
    });
    expect((await get('/')).finalUrl).toBe(url('/m%C3%B6we'));
  });

  it('without a Location is a status like others', async () => {
    const { fetcher, url } = await startSite(answer({ status: 302 }));
    expect(await codeOf(fetcher, url('/'))).toBe('fetch-status');
  });
});
