import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ComparedTexts, compareTextSteps, type Stretch } from '../../../src/core/differences/compare-texts.ts';
import { wordedTextSteps } from '../../../src/core/differences/worded-text.ts';
import { runToEnd } from '../../../src/core/memory/steps.ts';
import { createSketcher } from '../../../src/core/sketch/sketch.ts';
import { createTextMaker } from '../../support/core/make-documents.ts';
import { draws } from '../../support/draws.ts';
import { IDENTITY, SHINGLE_SIZE } from '../../support/service/service-fixture.ts';

const sketcher = createSketcher(IDENTITY.fingerprint);
const worded = (words: readonly string[]) => runToEnd(wordedTextSteps(sketcher, Buffer.from(words.join(' '))));
const compared = (a: readonly string[], b: readonly string[]) => runToEnd(compareTextSteps(worded(a), worded(b)));

/** Few words, so that windows repeat; now and then one that is nowhere else. */
const passage = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 14 });
const pair = fc.array(passage, { minLength: 1, maxLength: 8 }).chain((passages) =>
  fc.tuple(
    fc.constant(passages.flat()),
    fc
      .array(fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...passages) }, passage), { minLength: 1, maxLength: 9 })
      .map((chosen) => chosen.flat()),
  ),
);
/** Texts as people write them: of many words, with passages moved and words changed. */
const make = createTextMaker(16);
const edited = fc
  .record({
    words: fc.integer({ min: 1, max: 400 }),
    share: fc.constantFrom(0, 0.01, 0.05, 0.3),
    cut: fc.nat(400),
    to: fc.nat(400),
  })
  .map(({ words, share, cut, to }): [string[], string[]] => {
    const a = make.text(words).split(' ');
    const b = make.changed(a.join(' '), share).split(' ');
    const moved = b.splice(cut % b.length, 40);
    b.splice(to % (b.length + 1), 0, ...moved);
    return [a, b];
  });
const texts = fc.oneof(pair, edited);

const holds = (check: (a: string[], b: string[], found: ComparedTexts) => void) =>
  fc.assert(
    fc.property(texts, ([a, b]) => check(a, b, compared(a, b))),
    draws(250),
  );

const wordsOf = (words: readonly string[], { from, to }: Stretch) => words.slice(from, to).join(' ');

/** Windows as their words. */
const windowsOf = (words: readonly string[]) => {
  const size = Math.min(SHINGLE_SIZE, words.length);
  return Array.from({ length: words.length - size + 1 }, (_, i) => words.slice(i, i + size).join(' '));
};

/** Which words are in a window that the other text has, by brute force. */
function inSharedWindow(words: readonly string[], other: readonly string[]): boolean[] {
  const known = new Set(windowsOf(other));
  const windows = windowsOf(words);
  const size = words.length - windows.length + 1;
  return words.map((_, i) => windows.some((window, at) => at <= i && i < at + size && known.has(window)));
}

describe('what is common to two texts', () => {
  it('has every word of each text in one stretch', () =>
    holds((a, b, found) => {
      for (const [words, stretches] of [
        [a, found.a],
        [b, found.b],
      ] as const) {
        expect(stretches.map(({ from }) => from)).toEqual([0, ...stretches.slice(0, -1).map(({ to }) => to)]);
        expect(stretches.at(-1)!.to).toBe(words.length);
        expect(stretches.every(({ from, to }) => from < to)).toBe(true);
      }
    }));

  it('pairs stretches of the same words, each with one partner of its kind', () =>
    holds((a, b, found) => {
      for (const [i, stretch] of found.a.entries()) {
        expect(stretch.partner !== null).toBe(['common', 'moved'].includes(stretch.kind));
        if (stretch.partner === null) continue;
        const partner = found.b[stretch.partner]!;
        expect(partner).toMatchObject({ kind: stretch.kind, partner: i });
        expect(wordsOf(b, partner)).toBe(wordsOf(a, stretch));
      }
      const paired = (stretches: readonly Stretch[]) => stretches.filter(({ partner }) => partner !== null).length;
      expect(paired(found.b)).toBe(paired(found.a));
    }));

  it('calls only what is in no shingle of the other text, by brute force', () =>
    holds((a, b, found) => {
      for (const [words, other, stretches] of [
        [a, b, found.a],
        [b, a, found.b],
      ] as const) {
        const shared = inSharedWindow(words, other);
        const told = stretches.flatMap(({ kind, from, to }) => Array<boolean>(to - from).fill(kind !== 'only'));
        expect(told).toEqual(shared);
      }
    }));

  it('has the common stretches in the order of both, and no chain of all pairs is heavier, by brute force', () =>
    holds((_a, _b, found) => {
      const common = found.a.filter(({ kind }) => kind === 'common');
      const partners = common.map(({ partner }) => partner!);
      expect(partners).toEqual(partners.toSorted((one, other) => one - other));
      const paired = found.a.filter(({ partner }) => partner !== null);
      const best: number[] = [];
      for (const [i, { from, to, partner }] of paired.entries()) {
        const before = best.filter((_, q) => q < i && paired[q]!.partner! < partner!);
        best.push(to - from + Math.max(0, ...before));
      }
      expect(common.reduce((sum, { from, to }) => sum + to - from, 0)).toBe(Math.max(0, ...best));
    }));

  it('is the mirror image where a and b are swapped', () =>
    holds((a, b, found) => {
      expect(compared(b, a)).toEqual({ a: found.b, b: found.a });
    }));

  it('is all of a text and itself', () =>
    holds((a) => {
      const whole = { kind: 'common', from: 0, to: a.length, partner: 0 };
      expect(compared(a, a)).toEqual({ a: [whole], b: [whole] });
    }));
});

const w = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `w${from + i}`);
const told = (words: readonly string[], stretches: readonly Stretch[]) =>
  stretches.map((stretch) => `${stretch.kind}: ${wordsOf(words, stretch)}`);

describe('what is told of', () => {
  it.each<[string, string[], string[], string[], string[]]>([
    [
      'a word changed',
      [...w(0, 20), 'x', ...w(20, 40)],
      [...w(0, 20), 'y', ...w(20, 40)],
      [`common: ${w(0, 20).join(' ')}`, 'only: x', `common: ${w(20, 40).join(' ')}`],
      [`common: ${w(0, 20).join(' ')}`, 'only: y', `common: ${w(20, 40).join(' ')}`],
    ],
    [
      'a passage moved: the shorter of the two that changed places',
      [...w(0, 20), ...w(20, 30), ...w(30, 60)],
      [...w(0, 20), ...w(30, 60), ...w(20, 30)],
      [`common: ${w(0, 20).join(' ')}`, `moved: ${w(20, 30).join(' ')}`, `common: ${w(30, 60).join(' ')}`],
      [`common: ${w(0, 20).join(' ')}`, `common: ${w(30, 60).join(' ')}`, `moved: ${w(20, 30).join(' ')}`],
    ],
    [
      'a passage said twice',
      [...w(0, 10), ...w(20, 30)],
      [...w(0, 10), 'x', ...w(0, 10), ...w(20, 30)],
      [`common: ${w(0, 10).join(' ')}`, `common: ${w(20, 30).join(' ')}`],
      [`common: ${w(0, 10).join(' ')}`, 'only: x', `repeated: ${w(0, 10).join(' ')}`, `common: ${w(20, 30).join(' ')}`],
    ],
    [
      'one word over and over',
      Array(30).fill('x'),
      Array(20).fill('x'),
      ['common: x x x x x x x x x x x x x x x x x x x x', 'repeated: x x x x x x x x x x'],
      ['common: x x x x x x x x x x x x x x x x x x x x'],
    ],
    ['texts shorter than a shingle', ['x', 'y'], ['x', 'y', 'z'], ['only: x y'], ['only: x y z']],
    [
      'words that no shingle shows: two changes near one another',
      [...w(0, 9), 'x', 'and', 'y', ...w(9, 18)],
      [...w(0, 9), 'p', 'and', 'q', ...w(9, 18)],
      [`common: ${w(0, 9).join(' ')}`, 'only: x and y', `common: ${w(9, 18).join(' ')}`],
      [`common: ${w(0, 9).join(' ')}`, 'only: p and q', `common: ${w(9, 18).join(' ')}`],
    ],
  ])('%s', (_what, a, b, inA, inB) => {
    const found = compared(a, b);
    expect(told(a, found.a)).toEqual(inA);
    expect(told(b, found.b)).toEqual(inB);
  });

  it('fingerprints that agree by chance: nothing', () => {
    const [a, b] = [worded(w(0, 20)), worded(w(20, 40))];
    const forged = { ...b, sequence: { ...b.sequence, fingerprints: a.sequence.fingerprints } };
    const only = { kind: 'only', from: 0, to: 20, partner: null };
    expect(runToEnd(compareTextSteps(a, forged))).toEqual({ a: [only], b: [only] });
  });
});
