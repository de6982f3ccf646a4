import { readFileSync, writeFileSync } from 'node:fs';

/*
 * Writes src/core/text/unicode-tables.ts: the Unicode data behind the canonical form, taken once from the ICU of the Node that
 * runs this and frozen in the repository, so that an upgrade of Node cannot change a sketch.
 *
 *   node tools/generate-unicode-tables.ts            print the module
 *   node tools/generate-unicode-tables.ts --write    replace the committed one: every fingerprint may then change, so
 *                                                    raise PIPELINE_VERSION in src/identity/index-key.ts with it
 *
 * JavaScript shows four of the five things needed only by their effects; each is asked for by its effect:
 *   kind           regular expressions with property escapes
 *   simple folding lower case of upper case, where a /iu expression (which folds simply) agrees
 *   decomposition  normalize('NFD')
 *   recomposes     normalize('NFC') leaves the character alone
 *   rank           the order of canonical combining classes: which of two marks NFD puts first
 */

const OUTPUT = new URL('../src/core/text/unicode-tables.ts', import.meta.url);
const CODE_POINTS = 0x11_0000;
/** Algorithmic, so not in any table. */
const HANGUL = { first: 0xac00, last: 0xd7a3 };

export const KIND = { separator: 0, word: 1, mark: 2, unspaced: 3, ignored: 4 } as const;

const IGNORED = /^\p{Default_Ignorable_Code_Point}$/u;
const TOKEN = /^[\p{L}\p{M}\p{N}]$/u;
const MARK = /^\p{M}$/u;
const LETTER = /^[\p{L}\p{Nl}]$/u;
const UNSPACED_SCRIPT = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Khmer}\p{sc=Lao}\p{sc=Myanmar}]$/u;
const COMMON = /^\p{sc=Common}$/u;
const SHARED_BY_KANA_AND_HAN = /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]$/u;
const CHEROKEE = /^\p{sc=Cherokee}$/u;

const char = (code: number) => String.fromCodePoint(code);
const codes = (text: string) => Array.from(text, (character) => character.codePointAt(0)!);
const isSurrogate = (code: number) => code >= 0xd800 && code <= 0xdfff;

export function kindOf(code: number): number {
  const text = char(code);
  if (IGNORED.test(text)) return KIND.ignored;
  if (isSurrogate(code) || !TOKEN.test(text)) return KIND.separator;
  if (MARK.test(text)) return KIND.mark;
  const unspaced = UNSPACED_SCRIPT.test(text) || (COMMON.test(text) && SHARED_BY_KANA_AND_HAN.test(text));
  return LETTER.test(text) && unspaced ? KIND.unspaced : KIND.word;
}

/** Simple case folding (CaseFolding.txt, C and S) of a character that does not decompose. */
export function foldOf(code: number): number {
  if (code === 0x0345) return code; // folds to a letter of its own: one letter would become two
  if (code === 0xfb05) return 0xfb06; // has no single upper case to go through
  const text = char(code);
  const upper = text.toUpperCase();
  const folded = CHEROKEE.test(text) ? upper : codes(upper).length === 1 ? upper.toLowerCase() : text;
  if (folded === text || codes(folded).length !== 1) return code;
  if (!new RegExp(`^\\u{${codes(folded)[0]!.toString(16)}}$`, 'iu').test(text)) return code;
  return codes(folded)[0]!;
}

/** Whether NFD exchanges two marks: the canonical combining class of the first is the greater one. */
const comesAfter = (first: number, second: number) =>
  first !== second && (char(first) + char(second)).normalize('NFD') === char(second) + char(first);

/** code -> 1..n in the order of the canonical combining class, for the characters whose class is not 0. */
export function ranks(decomposing: ReadonlyMap<number, unknown>): Map<number, number> {
  const [least, greatest] = [0x0334, 0x0345]; // classes 1 and 240
  const classes: number[][] = [];
  for (let code = 0; code < CODE_POINTS; code += 1) {
    if (isSurrogate(code) || decomposing.has(code)) continue;
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
  readonly recomposes: boolean;
}

export function decompositions(): Map<number, Decomposition> {
  const found = new Map<number, Decomposition>();
  for (let code = 0; code < CODE_POINTS; code += 1) {
    if (isSurrogate(code) || (code >= HANGUL.first && code <= HANGUL.last)) continue;
    const text = char(code);
    const decomposed = text.normalize('NFD');
    if (decomposed === text) continue;
    found.set(code, { parts: codes(decomposed), recomposes: text.normalize('NFC') === text });
  }
  return found;
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
  for (const [code, { parts, recomposes }] of all) {
    packed.push(code - previous, parts.length * 2 + (recomposes ? 1 : 0), ...parts.map((part) => zigzag(part - code)));
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
  const decomposing = decompositions();
  const rankOf = ranks(decomposing);
  const kinds = Uint8Array.from({ length: CODE_POINTS }, (_, code) => kindOf(code));
  const folds = new Map<number, number>();
  for (let code = 0; code < CODE_POINTS; code += 1) {
    if (isSurrogate(code) || decomposing.has(code)) continue;
    const folded = foldOf(code);
    if (folded !== code) folds.set(code, folded - code);
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
      packRuns((code) => kinds[code]!),
    ),
    constant(
      'RANKS',
      'gap, length, rank: the order of the canonical combining classes that are not 0, as 1, 2, …',
      packRuns((code) => rankOf.get(code) ?? 0),
    ),
    constant(
      'FOLDS',
      'gap, count, stride, signed distance to the simple case folding; decomposable characters fold by parts.',
      packFolds(folds),
    ),
    constant(
      'DECOMPOSITIONS',
      'gap, 2 × parts + (1 where NFC keeps the character), signed distance to each part of its NFD; Hangul is computed.',
      packDecompositions(decomposing),
    ),
  ].join('\n');
}

if (import.meta.main) {
  const made = unicodeTablesModule();
  if (!process.argv.includes('--write')) process.stdout.write(made);
  else if (made !== readFileSync(OUTPUT, 'utf8')) writeFileSync(OUTPUT, made);
}
