import { describe, expect, it } from 'vitest';
import { checkSelector } from '../../../src/extract/select/selector.ts';
import { readParts } from '../../support/pages/page.ts';
import { SelectorCases } from '../../support/pages/selector-cases.ts';
import { createPrng } from '../../support/prng.ts';

const POSITIONAL = ['first', 'last', 'even', 'odd', 'eq(0)', 'nth(0)', 'gt(-1)', 'lt(9)'];
const OF_JQUERY = [
  ...['contains(x)', 'icontains(x)', 'parent', 'header', 'button', 'checkbox', 'file', 'image', 'input', 'password'],
  ...['radio', 'reset', 'selected', 'submit', 'text', 'matches(p)'],
];
/** Ways to hide a pseudo-class: in another, in a list, behind a combinator, by its spelling. */
const AROUND = [
  (name: string) => `p:${name}`,
  (name: string) => `:${name} ~ p`,
  (name: string) => `p:not(:${name})`,
  (name: string) => `p:not(:not(:is(b, :where(i, :${name}))))`,
  (name: string) => `p:has(~ b:${name})`,
  (name: string) => `p, b > :is(i, :not(:${name}))`,
  (name: string) => `p:${name.replace(/^[a-z]/, (letter) => `\\${letter.charCodeAt(0).toString(16)} `)}`,
  (name: string) => `p/* */:${name.toUpperCase().replace(/\(.*/, (rest) => rest.toLowerCase())}`,
];

describe('a selector', () => {
  it('with a word of jQuery is refused wherever it stands, and however it is spelled', () => {
    for (const name of [...POSITIONAL, ...OF_JQUERY]) {
      for (const around of AROUND) {
        expect(() => checkSelector(around(name)), around(name)).toThrow(/is not understood/);
      }
    }
  });

  it.each([
    ['p[a!=b]', '[a!=b] is not of CSS'],
    ['p < b', 'a parent is not understood'],
    ['p || b', 'a column-combinator is not understood'],
    ['p::before', 'a pseudo-element is not understood'],
    ['svg|p', 'namespaces are not understood'],
    ['*|*', 'namespaces are not understood'],
    ['[xml|lang]', 'namespaces are not understood'],
    ['> p', 'it begins with a combinator'],
    ['p:is(+ b)', 'it begins with a combinator'],
    ['p ~', 'it ends with a combinator'],
    ['p:has(b >)', 'it ends with a combinator'],
    ['p:has(b:has(i))', 'there is a :has in another'],
    ['p:has(b:not(:is(:has(i))))', 'there is a :has in another'],
    [':is', ':is takes selectors in parentheses'],
    [':nth-child', ':nth-child takes a number'],
    [':root(x)', ':root takes nothing in parentheses'],
    [':host(p)', ':host is not understood'],
  ])('%s is refused: %s', (selector, why) => {
    expect(() => checkSelector(selector)).toThrow(why);
  });

  it('names what is understood where something is not', () => {
    expect(() => checkSelector('p:first')).toThrow(/:first is not understood.*first-child.*nth-child.*has/);
  });

  it('is answered in few words, however long it is', () => {
    expect(() => readParts('<p>', `:${'x'.repeat(900)}`)).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/^.{1,500}$/) }),
    );
  });
});

describe('selectors by their grammar', () => {
  it('are understood where they are CSS, and refused where one thing in them is not', () => {
    const cases = new SelectorCases(createPrng(1997));
    for (let i = 0; i < 4000; i++) {
      const { selector, kind } = cases.next();
      const check = () => checkSelector(selector);
      if (kind === 'css') expect(check, selector).not.toThrow();
      // an empty one is refused before
      if (kind === 'foreign' && /[^ ,]/.test(selector)) expect(check, selector).toThrow();
    }
  });
});

describe('a page of eight thousand siblings', () => {
  it('is not compared with itself for a selector that is no CSS', () => {
    const page = '<br>'.repeat(8000);
    for (const selector of ['br:gt(-1)~br', 'br:not(:gt(-1)~br)', ':is(br:gt(-1))~br', 'br:has(~ br:gt(-1))']) {
      expect(() => readParts(page, selector)).toThrow(expect.objectContaining({ code: 'invalid-selector' }));
    }
  });
});
