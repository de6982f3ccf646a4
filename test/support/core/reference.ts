import { radicalOf } from '../../../tools/generate-unicode-tables.ts';

/*
 * The pipeline the slow and obvious way: the runtime's own Unicode, strings, BigInt, one step after another. What the
 * tests hold src/core against; it shares no code with it, only the list of radicals, which JavaScript does not know.
 */

const UNSPACED = String.raw`[[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Khmer}\p{sc=Lao}\p{sc=Myanmar}〆〱-〵〼ーｰﾞﾟ]&&[\p{L}\p{Nl}]]`;
const UNSPACED_RUN = new RegExp(String.raw`(?:${UNSPACED}\p{M}*)+`, 'v');
const UNSPACED_LETTER = new RegExp(String.raw`${UNSPACED}\p{M}*`, 'gv');
const RUN = new RegExp(String.raw`${UNSPACED_RUN.source}|(?:(?!${UNSPACED})[\p{L}\p{M}\p{N}])+`, 'gv');
const LINE_END = String.raw`[ \t]*(?:\r\n|\r|\n)[ \t]*`;
const LINE_IN_RUN = new RegExp(String.raw`(${UNSPACED}\p{M}*)${LINE_END}(?=${UNSPACED})`, 'gv');
const HYPHEN_AT_LINE_END = /(.)([-\u2010\u00ad](?:\r\n|\r|\n)[ \t]*)(?=(.))/gsu;
/** Letters that compose with one before them. */
const JOINING = /^[\u1161-\u1175\u11a8-\u11c2\u{16d67}\u{16d68}]/u;
const IGNORED =
  /[\p{Default_Ignorable_Code_Point}\u0640[[\u0591-\u05c7\ufb1e\u0610-\u061a\u064b-\u0652\u0670\u06d6-\u06ed\u08d3-\u08ff]&&\p{M}]]/gv;

/** Full case folding of one character that does not decompose, but for iota subscript; ı and i are one. */
function referenceFold(character: string): string {
  if (character === '\u0345') return character;
  if (character === 'ı') return 'i';
  const upper = character.toUpperCase();
  if (/\p{sc=Cherokee}/u.test(character)) return upper;
  return Array.from(upper, (letter) => letter.toLowerCase()).join('');
}

const meanings = new Map<string, string>();

/** What a character stands for. */
function referenceMeaning(character: string): string {
  const known = meanings.get(character) ?? foundMeaning(character);
  meanings.set(character, known);
  return known;
}

function foundMeaning(character: string): string {
  if (/[\u0e33\u0eb3\u2120\u2122\u{1f16a}-\u{1f16c}]/u.test(character)) return character;
  const radical = radicalOf(character.codePointAt(0)!);
  if (radical !== null) return radical;
  const isSymbol = /[^\p{L}\p{M}\p{N}]/u.test(character);
  if (isSymbol && !/[\p{L}\p{N}]/u.test(character.normalize('NFKD'))) return character.normalize('NFD');
  const parts = character.normalize('NFKD').replace(/^ (?=\p{M})/u, '');
  const meaning = Array.from(parts, referenceFold).join('');
  const isFraction = meaning.length > 1 && meaning.includes('\u2044');
  if (meaning === character) return character;
  return (isFraction ? ' ' : '') + Array.from(meaning, referenceMeaning).join('');
}

/** Dots above i, j and į, which have their own, go, unless another mark above stands before them or below composes. */
function withoutDots(decomposed: string): string {
  const below = (mark: string) => `\u0301${mark}`.normalize('NFD') === `${mark}\u0301` && mark !== '\u0301';
  return decomposed.replaceAll(/([ij])(\p{M}*?)\u0307+/gu, (whole, letter: string, marks: string) => {
    const stays = letter === 'i' && !marks.startsWith('\u0328') && /[\u0323\u0330]/.test(marks);
    return stays || ![...marks].every(below) ? whole : letter + marks;
  });
}

/** A text in its canonical form, but for line ends and what is cut. Runs of marks are not cut. */
export function referenceNormal(text: string): string {
  const visible = text.toWellFormed().replaceAll(IGNORED, '');
  const meant = Array.from(visible, referenceMeaning).join('').replaceAll(IGNORED, '').normalize('NFD');
  return withoutDots(meant).replaceAll('\u0345', 'ι').normalize('NFC');
}

/** The canonical tokens of a text without runs of more than 30 combining marks. */
export function referenceTokens(text: string): string[] {
  const joined = referenceNormal(withoutParted(text.toWellFormed())).replaceAll(LINE_IN_RUN, '$1');
  return (joined.match(RUN) ?? []).flatMap((run) => {
    const letters = UNSPACED_RUN.test(run) ? (run.match(UNSPACED_LETTER) ?? []) : [];
    return letters.length < 2 ? [run] : letters.slice(1).map((letter, i) => letters[i]! + letter);
  });
}

/** The text without the hyphens that part its words at the ends of lines. */
function withoutParted(text: string): string {
  return text.replaceAll(HYPHEN_AT_LINE_END, (whole, before: string, _, behind: string) => {
    return isOfWord(before) && isSmall(behind) ? before : whole;
  });
}

/** Whether a character is a letter or mark, of a script with spaces, at the end of a word. */
function isOfWord(character: string): boolean {
  const [first = ' '] = referenceNormal(character);
  return !/[0-9]/.test(character) && !isUnspaced(first) && /[\p{L}\p{M}\p{N}]/u.test(first);
}

function isSmall(character: string): boolean {
  const meaning = referenceNormal(character);
  return (
    isOfWord(character) &&
    !/^\p{M}/u.test(meaning) &&
    !JOINING.test(meaning) &&
    (meaning === character || [...meaning].length > 1)
  );
}

const UNSPACED_FIRST = new RegExp(`^${UNSPACED}`, 'v');
const isUnspaced = (character: string) => UNSPACED_FIRST.test(character);

/** The w-shingling of a token sequence: a set of strings; fewer than w tokens are one shingle. */
export function referenceShingles(tokens: readonly string[], shingleSize: number): Set<string> {
  if (tokens.length === 0) return new Set();
  const size = Math.min(shingleSize, tokens.length);
  return new Set(Array.from({ length: tokens.length - size + 1 }, (_, i) => tokens.slice(i, i + size).join(' ')));
}

/** The shingles of a text at every place, in order, as strings. */
export function referenceSequence(tokens: readonly string[], shingleSize: number): string[] {
  const size = Math.min(shingleSize, tokens.length);
  return tokens.length === 0
    ? []
    : tokens.slice(0, tokens.length - size + 1).map((_, i) => tokens.slice(i, i + size).join(' '));
}

export function intersectionSize<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): number {
  return [...a].filter((member) => b.has(member)).length;
}

/** Σ m_i x^(n-1-i) mod P over the bits of a message, the most significant bit of each byte first. */
export function rabinBitByBit(message: Uint8Array, polynomial: bigint): bigint {
  const degree = BigInt(polynomial.toString(2).length - 1);
  let rest = 0n;
  for (const byte of message) {
    for (let bit = 7; bit >= 0; bit--) {
      rest = (rest << 1n) | BigInt((byte >> bit) & 1);
      if (rest >> degree !== 0n) rest ^= polynomial;
    }
  }
  return rest;
}

/** a · b mod P, by shifts. */
export function multiplyModulo(a: bigint, b: bigint, polynomial: bigint): bigint {
  const degree = BigInt(polynomial.toString(2).length - 1);
  let [product, factor] = [0n, a];
  for (let rest = b; rest !== 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) product ^= factor;
    factor <<= 1n;
    if (factor >> degree !== 0n) factor ^= polynomial;
  }
  return product;
}

/** x^exponent mod P. */
export function powerOfX(exponent: number, polynomial: bigint): bigint {
  let power = 1n;
  for (let i = 0; i < exponent; i++) power = multiplyModulo(power, 2n, polynomial);
  return power;
}
