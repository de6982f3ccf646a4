import { setDefaultCACertificates } from 'node:tls';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, fetcherFor } from '../support/fetch/loopback-fetcher.ts';
import { answer, type Behaviour, type OriginOptions, redirect, startOrigin } from '../support/fetch/origin-server.ts';
import { closeLater, closeSites } from '../support/fetch/site.ts';
import { TEST_CERTIFICATE, TEST_KEY } from '../support/fetch/test-certificate.ts';

const tls = { key: TEST_KEY, cert: TEST_CERTIFICATE };

afterEach(closeSites);

/** A server and a fetcher for it; `refusals` are the reasons that the log would have. */
async function site(behave: Behaviour, options: OriginOptions = {}) {
  const origin = await startOrigin(behave, { tls, ...options });
  const refusals: string[] = [];
  const fetcher = fetcherFor(origin, { onRefused: (reason) => refusals.push(reason) });
  closeLater(fetcher, origin);
  return { origin, fetcher, refusals };
}

// The order matters: a certificate authority once trusted stays trusted in this process.
describe('https', () => {
  it('refuses a certificate that nobody vouches for', async () => {
    const { fetcher, origin, refusals } = await site(answer({ body: 'secret' }));
    expect(await codeOf(fetcher, `https://site.example:${origin.port}/`)).toBe('fetch-failed');
    expect(refusals).toEqual(['tls']);
    expect(origin.requests).toEqual([]);
  });

  describe('with a trusted certificate', () => {
    beforeAll(() => setDefaultCACertificates([TEST_CERTIFICATE]));

    it.each(['site.example', 'site.example.', '127.0.0.1'])('fetches from %s, which it names', async (host) => {
      const { fetcher, origin } = await site(answer({ body: 'hello' }));
      const { bytes } = await fetcher.fetch(`https://${host}:${origin.port}/`, { purpose: 'look-up' });
      expect(Buffer.from(bytes).toString()).toBe('hello');
      await origin.idle();
    });

    it.each(['other.example', 'sub.site.example', 'localhost'])('refuses %s, which it does not name', async (host) => {
      const { fetcher, origin, refusals } = await site(answer({}));
      expect(await codeOf(fetcher, `https://${host}:${origin.port}/`)).toBe('fetch-failed');
      expect(refusals).toEqual(['tls']);
      expect(origin.requests).toEqual([]);
    });

    it('does not redirect to http, though from http to https', async () => {
      const plain = await startOrigin((socket, request) =>
        redirect(`https://site.example:${secure.port}/`)(socket, request),
      );
      const secure = await startOrigin(
        (socket, request) =>
          (request.path === '/down' ? redirect(`http://site.example:${plain.port}/`) : answer({}))(socket, request),
        { tls },
      );
      const refusals: string[] = [];
      const fetcher = fetcherFor(plain, {
        portsAllowed: [plain.port, secure.port],
        onRefused: (reason) => refusals.push(reason),
      });
      closeLater(fetcher, plain, secure);
      const { finalUrl } = await fetcher.fetch(`http://site.example:${plain.port}/`, { purpose: 'look-up' });
      expect(finalUrl).toBe(`https://site.example:${secure.port}/`);
      expect(await codeOf(fetcher, `https://site.example:${secure.port}/down`)).toBe('fetch-failed');
      expect(refusals).toEqual(['redirect-downgrade']);
    });
  });

  it.each([
    ['speaks plain HTTP', ['tls'], (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['closes in the handshake', ['tls'], (socket) => socket.end()],
    ['resets in the handshake', ['connect', 'tls'], (socket) => socket.resetAndDestroy()],
    ['never answers the handshake', ['connect-timeout'], () => {}, 200],
  ] as [string, string[], NonNullable<OriginOptions['onConnection']>, number?][])(
    'fails with a server that %s, its connection closed',
    async (_name, reasons, onConnection, connectTimeoutMs = 10_000) => {
      const origin = await startOrigin(() => {}, { onConnection });
      const refusals: string[] = [];
      const fetcher = fetcherFor(origin, { connectTimeoutMs, onRefused: (why) => refusals.push(why) });
      closeLater(fetcher, origin);
      expect(await codeOf(fetcher, `https://site.example:${origin.port}/`)).toBe('fetch-failed');
      expect(reasons).toContain(refusals[0]);
      await origin.idle();
      expect(origin.open).toBe(0);
    },
  );
});
