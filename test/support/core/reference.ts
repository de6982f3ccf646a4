/*
 * The pipeline the slow and obvious way: the runtime's own Unicode, strings, BigInt, one step after another. What the
 * tests hold src/core against; it shares no code with it.
 */

const UNSPACED = String.raw`[[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Khmer}\p{sc=Lao}\p{sc=Myanmar}〆〱-〵〼ーｰﾞﾟ]&&[\p{L}\p{Nl}]]`;
const UNSPACED_RUN = new RegExp(String.raw`(?:${UNSPACED}\p{M}*)+`, 'v');
const UNSPACED_LETTER = new RegExp(String.raw`${UNSPACED}\p{M}*`, 'gv');
const RUN = new RegExp(String.raw`${UNSPACED_RUN.source}|(?:(?!${UNSPACED})[\p{L}\p{M}\p{N}])+`, 'gv');

/** Simple case folding of one character that does not decompose. */
function referenceFold(character: string): string {
  if (character === '\u0345') return character;
  if (character === 'ﬅ') return 'ﬆ';
  const upper = character.toUpperCase();
  if (/\p{sc=Cherokee}/u.test(character)) return upper;
  const folded = upper.toLowerCase();
  // two letters, or the dotless ı, whose upper case is another letter's
  return [...folded].length > 1 || character === 'ı' ? character : folded;
}

/** NFC(fold(NFD(text))) of the characters that are not ignorable. Runs of marks are not cut. */
export function referenceNormal(text: string): string {
  const visible = text.toWellFormed().replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '');
  return Array.from(visible.normalize('NFD'), referenceFold).join('').normalize('NFC');
}

/** The canonical tokens of a text without runs of more than 30 combining marks. */
export function referenceTokens(text: string): string[] {
  return (referenceNormal(text).match(RUN) ?? []).flatMap((run) => {
    const letters = UNSPACED_RUN.test(run) ? (run.match(UNSPACED_LETTER) ?? []) : [];
    return letters.length < 2 ? [run] : letters.slice(1).map((letter, i) => letters[i]! + letter);
  });
}

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
