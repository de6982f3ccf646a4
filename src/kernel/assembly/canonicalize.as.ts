import { mayGoOn, nextLineOfRun, secondHalf } from './joined-lines.as.ts';
import { CANON, INPUT, STRETCH } from './layout.as.ts';
import { beginMarks, placeMark } from './marks.as.ts';
import { afterRun, repeatLetter } from './pairs.as.ts';
import {
  HYPHEN,
  infoOf,
  KIND_MASK,
  MARK,
  NOT_PLAIN,
  SEPARATOR,
  SLOW,
  SPELLED,
  spellingOf,
  threeByteInfo,
  twoByte,
  UNSPACED,
} from './unicode.as.ts';
import { decode, encode, lowerAscii, lowerByte } from './utf8.as.ts';

/*
 * The canonical form of a text: core/text/canonicalize.ts, 16 ASCII bytes at a time, and the characters beyond in a
 * state machine.
 *
 *   text ──┬─ ASCII ──────────────────────── lower case ─────────┐
 *          ├─ plain characters ───────────── table ──────────────┤
 *          ├─ letters of unspaced scripts ── pairs ──────────────┼── canonical bytes
 *          ├─ those that become several ──── table ──────────────┤
 *          ├─ marks that do not compose ──── by their ranks ─────┤
 *          └─ characters that may need NFC ─ back to the last cut, and over to TypeScript for a while
 *
 * A cut is a point before a plain character that is not a mark, or before one that becomes several, whatever is before it.
 * What stands before it and what follows do not depend on one another (core/text/canonicalize.ts: no stretch goes over
 * it). Marks that compose with nothing before them are only put in the order of their classes (marks.as.ts): so Arabic,
 * Hebrew, Thai and the scripts of India pass without leaving WebAssembly.
 *
 *   two-byte characters of the plain kinds: up to two canonical bytes | their number << 16; 0 = look at its info
 */

const SPACE: u8 = 0x20;
const HYPHEN_MINUS: u8 = 0x2d;

/** Where the reader and the writer of a piece stand, and where the piece ends. */
let from: usize = 0;
let to: usize = 0;
let stop: usize = 0;
/** The last cut: where the last plain character begins that is not a mark, in INPUT and in CANON. */
let cutFrom: usize = 0;
let cutTo: usize = 0;
/** Letters in the run of unspaced script under way, counted to 2, and where the last one begins in CANON. */
let run: i32 = 0;
let letter: usize = 0;

/**
 * Puts INPUT[0..length-1] into canonical form, in CANON. Returns false where it stopped at a character that may need NFC:
 * TypeScript then writes a stretch, as STRETCH says, and goOn follows.
 */
export function canonicalize(length: usize): bool {
  stop = INPUT + length;
  // no sequence goes on beyond the end
  v128.store(stop, i8x16.splat(SPACE));
  cutFrom = INPUT;
  cutTo = CANON;
  beginMarks();
  return goOn(0, 0);
}

/** Goes on behind a stretch of which TypeScript read so many bytes and wrote so many; returns as canonicalize does. */
export function goOn(read: usize, written: usize): bool {
  from = cutFrom + read;
  to = cutTo + written;
  run = 0;
  beginCut();
  for (;;) {
    takeShort(stop);
    if (from >= stop) break;
    if (load<u8>(from) >= 0x80) {
      if (!take()) return false;
    } else {
      if (run > 0) {
        const next = nextLineOfRun(from, stop);
        if (next !== 0) {
          from = next;
          continue;
        }
        endRun();
      }
      takeAscii();
    }
  }
  if (run > 0) endRun();
  return true;
}

/** The number of bytes in CANON. */
export function canonicalBytes(): usize {
  return to - CANON;
}

/** ASCII up to the next character beyond it, behind a hyphen that may part a word at the end of a line, or to the end. */
function takeAscii(): void {
  const copied = lowerAscii(from, to, stop);
  from += copied;
  to += copied;
  if (copied > 0) {
    cutFrom = from - 1;
    cutTo = to - 1;
  }
  if (from === stop || load<u8>(from) !== HYPHEN_MINUS) return;
  const half = secondHalf(from, from + 1, stop);
  if (half !== 0) from = half;
  else {
    beginCut();
    store<u8>(to++, load<u8>(from++));
  }
}

/**
 * Single ASCII bytes, and characters of two and three bytes that are written as they come: up to four ASCII bytes, to any
 * other character, or to the end. Nothing is called here, so that all variables stay in registers.
 */
function takeShort(end: usize): void {
  let at = from;
  let out = to;
  let letters = run;
  let cutAt = cutFrom;
  let cutOut = cutTo;
  let letterAt = letter;
  let previous = load<u32>(letter);
  while (at < end) {
    // four bytes, the first one lowest
    const bytes = load<u32>(at);
    if ((bytes & 0xc0e0) === 0x80c0) {
      const short = twoByte(bytes);
      if (short !== 0) {
        out = afterRun(letters, out);
        letters = 0;
        store<u16>(out, <u16>short);
        cutAt = at;
        cutOut = out;
        out += <usize>(short >> 16);
        at += 2;
        continue;
      }
    } else if ((bytes & 0xc0c0f0) === 0x8080e0) {
      const info = threeByteInfo(bytes);
      if (info === UNSPACED) {
        if (letters === 2 && out - letterAt === 3) {
          // a pair in a word: to read back the letter would wait until it is written
          store<u64>(out, ((<u64>bytes) << 32) | <u64>((previous << 8) | SPACE));
          out += 4;
        } else {
          if (letters === 2) out = repeatLetter(letterAt, out);
          else if (letters++ === 0) store<u8>(out++, SPACE);
          store<u32>(out, bytes);
        }
        letterAt = out;
        previous = bytes;
        out += 3;
        at += 3;
        continue;
      }
      if (info >= SEPARATOR && info <= MARK) {
        // without a branch: in many scripts every other character is a mark
        out = select(out, afterRun(letters, out), info === MARK);
        letters = select(letters, 0, info === MARK);
        cutAt = select(cutAt, at, info === MARK);
        cutOut = select(cutOut, out, info === MARK);
        store<u32>(out, select<u32>(SPACE, bytes, info === SEPARATOR));
        out += select<usize>(1, 3, info === SEPARATOR);
        at += 3;
        continue;
      }
    } else if ((bytes & 0x80) === 0) {
      if ((bytes & 0x8080) === 0 || (letters > 0 && mayGoOn(bytes))) break;
      cutAt = at++;
      cutOut = afterRun(letters, out);
      letters = 0;
      store<u8>(cutOut, lowerByte(bytes & 0x7f));
      out = cutOut + 1;
      continue;
    }
    break;
  }
  from = at;
  to = out;
  run = letters;
  cutFrom = cutAt;
  cutTo = cutOut;
  letter = letterAt;
}

/** Any one character beyond ASCII; returns false where it may need NFC, and with it everything from the last cut on. */
function take(): bool {
  const decoded = decode(from);
  const code = decoded >> 3;
  let info = infoOf(code);
  if ((info & HYPHEN) !== 0) {
    const half = secondHalf(from, from + <usize>(decoded & 7), stop);
    if (half !== 0) {
      from = half;
      return true;
    }
    info &= ~HYPHEN;
  }
  const kind = info & KIND_MASK;
  if ((info & SPELLED) !== 0) {
    beginCut();
    const spelling = spellingOf(info);
    store<u64>(to, spelling);
    to += <usize>(spelling >> 56);
    from += <usize>(decoded & 7);
    return true;
  }
  if ((info & NOT_PLAIN) !== 0) {
    const after = (info & SLOW) === 0 ? placeMark(from, decoded, info, to) : 0;
    if (after === 0) {
      store<u32>(STRETCH, <u32>cutFrom);
      store<u32>(STRETCH, <u32>stop, 4);
      store<u32>(STRETCH, <u32>cutTo, 8);
      return false;
    }
    to = after;
    from += <usize>(decoded & 7);
    return true;
  }
  if (kind === UNSPACED) {
    if (run === 2) to = repeatLetter(letter, to);
    else if (run++ === 0) store<u8>(to++, SPACE);
    letter = to;
  } else if (kind !== MARK) beginCut();
  if (kind === SEPARATOR) store<u8>(to++, SPACE);
  else to = encode(to, code + (info >> 8));
  from += <usize>(decoded & 7);
  return true;
}

/** Cuts between all before and what comes next. */
function beginCut(): void {
  if (run > 0) endRun();
  cutFrom = from;
  cutTo = to;
}

function endRun(): void {
  store<u8>(to++, SPACE);
  run = 0;
}
