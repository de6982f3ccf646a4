import { readFileSync, writeFileSync } from 'node:fs';

/*
 * Writes src/core/text/unicode-tables.ts: the Unicode data behind the canonical form, taken once from the ICU of the Node that
 * runs this and frozen in the repository, so that an upgrade of Node cannot change a sketch.
 *
 *   node tools/generate-unicode-tables.ts            print the module
 *   node tools/generate-unicode-tables.ts --write    replace the committed one: every fingerprint may then change, so
 *                                                    raise PIPELINE_VERSION in src/identity/index-key.ts with it
 *
 * JavaScript shows most of what is needed only by its effects:
 *   kind           regular expressions with property escapes
 *   folding        lower case of upper case; of one letter to one only where a /iu expression (which folds simply) agrees
 *   decomposition  normalize('NFKD')
 *   composite      normalize('NFC') leaves the character alone, and it is folded
 *   rank           the order of canonical combining classes: which of two marks NFD puts first
 */

const OUTPUT = new URL('../src/core/text/unicode-tables.ts', import.meta.url);
const CODE_POINTS = 0x11_0000;
/** Algorithmic, so not in any table. */
const HANGUL = { first: 0xac00, last: 0xd7a3 };

const KIND = { separator: 0, word: 1, mark: 2, unspaced: 3, ignored: 4 } as const;

/** What nobody sees, and what writers may leave out: tatweel, vowel signs and reading marks of Arabic and Hebrew. */
const IGNORED =
  /^[\p{Default_Ignorable_Code_Point}\u0640[[\u0591-\u05c7\ufb1e\u0610-\u061a\u064b-\u0652\u0670\u06d6-\u06ed\u08d3-\u08ff]&&\p{M}]]$/v;
const TOKEN = /^[\p{L}\p{M}\p{N}]$/u;
const MARK = /^\p{M}$/u;
const LETTER = /^[\p{L}\p{Nl}]$/u;
const UNSPACED_SCRIPT = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Khmer}\p{sc=Lao}\p{sc=Myanmar}]$/u;
const COMMON = /^\p{sc=Common}$/u;
const SHARED_BY_KANA_AND_HAN = /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]$/u;
const CHEROKEE = /^\p{sc=Cherokee}$/u;

/** Said of a name, no part of it: ™, ℠ and the like. */
const SIGNS_OF_NAMES = /^[\u2120\u2122\u{1f16a}-\u{1f16c}]$/u;
/** One letter to those who write it; its compatibility decomposition, into a mark and a letter, is not how it is typed in two. */
const SARA_AM = /^[\u0e33\u0eb3]$/u;
const FRACTION_SLASH = 0x2044;
const SPACE = 0x20;
/** Folded by the normalizer, when its marks are in order: a letter would stop those behind it. */
const IOTA_SUBSCRIPT = 0x0345;
const DOTLESS_I = 0x0131;

/** The radicals U+2E81 to U+2EF3 as the ideographs that they are shapes of: EquivalentUnifiedIdeograph.txt of Unicode 17.0. */
const RADICALS_FIRST = 0x2e81;
const RADICALS = Array.from(
  '厂乛乚乙亻冂𠘨刀刂卜㔾小小兀尣尢𡯂巳幺彑𫜹忄心扌攵-旡日月歺母民氵氺灬爫爫丬牛犭王𤴔目示礻𥫗糹纟罓罒㓁冗𦉫羊𦍌𦍋' +
    '耂肀聿肉𦥑艹艹艹虎衤覀西见角𧢲讠贝𧾷车辶辶辶邑钅長镸长门𨸏阝雨青韦页风飞食𩙿飠饣𩠐马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟',
);

const char = (code: number) => String.fromCodePoint(code);
const codes = (text: string) => Array.from(text, (character) => character.codePointAt(0)!);
const isSurrogate = (code: number) => code >= 0xd800 && code <= 0xdfff;

const kinds = new Map<number, number>();

/** What a character is by itself, whatever it stands for. */
function kindOf(code: number): number {
  const known = kinds.get(code);
  if (known !== undefined) return known;
  const kind = foundKind(code);
  kinds.set(code, kind);
  return kind;
}

function foundKind(code: number): number {
  const text = char(code);
  if (IGNORED.test(text)) return KIND.ignored;
  if (isSurrogate(code) || !TOKEN.test(text)) return KIND.separator;
  if (MARK.test(text)) return KIND.mark;
  const unspaced = UNSPACED_SCRIPT.test(text) || (COMMON.test(text) && SHARED_BY_KANA_AND_HAN.test(text));
  return LETTER.test(text) && unspaced ? KIND.unspaced : KIND.word;
}

/** Full case folding (CaseFolding.txt, C and F) of a character that does not decompose; the dotless ı is an i as well. */
function foldOf(code: number): number[] {
  if (code === IOTA_SUBSCRIPT) return [code];
  if (code === DOTLESS_I) return codes('i');
  const text = char(code);
  const upper = text.toUpperCase();
  if (CHEROKEE.test(text)) return codes(upper);
  // letter by letter: a sigma is not at the end of a word here
  const folded = codes(upper).flatMap((one) => codes(char(one).toLowerCase()));
  if (folded.length > 1) return folded;
  return new RegExp(`^\\u{${folded[0]!.toString(16)}}$`, 'iu').test(text) ? folded : [code];
}

/** The ideograph that a radical of the supplement is a shape of. */
export function radicalOf(code: number): string | null {
  const ideograph = RADICALS[code - RADICALS_FIRST] ?? '-';
  return ideograph === '-' ? null : ideograph;
}

/** One step towards what a character stands for. */
function step(code: number): number[] {
  const text = char(code);
  if (SIGNS_OF_NAMES.test(text) || SARA_AM.test(text)) return [code];
  const radical = radicalOf(code);
  if (radical !== null) return codes(radical);
  const parts = codes(text.normalize('NFKD'));
  if (parts.length === 1 && parts[0] === code) return foldOf(code);
  // of ½ as of 3½: one word ends, and 1 and 2 are words
  return parts.includes(FRACTION_SLASH) ? [SPACE, ...parts] : parts;
}

const isUnassigned = (code: number) => /^\p{Cn}$/u.test(char(code));
const isLetterOrNumber = (code: number) => /^[\p{L}\p{N}]$/u.test(char(code));

/** The folded characters that a character stands for, taken apart, without those that are ignored: itself as a rule. */
function meaningOf(code: number): readonly number[] {
  if (isSurrogate(code) || kindOf(code) === KIND.ignored || isUnassigned(code)) return [code];
  let parts = [code];
  for (;;) {
    const next = parts.flatMap(step);
    if (next.join() === parts.join()) break;
    parts = next;
  }
  parts = parts.filter((part) => kindOf(part) !== KIND.ignored);
  // what stands for no letter or number separates as it did
  if (kindOf(code) === KIND.separator && !parts.some(isLetterOrNumber)) return codes(char(code).normalize('NFD'));
  // of a mark as fonts have it: no space is meant
  return parts[0] === SPACE && !parts.some(isLetterOrNumber) ? parts.slice(1) : parts;
}

/** Whether NFD exchanges two marks: the canonical combining class of the first is the greater one. */
const comesAfter = (first: number, second: number) =>
  first !== second && (char(first) + char(second)).normalize('NFD') === char(second) + char(first);

/** Whether a character is taken apart by NFD: then its class is that of its parts. */
const isComposed = (code: number) => char(code).normalize('NFD') !== char(code);

/** code -> 1..n in the order of the canonical combining class, for the characters whose class is not 0. */
function ranks(): Map<number, number> {
  const [least, greatest] = [0x0334, 0x0345]; // classes 1 and 240
  const classes: number[][] = [];
  for (let code = 0; code < CODE_POINTS; code += 1) {
    if (kindOf(code) !== KIND.mark || isComposed(code)) continue;
    if (!comesAfter(greatest, code) && !comesAfter(code, least)) continue;
    const at = classes.findIndex((members) => !comesAfter(code, members[0]!));
    if (at < 0) classes.push([code]);
    else if (comesAfter(classes[at]![0]!, code)) classes.splice(at, 0, [code]);
    else classes[at]!.push(code);
  }
  return new Map(classes.flatMap((members, index) => members.map((code) => [code, index + 1] as const)));
}

interface Decomposition {
  readonly parts: readonly number[];
  /** Whether its parts, wherever they meet, become this character. */
  readonly composes: boolean;
}

function decompositionOf(code: number, parts: readonly number[]): Decomposition {
  const text = char(code);
  const isOfItself = text.normalize('NFC') === text && text.normalize('NFD') === String.fromCodePoint(...parts);
  return { parts, composes: isOfItself && !parts.includes(IOTA_SUBSCRIPT) };
}

const zigzag = (value: number) => (value < 0 ? -2 * value - 1 : 2 * value);

function pack(numbers: readonly number[]): string {
  const bytes: number[] = [];
  for (let value of numbers) {
    for (; value >= 0x80; value = Math.floor(value / 0x80)) bytes.push((value % 0x80) | 0x80);
    bytes.push(value);
  }
  return Buffer.from(bytes).toString('base64');
}

/** (gap, length, value) for every run of code points with the same value other than 0. */
function packRuns(valueAt: (code: number) => number): string {
  const packed: number[] = [];
  let end = 0;
  for (let code = 0; code < CODE_POINTS; ) {
    const value = valueAt(code);
    let next = code + 1;
    while (next < CODE_POINTS && valueAt(next) === value) next += 1;
    if (value !== 0) {
      packed.push(code - end, next - code, value);
      end = next;
    }
    code = next;
  }
  return pack(packed);
}

/** (gap, count, stride, delta) for every run of code points, 1 or 2 apart, that fold by the same distance. */
function packFolds(deltas: ReadonlyMap<number, number>): string {
  const packed: number[] = [];
  const done = new Set<number>();
  let previous = 0;
  for (const [code, delta] of deltas) {
    if (done.has(code)) continue;
    const lengths = [1, 2].map((stride) => {
      let count = 1;
      while (deltas.get(code + count * stride) === delta) count += 1;
      return count;
    });
    const stride = lengths[0]! >= lengths[1]! ? 1 : 2;
    const count = lengths[stride - 1]!;
    for (let i = 0; i < count; i += 1) done.add(code + i * stride);
    packed.push(code - previous, count, stride, zigzag(delta));
    previous = code;
  }
  return pack(packed);
}

function packDecompositions(all: ReadonlyMap<number, Decomposition>): string {
  const packed: number[] = [];
  let previous = 0;
  for (const [code, { parts, composes }] of all) {
    packed.push(code - previous, parts.length * 2 + (composes ? 1 : 0), ...parts.map((part) => zigzag(part - code)));
    previous = code;
  }
  return pack(packed);
}

function constant(name: string, doc: string, packed: string): string {
  const lines = packed.match(/.{1,115}/g) ?? [];
  return `/** ${doc} */\nexport const ${name} = [\n${lines.map((line) => `  '${line}',`).join('\n')}\n].join('');\n`;
}

/** The module's text, from the Unicode data of this runtime. */
export function unicodeTablesModule(): string {
  const rankOf = ranks();
  const kindAt = new Uint8Array(CODE_POINTS);
  const folds = new Map<number, number>();
  const decompositions = new Map<number, Decomposition>();
  for (let code = 0; code < CODE_POINTS; code += 1) {
    const isHangul = code >= HANGUL.first && code <= HANGUL.last;
    const parts = isHangul ? [code] : meaningOf(code);
    kindAt[code] = parts.length === 0 ? KIND.ignored : kindOf(parts[0]!);
    if (parts.length === 1 && parts[0] !== code) folds.set(code, parts[0]! - code);
    if (parts.length > 1) decompositions.set(code, decompositionOf(code, parts));
  }
  return [
    `/*
 * Generated by tools/generate-unicode-tables.ts from Unicode ${process.versions['unicode']} (ICU of Node ${process.versions.node}), and frozen: do not edit.
 *
 * Each table is a list of whole numbers, little-endian base 128 (the top bit says that more follows), in base64. A gap
 * counts from the end of the run before, or from the character before. Signed numbers: 0, -1, 1, -2 … are 0, 1, 2, 3 …
 * unicode.ts decodes them once.
 */

/** The version of Unicode that the canonical form follows, whatever the runtime's. */
export const UNICODE_VERSION = '${process.versions['unicode']}';
`,
    constant(
      'KINDS',
      'gap, length, kind: 1 word (letter, number), 2 mark, 3 letter of a script without spaces, 4 ignored.',
      packRuns((code) => kindAt[code]!),
    ),
    constant(
      'RANKS',
      'gap, length, rank: the order of the canonical combining classes that are not 0, as 1, 2, …',
      packRuns((code) => rankOf.get(code) ?? 0),
    ),
    constant(
      'FOLDS',
      'gap, count, stride, signed distance to the one character that each stands for.',
      packFolds(folds),
    ),
    constant(
      'DECOMPOSITIONS',
      'gap, 2 × parts + (1 where they become this character), signed distance to each part; Hangul is computed.',
      packDecompositions(decompositions),
    ),
  ].join('\n');
}

if (import.meta.main) {
  const made = unicodeTablesModule();
  if (!process.argv.includes('--write')) process.stdout.write(made);
  else if (made !== readFileSync(OUTPUT, 'utf8')) writeFileSync(OUTPUT, made);
}
