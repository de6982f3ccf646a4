import { createScratch } from '../memory/scratch.ts';
import type { Alignment } from './alignment.ts';
import { CR, HYPHEN_MINUS, isHyphen, LF, secondHalf } from './joined-lines.ts';
import { isPlain, Stretch } from './stretch.ts';
import { infoOf, KIND_MASK, SEPARATOR, UNSAFE } from './unicode.ts';
import { decodeAt, encodeAt } from './utf8.ts';

/*
 * The canonical form of a text: UTF-8 in, UTF-8 out, in which
 *
 *   a byte >= 0x80, a-z, 0-9   belongs to a token: characters are what they stand for, folded, in NFC (normalize.ts)
 *   every other byte           separates; all separators beyond ASCII have become 0x20, some
 *                              within it others ("[" is "{")
 *
 *   "Straße, ÉTÉ"  ->  "strasse, été"        "東京都 Tokyo3"  ->  " 東京 京都  tokyo3"
 *
 * What nobody sees is gone before anything else: Default_Ignorable_Code_Point, such as soft hyphens, variation selectors,
 * zero-width spaces, marks of direction, tags, Hangul fillers. So is what writers leave out as they like: tatweel, and the
 * vowel signs and reading marks of Arabic and Hebrew. Joiners are dropped, as UAX #31 and NFKC_Casefold do: Persian and
 * Indic words are one token with them or without them, but not where others write a space.
 *
 * Tokens are maximal runs of letters, marks and numbers (Unicode L*, M*, N*). Han, Hiragana, Katakana, Thai, Khmer, Lao and
 * Myanmar are written without spaces, so their letters make overlapping pairs, no dictionary:
 *   - a run of such letters, of whichever of these scripts, is cut off from letters and numbers beside it; a run of one
 *     is a token; the same text spelled as spaced pairs is the same token sequence;
 *   - marks stay with their base, whatever their script; a mark without a base begins a word;
 *   - the prolonged sound mark, iteration marks and 〇 are such letters;
 *   - digits of these scripts are numbers like all others: they make words.
 * Line ends that part nothing are as if they were not there (joined-lines.ts). docs/normalisation.md shows all of it.
 *
 *   text ──┬─ ASCII, eight bytes at a time ──────────────────┬── canonical bytes
 *          ├─ plain characters, one by one ──────────────────┤
 *          └─ stretches of others: drop, normalise, pair up ─┘
 *
 * Cost: linear, 0.3 ns a byte of ASCII, 10 ns a plain character, 40 ns one of a stretch; output at most GROWTH_MAX
 * times the input.
 */

const HIGH_BITS = 0x8080_8080 | 0;
const SPACE = 0x20;

/** Output bytes for an input byte, at most, of nearly all texts: a mark of 2 bytes may become two, each in two pairs. */
export const GROWTH_MAX = 4;
/** The same for the worst text: ㌖ becomes six letters of 3 bytes, each in two pairs. */
export const GROWTH_WORST = 14;
/** Bytes after the end that readers of whole words may touch; all are 0x20. */
const PADDING_BYTES = 64;

/** Canonical bytes; the memory is overwritten by the next canonicalisation. */
export interface CanonicalBytes {
  readonly bytes: Uint8Array;
  /** The same bytes. */
  readonly view: DataView;
  readonly length: number;
}

/** Puts texts into canonical form, one at a time. */
export type Canonicalizer = (text: Uint8Array, alignment: Alignment | null) => CanonicalBytes;

export function createCanonicalizer(): Canonicalizer {
  const scratch = createScratch();
  return (text, alignment) => {
    let { bytes, view } = scratch(GROWTH_MAX * text.length + PADDING_BYTES + 2);
    let length = canonicalize(text, bytes, view, alignment);
    if (length < 0) {
      alignment?.clear();
      ({ bytes, view } = scratch(GROWTH_WORST * text.length + PADDING_BYTES + 2));
      length = canonicalize(text, bytes, view, alignment);
    }
    bytes.fill(SPACE, length, length + PADDING_BYTES);
    return { bytes, view, length };
  };
}

/** Returns the number of canonical bytes, or -1 where the output has too little room for them. */
function canonicalize(text: Uint8Array, output: Uint8Array, words: DataView, alignment: Alignment | null): number {
  const input = new DataView(text.buffer, text.byteOffset, text.byteLength);
  const room = output.length - PADDING_BYTES;
  let stretch: Stretch | null = null;
  let from = 0;
  let to = 0;
  // where the last character beyond ASCII begins, in the input and in the output
  let lastFrom = 0;
  let lastTo = 0;
  let hyphen = nextHyphen(text, 0);
  while (from < text.length) {
    if (from === hyphen) {
      hyphen = nextHyphen(text, from + 1);
      const half = secondHalf(text, from, from + 1);
      if (half >= 0) from = half;
    }
    if (alignment !== null && text[from]! < 0x80) alignment.runsOn(to, from);
    const copied = lowerPairs(input, from, hyphen, words, to);
    from += copied;
    to += copied;
    while (from < hyphen && text[from]! < 0x80) output[to++] = lowerAscii(text[from++]!);
    while (from < text.length && text[from]! >= 0x80) {
      const decoded = decodeAt(text, from);
      const info = infoOf(decoded >> 3);
      if (!isPlain(info)) {
        // what the character before becomes may depend on this one: it is taken back
        const ascii = from > 0 && text[from - 1]! < 0x80;
        const back = from > 0 && (info & UNSAFE) !== 0;
        stretch ??= new Stretch(text, output, alignment);
        if (back) to = ascii ? to - 1 : lastTo;
        if (back) from = ascii ? from - 1 : lastFrom;
        from = stretch.run(from, to);
        to = stretch.written;
        if (to + GROWTH_MAX * (text.length - from) > room) return -1;
        break;
      }
      alignment?.comesFrom(to, from, from + (decoded & 7));
      lastFrom = from;
      lastTo = to;
      from += decoded & 7;
      if ((info & KIND_MASK) !== SEPARATOR) to = encodeAt(output, to, (decoded >> 3) + (info >> 8));
      else {
        const half = isHyphen(decoded >> 3) ? secondHalf(text, lastFrom, from) : -1;
        if (half >= 0) from = half;
        else output[to++] = SPACE;
      }
    }
  }
  return to;
}

/** Where the next "-" stands with a line end behind it, or the end of the text. */
function nextHyphen(text: Uint8Array, from: number): number {
  let at = text.indexOf(HYPHEN_MINUS, from);
  while (at >= 0 && text[at + 1] !== LF && text[at + 1] !== CR) at = text.indexOf(HYPHEN_MINUS, at + 1);
  return at < 0 ? text.length : at;
}

/** Copies ASCII before `end` in lower case, while the next eight bytes are nothing else; returns how many bytes. */
function lowerPairs(input: DataView, from: number, end: number, output: DataView, to: number): number {
  const most = end - from - 8;
  let copied = 0;
  for (; copied <= most; copied += 8) {
    const first = input.getInt32(from + copied, true);
    const second = input.getInt32(from + copied + 4, true);
    if (((first | second) & HIGH_BITS) !== 0) break;
    output.setInt32(to + copied, lowerAscii(first), true);
    output.setInt32(to + copied + 4, lowerAscii(second), true);
  }
  return copied;
}

/** Lower case of A-Z in each of four ASCII bytes; what is no letter stays none. */
function lowerAscii(word: number): number {
  return word | ((word & 0x4040_4040) >>> 1);
}
