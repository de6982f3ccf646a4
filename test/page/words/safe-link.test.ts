import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hrefOf, pathOf, placeOf } from '../../../src/page/words/safe-link.ts';

describe('a URL of the index', () => {
  it.each([
    ...[
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      ' javascript:alert(1)',
      'java\nscript:alert(1)',
      '\u0000javascript:x',
    ],
    ...[
      'data:text/html,x',
      'vbscript:x',
      'blob:https://a.example/x',
      'file:///etc/passwd',
      'urn:isbn:1',
      'pkg:npm/x',
      'x',
      '',
    ],
  ])('%j is no link', (url) => {
    expect(hrefOf(url)).toBe(null);
  });

  it('is a link only by http and https, whatever it is', () => {
    const anything = fc.oneof(
      fc.string(),
      fc.webUrl(),
      fc.string().map((rest) => `javascript:${rest}`),
    );
    fc.assert(
      fc.property(anything, (url) => {
        const href = hrefOf(url);
        if (href !== null) expect(href).toMatch(/^https?:\/\//);
        expect(typeof placeOf(url) + typeof pathOf(url)).toBe('stringstring');
      }),
    );
  });

  it('is told apart by its host, a name by what stands before its last part', () => {
    expect(['https://www.a.example:8443/x?y', 'pkg:npm/left-pad/LICENSE', 'urn:isbn:1'].map(placeOf)).toEqual([
      ...['a.example:8443', 'pkg:npm', 'urn:isbn:1'],
    ]);
    expect(['https://a.example/x?y=1#z', 'https://a.example', 'urn:isbn:1'].map(pathOf)).toEqual([
      '/x?y=1',
      '/',
      'urn:isbn:1',
    ]);
  });
});
