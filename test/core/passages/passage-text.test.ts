import { describe, expect, it } from 'vitest';
import { passageText } from '../../../src/core/passages/passages.ts';
import type { ShingleSequence } from '../../../src/core/sketch/sketch.ts';

const SIZE = 7;

/** A text with its words' byte offsets, as the sketcher gives them: words are runs of letters and digits. */
function read(text: string): { bytes: Uint8Array; sequence: ShingleSequence; words: string[] } {
  const found = [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)];
  const encoder = new TextEncoder();
  const offset = (end: number): number => encoder.encode(text.slice(0, end)).length;
  const sequence = {
    shingleSize: Math.min(SIZE, found.length),
    tokenStarts: Uint32Array.from(found, ({ index }) => offset(index)),
    tokenEnds: Uint32Array.from(found, ({ index, 0: word }) => offset(index + word.length)),
    fingerprints: new Float64Array(Math.max(0, found.length - SIZE + 1)),
  };
  return { bytes: encoder.encode(text), sequence, words: found.map(([word]) => word) };
}

function passage(firstToken: number, lastToken: number) {
  return { firstToken, lastToken, words: lastToken - firstToken + 1 };
}

const FOX = 'He said: the Quick (brown) fox -- jumps,\n  as ever, over the lazy dog, 100 % & more words at the end.';

describe('the text of a passage', () => {
  it("is the query's own spelling from its first word to its last", () => {
    const { bytes, sequence } = read(FOX);
    expect(passageText(bytes, sequence, passage(2, 6))).toBe('the Quick (brown) fox -- jumps');
    expect(passageText(bytes, sequence, passage(0, 0))).toBe('He');
  });

  it('is cut between characters of several bytes, and reads bytes that are no UTF-8 as U+FFFD', () => {
    const { bytes, sequence } = read('Žluťoučký kůň — 東京 🐎 úpěl ďábelské ódy');
    expect(passageText(bytes, sequence, passage(1, 3))).toBe('kůň — 東京 🐎 úpěl');
    const broken = Uint8Array.of(0x61, 0x20, 0xff, 0x20, 0x62);
    const offsets = { shingleSize: 2, fingerprints: new Float64Array(1) };
    const tokens = { tokenStarts: Uint32Array.of(0, 4), tokenEnds: Uint32Array.of(1, 5) };
    expect(passageText(broken, { ...offsets, ...tokens }, passage(0, 1))).toBe('a � b');
  });

  it('keeps both ends of a passage that is too long', () => {
    const { bytes, sequence } = read(FOX);
    expect(passageText(bytes, sequence, passage(2, 12), 5)).toBe('the Quick (brown … lazy dog');
    expect(passageText(bytes, sequence, passage(2, 12), 11)).not.toContain('…');
    expect(passageText(bytes, sequence, passage(2, 12), 1)).toBe('the … dog');
  });
});
