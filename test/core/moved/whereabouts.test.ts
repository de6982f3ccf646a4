import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSameHost, isSameName, likenessOf, whereaboutsOf } from '../../../src/core/moved/whereabouts.ts';

const at = (path: string) => whereaboutsOf(`https://a.example${path}`);

describe('the whereabouts of a URL', () => {
  it.each([
    ['/', null, true],
    ['/index.html', null, true],
    ['/en', null, true],
    ['/de-at/index.php', null, true],
    ['/?page=2', '?page=2', false],
    ['/old.html', 'old', false],
    ['/Docs/Old_Page.HTML', 'old-page', false],
    ['/docs/index.html', 'docs', false],
    ['/docs/', 'docs', false],
    ['/2026/01/15', null, false],
    ['/news/12', 'news', false],
    ['/news/12345', '12345', false],
    ['/item?id=7', 'item?id=7', false],
    ['/library/3.11.html', '3.11', false],
    ['/a/b', null, false],
  ])('%s is named %s; the first of its host: %s', (path, name, isHome) => {
    expect(at(path)).toMatchObject({ host: 'a.example', name, isHome });
  });

  it('takes www. for no other host, and other hosts for others', () => {
    expect(isSameHost(at('/'), whereaboutsOf('http://www.a.example/x'))).toBe(true);
    expect(isSameHost(at('/'), whereaboutsOf('https://b.a.example/'))).toBe(false);
    const name = whereaboutsOf('urn:isbn:1');
    expect(name).toMatchObject({ host: null, isHome: false });
    expect(isSameHost(name, name)).toBe(false);
  });

  it('takes a name that says nothing for no name that two pages share', () => {
    expect(isSameName(at('/a/old.html'), at('/b/old'))).toBe(true);
    expect(isSameName(at('/a/index.html'), at('/b/index.html'))).toBe(false);
    expect(isSameName(at('/2026/01'), at('/2025/01'))).toBe(false);
    expect(isSameName(at('/item?id=1'), at('/item?id=2'))).toBe(false);
  });

  it('is as like another as they share words', () => {
    expect(likenessOf(at('/library/functions.html'), at('/builtins/functions.html'))).toBeCloseTo(2 / 3);
    expect(likenessOf(at('/a/b'), at('/c/d'))).toBe(0);
    expect(likenessOf(at('/'), at('/'))).toBe(1);
  });

  it('is made of any URL, symmetric and 1 for itself', () => {
    const url = fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.string());
    fc.assert(
      fc.property(url, url, (first, second) => {
        const [a, b] = [whereaboutsOf(first), whereaboutsOf(second)];
        expect(likenessOf(a, a)).toBe(1);
        expect(likenessOf(a, b)).toBe(likenessOf(b, a));
        expect(likenessOf(a, b)).toBeGreaterThanOrEqual(0);
        expect(likenessOf(a, b)).toBeLessThanOrEqual(1);
      }),
    );
  });
});
