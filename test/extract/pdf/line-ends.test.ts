import { describe, expect, it } from 'vitest';
import { joinPartedWords } from '../../../src/extract/pdf/line-ends.ts';

describe('a word that the end of a line parts', () => {
  it.each([
    ['an exam-\nple of it', 'an example of it'],
    ['an exam\u2010\n  ple of it', 'an example of it'],
    ['an exam\u00ad\nple of it', 'an example of it'],
    ['ein B\u00e4cker-\nmeister', 'ein B\u00e4ckermeister'],
    ['one-\nple two-\nple', 'oneple twople'],
  ])('is made whole: %j', (text, whole) => {
    expect(joinPartedWords(text)).toBe(whole);
  });

  it.each(['from 1990-\n1995', 'Jean-\nPaul', 'a dash -\nand more', 'the end -\n', 'no hyphen\nhere'])(
    'is none: %j',
    (text) => {
      expect(joinPartedWords(text)).toBe(text);
    },
  );

  it('keeps its hyphen where the document writes it so elsewhere, and nowhere without', () => {
    expect(joinPartedWords('a well-\nknown and well-known fox')).toBe('a well-known and well-known fox');
    expect(joinPartedWords('e-\nmail, e-mail and email')).toBe('email, e-mail and email');
    expect(joinPartedWords('a Well-\nknown fox, well\u2010known')).toBe('a Well-known fox, well\u2010known');
  });

  it('takes linear time', () => {
    const text = 'exam-\nple '.repeat(200_000);
    expect(joinPartedWords(text).length).toBe(8 * 200_000);
    expect(joinPartedWords('a'.repeat(2_000_000))).toHaveLength(2_000_000);
  });
});
