import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MARKS_MAX, Normalizer } from '../../../src/core/text/normalize.ts';
import { UNICODE_VERSION } from '../../../src/core/text/unicode-tables.ts';
import { fewMarks } from '../../support/core/arbitrary-text.ts';
import { canonicalTokens } from '../../support/core/canonical-text.ts';
import { referenceNormal } from '../../support/core/reference.ts';
import { draws } from '../../support/draws.ts';

const sameUnicode = process.versions['unicode'] === UNICODE_VERSION;

function normal(input: string): string {
  let output = '';
  const normalizer = new Normalizer((code) => {
    output += String.fromCodePoint(code);
  });
  for (const one of input.toWellFormed()) normalizer.push(one.codePointAt(0)!, 0, 1);
  normalizer.flush();
  return output;
}

describe('normalisation', () => {
  it.runIf(sameUnicode)("is the runtime's NFC of texts that are folded already", () => {
    fc.assert(
      fc.property(fewMarks, (input) => {
        expect(normal(input)).toBe(referenceNormal(input));
      }),
      draws(2500, 35),
    );
  });

  it(`keeps the first ${MARKS_MAX} marks of a run and drops the rest`, () => {
    const marks = (count: number) => '\u0316\u0301'.repeat(count / 2);
    expect(normal(`q${marks(MARKS_MAX)}`)).toBe(`q${marks(MARKS_MAX)}`.normalize('NFC'));
    expect(normal(`q${marks(MARKS_MAX + 2)}`)).toBe(normal(`q${marks(MARKS_MAX)}`));
    expect(normal(`q${marks(400)}r${marks(400)}`)).toBe(normal(`q${marks(MARKS_MAX)}r${marks(MARKS_MAX)}`));
    expect(canonicalTokens(Buffer.from(`q${marks(1_000_000)}`))).toEqual([normal(`q${marks(MARKS_MAX)}`)]);
  });

  it('puts nothing together over a mark that stays between', () => {
    for (const between of ['\u1112\u1161\u0316\u11ab', '\u0b47\u0316\u0b3e', 'a\u0316\u0317\u0301', 'a\u0302\u0301'])
      expect(normal(between)).toBe(between.normalize('NFC'));
  });

  it('takes no notice of what nobody sees: marks compose and change places over it', () => {
    for (const unseen of ['\u034f', '\u200d', '\ufe0f', '\u3164', '\u{e0100}', '\u034f\u200b'])
      expect(normal(`a${unseen}\u0301${unseen}\u0316${unseen}`)).toBe('a\u0301\u0316'.normalize('NFC'));
  });

  it('counts marks decomposed: a composed letter and its parts keep the same ones', () => {
    const rest = '\u0316'.repeat(MARKS_MAX - 1);
    expect(normal(`é${rest}`)).toBe(normal(`e\u0301${rest}`));
  });
});
