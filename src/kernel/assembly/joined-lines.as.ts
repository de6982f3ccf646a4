import { INPUT } from './layout.as.ts';
import { HYPHEN, infoOf, KIND_MASK, MARK, SPELLED, threeByteInfo, UNSEEN, UNSPACED, WORD } from './unicode.as.ts';
import { decode } from './utf8.as.ts';

/*
 * Line ends that part nothing: core/text/joined-lines.ts.
 */

const TAB: u32 = 0x09;
const LF: u32 = 0x0a;
const CR: u32 = 0x0d;
const SPACE: u32 = 0x20;

/** Whether blanks begin with these bytes in which a line may end, so that the run before them goes on behind them. */
export function mayGoOn(bytes: u32): bool {
  if ((bytes & 0xff) !== SPACE) return (bytes & 0xff) < SPACE;
  return (bytes & 0xc0c0f000) !== 0x8080e000 || threeByteInfo(bytes >> 8) !== UNSPACED;
}

/**
 * Where a run of letters of a script without spaces goes on behind blanks at `at`, or 0. Behind `end` stands a space, and
 * nothing before it is read.
 */
export function nextLineOfRun(at: usize, end: usize): usize {
  let lineEnds = 0;
  let next = at;
  while (next < end) {
    const byte = <u32>load<u8>(next);
    if (byte === LF || (byte === CR && !isLineFeed(next + 1, end))) lineEnds++;
    if (lineEnds > 1) return 0;
    if (byte === SPACE || byte === LF || byte === CR || byte === TAB) {
      next++;
      continue;
    }
    const decoded = decode(next);
    const info = infoOf(decoded >> 3);
    if ((info & UNSEEN) === 0) return lineEnds === 1 && (info & KIND_MASK) === UNSPACED ? next : 0;
    next += <usize>(decoded & 7);
  }
  return 0;
}

/** Where a word goes on that a hyphen at start..behind-1 parts at the end of a line, or 0. Behind `end` stands a space. */
export function secondHalf(start: usize, behind: usize, end: usize): usize {
  let next = behind;
  if (next < end && <u32>load<u8>(next) === CR) next++;
  if (isLineFeed(next, end)) next++;
  if (next === behind || !endsWithLetter(start)) return 0;
  while (next < end && (<u32>load<u8>(next) === SPACE || <u32>load<u8>(next) === TAB)) next++;
  return next < end && isSmallLetter(next) ? next : 0;
}

function isLineFeed(at: usize, end: usize): bool {
  return at < end && <u32>load<u8>(at) === LF;
}

function endsWithLetter(end: usize): bool {
  if (end === INPUT) return false;
  let start = end - 1;
  while (start > INPUT && end - start < 4 && (load<u8>(start) & 0xc0) === 0x80) start--;
  if (start === end - 1) return isAsciiLetter(load<u8>(start) | 0x20);
  const decoded = decode(start);
  const info = infoOf(decoded >> 3);
  const kind = info & KIND_MASK;
  return <usize>(decoded & 7) === end - start && (kind === WORD || kind === MARK) && (info & UNSEEN) === 0;
}

function isSmallLetter(at: usize): bool {
  if (load<u8>(at) < 0x80) return isAsciiLetter(load<u8>(at));
  const info = infoOf(decode(at) >> 3);
  if ((info & KIND_MASK) !== WORD || (info & (HYPHEN | UNSEEN)) !== 0) return false;
  return (info & SPELLED) !== 0 || info >> 8 === 0;
}

function isAsciiLetter(byte: u8): bool {
  return byte >= 0x61 && byte <= 0x7a;
}
