import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCanonicalizer, GROWTH_MAX, GROWTH_WORST } from '../../../src/core/text/canonicalize.ts';
import { UNICODE_VERSION } from '../../../src/core/text/unicode-tables.ts';
import { ASSIGNED, anyText, fewMarks } from '../../support/core/arbitrary-text.ts';
import { canonicalTokens } from '../../support/core/canonical-text.ts';
import { referenceTokens } from '../../support/core/reference.ts';
import { draws } from '../../support/draws.ts';

const sameUnicode = process.versions['unicode'] === UNICODE_VERSION;
const tokensOf = (text: string) => canonicalTokens(Buffer.from(text.toWellFormed()));

describe('canonical tokens', () => {
  it.each([
    ['words in lower case', 'A Rose, is (a) ROSE!', 'a rose is a rose'],
    ['numbers, superscripts, Roman numerals, fractions', 'x² 3.14 Ⅷ 1,000 3½', 'x2 3 14 viii 1 000 3 1 2'],
    ['nothing else but marks', "don't re-use_it a@b", 'don t re use it a b'],
    ['controls and annotations, which separate', 'a\0b c\u0085d e\ufff9f\ufffag\ufffbh', 'a b c d e f g h'],
    ['without what nobody sees', 'com\u00adpu\u200bter a\u2060b \ufeffc\u200e d\u{1d173}e', 'computer ab c de'],
    ['without joiners', 'می\u200cخواهم क्\u200dष ක්\u200dර a\u200db', 'میخواهم क्ष ක්ර ab'],
    [
      'without selectors and tags',
      'a ❤\ufe0f b 葛\u{e0100}城 1\ufe0f\u20e3 🏴\u{e0067}\u{e0062}\u{e007f} c',
      'a b 葛城 1\u20e3 c',
    ],
    ['without fillers', '\u3164a\u115f b\uffa0c \u1160 \u17b4ក\u17b5ខ', 'a bc កខ'],
    ['composed over what nobody sees', 'e\u034f\u0301 か\u200b\u3099 \u1112\u200c\u1161\u034f\u11ab', 'é が 한'],
    ['in one order of marks', 'q\u0301\u034f\u0316 q\u0316\u0301', 'q\u0316\u0301 q\u0316\u0301'],
    ['full folding', 'Straße STRASSE ẞ ſo Kelvin Åre ΣΑΣ և', 'strasse strasse ss so kelvin åre σασ եւ'],
    ['İ and ı by both readings', 'DIŞİŞLERİ dışişleri i\u0307\u0301 į\u0307', 'dişişleri dişişleri í į'],
    ['ligatures and digraphs', 'ﬂuﬃg ĳs ǆ ﬀ', 'fluffig ijs dž ff'],
    ['Arabic forms, tatweel and vowel signs', 'ﻣﺮﺣﺒﺎ مـــرحبا مَرْحَبًا ﻻ ﷺ ﱡ', 'مرحبا مرحبا مرحبا لا صلى الله عليه وسلم'],
    ['Hebrew without points', 'שָׁלוֹם שׁלום', 'שלום שלום'],
    ['radicals', '⼈⺠ 人民', '人民 人民'],
    ['letters in circles and squares', 'Ⓐ① ㈱ ㍻ ℃ №1', 'a1 株 平成 c no1'],
    ['names without their signs', 'Acme™ Acme℠ a¨b', 'acme acme a b'],
    ['folding while in pieces', 'J\u030c ǰ İ I\u0307', 'ǰ ǰ i i'],
    ['iota subscript as the letter', 'ᾼ ᾳ α\u0345 ΑΙ α\u0345\u0301 ᾴ', 'αι αι αι αι άι άι'],
    ['Cherokee, folded to its capitals', 'ꭰ Ꭰ', 'Ꭰ Ꭰ'],
    ['a symbol that takes a mark', '=\u0338 ≠ a=\u0338b', 'a b'],
    ['a mark without a base', ' \u0301abc .\u0323', '\u0301abc \u0323'],
    ['one letter of an unspaced script', '東 は', '東 は'],
    ['pairs', '東京都庁', '東京 京都 都庁'],
    ['Japanese in mixed scripts as one run', '東京タワーへ', '東京 京タ タワ ワー ーへ'],
    ['an unspaced run beside Latin and digits', 'iPhone用3個', 'iphone 用 3 個'],
    ['digits of unspaced scripts as numbers', 'ปี๒๕๖๐ที่', 'ปี ๒๕๖๐ ที่'],
    ['marks with their base', 'กิน か\u3099き 葛\u20dd城', 'กิน がき 葛\u20dd城'],
    ['punctuation between pairs', '東京。大阪・京都', '東京 大阪 京都'],
    ['halfwidth katakana', 'ｶﾞ ガ ｶﾞｷ', 'ガ ガ ガキ'],
    ['ideographic zero and iteration marks', '二〇二六 人々', '二〇 〇二 二六 人々'],
    ['Korean by words', '한국어 \u1112\u1161\u11ab국어', '한국어 한국어'],
    ['Myanmar, Khmer, Lao', 'မြန်မာ ខ្មែរ ລາວ', 'မြန် န်မာ ខ្មែ មែរ ລາ າວ'],
    ['fullwidth Latin', 'ＡＢ１', 'ab1'],
    ['Korean letters of both kinds', 'ㅎㅏ ㅋㅋ', '하 ᄏᄏ'],
    ['pairs over a line end', '東京\n都 東 \r\n\t京 ไทย\rไ', '東京 京都 東京 ไท ทย ยไ'],
    ['… not over two', '東\n\n京 東\r\r京 東京\na 東\n.京', '東 京 東 京 東京 a 東 京'],
    [
      'words without hyphens at line ends',
      'exam-\nple é-\r\n  é ef\u00ad\nﬁcient пе\u2010\nро',
      'example éé efficient перо',
    ],
    ['… but for capitals, numbers, blank lines', 'Bad-\nEms 1990-\n1995 a-\n\nb -\nc', 'bad ems 1990 1995 a b c'],
  ])('are %s', (_, input, expected) => {
    expect(tokensOf(input)).toEqual(expected.split(' '));
  });

  it('are none of a text without letters, marks and numbers', () => {
    for (const empty of ['', ' ', '\0', '...', '\ufeff', '©≠™', '❤\ufe0f', '\u3164'.repeat(9), '\n'.repeat(10_000)])
      expect(tokensOf(empty)).toEqual([]);
  });

  it.runIf(sameUnicode)('are those of the reference, for texts of every sort of character', () => {
    fc.assert(
      fc.property(fewMarks, (input) => {
        expect(tokensOf(input)).toEqual(referenceTokens(input));
      }),
      draws(750, 30),
    );
  });

  it.runIf(sameUnicode).each([
    ['alone', (one: string) => `${one} `],
    ['after a letter and before marks', (one: string) => `a${one}\u0323\u0301 `],
    ['between unspaced letters', (one: string) => `京${one}都 `],
    ['behind a mark', (one: string) => `e\u0301${one}e `],
  ])('are those of the reference for every character there is, %s', (_, within) => {
    for (let at = 0; at < ASSIGNED.length; at += 0x1000) {
      const input = ASSIGNED.slice(at, at + 0x1000)
        .map(within)
        .join('');
      expect(tokensOf(input).join(' '), `${ASSIGNED[at]} …`).toBe(referenceTokens(input).join(' '));
    }
  });

  it('are the same of their own text: canonicalising twice changes nothing', () => {
    fc.assert(
      fc.property(anyText, (input) => {
        const tokens = tokensOf(input);
        expect(tokensOf(tokens.join(' '))).toEqual(tokens);
      }),
      draws(375, 31),
    );
  });

  it('are the same of NFC and NFD, of CRLF and LF', () => {
    fc.assert(
      fc.property(fewMarks, (input) => {
        const tokens = tokensOf(input);
        expect(tokensOf(input.toWellFormed().normalize('NFC'))).toEqual(tokens);
        expect(tokensOf(input.toWellFormed().normalize('NFD'))).toEqual(tokens);
        expect(tokensOf(input.replaceAll('\n', '\r\n'))).toEqual(tokens);
      }),
      draws(375, 32),
    );
  });

  it('are the same in upper and lower case where the letters have one to one partners', () => {
    const letters = Array.from({ length: 0x3_0000 }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code))
      .filter((letter) => letter !== '\u0345')
      .filter((letter) => letter.toUpperCase() !== letter && letter.toUpperCase().toLowerCase() === letter);
    expect(letters.length).toBeGreaterThan(1200);
    for (const letter of letters) expect(tokensOf(`x${letter.toUpperCase()} y`)).toEqual(tokensOf(`x${letter} y`));
  });

  it('are the same wherever they stand in the text: words of eight bytes make no difference', () => {
    fc.assert(
      fc.property(fewMarks, fc.integer({ min: 0, max: 40 }), (input, offset) => {
        expect(tokensOf(`${'.'.repeat(offset)}${input} `)).toEqual(tokensOf(`.${input}`));
      }),
      draws(375, 33),
    );
  });
});

describe('bytes that are not UTF-8', () => {
  const byte = fc.oneof(
    fc.constantFrom(
      0x61,
      0x20,
      0x80,
      0xbf,
      0xc1,
      0xc3,
      0xa9,
      0xe0,
      0xe2,
      0xed,
      0xa0,
      0xf0,
      0x90,
      0x9f,
      0xf4,
      0xf5,
      0xff,
    ),
    fc.integer({ min: 0, max: 255 }),
  );

  it('separate as the U+FFFD do that a decoder puts in their place', () => {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 40 }), (bytes) => {
        expect(canonicalTokens(Uint8Array.from(bytes))).toEqual(tokensOf(decoder.decode(Uint8Array.from(bytes))));
      }),
      draws(750, 34),
    );
  });

  it('separate where a character is cut off by the end of the text', () => {
    for (const cut of [
      [0x61, 0xc3],
      [0x61, 0xe2, 0x82],
      [0x61, 0xf0, 0x9f, 0x98],
    ])
      expect(canonicalTokens(Uint8Array.from(cut))).toEqual(['a']);
  });

  it('are read from a view of larger memory, to its end and no further', () => {
    const memory = Buffer.from('xx東京é\u0301zz');
    const view = memory.subarray(2, 2 + Buffer.byteLength('東京é'));
    expect(canonicalTokens(view)).toEqual(['東京', 'é']);
    expect(canonicalTokens(memory.subarray(2, 7))).toEqual(['東']);
  });
});

describe('the canonical bytes', () => {
  it(`are at most ${GROWTH_MAX} times the text, in the worst company of each character but a few`, () => {
    const canonicalize = createCanonicalizer();
    const factors = new Map<string, number>();
    for (const one of ASSIGNED) {
      for (const worst of [one, `の${one.repeat(30)}の`]) {
        if (worst !== one && !/\p{M}/u.test(one)) continue;
        const bytes = Buffer.from(worst.repeat(4));
        factors.set(worst, (canonicalize(bytes, null).length - 2) / bytes.length);
      }
    }
    const wide = [...factors].filter(([, factor]) => factor > GROWTH_MAX);
    expect(wide.filter(([worst]) => !/^[ﷺﷻ\u3200-\u33ff\u{1f100}-\u{1f2ff}]$|^の[\u0f77\u0f79]/u.test(worst))).toEqual(
      [],
    );
    expect(wide.filter(([, factor]) => factor > GROWTH_WORST)).toEqual([]);
    expect(wide.length).toBeGreaterThan(10);
  });

  it('are those of each part, where a text of the widest has other text around it', () => {
    const text = `a rose ${'ﷺ '.repeat(100)}is a rose ${'㌖'.repeat(100)} rose`;
    expect(tokensOf(text)).toEqual(referenceTokens(text));
    expect(tokensOf('㌖'.repeat(1000))).toEqual(referenceTokens('㌖'.repeat(1000)));
  });

  it('take linear time and memory for hostile texts of a megabyte', () => {
    const hostile = [
      '\u0316\u0301',
      '\u034f\u0301',
      'a\u034f',
      '\u0301\u034f',
      '\u200b',
      'の\u200b',
      '\u1161',
      'の\ufe0f',
      '\u0958',
      '𝅘𝅥𝅲',
      'の\u0344',
      'a',
      '東',
      '=\u0338',
      'J\u030c',
      'ﷺ',
      '㌀',
      '東\n',
      '東\n\u200b',
      'a-\n',
      '\u00ad\n',
      '-',
    ];
    for (const piece of hostile) {
      const bytes = Buffer.from(piece.repeat(Math.ceil(1e6 / Buffer.byteLength(piece))));
      const { length } = createCanonicalizer()(bytes, null);
      expect(length).toBeLessThanOrEqual(GROWTH_WORST * bytes.length + 2);
    }
  });
});
