import { describe, expect, it } from 'vitest';
import { pageUrl, siteOf, TRACKING_PARAMETERS } from '../../../src/service/collapse/page-url.ts';
import { refused } from '../../support/service/service-fixture.ts';
import { readText } from '../../support/tree/tree.ts';

const key = (url: string, rule: 'exact' | 'loose' = 'loose') => pageUrl(url, rule, 'url', 2048).key;

/** What the loose rule takes for one page: of each pair the second is only another spelling. */
const ALIKE = [
  ['https://a.example/x', 'http://a.example/x'],
  ['https://a.example/x', 'https://www.a.example/x'],
  ['https://a.example/x', 'https://a.example/x/'],
  ['https://a.example', 'http://www.a.example/'],
  ['https://a.example/x', 'https://a.example/x?'],
  ['https://a.example/x', 'https://a.example/x#part'],
  ['https://a.example/x', 'https://a.example:443/x#:~:text=some%20words'],
  ['https://a.example/x?id=1', 'https://a.example/x?utm_source=n&id=1&utm_Medium=m'],
  ['https://a.example/x', 'https://a.example/x?gclid=1&fbclid=2'],
  ['https://a.example/~me', 'https://a.example/%7Eme'],
  ['https://a.example/A_(b)', 'https://a.example/A_%28b%29'],
  ['https://a.example/ü', 'https://a.example/%c3%bc'],
  ['https://a.example/x?q=%2F', 'https://a.example/x?q=%2f'],
  ['http://[::1]:8080/x', 'https://[::1]:8080/x/'],
] as const;

/** What may be other pages. */
const APART = [
  ['https://a.example/x', 'https://a.example/X'],
  ['https://a.example/x', 'https://a.example/x/index.html'],
  ['https://a.example/x', 'https://m.a.example/x'],
  ['https://a.example/x', 'https://amp.a.example/x'],
  ['https://a.example/x', 'https://a.example/x/amp'],
  ['https://a.example/x', 'https://a.example//x'],
  ['https://a.example/x?a=1&b=2', 'https://a.example/x?b=2&a=1'],
  ['https://a.example/x', 'https://a.example/x?utm=1'],
  ['https://a.example/x', 'https://a.example/x?ref=1'],
  ['https://a.example/x', 'https://a.example/x?a'],
  ['https://a.example/x', 'https://a.example/x;jsessionid=1'],
  ['https://a.example/x', 'https://a.example:8443/x'],
  ['https://a.example/a/b', 'https://a.example/a%2Fb'],
  ['https://a.example/x?a=1', 'https://a.example/x%3Fa=1'],
  ['https://a.example/x?a=%26b', 'https://a.example/x?a=&b'],
  ['https://www.example/', 'https://example/'],
  ['https://matrix.example/#/#one:x', 'https://matrix.example/#/#two:x'],
  ['https://files.example/#!one', 'https://files.example/'],
  ['urn:x:1', 'urn:X:1'],
] as const;

describe('URLs of one page', () => {
  it.each(ALIKE)('by the loose rule: %s and %s', (a, b) => {
    expect(key(b)).toBe(key(a));
  });

  it.each(APART)('are not %s and %s', (a, b) => {
    expect(key(b)).not.toBe(key(a));
  });

  it('by the exact rule are those that the index takes for one, but for routes behind a #', () => {
    const same = ['https://a.example:443/x#part', 'HTTPS://A.example/x'].map((url) => key(url, 'exact'));
    expect(new Set(same)).toEqual(new Set(['https://a.example/x']));
    for (const [a, b] of ALIKE.slice(0, 5)) expect(key(b, 'exact')).not.toBe(key(a, 'exact'));
    expect(key('https://matrix.example/#/a', 'exact')).not.toBe(key('https://matrix.example/#/b', 'exact'));
  });

  it('keeps the URL that the index knows, and its host, without www. by the loose rule', () => {
    const { url, fetchable } = pageUrl('http://www.A.example/x?utm_id=1#/y', 'loose', 'url', 2048);
    expect([url, fetchable]).toEqual(['http://www.a.example/x?utm_id=1', true]);
    expect([siteOf(url, 'loose'), siteOf(url, 'exact')]).toEqual(['a.example', 'www.a.example']);
    expect(siteOf('https://www.example/', 'loose')).toBe('www.example');
    expect(siteOf('urn:x', 'loose')).toBeNull();
  });

  it('refuses what is no URL', () => {
    expect(() => pageUrl('x', 'loose', 'results[0].url', 2048)).toThrow(
      expect.objectContaining(refused('invalid-url', { field: 'results[0].url' })),
    );
  });

  it('are told by the parameters that docs/api.md lists, no more and no fewer', () => {
    const row = /^\| tracking parameters \|.*$/m.exec(readText('docs/api.md'))![0];
    const listed = [...row.matchAll(/`([a-z_]+\*?)`/g)].map((match) => match[1]!);
    expect(listed.toSorted()).toEqual([...TRACKING_PARAMETERS].toSorted());
  });
});
