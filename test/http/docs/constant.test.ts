import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpFixture, type HttpFixture } from '../../support/http/http-fixture.ts';
import { connectRaw, listening, statuses } from '../../support/http/raw-client.ts';

let fixture: HttpFixture;
let port: number;
beforeAll(async () => {
  fixture = await createHttpFixture();
  port = await listening(fixture.app);
});
afterAll(() => fixture.close());

const CONSTANTS = ['/openapi.json', '/docs', '/docs/', '/docs/json', '/docs/static/swagger-ui-bundle.js'];

describe('an answer that is the same for everybody', () => {
  it.each(CONSTANTS)('%s is told apart by its tag', async (url) => {
    const { statusCode, headers, rawPayload } = await fixture.app.inject(url);
    expect(statusCode).toBe(200);
    expect(Number(headers['content-length'])).toBe(rawPayload.length);
    expect(headers['cache-control']).toBe('no-cache');
    const etag = String(headers['etag']);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      for (const method of ['GET', 'HEAD'] as const) {
        const again = await fixture.app.inject({ method, url, headers: { 'if-none-match': known } });
        expect([again.statusCode, again.body, again.headers['etag']]).toEqual([304, '', etag]);
        expect(again.headers['content-length']).toBeUndefined();
      }
    }
    const other = await fixture.app.inject({ url, headers: { 'if-none-match': '"other"' } });
    expect(other.rawPayload.equals(rawPayload)).toBe(true);
  });

  it.each(CONSTANTS)('%s has the same head without its body', async (url) => {
    const get = await fixture.app.inject(url);
    const head = await fixture.app.inject({ method: 'HEAD', url });
    expect([head.statusCode, head.body]).toEqual([200, '']);
    for (const name of ['content-type', 'content-length', 'etag', 'content-security-policy']) {
      expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
    }
  });

  it('is all that there is below /docs', async () => {
    const raw = async (target: string) => {
      const client = await connectRaw(port);
      client.socket.write(
        Buffer.from(`GET ${target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`, 'latin1'),
      );
      return statuses(await client.closed());
    };
    const dots = ['..', '%2e%2e', '%2E.', '.%2e', '..%2f..', '..%5c..', '..\\..', '%252e%252e', '....', '.', '...;'];
    const targets = [
      ...dots.flatMap((dot) => [`/docs/static/${dot}/x`, `/docs/static/${dot}/static/index.css`, `/docs/${dot}`]),
      ...[
        '/docs/static/',
        '/docs/static',
        '/docs//static/index.css',
        '//docs/static/index.css',
        '/docs/static//index.css',
      ],
      ...['/docs/static/%00', '/docs/static/index.css%00', '/docs/static/\u0001', '/docs/static/index.css/'],
      ...['/docs/static/package.json', '/docs/static/csp.json', '/docs/static/INDEX.CSS', '/docs/static/C:/x'],
      `/docs/static/${'a/'.repeat(3000)}`,
      `/docs/static/${'../'.repeat(2000)}etc/passwd`,
      `/docs/static/${'%2e%2e%2f'.repeat(700)}`,
    ];
    for (const target of targets) {
      const [status] = await raw(target);
      expect([target.slice(0, 60), [400, 404].includes(status!)]).toEqual([target.slice(0, 60), true]);
    }
    expect(fixture.log.filter((line) => line.includes('"level":50'))).toEqual([]);
  });
});
