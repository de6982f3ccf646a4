import { Buffer, isAscii } from 'node:buffer';
import { createRequire } from 'node:module';
import type { detectAll } from 'jschardet';

/*
 * The charset of bytes that are not UTF-8 and of which nobody says what they are:
 *
 *   bytes ── a sample without markup, scripts and styles ── jschardet ── a charset that browsers know
 *
 * The sample is lines that have bytes beyond ASCII, and some others, which tell of the language. Bytes that prove little are
 * windows-1252, as in browsers.
 */

/** What a guess may be, by the names of the detector, and by those of the WHATWG. */
const NAMES: Readonly<Record<string, string>> = {
  ...{ 'windows-1250': 'windows-1250', 'windows-1251': 'windows-1251', 'windows-1252': 'windows-1252' },
  ...{ 'windows-1253': 'windows-1253', 'windows-1254': 'windows-1254', 'windows-1255': 'windows-1255' },
  ...{ 'windows-1256': 'windows-1256', 'windows-1257': 'windows-1257', cp874: 'windows-874' },
  ...{ 'koi8-r': 'koi8-r', 'koi8-u': 'koi8-u', cp866: 'ibm866', 'iso-8859-5': 'iso-8859-5' },
  ...{ 'iso-8859-2': 'iso-8859-2', 'iso-8859-7': 'iso-8859-7' },
  ...{ gb18030: 'gb18030', big5hkscs: 'big5', cp932: 'shift_jis', 'euc-jis-2004': 'euc-jp', cp949: 'euc-kr' },
};
/** As which the detector answers, too. */
const ALIASES: Readonly<Record<string, string>> = {
  ...{ big5: 'big5', shift_jis: 'shift_jis', 'euc-jp': 'euc-jp', 'euc-kr': 'euc-kr' },
  ...{ 'tis-620': 'windows-874', ibm866: 'ibm866' },
};
const CANDIDATES = Object.keys(NAMES);
const DEFAULT = 'windows-1252';

/** More tells nothing new: of 200 bytes .98 are guessed right. The detector takes some ms for as many. */
const SAMPLE_BYTES = 16_384;
/** Lines of ASCII are added up to this size. */
const CONTEXT_BYTES = 1_024;
/** A line that is longer ends at a space, if one is near; so text is not cut within a character. */
const LINE_BYTES_MAX = 2_048;

/** Fewer letters beyond ASCII are a word or two of the West, such as café, unless the text around them tells its language. */
const LETTERS_MIN = 4;
const TELLING_BYTES = 100;

/** How much more likely than windows-1252 another charset must be: texts of the West are by far the most frequent. */
const MARGIN = 0.003;

const LT = 0x3c;

/** What a guess would need that may not be loaded here. */
export class GuessNeeded extends Error {}

type Detect = typeof detectAll;
let loaded: Detect | null = null;

/** Loaded when it is needed first: its models take up to 0.5 s and 75 MB, and most deployments never meet such bytes. */
function detector(): Detect {
  loaded ??= (createRequire(import.meta.url)('jschardet') as { readonly detectAll: Detect }).detectAll;
  return loaded;
}

/** Whether a guess in this thread takes some ms only. */
export const hasModels = (): boolean => loaded !== null;

/** Makes {@link hasModels} true, in the time that the first guess would take. */
export function loadModels(): void {
  // it unpacks them when it meets the first letters
  likeliest(Buffer.from(ANY_LETTERS, 'latin1'));
}

const ANY_LETTERS = '\xcf\xf0\xe8\xe2\xe5\xf2, \xec\xe8\xf0!';

/**
 * The charset of bytes that are not UTF-8, by its WHATWG name in lower case. The same bytes give the same name.
 *
 * @param isPage whether there is markup, which tells nothing
 * @param mayLoad whether the models may be loaded in this thread, and take their time
 * @throws GuessNeeded where they are needed and may not
 */
export function guessCharset(bytes: Uint8Array, isPage: boolean, mayLoad: boolean): string {
  const sample = sampleOf(bytes, isPage);
  const letters = lettersBeyondAscii(sample);
  if (letters < LETTERS_MIN && (letters === 0 || sample.length < TELLING_BYTES)) return DEFAULT;
  if (!mayLoad) throw new GuessNeeded();
  const guessed = likeliest(sample);
  if (guessed === DEFAULT) return isTurkish(sample) ? 'windows-1254' : DEFAULT;
  return isLatinMisread(new TextDecoder(guessed).decode(sample)) ? DEFAULT : guessed;
}

function likeliest(sample: Buffer): string {
  const all = detector()(sample, { detectEncodings: CANDIDATES, minimumThreshold: 0 }).map(
    ({ encoding, confidence }) => {
      const name = encoding?.toLowerCase() ?? '';
      return { charset: NAMES[name] ?? ALIASES[name] ?? DEFAULT, confidence };
    },
  );
  const best = all[0] ?? { charset: DEFAULT, confidence: 0 };
  const usual = all.find(({ charset }) => charset === DEFAULT)?.confidence ?? 0;
  return best.confidence - usual < MARGIN ? DEFAULT : best.charset;
}

/** ı, ğ and ş stand where windows-1252 has ý, ð and þ, which stand in Icelandic beside vowels that Turkish does not have. */
function isTurkish(sample: Buffer): boolean {
  const text = sample.toString('latin1');
  return (text.match(/[ýðþ]/g)?.length ?? 0) >= 2 && !/[áéíóú]/.test(text);
}

/** Quotation marks, dashes and signs stand alone below C0 in windows-1252, outside of words: they say nothing of a language. */
export function lettersBeyondAscii(bytes: Uint8Array): number {
  let letters = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte < 0x80) continue;
    const isInWord = byte !== APOSTROPHE && isLetter(bytes[at - 1]) && isLetter(bytes[at + 1]);
    if (byte >= 0xc0 || isInWord || (at > 0 && bytes[at - 1]! >= 0x80)) letters++;
  }
  return letters;
}

const APOSTROPHE = 0x92;

function isLetter(byte = 0): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
}

/** Whether every fourth letter of another script stands beside a Latin one, as in naпve: nobody writes words like that. */
function isLatinMisread(text: string): boolean {
  const letters = text.match(/[\u0370-\u0eff]/g)?.length ?? 0;
  const mixed = text.match(/[a-z][\u0370-\u0eff]|[\u0370-\u0eff](?=[a-z])/gi)?.length ?? 0;
  return mixed * 4 > letters;
}

/** Lines that have bytes beyond ASCII, up to {@link SAMPLE_BYTES}, and others up to {@link CONTEXT_BYTES}. */
function sampleOf(whole: Uint8Array, isPage: boolean): Buffer {
  const bytes = Buffer.from(whole.buffer, whole.byteOffset, whole.length);
  const pieces: Buffer[] = [];
  const others: Buffer[] = [];
  let [length, othersLength] = [0, 0];
  for (const text of isPage ? visibleParts(bytes) : [bytes]) {
    for (const { line, isTold } of linesOf(text)) {
      if (isTold && length > 0 && length + line.length > SAMPLE_BYTES) return Buffer.concat(pieces);
      if (isTold) {
        pieces.push(line, NEW_LINE);
        length += line.length + 1;
      } else if (othersLength < CONTEXT_BYTES) {
        others.push(line, NEW_LINE);
        othersLength += line.length + 1;
      }
    }
  }
  return Buffer.concat(length < CONTEXT_BYTES ? [...pieces, ...others] : pieces);
}

const NEW_LINE = Buffer.from('\n');

interface Line {
  readonly line: Buffer;
  /** Whether it has bytes beyond ASCII. */
  readonly isTold: boolean;
}

/** Those that are not empty; long ones in parts that end behind an ASCII space or sign. */
function* linesOf(text: Buffer): Generator<Line, void, undefined> {
  let [start, cut, isTold] = [0, 0, false];
  for (let at = 0; at <= text.length; at++) {
    const byte = text[at] ?? 0x0a;
    if (byte >= 0x80) isTold = true;
    // such bytes are no part of a character of several
    if (byte < 0x30) cut = at;
    const isEnd = byte === 0x0a || byte === 0x0d;
    if (!isEnd && at - start < LINE_BYTES_MAX) continue;
    const end = isEnd || cut <= start ? at : cut;
    const line = text.subarray(start, end);
    if (end > start) yield { line, isTold: isTold && !isAscii(line) };
    start = isEnd ? at + 1 : end;
    isTold = !isEnd && !isAscii(text.subarray(start, at));
  }
}

/** What is between tags, without scripts, styles and comments. */
function* visibleParts(page: Buffer): Generator<Buffer, void, undefined> {
  for (let at = 0; at < page.length; ) {
    const tag = page.indexOf(LT, at);
    if (tag < 0) {
      yield page.subarray(at);
      return;
    }
    if (tag > at) yield page.subarray(at, tag);
    at = behindTag(page, tag);
  }
}

/** Behind a tag, a comment, or the content of an element that is not shown; behind all where it has no end. */
function behindTag(page: Buffer, tag: number): number {
  const begin = page.toString('latin1', tag, tag + 8).toLowerCase();
  if (begin.startsWith('<!--')) return behind(page, '-->', tag);
  if (begin.startsWith('<script')) return endTag(page, '/script', tag);
  return begin.startsWith('<style') ? endTag(page, '/style', tag) : behind(page, '>', tag);
}

function behind(page: Buffer, end: string, from: number): number {
  const at = page.indexOf(end, from);
  return at < 0 ? page.length : at + end.length;
}

/** The place of an end tag, in whatever letters; behind all where there is none. */
function endTag(page: Buffer, name: string, from: number): number {
  for (let at = page.indexOf(LT, from + 1); at >= 0; at = page.indexOf(LT, at + 1)) {
    if (page.toString('latin1', at + 1, at + 1 + name.length).toLowerCase() === name) return at;
  }
  return page.length;
}
