import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createWasmSketcher } from '../../src/kernel/wasm-sketcher.ts';
import { canonicalTextBy } from '../support/core/canonical-text.ts';
import { referenceShingles, referenceTokens } from '../support/core/reference.ts';
import { createPrng } from '../support/prng.ts';
import { anyText, monotonousText } from '../support/workers/kernel-documents.ts';
import { differences, type KernelPair, kernelPair } from '../support/workers/kernel-pair.ts';

const SEED = 1997;
const MODULI = [1, 2, 4, 8, Number.POSITIVE_INFINITY];
/** Bytes that the kernel takes in one piece, and a page of its memory. */
const PIECE = 0x3e00;
const PAGE = 0x1_0000;

const encoder = new TextEncoder();
const pairs = Array.from({ length: 32 }, (_, i) => kernelPair(i + 1));
const seven = pairs[6]!;

/** Texts on which the kernels differ, as a description of each. */
function differing(texts: Iterable<Uint8Array>, choose: (i: number) => { pair: KernelPair; modulusMax: number }) {
  const found: string[] = [];
  let i = 0;
  for (const text of texts) {
    const { pair, modulusMax } = choose(i++);
    const fields = differences(pair, text, modulusMax);
    if (fields.length > 0)
      found.push(`text ${i}, ${text.length} bytes, w ${pair.wasm.parameters.shingleSize}: ${fields}`);
  }
  return found;
}

const everyPair = (i: number) => ({ pair: pairs[i % 32]!, modulusMax: MODULI[i % 5]! });
const withSeven = () => ({ pair: seven, modulusMax: 4 });

function* anyTexts(count: number, bytesMost: number): Generator<Uint8Array> {
  const prng = createPrng(SEED + bytesMost);
  for (let i = 0; i < count; i++) yield anyText(prng, bytesMost);
}

describe('the WebAssembly kernel', () => {
  it('makes the values of the TypeScript kernel of 17,000 short texts in all scripts, broken ones too, at every w', () => {
    expect(differing(anyTexts(17_000, 100), everyPair)).toEqual([]);
  });

  it('makes them of 3,000 texts of a page', () => {
    expect(differing(anyTexts(3000, 2000), everyPair)).toEqual([]);
  });

  it('makes them of texts of up to a megabyte, most of which need many pieces', () => {
    expect(differing(anyTexts(10, 200_000), everyPair)).toEqual([]);
    expect(differing(anyTexts(1, 1_000_000), everyPair)).toEqual([]);
  });

  it('makes them of every character, between letters, with a mark behind it and doubled', () => {
    const lines: string[] = [];
    for (const [first, end] of [
      [0, 0x3_2000],
      [0xe_0000, 0xe_1400],
    ] as const) {
      for (let code = first; code < end; code++) {
        const character = String.fromCodePoint(code);
        lines.push(`a${character}b ${character}\u0316\u0301 ${character}${character}\u05b0東${character}`);
      }
    }
    const texts = Array.from({ length: lines.length / 1024 }, (_, i) =>
      encoder.encode(lines.slice(i * 1024, (i + 1) * 1024).join(' ')),
    );
    expect(differing(texts, withSeven)).toEqual([]);
  });

  it('makes them where what nobody sees stands between a base, its marks and the next letter', () => {
    const prng = createPrng(SEED);
    const pick = (from: string) => [...from][prng.below([...from].length)]!;
    const one = () => {
      const kind = prng.below(4);
      if (kind === 0) return pick('\u00ad\u034f\u061c\u200b\u200d\ufe0f\u3164\u{e0100}\u17b4');
      if (kind === 1) return pick('\u0301\u0316\u0327\u093c\u094d\u05b0\u05bc\u09be\u09c7\u3099\u11ab\u1161\u0338');
      return kind === 2 ? pick('aé東かक\u09c7か\u1112한İ=𑄱') : pick('bт。 .𠀀');
    };
    const texts = Array.from({ length: 4000 }, () =>
      encoder.encode(Array.from({ length: 1 + prng.below(20) }, one).join('')),
    );
    expect(differing(texts, withSeven)).toEqual([]);
  });

  it('makes them of monotonous texts, with no separator in reach or nothing else', () => {
    const prng = createPrng(SEED);
    const texts = Array.from({ length: 40 }, () => monotonousText(prng, 1 + prng.below(50_000)));
    expect(differing(texts, withSeven)).toEqual([]);
    const long = [
      ' ',
      'a',
      'a ',
      'é',
      'e\u0301',
      '東',
      '東\u0301',
      'ก\u0e48',
      '\u0301',
      '\u0316\u0301',
      '\u200b',
      'a\u200b',
      '東\u200b',
      '\u0316\u034f\u0301',
      'İ',
      '\u0000',
      '𠀀',
    ];
    expect(
      differing(
        long.map((unit) => encoder.encode(unit.repeat(30_000))),
        withSeven,
      ),
    ).toEqual([]);
  });

  it('reads nothing behind a text, whatever its length beside a vector, a piece or a page of memory', () => {
    const base = encoder.encode('naïve Ünïcode 東京都 ก็ e\u0301 words, '.repeat(6000));
    const lengths = [0, 16, 64, PIECE, 2 * PIECE, PAGE].flatMap((border) =>
      Array.from({ length: 41 }, (_, i) => border + i - 20).filter((length) => length >= 0),
    );
    const texts = lengths.map((length) => base.subarray(length % 7, (length % 7) + length));
    expect(differing(texts, everyPair)).toEqual([]);
    // the same text behind which another one stood
    const [long, short] = [base.subarray(0, 9000), base.subarray(0, 3001)];
    expect(differing([short, long, short], withSeven)).toEqual([]);
  });

  it.each([
    ['a piece', PIECE, ''],
    ['what TypeScript does at a time', 256, 'İ'],
  ])('makes them where line ends that part nothing stand at the end of %s', (_what, border, begin) => {
    const lines = [
      '東\u00ad\n \ufe00 \u00ad 京',
      '東\u200b\n\u200b 京',
      '東 \r\n 京',
      'exam-\r\n  ple',
      'é\u2010\n b',
      '東-\n a',
    ];
    const texts = lines.flatMap((line) =>
      Array.from({ length: Buffer.byteLength(line) + 1 }, (_, reaches) =>
        encoder.encode(`${begin}${' a'.repeat(border)}`.slice(0, border - reaches) + line + '東京 b'.repeat(9)),
      ),
    );
    expect(differing(texts, withSeven)).toEqual([]);
  });

  it('takes the empty text and texts of fewer than w tokens', () => {
    const texts = Array.from({ length: 40 }, (_, words) => encoder.encode('word '.repeat(words)));
    expect(
      differing(
        texts.flatMap((text) => pairs.map(() => text)),
        everyPair,
      ),
    ).toEqual([]);
  });

  it('grows for 8 MB of distinct shingles and takes small texts after them as before', () => {
    const prng = createPrng(SEED);
    const bytes = Uint8Array.from({ length: 8_000_000 }, (_, i) => (i % 2 === 0 ? 0x20 : 0x61 + prng.below(26)));
    const small = encoder.encode('a rose is a rose is a rose');
    expect(differing([small, bytes, small], withSeven)).toEqual([]);
  });

  it('leaves the text as it was and hands out what no later sketch overwrites', () => {
    const text = encoder.encode('Grüße, Jürgen, und so weiter');
    const before = text.slice();
    const { sample, shingleSum } = seven.wasm.sketch(text, 1);
    const [values, sum] = [[...sample.fingerprints], [...shingleSum]];
    expect(text).toEqual(before);
    seven.wasm.sketch(encoder.encode('something else entirely'), 1);
    expect([[...sample.fingerprints], [...shingleSum]]).toEqual([values, sum]);
  });

  it('hands out samples that later sketches leave alone, however many there are', () => {
    const texts = [...anyTexts(400, 3000), new Uint8Array(0), ...anyTexts(2, 400_000)];
    const sketcher = createWasmSketcher(seven.wasm.parameters);
    const all = texts.map((text) => sketcher.sketch(text, 4));
    expect(texts.filter((text, i) => !isDeepStrictEqual(all[i], seven.typescript.sketch(text, 4)))).toHaveLength(0);
  });

  it('puts marks in order, and lets them compose where the base does, in scripts that have many', () => {
    const words = [
      // typed orders that are not canonical
      'הַשָּׁמַיִם הַשָּׁמַיִם',
      'اللَّهُ اللّٰهُ \u0628\u0651\u064e\u0653',
      // nukta and vowel signs: composing after some letters, not after others
      '\u0921\u093c\u0940 \u0928\u093c \u0930\u094d\u093c \u095c\u093c',
      '\u0b95\u0bbe \u0bc6\u0bbe \u0bc6\u0bcd\u0bbe \u09c7\u09be \u0995\u09be\u09bc \u09c7\u09bc\u09be',
      // a base of ASCII, none, one that comes apart, one beyond the first plane, a broken one
      'd\u0331 3\u0331 \u0331 =\u0338 \u00e9\u0331\u0323 \u{11131}\u{11127} \u{1d15f}\u0331 \ud800\u0331 か\u3099 が\u3099',
      `a${'\u05b0'.repeat(14)}\u0316\u05b0\u0316 ${'\u05b0\u0316'.repeat(9)}`,
    ];
    const all = words.join(' ');
    const texts = [all, ...words, ...words.map((word) => word.replaceAll(' ', ''))].map((text) => encoder.encode(text));
    expect(differing(texts, withSeven)).toEqual([]);
  });

  it('counts tokens and shingles as the slow oracle does, over the Unicode of the runtime', () => {
    const text = 'Straße, ÉTÉ и ТОКИО 東京都 Tokyo3 หนังสือ नमस्ते a rose is a rose is a rose e\u0301e\u0316\u0301';
    const tokens = referenceTokens(text);
    for (const { wasm } of pairs) {
      const { tokenCount, shingleCount } = wasm.sketch(encoder.encode(text), 1);
      expect(tokenCount).toBe(tokens.length);
      expect(shingleCount).toBe(referenceShingles(tokens, wasm.parameters.shingleSize).size);
      expect(canonicalTextBy(wasm, encoder.encode(text)).toString()).toBe(`${tokens.join(' ')} `);
    }
  });

  it('hands out the canonical text once where it gives up in the middle and TypeScript goes on', () => {
    const text = encoder.encode(`${'a few words, '.repeat(3000)}${'x'.repeat(2 * PIECE)} and more`);
    expect(canonicalTextBy(seven.wasm, text).equals(canonicalTextBy(seven.typescript, text))).toBe(true);
  });

  it('keeps its own parameters apart from those of another sketcher', () => {
    const [one, other] = [kernelPair(5, 1), kernelPair(5, 2)];
    const text = encoder.encode('one two three four five six');
    expect(differences(one, text, 1)).toEqual([]);
    expect(differences(other, text, 1)).toEqual([]);
    expect(one.wasm.sketch(text, 1).shingleSum).not.toEqual(other.wasm.sketch(text, 1).shingleSum);
  });
});
