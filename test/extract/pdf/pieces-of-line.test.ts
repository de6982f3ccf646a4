import { describe, expect, it } from 'vitest';
import { readLine } from '../../../src/extract/pdf/pieces-of-line.ts';

/** Pieces one behind the other, as a page shows them from left to right. */
const shown = (...texts: string[]) => texts.map((text, i) => ({ text, x: 10 * i }));

describe('a line of a PDF file', () => {
  it('is read from the right where its letters run so, numbers and names from the left', () => {
    expect(readLine(shown('ללא', ' ', '1948', ' ', 'בשנת'))).toBe('בשנת 1948 ללא');
    expect(readLine(shown('בשנה', ' ', '12', ' ', 'May', ' ', '1948', ' ', 'ביום', 'הזה'))).toBe(
      'הזהביום 12 May 1948 בשנה',
    );
    expect(readLine(shown('ا', 'ﻮ', 'ﺒ', 'ﻫ', 'و', ' ', 'ﺪ', 'ﻗ'))).toBe('ﻗﺪ وﻫﺒﻮا');
    expect(readLine(shown('.', 'שלום', '!'))).toBe('!שלום.');
  });

  it('is read wherever its pieces come in the file', () => {
    expect(readLine(shown('ג', 'ב', 'א').toReversed())).toBe('אבג');
  });

  it('is as the file has it where most of it runs from the left', () => {
    expect(readLine(shown('Tel Aviv (', 'תל אביב', ') is a city'))).toBe('Tel Aviv (תל אביב) is a city');
    expect(readLine(shown('one', ' ', 'two').toReversed())).toBe('two one');
    expect(readLine([])).toBe('');
  });
});
