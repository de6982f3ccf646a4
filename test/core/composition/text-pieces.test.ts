import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textPieces } from '../../../src/core/composition/text-pieces.ts';
import { createSketcher } from '../../../src/core/sketch/sketch.ts';
import { draws } from '../../support/draws.ts';
import { IDENTITY } from '../../support/service/service-fixture.ts';

const { sequence } = createSketcher(IDENTITY.fingerprint);
const encode = (text: string) => new TextEncoder().encode(text);

/** Every window by the number of its first token: its fingerprint, and where that token starts. */
function windowsOf(text: Uint8Array, bytes: number, overlap: number): Map<number, string> {
  const windows = new Map<number, string>();
  for (const piece of textPieces(text, sequence, { bytes, bytesMost: 1e9, overlap })) {
    expect(piece.to).toBeGreaterThan(piece.from);
    for (const [i, fingerprint] of piece.sequence.fingerprints.entries()) {
      const window = `${fingerprint} ${piece.from + piece.sequence.tokenStarts[i]!}`;
      expect(windows.get(piece.firstToken + i) ?? window).toBe(window);
      windows.set(piece.firstToken + i, window);
    }
  }
  return windows;
}

const word = fc.constantFrom(
  'a',
  'rose',
  'is',
  'Über',
  'naïve',
  'ﬁne',
  '薔薇は',
  '薔薇',
  'ราตรี',
  'e\u0301te',
  '🌹',
  'x'.repeat(90),
);
const texts = fc
  .array(fc.tuple(word, fc.constantFrom(' ', ', ', '\n', '. “', '—')), { minLength: 1, maxLength: 300 })
  .map((words) => words.flat().join(''));

describe('pieces of a text', () => {
  it('have the windows of the whole, each where it is, however small they are', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 400 }), fc.integer({ min: 0, max: 20 }), (text, bytes, overlap) => {
        const whole = encode(text);
        const { fingerprints, tokenStarts } = sequence(whole);
        const expected = new Map([...fingerprints].map((value, i) => [i, `${value} ${tokenStarts[i]!}`]));
        if (whole.length > 0 && fingerprints.length > 0) expect(windowsOf(whole, bytes, overlap)).toEqual(expected);
      }),
      draws(75),
    );
  });

  it('overlap so that a stretch of so many windows lies within one', () => {
    const text = encode(Array.from({ length: 2000 }, (_, i) => `w${i}`).join(' '));
    const pieces = [...textPieces(text, sequence, { bytes: 500, bytesMost: 1e9, overlap: 30 })];
    expect(pieces.length).toBeGreaterThan(10);
    for (let first = 0; first + 30 <= 1996; first++) {
      const holds = pieces.some(
        ({ firstToken, sequence: { fingerprints } }) =>
          firstToken <= first && first + 30 <= firstToken + fingerprints.length,
      );
      expect(holds).toBe(true);
    }
  });

  it('come to an end in a text of one word', () => {
    const text = encode('x'.repeat(100_000));
    const pieces = [...textPieces(text, sequence, { bytes: 1000, bytesMost: 1e9, overlap: 30 })];
    expect(pieces.map(({ from, to, sequence: { fingerprints } }) => [from, to, fingerprints.length])).toEqual([
      [0, 100_000, 1],
    ]);
  });

  it('pass over what has no words for long, and go on behind it', () => {
    const words = Array.from({ length: 200 }, (_, i) => `w${i}`).join(' ');
    const text = `${words} ${'x'.repeat(100_000)} ${words}`;
    const seen = new Set<string>();
    let longest = 0;
    for (const piece of textPieces(encode(text), sequence, { bytes: 500, bytesMost: 4000, overlap: 10 })) {
      longest = Math.max(longest, piece.to - piece.from);
      const { tokenStarts, tokenEnds, fingerprints, shingleSize } = piece.sequence;
      for (let i = 0; i < fingerprints.length; i++)
        seen.add(text.slice(piece.from + tokenStarts[i]!, piece.from + tokenEnds[i + shingleSize - 1]!));
    }
    expect(longest).toBeLessThanOrEqual(4000);
    for (let first = 0; first + 5 <= 200; first++)
      expect(seen.has(Array.from({ length: 5 }, (_, i) => `w${first + i}`).join(' '))).toBe(true);
  });
});
