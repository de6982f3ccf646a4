import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textFragment, titleBytes } from '../../../src/core/passages/passage-link.ts';
import type { ShingleSequence } from '../../../src/core/sketch/sketch.ts';
import { draws } from '../../support/draws.ts';

const SIZE = 7;

/** A text with its tokens' byte offsets, as the sketcher gives them: words, or pairs of letters where there are no spaces. */
function read(text: string, token = /[\p{L}\p{M}\p{N}]+/gu) {
  const encoder = new TextEncoder();
  const offset = (end: number): number => encoder.encode(text.slice(0, end)).length;
  const found = [...text.matchAll(token)].map(({ index, 0: first, 1: second = '' }) => [
    offset(index),
    offset(index + first.length + second.length),
  ]);
  const sequence: ShingleSequence = {
    shingleSize: Math.min(SIZE, found.length),
    tokenStarts: Uint32Array.from(found, ([start]) => start!),
    tokenEnds: Uint32Array.from(found, ([, end]) => end!),
    fingerprints: new Float64Array(Math.max(0, found.length - SIZE + 1)),
  };
  return { bytes: encoder.encode(text), sequence, tokens: found.length };
}

/** The terms of the link of a passage, null where there is none. */
function terms(
  { bytes, sequence, tokens }: ReturnType<typeof read>,
  more: { first?: number; last?: number; headLast?: number; tailFirst?: number; title?: string } = {},
): string[] | null {
  const { first = 0, last = tokens - 1, title = null } = more;
  const { headLast = last, tailFirst = first } = more;
  const passage = { firstToken: first, lastToken: last, words: last - first + 1, exact: true, headLast, tailFirst };
  const fragment = textFragment(bytes, sequence, passage, titleBytes(bytes, title));
  if (fragment === null) return null;
  expect(fragment).toMatch(/^#:~:text=[^-,&#\s]+(,[^-,&#\s]+)?$/u);
  return fragment.slice('#:~:text='.length).split(',').map(decodeURIComponent);
}

const FOX = 'He said: the Quick (brown) fox -- jumps as ever, over the lazy dog and 100 % more words, at the end.';

describe('a link to the words of a passage', () => {
  it('names four words at either end, with nothing but spaces between them', () => {
    expect(terms(read(FOX))).toEqual(['over the lazy dog']);
    const tale = read(`It was the best of times, ${'it was the worst of times, '.repeat(5)}it was the age of wisdom`);
    expect(terms(tale)).toEqual(['It was the best', 'the age of wisdom']);
  });

  it('names all of a passage of up to eight words, as it is spelled', () => {
    expect(terms(read(FOX), { first: 2, last: 8 })).toEqual(['the Quick (brown) fox -- jumps as ever']);
    expect(terms(read(FOX), { first: 2, last: 5 })).toEqual(['the Quick (brown) fox']);
  });

  it('names no words that are not on one line', () => {
    const lines = read('one two three\nfour five six seven eight\nnine ten\neleven twelve thirteen');
    expect(terms(lines)).toEqual(['four five six seven']);
    expect(terms(lines, { first: 1, last: 6 })).toEqual(['four five six seven']);
    expect(terms(lines, { first: 8, last: 12 })).toEqual(['eleven twelve thirteen']);
    expect(terms(read('one two\r\nthree four\u2028five six'))).toBeNull();
  });

  it('names words that stand in shared shingles only', () => {
    const long = read(Array.from({ length: 30 }, (_, i) => `w${i}`).join(' '));
    expect(terms(long, { headLast: 6, tailFirst: 23 })).toEqual(['w0 w1 w2 w3', 'w26 w27 w28 w29']);
    expect(terms(long, { headLast: 1, tailFirst: 23 })).toEqual(['w26 w27 w28 w29']);
    expect(terms(long, { headLast: 1, tailFirst: 28 })).toBeNull();
  });

  it('names none of the title, which no page shows', () => {
    const text = 'The  best\nof times \n The best of times was this, the best of all';
    expect(terms(read(text), { title: 'The best of times' })).toEqual(['The best of times', 'the best of all']);
    expect(terms(read(text), { first: 0, last: 3, title: 'The best of times' })).toBeNull();
    expect(terms(read('(a+b)*\nis it, and that is all'), { title: '(a+b)*' })).toEqual(['is it, and that is all']);
    expect(titleBytes(new TextEncoder().encode('The best of times'), 'Best of times')).toBe(0);
  });

  it('cuts words where browsers do, and names none that its text may cut', () => {
    const pairs = /(?=(\p{L}\p{L}))/gu;
    // the words: 法律 | 之前 | 人人 | 平等 | 有权 | 享受 | 法律 | 的 | 平等 | 保护
    const han = read('法律之前人人平等有权享受法律的平等保护', pairs);
    expect(terms(han)).toEqual(['人人平等有权享受法律的']);
    expect(terms(han, { first: 1, last: 15 })).toEqual(['平等有权享受法律']);
    expect(terms(read('之前人人平', pairs))).toBeNull();
  });

  it('has no syntax in it that is not its own, whatever the text', () => {
    const word = fc.stringMatching(/^[\p{L}\p{N}]{1,6}$/u);
    const gap = fc.constantFrom(' ', ' ', '-', ', ', ' & ', ',-', '\u00a0', '\n\n', '=', '%', '#', ' 🐎 ', '+');
    fc.assert(
      fc.property(fc.array(fc.tuple(word, gap), { minLength: SIZE, maxLength: 30 }), (parts) => {
        const text = parts.flat().join('');
        const lines = text.split('\n').map((line) => line.replaceAll(/\s+/gu, ' '));
        for (const term of terms(read(text)) ?? []) expect(lines.some((line) => line.includes(term))).toBe(true);
      }),
      draws(75, 1997),
    );
  });
});
