import { normalize } from './host.ts';
import { CANON, INPUT, TWO_BYTES } from './layout.ts';
import { infoOf, KIND_MASK, MARK, RANKED, SEPARATOR, SLOW, UNSPACED } from './unicode.ts';
import { decode, encode } from './utf8.ts';

/*
 * The canonical form of a text: core/canonicalize.ts, 16 ASCII bytes at a time, and the characters beyond in a state machine.
 *
 *   text ──┬─ ASCII ──────────────────────── lower case ─────────┐
 *          ├─ plain characters ───────────── table ──────────────┤
 *          ├─ letters of unspaced scripts ── pairs ──────────────┼── canonical bytes
 *          ├─ marks in order ─────────────── as they are ────────┤
 *          └─ characters that may need NFC ─ back to the last cut, and over to TypeScript for a while
 *
 * A cut is a place before a plain character that is not a mark: what stands before it and what follows do not know of one
 * another (core/canonicalize.ts: no stretch goes over it). Marks whose class is not 0 stay as they are where they come in
 * the order of their classes and compose with nothing (UAX #15, "Detecting Normalization Forms"): so Arabic, Hebrew,
 * Devanagari and Thai pass without leaving this file.
 *
 *   two-byte characters of the plain kinds: up to two canonical bytes | their number << 16; 0 = look at its info
 */

/** RANKED marks on one base, at the most: with what the base is composed of, fewer than core's MARKS_MAX. */
const RANKED_MOST: i32 = 16;

const SPACE: u8 = 0x20;

/** Where the reader and the writer of a piece stand. */
let from: usize = 0;
let to: usize = 0;
/** The last cut: where the last plain character begins that is not a mark, in INPUT and in CANON. */
let cutFrom: usize = 0;
let cutTo: usize = 0;
/** Letters in the run of unspaced script under way, counted to 2, and where the last one begins in CANON. */
let run: i32 = 0;
let letter: usize = 0;
/** Rank of the last RANKED mark, how many have come one after another, and where the last one ends in INPUT. */
let rank: i32 = 0;
let rankedCount: i32 = 0;
let rankedEnd: usize = 0;

/** Puts INPUT[0..length-1] into canonical form: fills CANON and returns the number of bytes. */
export function canonicalize(length: usize): usize {
  const end = INPUT + length;
  // no sequence goes on beyond the end
  v128.store(end, i8x16.splat(SPACE));
  from = INPUT;
  to = CANON;
  cutFrom = INPUT;
  cutTo = CANON;
  run = 0;
  rankedEnd = 0;
  while (from < end) {
    takeAscii(end);
    takeOthers(end);
    if (run > 0) endRun();
  }
  return to - CANON;
}

/** ASCII up to the next character beyond it, or to the end. */
function takeAscii(end: usize): void {
  let at = from;
  let out = to;
  while (at + 64 <= end) {
    const first = v128.load(at);
    const second = v128.load(at, 16);
    const third = v128.load(at, 32);
    const fourth = v128.load(at, 48);
    if (i8x16.bitmask(v128.or(v128.or(first, second), v128.or(third, fourth))) !== 0) break;
    v128.store(out, lower(first));
    v128.store(out, lower(second), 16);
    v128.store(out, lower(third), 32);
    v128.store(out, lower(fourth), 48);
    at += 64;
    out += 64;
  }
  while (at < end) {
    const bytes = v128.load(at);
    const beyond = i8x16.bitmask(bytes);
    v128.store(out, lower(bytes));
    if (beyond !== 0) {
      at += <usize>ctz(beyond);
      out += <usize>ctz(beyond);
      break;
    }
    at += 16;
    out += 16;
  }
  if (at > end) {
    out -= at - end;
    at = end;
  }
  if (at > from) {
    cutFrom = at - 1;
    cutTo = out - 1;
  }
  from = at;
  to = out;
}

/** Lower case of A-Z. */
function lower(bytes: v128): v128 {
  const capitals = i8x16.lt_s(i8x16.add(bytes, i8x16.splat(63)), i8x16.splat(-102));
  return v128.or(bytes, v128.and(capitals, i8x16.splat(0x20)));
}

/**
 * Characters beyond ASCII, up to the next ASCII byte or the end. Those of two and three bytes that are written as they come
 * are dealt with here, in local variables; all others in take.
 */
function takeOthers(end: usize): void {
  let at = from;
  let out = to;
  let letters = run;
  while (at < end) {
    // four bytes, the first one lowest
    const bytes = load<u32>(at);
    if ((bytes & 0x80) === 0) break;
    if ((bytes & 0xc0e0) === 0x80c0) {
      const short = load<u32>(<usize>(((bytes & 0x1f) << 8) | ((bytes >> 6) & 0xfc)), TWO_BYTES);
      if (short !== 0) {
        if (letters > 0) {
          store<u8>(out++, SPACE);
          letters = 0;
        }
        cutFrom = at;
        cutTo = out;
        store<u16>(out, <u16>short);
        out += <usize>(short >> 16);
        at += 2;
        continue;
      }
    } else if ((bytes & 0xc0c0f0) === 0x8080e0) {
      const code = ((bytes & 0x0f) << 12) | ((bytes >> 2) & 0xfc0) | ((bytes >> 16) & 0x3f);
      const info = code < 0x800 ? SLOW : infoOf(code);
      if (info === UNSPACED) {
        if (letters === 2) out = repeatLetter(out);
        else if (letters++ === 0) store<u8>(out++, SPACE);
        letter = out;
        store<u32>(out, bytes);
        out += 3;
        at += 3;
        continue;
      }
      if (info >= SEPARATOR && info <= MARK) {
        if (info !== MARK) {
          if (letters > 0) store<u8>(out++, SPACE);
          letters = 0;
          cutFrom = at;
          cutTo = out;
        }
        store<u32>(out, info === SEPARATOR ? SPACE : bytes);
        out += info === SEPARATOR ? 1 : 3;
        at += 3;
        continue;
      }
    }
    from = at;
    to = out;
    run = letters;
    take(end);
    at = from;
    out = to;
    letters = run;
  }
  from = at;
  to = out;
  run = letters;
}

/** Any one character beyond ASCII; where it may need NFC, everything from the last cut to one behind it. */
function take(end: usize): void {
  const decoded = decode(from);
  const code = decoded >> 3;
  const info = infoOf(code);
  const kind = info & KIND_MASK;
  if ((info & (SLOW | RANKED)) !== 0) {
    if (!inOrder(info)) {
      handOver(end);
      return;
    }
    to = encode(to, code);
    from += <usize>(decoded & 7);
    rankedEnd = from;
    return;
  }
  if (kind === UNSPACED) {
    if (run === 2) to = repeatLetter(to);
    else if (run++ === 0) store<u8>(to++, SPACE);
    letter = to;
  } else if (kind !== MARK) {
    if (run > 0) endRun();
    cutFrom = from;
    cutTo = to;
  }
  if (kind === SEPARATOR) store<u8>(to++, SPACE);
  else to = encode(to, code + (info >> 8));
  from += <usize>(decoded & 7);
}

/** Whether a character with a SLOW or RANKED info is a mark that stays as it is. */
function inOrder(info: i32): bool {
  if ((info & SLOW) !== 0) return false;
  const own = info >> 8;
  if (from !== rankedEnd) {
    rank = 0;
    rankedCount = 0;
  }
  if (own < rank || ++rankedCount > RANKED_MOST) return false;
  rank = own;
  return true;
}

/** A pair is complete at `out` and its second letter begins the next one; returns the address after it. */
function repeatLetter(out: usize): usize {
  const length = out - letter;
  store<u8>(out, SPACE);
  if (length <= 4) store<u32>(out + 1, load<u32>(letter));
  else memory.copy(out + 1, letter, length);
  return out + length + 1;
}

function endRun(): void {
  store<u8>(to++, SPACE);
  run = 0;
}

/** TypeScript puts everything from the last cut on into canonical form, and says where it stopped. */
function handOver(end: usize): void {
  const written = normalize(<u32>cutFrom, <u32>end, <u32>cutTo);
  from = cutFrom + <usize>(written >> 17);
  to = cutTo + <usize>(written & 0x1_ffff);
  cutFrom = from;
  cutTo = to;
  run = 0;
}
