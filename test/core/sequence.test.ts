import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSketcher } from '../../src/core/sketch/sketch.ts';
import { BLOCK_BYTES } from '../../src/core/text/tokens.ts';
import { deriveIdentity } from '../../src/identity/index-key.ts';
import { canonicalTokens } from '../support/core/canonical-text.ts';
import { draws } from '../support/draws.ts';

const sketcher = createSketcher(deriveIdentity(new Uint8Array(32).fill(5), 3).fingerprint);

function spans(text: string): string[] {
  const bytes = Buffer.from(text);
  const { tokenStarts, tokenEnds } = sketcher.sequence(bytes);
  return Array.from(tokenStarts, (start, i) => bytes.subarray(start, tokenEnds[i]).toString());
}

describe('the shingles of a text in order', () => {
  it('stand where their tokens stand in the text as it was given', () => {
    expect(spans('A rose, IS (a) Rose.')).toEqual(['A', 'rose', 'IS', 'a', 'Rose']);
    expect(spans('— Straße, ÉTÉ, E\u0301te\u0301 и Ж')).toEqual(['Straße', 'ÉTÉ', 'E\u0301te\u0301', 'и', 'Ж']);
    expect(spans('東京都 Tokyo都 が か\u3099き')).toEqual(['東京', '京都', 'Tokyo', '都', 'が', 'か\u3099き']);
    expect(spans('=\u0338 \u1112\u1161\u11ab국 İx')).toEqual(['\u1112\u1161\u11ab국', 'İx']);
    expect(spans(`${'.'.repeat(BLOCK_BYTES)}東京${'.'.repeat(BLOCK_BYTES)}x`)).toEqual(['東京', 'x']);
  });

  it('have bytes that give the token again, for any text', () => {
    const pieces = [
      'A',
      'rose ',
      'É',
      'e',
      '\u0301',
      '\u0323',
      '東',
      '京',
      'が',
      'か',
      '\u3099',
      'ก',
      'ิ',
      '1',
      ', ',
      '한',
      '\u11ab',
      'İ',
      '=',
      '\u0338',
      'Ж',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 60 }), (chosen) => {
        const text = Buffer.from(chosen.join(''));
        const { tokenStarts, tokenEnds } = sketcher.sequence(text);
        const tokens = canonicalTokens(text);
        expect(tokenStarts.length).toBe(tokens.length);
        for (const [i, token] of tokens.entries()) {
          const span = text.subarray(tokenStarts[i], tokenEnds[i]);
          // a mark whose base is a separator stands for itself, with that base
          expect(canonicalTokens(span)).toEqual([token]);
          if (i > 0) expect(tokenStarts[i]!).toBeGreaterThan(tokenStarts[i - 1]!);
        }
      }),
      draws(1250, 6),
    );
  });

  it('have the fingerprints of the sketch, each at its place', () => {
    const lines = Array.from({ length: 4000 }, (_, i) => `Line ${i % 1000}, 東京都 and é.`).join('\n');
    const { fingerprints, shingleSize, tokenStarts } = sketcher.sequence(Buffer.from(lines));
    expect(shingleSize).toBe(3);
    expect(fingerprints.length).toBe(tokenStarts.length - 2);
    expect(Float64Array.from(new Set(fingerprints)).sort()).toEqual(
      sketcher.sketch(Buffer.from(lines), 1).sample.fingerprints,
    );
    const again = sketcher.sequence(Buffer.from('line 999 東京都')).fingerprints;
    expect(fingerprints.indexOf(again[0]!)).toBe(999 * 6);
  });

  it('are one of fewer than w tokens, and none of none', () => {
    const short = sketcher.sequence(Buffer.from(`one two${' '.repeat(BLOCK_BYTES)}`));
    expect([short.shingleSize, short.tokenStarts.length, short.fingerprints.length]).toEqual([2, 2, 1]);
    expect(short.fingerprints).toEqual(sketcher.sketch(Buffer.from('One. Two'), 1).sample.fingerprints);
    const none = sketcher.sequence(Buffer.from('...'));
    expect([none.shingleSize, none.tokenStarts.length, none.tokenEnds.length, none.fingerprints.length]).toEqual([
      0, 0, 0, 0,
    ]);
  });
});
