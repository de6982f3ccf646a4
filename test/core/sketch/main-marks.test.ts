import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isMarked } from '../../../src/core/sketch/main-marks.ts';
import { kernelPair } from '../../support/workers/kernel-pair.ts';

const encoder = new TextEncoder();
const sketchers = Array.from({ length: 8 }, (_, i) => kernelPair(i + 1).typescript);
const lines = fc.array(
  fc.record({
    words: fc.array(fc.constantFrom('a', 'b', 'cc', 'é', '東京', '…'), { maxLength: 9 }),
    kept: fc.boolean(),
  }),
  { maxLength: 12 },
);

/** The text of the lines, and those that are kept as ranges. */
function textOf(all: readonly { words: readonly string[]; kept: boolean }[]) {
  let text = '';
  const kept: number[] = [];
  for (const { words, kept: isKept } of all) {
    const from = encoder.encode(text).length;
    text += words.join(' ');
    if (isKept) kept.push(from, encoder.encode(text).length);
    text += '\n';
  }
  return { text: encoder.encode(text), kept: Uint32Array.from(kept) };
}

describe('the main part of a document', () => {
  it('is every shingle that lies with all its words in what is kept, at least once', () => {
    fc.assert(
      fc.property(lines, fc.nat(7), (all, size) => {
        const sketcher = sketchers[size]!;
        const { text, kept } = textOf(all);
        const { main, sample } = sketcher.sketch(text, 1, undefined, 0, kept);
        const { tokenStarts, tokenEnds, fingerprints, shingleSize } = sketcher.sequence(text);
        const isKept = Array.from(tokenStarts, (from, i) =>
          kept.some((start, k) => k % 2 === 0 && start <= from && tokenEnds[i]! <= kept[k + 1]!),
        );
        const expected = new Set<number>();
        for (const [i, value] of fingerprints.entries())
          if (isKept.slice(i, i + shingleSize).every(Boolean)) expected.add(value);
        expect(main!.shingleCount).toBe(expected.size);
        const marked = [...sample.fingerprints].filter((_, i) => isMarked(main!, i));
        expect(new Set(marked)).toEqual(expected);
      }),
      { seed: 1997, numRuns: 400 },
    );
  });

  it('is all of a text that is kept as a whole, and nothing of one of which nothing is kept', () => {
    const text = encoder.encode('one two three four five six seven eight nine');
    const whole = sketchers[6]!.sketch(text, 1, undefined, 0, Uint32Array.of(0, text.length));
    expect(whole.main).toEqual({ shingleCount: 3, bits: Uint8Array.of(0b111) });
    const none = sketchers[6]!.sketch(text, 1, undefined, 0, new Uint32Array(0));
    expect(none.main).toEqual({ shingleCount: 0, bits: Uint8Array.of(0) });
  });
});
