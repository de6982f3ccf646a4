import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { passageText, textFragment } from '../../src/core/passage-text.ts';
import type { ShingleSequence } from '../../src/core/sketch.ts';

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

function passage(firstToken: number, lastToken: number, exact = true) {
  return { firstToken, lastToken, words: lastToken - firstToken + 1, exact };
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

describe('a link to the words of a passage', () => {
  it('names four words at either end of a long passage', () => {
    const { bytes, sequence } = read(FOX);
    expect(textFragment(bytes, sequence, passage(2, 18))).toBe(
      '#:~:text=the%20Quick%20(brown)%20fox,words%20at%20the%20end',
    );
  });

  it('names all of a passage of up to eight words', () => {
    const { bytes, sequence } = read(FOX);
    expect(textFragment(bytes, sequence, passage(3, 9))).toBe(
      '#:~:text=Quick%20(brown)%20fox%20%2D%2D%20jumps%2C%20as%20ever%2C%20over',
    );
  });

  it('names words of a shared shingle only where a gap was bridged', () => {
    const { bytes, sequence } = read(FOX);
    // Eight words in two shared windows: the first window alone is certain to stand together.
    expect(textFragment(bytes, sequence, passage(2, 9, false))).toBe(
      '#:~:text=the%20Quick%20(brown)%20fox%20%2D%2D%20jumps%2C%20as%20ever',
    );
    const pairs = { ...sequence, shingleSize: 2 };
    expect(textFragment(bytes, pairs, passage(2, 12, false))).toBe('#:~:text=the%20Quick,lazy%20dog');
    expect(textFragment(bytes, pairs, passage(2, 4, false))).toBe('#:~:text=the%20Quick');
  });

  it('reads back as the words, with no syntax of its own in them, for any text', () => {
    const word = fc.stringMatching(/^[\p{L}\p{N}]{1,6}$/u);
    const gap = fc.constantFrom(' ', '-', ', ', ' & ', ',-', '\u00a0', '\n\n', '=', '%', '#', ' 🐎 ', '+');
    fc.assert(
      fc.property(fc.array(fc.tuple(word, gap), { minLength: SIZE, maxLength: 30 }), fc.boolean(), (parts, exact) => {
        const { bytes, sequence, words } = read(parts.flat().join(''));
        if (words.length < SIZE) return;
        const fragment = textFragment(bytes, sequence, passage(0, words.length - 1, exact));
        expect(fragment).toMatch(/^#:~:text=[^-,&#\s]+(,[^-,&#\s]+)?$/u);
        const spelled = fragment.slice('#:~:text='.length).split(',').map(decodeURIComponent);
        const [start, end] = spelled.map((part) => read(part).words);
        expect(words.slice(0, start!.length)).toEqual(start);
        if (end !== undefined) expect(words.slice(-end.length)).toEqual(end);
        // What is named stands in one shared shingle.
        if (!exact) for (const part of [start, end]) expect((part ?? []).length).toBeLessThanOrEqual(SIZE);
      }),
      { seed: 1997, numRuns: 300 },
    );
  });
});
