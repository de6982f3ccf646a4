import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coarsenBits, isMarked, keptBits } from '../../../src/core/sketch/main-marks.ts';
import { narrow, narrowBits } from '../../../src/core/sketch/narrow.ts';
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
        const isPart = expected.size > 0 && expected.size < sample.fingerprints.length;
        expect(main?.shingleCount).toBe(isPart ? expected.size : undefined);
        if (main === null) return;
        expect(new Set([...sample.fingerprints].filter((_, i) => isMarked(main, i)))).toEqual(expected);
      }),
      { seed: 1997, numRuns: 400 },
    );
  });

  it('tells nothing of a text that is kept as a whole, and of one of which nothing is kept', () => {
    const text = encoder.encode('one two three four five six seven eight nine');
    expect(sketchers[6]!.sketch(text, 1, undefined, 0, Uint32Array.of(0, text.length)).main).toBeNull();
    expect(sketchers[6]!.sketch(text, 1, undefined, 0, new Uint32Array(0)).main).toBeNull();
  });

  it('has the sum that a document has which says nothing else', () => {
    const [menu, article] = ['home about contact news', 'one two three four five six seven eight nine'];
    const text = encoder.encode(`${menu}\n${article}`);
    const { main } = sketchers[3]!.sketch(text, 1, undefined, 0, Uint32Array.of(menu.length + 1, text.length));
    const alone = sketchers[3]!.sketch(encoder.encode(article), 1);
    expect(main).toMatchObject({ shingleCount: alone.shingleCount, shingleSum: alone.shingleSum });
  });

  it('keeps its bits at a coarser modulus, and in the order of a record', () => {
    const words = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `w${from + i}`).join(' ');
    const [menu, article] = [words(0, 700), words(700, 3000)];
    const text = encoder.encode(`${menu}\n${article}`);
    const kept = Uint32Array.of(menu.length + 1, text.length);
    const { main, sample, shingleCount } = sketchers[6]!.sketch(text, 1, undefined, 0, kept);
    const coarse = sketchers[6]!.sketch(text, 4, undefined, 0, kept);
    expect(coarsenBits(sample, main!.bits, 4)).toEqual(coarse.main!.bits);
    const isMain = new Map(
      Array.from(coarse.sample.fingerprints, (fingerprint, i) => [fingerprint, isMarked(coarse.main!, i)]),
    );
    const record = narrow(coarse.sample, narrowBits(shingleCount), 8);
    const bits = keptBits(coarse.sample, coarse.main!.bits, record);
    const unit = 2 ** record.bits;
    for (const [fingerprint, marked] of isMain) {
      const at = record.values.indexOf(fingerprint - Math.floor(fingerprint / unit) * unit);
      expect(isMarked({ bits }, at)).toBe(marked);
    }
    expect(new Set(isMain.values()).size).toBe(2);
  });
});
