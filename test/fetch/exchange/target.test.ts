import { describe, expect, it } from 'vitest';
import { redirectTargetOf, targetOf } from '../../../src/fetch/exchange/target.ts';

const LIMITS = { portsAllowed: [80, 443, 8080], urlBytesMax: 100 };
const LONG = `http://a.example/${'a'.repeat(100)}`;
const read = (url: string) => {
  const { url: parsed, hostname, port } = targetOf(url, LIMITS);
  return [parsed.href, hostname, port];
};

describe('a URL to fetch', () => {
  it.each([
    ['http://A.example', ['http://a.example/', 'a.example', 80]],
    ['https://a.example:443/b?c#d', ['https://a.example/b?c', 'a.example', 443]],
    ['http://a.example.:8080/', ['http://a.example.:8080/', 'a.example', 8080]],
    ['http://[::1]/', ['http://[::1]/', '::1', 80]],
    ['http://0x7f.1/', ['http://127.0.0.1/', '127.0.0.1', 80]],
    ['http://möwe.example/', ['http://xn--mwe-sna.example/', 'xn--mwe-sna.example', 80]],
  ])('%s is read as %j', (url, target) => {
    expect(read(url)).toEqual(target);
  });

  it.each([
    ['invalid-url', '/a'],
    ['invalid-url', ''],
    ['invalid-url', 'http://'],
    ['invalid-url', 'http://a b/'],
    ['invalid-url', 'http://[::1'],
    ['invalid-url', 'http://a.example:99999/'],
    ['invalid-url', 'http://user@a.example/'],
    ['invalid-url', 'http://:secret@a.example/'],
    ['not-fetchable', 'urn:isbn:0451450523'],
    ['not-fetchable', 'file:///etc/passwd'],
    ['not-fetchable', 'ftp://a.example/'],
    ['not-fetchable', 'ws://a.example/'],
    ['not-fetchable', 'http://a.example:22/'],
    ['not-fetchable', 'https://a.example:0/'],
  ])('is refused with %s where it is %j', (code, url) => {
    expect(() => read(url)).toThrow(expect.objectContaining({ code, field: 'url' }));
  });

  it('is refused where it is too long, as written or once it is percent-encoded', () => {
    const limit = { name: 'urlBytesMax', value: 100 };
    expect(() => read(LONG)).toThrow(expect.objectContaining({ code: 'invalid-url', field: 'url', limit }));
    expect(() => read(`http://a.example/${'ö'.repeat(20)}`)).toThrow(
      expect.objectContaining({ code: 'invalid-url', limit }),
    );
  });

  it.each([
    ['/c', 'https://a.example/c'],
    ['c', 'https://a.example/b/c'],
    ['?c#d', 'https://a.example/b/?c'],
    ['//c.example', 'https://c.example/'],
    ['', 'https://a.example/b/'],
  ])('is the redirect %j from where it stands', (location, href) => {
    expect(redirectTargetOf(location, targetOf('https://a.example/b/', LIMITS), LIMITS).url.href).toBe(href);
  });

  it.each(['http://a.example/', '//a.example:22/', 'file:///etc/passwd', '//user@a.example/', 'http://[', LONG])(
    'is not the redirect %j from https, for one reason as for another',
    (location) => {
      const from = targetOf('https://a.example/', LIMITS);
      expect(() => redirectTargetOf(location, from, LIMITS)).toThrow(
        expect.objectContaining({
          code: 'fetch-failed',
          field: undefined,
          message: expect.stringMatching(
            /^The host has no address, or none that is allowed, or cannot be reached;/,
          ) as string,
        }),
      );
    },
  );
});
