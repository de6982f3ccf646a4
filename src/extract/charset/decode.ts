import { Buffer, isAscii, isUtf8 } from 'node:buffer';
import { ShingledError } from '../../errors.ts';
import { declaredCharsets, LATE_PRESCAN_BYTES, PRESCAN_BYTES } from './declared.ts';
import { guessCharset } from './guess.ts';
import type { DocumentKind } from './media-type.ts';
import { byteOrderMark } from './signatures.ts';

/*
 * Bytes of any charset -> UTF-8. The first of these that names a charset decides:
 *
 *   1  the byte order mark
 *   2  the charset of the Content-Type
 *   3  (pages) <meta charset>, <meta http-equiv=content-type>, the XML declaration, in the first 1,024 bytes
 *   4  UTF-8, where the bytes are valid UTF-8, a cut last character aside
 *   5  (pages) the same as 3 in the first 16 KiB
 *   6  UTF-8, where the bytes are that except for a few that are damaged
 *   7  a guess by the letters of the text, which is windows-1252 where there is little to go by (guess.ts)
 *
 * What is declared at 2, 3 or 5 is passed over if the bytes cannot be it:
 *
 *   any           most of what is not ASCII is broken in it
 *   GBK and kin   anything is broken in it, and the bytes are valid UTF-8
 *   UTF-16        there is no mark and no zero byte, and the bytes are valid UTF-8
 *
 * A label that nobody knows is passed over, as in browsers, but not up to 6: a caller who named a charset is told rather
 * than guessed for. Charsets of 7 bits that cannot be decoded (UTF-7 and those that the WHATWG replaces) are always
 * refused, since their bytes would pass for ASCII words.
 *
 * Valid UTF-8 is not copied: what comes back is then a view of what came in.
 */

export interface DecodedText {
  /** Valid UTF-8 without a byte order mark; bytes that meant nothing in the charset are U+FFFD. */
  readonly utf8: Uint8Array;
  /** The charset used, by its WHATWG name in lower case. */
  readonly charset: string;
}

type Decoder = InstanceType<typeof TextDecoder>;

const UNDECODABLE = /^(?:x-)?(?:unicode-1-1-)?(?:cs)?utf-?7|^(?:cs)?iso-?2022(?!-?jp$)|^hz-gb-2312$|^replacement$/;

/** As many broken characters may be damage, in however short a text. */
const BROKEN_FEW = 3;

/** In other charsets fewer than one in ten of the bytes beyond ASCII happen to be a character of UTF-8. */
const WHOLE_FOR_BROKEN = 4;

/** So many bytes of UTF-16 are valid UTF-8 without a zero byte once in a million times. */
const SIXTEEN_BITS_TOLD_BYTES = 32;

/**
 * The text of a document as UTF-8.
 *
 * @param charsetLabel what the Content-Type says, or null.
 * @param mayGuess whether what a guess takes, 0.5 s and 75 MB for the first, may be spent in this thread.
 * @throws `unsupported-charset`, which names the label; GuessNeeded where a guess is needed and not allowed.
 */
export function decodeText(
  bytes: Uint8Array,
  kind: DocumentKind,
  charsetLabel: string | null,
  mayGuess = true,
): DecodedText {
  const mark = byteOrderMark(bytes);
  if (mark !== null) return decodeAs(new TextDecoder(mark.charset), bytes.subarray(mark.bytes));
  const fromHeader = decoderOf(charsetLabel);
  const asHeaderSays = fromHeader && decodeIfPossible(fromHeader, bytes);
  if (asHeaderSays !== null) return asHeaderSays;
  const asPageSays = decodeAsDeclared(bytes, kind, PRESCAN_BYTES);
  if (asPageSays !== null) return asPageSays;
  if (isUtf8(bytes) || isCutUtf8(bytes)) return decodeAs(new TextDecoder(), bytes);
  const asDeclaredLate = decodeAsDeclared(bytes, kind, LATE_PRESCAN_BYTES);
  if (asDeclaredLate !== null) return asDeclaredLate;
  if (charsetLabel !== null && fromHeader === null) throw unsupported(charsetLabel);
  return decodeUndeclared(bytes, kind !== 'plain', mayGuess);
}

/** Whether a document says itself in which charset it is, by a mark or as a page does. */
export function declaresCharset(bytes: Uint8Array): boolean {
  return byteOrderMark(bytes) !== null || declaredDecoder(bytes, 'html', PRESCAN_BYTES) !== null;
}

function decodeAsDeclared(bytes: Uint8Array, kind: DocumentKind, bytesRead: number): DecodedText | null {
  const declared = declaredDecoder(bytes, kind, bytesRead);
  return declared && decodeIfPossible(declared, bytes);
}

/** UTF-8 that is damaged here and there; else by a guess, where the bytes can be what is guessed. */
function decodeUndeclared(bytes: Uint8Array, isPage: boolean, mayGuess: boolean): DecodedText {
  const damaged = decodeAs(new TextDecoder(), bytes);
  const [broken, others] = countBroken(damaged.utf8);
  if (others >= WHOLE_FOR_BROKEN * broken) return damaged;
  const guessed = decodeIfPossible(new TextDecoder(guessCharset(bytes, isPage, mayGuess)), bytes);
  return guessed ?? decodeAs(new TextDecoder('windows-1252'), bytes);
}

/** The decoder of the first known charset that a page declares among its first bytes; null where it declares none. */
function declaredDecoder(bytes: Uint8Array, kind: DocumentKind, bytesRead: number): Decoder | null {
  if (kind === 'plain') return null;
  for (const label of declaredCharsets(bytes, kind === 'xhtml', bytesRead)) {
    const decoder = decoderOf(label);
    if (decoder !== null) return decoder;
  }
  return null;
}

/** The text in the charset that is declared; null where the bytes cannot be of it. */
function decodeIfPossible(decoder: Decoder, bytes: Uint8Array): DecodedText | null {
  const isWide = decoder.encoding === 'utf-16le' || decoder.encoding === 'utf-16be';
  if (isWide && bytes.length >= SIXTEEN_BITS_TOLD_BYTES && !bytes.includes(0) && isUtf8(bytes)) return null;
  const decoded = decodeAs(decoder, bytes);
  if (decoded.utf8 === bytes) return decoded;
  const [broken, others] = countBroken(decoded.utf8);
  if (broken > 0 && SEVERAL_BYTES.test(decoder.encoding) && isUtf8(bytes)) return null;
  return broken > BROKEN_FEW && broken > others ? null : decoded;
}

/** In which most of UTF-8 means something, too, and some of it does not. */
const SEVERAL_BYTES = /^(?:gb|big5|shift_jis|euc-)/;

/** How many of the characters beyond ASCII are U+FFFD, and how many are not. */
function countBroken(utf8: Uint8Array): [broken: number, others: number] {
  let [broken, others] = [0, 0];
  for (let at = 0; at < utf8.length; at++) {
    if (utf8[at]! < 0xc0) continue;
    if (utf8[at] === 0xef && utf8[at + 1] === 0xbf && utf8[at + 2] === 0xbd) broken++;
    else others++;
  }
  return [broken, others];
}

/** The decoder that a label names; null where it names none. */
function decoderOf(label: string | null): Decoder | null {
  if (label === null) return null;
  const known = decoders.get(label);
  if (known !== undefined) return known;
  if (UNDECODABLE.test(label.trim().toLowerCase())) throw unsupported(label);
  try {
    const decoder = new TextDecoder(label);
    if (decoders.size < DECODERS_MAX) decoders.set(label, decoder);
    return decoder;
  } catch {
    return null;
  }
}

/** By the labels that came: to make one costs as much as to read a page of text. A decoder keeps nothing of what it decoded. */
const decoders = new Map<string, Decoder>();
const DECODERS_MAX = 64;

function decodeAs(decoder: Decoder, bytes: Uint8Array): DecodedText {
  const charset = decoder.encoding;
  const isItsOwnUtf8 = charset === 'utf-8' ? isUtf8(bytes) : extendsAscii(charset) && isAscii(bytes);
  return { utf8: isItsOwnUtf8 ? bytes : Buffer.from(decoder.decode(bytes)), charset };
}

function extendsAscii(charset: string): boolean {
  return charset !== 'utf-16le' && charset !== 'utf-16be' && charset !== 'iso-2022-jp';
}

/** Whether these are UTF-8 bytes, some of them beyond ASCII, that end in the middle of a character. */
function isCutUtf8(bytes: Uint8Array): boolean {
  for (let tail = 1; tail <= 3 && tail < bytes.length; tail++) {
    const byte = bytes[bytes.length - tail]!;
    if (byte < 0x80) return false;
    if (byte >= 0xc0) {
      const whole = bytes.subarray(0, bytes.length - tail);
      return !isAscii(whole) && isUtf8(whole);
    }
  }
  return false;
}

/** The label is the client's or the page's own: it is cut, and only printable ASCII of it is repeated. */
function unsupported(label: string): ShingledError {
  const shown = label.slice(0, 40).replace(/[^ -~]/g, '?');
  return new ShingledError('unsupported-charset', `The charset "${shown}" is not known`);
}
