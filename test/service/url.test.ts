import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostOf, nameHost, nameSource } from '../../src/service/url.ts';

const BYTES_MAX = 2048;
const name = (spelling: string) => nameSource(spelling, 'url', BYTES_MAX);
const refusal = (spelling: string) => {
  try {
    return name(spelling).url;
  } catch (error) {
    return error;
  }
};

describe('the name of a source', () => {
  it.each([
    ['HTTP://Example.COM:80/a/../b?q=1&p=2#part', 'http://example.com/b?q=1&p=2'],
    ['https://example.com:443', 'https://example.com/'],
    ['https://example.com:8443/', 'https://example.com:8443/'],
    ['https://example.com/a//b/index.html?', 'https://example.com/a//b/index.html?'],
    ['https://bücher.example/straße', 'https://xn--bcher-kva.example/stra%C3%9Fe'],
    ['  https://example.com/x\n', 'https://example.com/x'],
    ['http://0x7f.1/', 'http://127.0.0.1/'],
  ])('of %j is %j: http and https as WHATWG reads them, without the fragment', (spelling, url) => {
    expect(name(spelling)).toEqual({ url, spelling, fetchable: true });
  });

  it.each([
    ['urn:isbn:0451450523', 'urn:isbn:0451450523'],
    ['URN:ISBN:0451450523', 'urn:ISBN:0451450523'],
    ['tag:example.com,2026:Café#3', 'tag:example.com,2026:Caf%C3%A9#3'],
    ['doc:17', 'doc:17'],
    ['file:///srv/a/../b.txt', 'file:///srv/a/../b.txt'],
    ['ftp://example.com/x', 'ftp://example.com/x'],
  ])('of %j is %j: any other absolute URI is a name that is never fetched', (spelling, url) => {
    expect(name(spelling)).toEqual({ url, spelling, fetchable: false });
  });

  it.each([
    ['', 'not absolute'],
    ['https%3A%2F%2Fa.example%2F', 'encoded twice'],
    ['/a/b', 'not absolute'],
    ['//example.com/a', 'not absolute'],
    ['example.com/a', 'not absolute'],
    ['example.com:8080/a', 'not absolute'],
    ['localhost:8080/a', 'not absolute'],
    ['C:\\texts\\a.txt', 'not absolute'],
    ['https://', 'parsed'],
    ['https://exa mple.com/', 'parsed'],
    ['https://user@example.com/', 'user name'],
    ['https://:secret@example.com/', 'user name'],
    ['ftp://user:secret@example.com/', 'user name'],
    ['urn:', 'names nothing'],
    ['urn:a b', 'white space'],
    ['urn:a\u0000b', 'white space'],
    ['urn:a\u2028b', 'white space'],
    ['urn:\ud800', 'surrogate'],
    ['https://example.com/\udfff', 'surrogate'],
    ['javascript:alert(1)', 'names no document'],
    ['JavaScript:alert(1)', 'names no document'],
    ['data:text/plain,hello', 'names no document'],
    ['blob:https://example.com/1', 'names no document'],
  ])('is refused to %j: %s', (spelling, why) => {
    expect(refusal(spelling)).toMatchObject({ code: 'invalid-url', status: 400, field: 'url' });
    expect(String(refusal(spelling))).toContain(why);
  });

  it('is bounded in bytes, as given and as normalised', () => {
    const limit = { name: 'urlBytesMax', value: BYTES_MAX };
    const path = (characters: number) => `https://a.example/${'x'.repeat(characters)}`;
    expect(name(path(BYTES_MAX - 18)).url).toHaveLength(BYTES_MAX);
    expect(refusal(path(BYTES_MAX - 17))).toMatchObject({ code: 'invalid-url', limit });
    // 3 bytes a character as given, 9 when percent-encoded
    expect(refusal(`https://a.example/${'語'.repeat(600)}`)).toMatchObject({ code: 'invalid-url', limit });
    expect(refusal(`urn:${'語'.repeat(300)}`)).toMatchObject({ code: 'invalid-url', limit });
    expect(refusal('a'.repeat(100_000_000))).toMatchObject({ code: 'invalid-url', limit });
  });

  it('is its own name, in printable ASCII, whatever was given', () => {
    const uri = fc.oneof(
      fc.webUrl({ withFragments: true, withQueryParameters: true }),
      fc
        .tuple(fc.constantFrom('urn', 'tag', 'x-y.z', 'Doc'), fc.string({ unit: 'grapheme' }))
        .map((parts) => parts.join(':')),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(uri, (spelling) => {
        const named = refusal(spelling);
        if (typeof named !== 'string') return;
        // a spreadsheet takes for a formula what begins with = + - or @, a server for a pattern what begins with ~
        expect(named).toMatch(/^[a-z][\x21-\x7e]+$/);
        expect(name(named).url).toBe(named);
      }),
      { seed: 1, numRuns: 3000 },
    );
  });
});

describe('the host of a source', () => {
  it('is what an excluded host is compared with, in any spelling', () => {
    const hosts = [
      ['https://EXAMPLE.com:8443/x', 'example.COM'],
      ['https://bücher.example/', 'BÜCHER.example'],
      ['http://[2001:DB8::1]/', '2001:db8:0::1'],
      ['http://[2001:DB8::1]:8080/', '[2001:db8::1]'],
      ['http://127.1/', '127.0.0.1'],
    ] as const;
    for (const [url, host] of hosts) expect(nameHost(host, 'exclude.hosts[0]')).toBe(hostOf(name(url).url));
  });

  it('is none for a name', () => {
    expect(hostOf('urn:isbn:1')).toBeNull();
    expect(hostOf('ftp://example.com/')).toBeNull();
    expect(hostOf('httpx:y')).toBeNull();
  });

  it('has at most 253 characters', () => {
    expect(nameHost('a'.repeat(253), 'host')).toBe('a'.repeat(253));
    const limit = { name: 'hostCharactersMax', value: 253 };
    expect(() => nameHost('é'.repeat(254), 'host')).toThrow(expect.objectContaining({ field: 'host', limit }));
  });

  it.each([
    '',
    'a b',
    'https://example.com',
    'example.com/path',
    'user@example.com',
    '[x]',
    'exa%00mple',
    '*.a.example',
    'a.example:443',
  ])('is refused to %j', (host) => {
    expect(() => nameHost(host, 'exclude.hosts[2]')).toThrow(expect.objectContaining({ field: 'exclude.hosts[2]' }));
  });

  it('is named where more than it came', () => {
    for (const text of ['https://a.example/', 'a.example:443', 'a.example/x'])
      expect(() => nameHost(text, 'hosts[0]')).toThrow(`it is "${text}": write a.example.`);
  });
});
