import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  combiningRank,
  compose,
  foldedParts,
  IGNORED,
  IOTA_SUBSCRIPT,
  infoOf,
  KIND_MASK,
  MARK,
  SEPARATOR,
  SPLITS,
  UNSAFE,
  UNSPACED,
  WORD,
} from '../../../src/core/text/unicode.ts';
import { UNICODE_VERSION } from '../../../src/core/text/unicode-tables.ts';
import { unicodeTablesModule } from '../../../tools/generate-unicode-tables.ts';
import { referenceNormal } from '../../support/core/reference.ts';

/** Marks that become a letter, and what stands for one. */
const IOTAS = [IOTA_SUBSCRIPT, 0x037a];

const sameUnicode = process.versions['unicode'] === UNICODE_VERSION;
const scalars = Array.from({ length: 0x11_0000 }, (_, code) => code).filter((code) => code < 0xd800 || code > 0xdfff);
/** Six of seven scalars are not assigned, and the tables treat all of these alike. */
const unassigned = new Set(scalars.filter((code) => /[[\p{Cn}\p{Co}]--\p{DI}]/v.test(String.fromCodePoint(code))));
/** The reference takes seconds for a million characters, so it is asked about only a few of those that are alike. */
const ASKED_OF_UNASSIGNED = 97;
const asked = scalars.filter((code) => code % ASKED_OF_UNASSIGNED === 0 || !unassigned.has(code));
/** What the reference says of a character: three tests ask it. */
const normals = new Map<number, string>();
function normalOf(code: number): string {
  const normal = normals.get(code) ?? referenceNormal(String.fromCodePoint(code));
  normals.set(code, normal);
  return normal;
}
const kindOf = (code: number) => infoOf(code) & KIND_MASK;

describe('the frozen Unicode tables', () => {
  it.runIf(sameUnicode)(
    'are what their generator makes of this runtime, to the letter but for the version of Node',
    () => {
      const committed = readFileSync(new URL('../../../src/core/text/unicode-tables.ts', import.meta.url), 'utf8');
      const withoutNode = (text: string) => text.replace(/ICU of Node [\d.]+/, '');
      expect(withoutNode(unicodeTablesModule())).toBe(withoutNode(committed));
    },
  );

  it.runIf(sameUnicode)('say of every character what the reference says of it', () => {
    const wrong = asked.filter((code) => {
      const info = infoOf(code);
      const normal = normalOf(code);
      if (normal === '') return info !== IGNORED;
      const first = normal.codePointAt(0)!;
      if (info === IGNORED || (kindOf(code) !== kindOf(first) && !IOTAS.includes(code))) return true;
      if ((info & UNSAFE) !== 0) return false;
      return (info & SPLITS) !== 0 ? [...normal].length === 1 : String.fromCodePoint(code + (info >> 8)) !== normal;
    });
    expect(wrong).toEqual([]);
  });

  it.runIf(sameUnicode)('say of all characters that are not assigned that they separate', () => {
    expect([...unassigned].filter((code) => infoOf(code) !== SEPARATOR)).toEqual([]);
  });

  it.runIf(sameUnicode)('know the kinds of what stands for nothing else as the runtime does', () => {
    const wrong = asked.filter((code) => {
      const character = String.fromCodePoint(code);
      if (infoOf(code) === IGNORED || normalOf(code) !== character) return false;
      const isMark = /\p{M}/u.test(character);
      return (
        isMark !== (kindOf(code) === MARK) || (kindOf(code) !== SEPARATOR) !== /[\p{L}\p{M}\p{N}]/u.test(character)
      );
    });
    expect(wrong).toEqual([]);
  });

  it.runIf(sameUnicode)(
    'fold two characters to the same exactly where a /iu expression takes them for the same',
    () => {
      const folded = (code: number) => normalOf(code + (infoOf(code) >> 8));
      const wrong = asked.filter((code) => {
        const character = String.fromCodePoint(code);
        if (foldedParts(code) !== undefined || code === IOTA_SUBSCRIPT || code === 0x0131) return false;
        return [character.toUpperCase(), character.toLowerCase(), character.toUpperCase().toLowerCase()]
          .filter((other) => [...other].length === 1 && other.normalize('NFD') === other && other !== character)
          .some(
            (other) =>
              new RegExp(`^\\u{${other.codePointAt(0)!.toString(16)}}$`, 'iu').test(character) !==
              (folded(code) === folded(other.codePointAt(0)!)),
          );
      });
      expect(wrong).toEqual([]);
    },
  );

  it('know the corner cases', () => {
    const of = (characters: string) => Array.from(characters, (character) => kindOf(character.codePointAt(0)!));
    expect(new Set(of('aZß9éЖ한ㄅ๓²Ⅷʼ①ⒶＡﬁ№ㅋ'))).toEqual(new Set([WORD]));
    expect(new Set(of('漢々〇〆ひカーｶｰ〱กກက⼈⺠㍻ﾊ'))).toEqual(new Set([UNSPACED]));
    expect(new Set(of('\u0301\u3099\u0e34\u102b\u20e3ﾞ'))).toEqual(new Set([MARK]));
    expect(new Set(of(' _-・、\ufff9\ufffd\0©™¨゛½㈱≠'))).toEqual(new Set([SEPARATOR]));
  });
});

describe('what the canonical form relies on', () => {
  it('holds of every folded character: it stays what it is, keeps its kind and its rank, and does not decompose', () => {
    const wrong = scalars.filter((code) => {
      const parts = foldedParts(code) ?? [code + (infoOf(code) >> 8)];
      if (parts.some((part) => foldedParts(part) !== undefined || infoOf(part) >> 8 !== 0)) return true;
      if (foldedParts(code) !== undefined) return false;
      return kindOf(code) !== kindOf(parts[0]!) || (combiningRank(parts[0]!) > 0 && (infoOf(code) & UNSAFE) === 0);
    });
    expect(wrong).toEqual([]);
  });

  it('holds of every character that moves: it is a mark, so no separator comes between a token and its marks', () => {
    expect(scalars.filter((code) => combiningRank(code) > 0 && kindOf(code) !== MARK)).toEqual([]);
  });

  it('holds of NUL, which fills up words: it separates', () => {
    expect(infoOf(0)).toBe(SEPARATOR);
  });

  it('holds of ASCII: the classes of bytes are those of the characters', () => {
    const letters = scalars.slice(0, 128).filter((code) => kindOf(code) === WORD);
    expect(String.fromCharCode(...letters)).toBe('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz');
    expect(scalars.slice(0, 128).filter((code) => infoOf(code) & (UNSAFE | SPLITS))).toEqual([]);
  });
});

describe('composition', () => {
  it('puts Hangul together by rule and takes it apart', () => {
    expect(compose(0x1112, 0x1161)).toBe(0xd558);
    expect(compose(0xd558, 0x11ab)).toBe(0xd55c);
    expect(compose(0xd55c, 0x11ab)).toBe(-1);
    expect(compose(0xd558, 0x11a7)).toBe(-1);
    expect([
      compose(0x1113, 0x1161),
      compose(0x1112, 0x1176),
      compose(0xd558, 0x11c3),
      compose(0x10ff, 0x1161),
    ]).toEqual([-1, -1, -1, -1]);
    expect(foldedParts(0xd55c)).toEqual([0x1112, 0x1161, 0x11ab]);
    expect(foldedParts(0xd558)).toEqual([0x1112, 0x1161]);
  });

  it('knows pairs, and nothing of what is not one', () => {
    expect(compose(0x61, 0x0301)).toBe(0xe1);
    expect(compose(0x1ea1, 0x0302)).toBe(0x1ead);
    expect(compose(0x62, 0x0301)).toBe(-1);
    expect(compose(-1, 0x0301)).toBe(-1);
    expect(compose(-1, 0x1161)).toBe(-1);
  });
});
