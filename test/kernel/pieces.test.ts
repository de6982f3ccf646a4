import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TextWriter } from '../../src/extract/html/text-writer.ts';
import { cutBeside } from '../../src/kernel/pieces.ts';

const encoder = new TextEncoder();
const PIECES = ['word', '東', '-', '\u00ad', '\u2010', '\u200b', '\u0301', ' ', '\n', '\r\n', '\t', '.', '\u00a0'];

describe('a cut beside an offset', () => {
  it('is there wherever the text of a page was separated, with nothing but blanks between', () => {
    const texts = fc.array(fc.array(fc.constantFrom(...PIECES), { maxLength: 5 }), { maxLength: 8 });
    fc.assert(
      fc.property(texts, (stretches) => {
        const writer = new TextWriter(1000);
        const ends: number[] = [];
        for (const stretch of stretches) {
          writer.writeString(stretch.join(''));
          writer.separate();
          ends.push(writer.length);
        }
        const text = writer.finish();
        let least = 0;
        for (const end of ends) {
          const cut = cutBeside(text, Math.max(least, end - 1), least);
          expect(cut).toBeGreaterThanOrEqual(least);
          const between = text.subarray(Math.min(cut, end), Math.max(cut, end));
          expect(new TextDecoder().decode(between)).toMatch(/^[ \t\r\n]*$/);
          least = cut;
        }
      }),
    );
  });

  it.each([
    ['東\n京', 1],
    ['exam-\nple', 5],
    ['exam-\n ple', 6],
    ['one', 1],
  ])('is not there where words go on: %j', (text, letters) => {
    const bytes = encoder.encode(text);
    expect(cutBeside(bytes, encoder.encode(text.slice(0, letters)).length, 0)).toBe(-1);
  });

  it('stands between two line ends', () => {
    expect(cutBeside(encoder.encode('exam-\n \nple'), 8, 0)).toBe(7);
  });
});
