import { describe, expect, it } from 'vitest';
import { bracesExpanded } from '../../../../src/ingest/inputs/patterns/path-braces.ts';
import { PathPatterns } from '../../../../src/ingest/inputs/patterns/path-patterns.ts';

describe('braces in patterns', () => {
  it.each([
    ['*.html', ['*.html']],
    ['*.{html,htm}', ['*.html', '*.htm']],
    ['!docs/{a,b{1,2}}/', ['!docs/a/', '!docs/b1/', '!docs/b2/']],
    ['a\\ {1..3}', ['a\\ 1', 'a\\ 2', 'a\\ 3']],
  ])('%s stands for %j', (pattern, expected) => {
    expect(bracesExpanded(pattern, 'include')).toEqual(expected);
  });

  it('take files by each ending', () => {
    const patterns = new PathPatterns(bracesExpanded('*.{html,htm}', 'include'));
    expect(['a.html', 'b/c.htm', 'd.md'].map((path) => patterns.test(path))).toEqual([true, true, null]);
  });

  it('are characters of a name behind a backslash', () => {
    const patterns = new PathPatterns(bracesExpanded('\\{a,b\\}', 'include'));
    expect(['{a,b}', 'a'].map((path) => patterns.test(path))).toEqual([true, null]);
  });

  it.each(['*.{html,htm', 'a}', '}{', 'a\\{b}', '{1..1001}', '{a,b}'.repeat(10)])('are refused in %s', (pattern) => {
    expect(() => bracesExpanded(pattern, 'exclude')).toThrow(`--exclude ${pattern} `);
  });
});
