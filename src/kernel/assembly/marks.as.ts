import { INPUT, JOINING } from './layout.as.ts';
import { COMPOSES, infoOf, UNSEEN } from './unicode.as.ts';
import { decode, encode } from './utf8.as.ts';

/*
 * Marks that need not go over to TypeScript: core/text/normalize.ts for the cases in which NFC changes no more than
 * their order.
 *
 *   base ─ mark ─ mark ─ mark        by the rank of their combining class, those of one rank as they came
 *          └ RANKED: composes with nothing, whatever the base
 *          └ COMPOSES: with some bases; stays as it is where this base composes with nothing and does not come apart
 *
 * The bases that do either are the bits of JOINING, and so is what nobody sees: the base is the one before it. A
 * COMPOSES mark of rank 0, such as the vowel signs of Bengali and Tamil, is the base of the marks after it.
 */

/** Marks of one base, at the most: with what the base is composed of, fewer than core's MARKS_MAX. */
const MARKS_MOST: i32 = 16;

/** Where the marks under way begin and end in INPUT, where they begin in CANON, how many they are, and the highest rank. */
let first: usize = 0;
let last: usize = 0;
let firstTo: usize = 0;
let count: i32 = 0;
let highest: i32 = 0;

/** Forgets the marks of the text before. */
export function beginMarks(): void {
  last = 0;
}

/**
 * Writes a mark among those before it, or passes over what is UNSEEN, behind which the marks go on. Returns the address
 * after them, or 0 where the mark must go over to TypeScript.
 *
 * @param at where it stands in INPUT, with `decoded` from utf8.as.ts and its `info`
 * @param to where the canonical bytes end
 */
export function placeMark(at: usize, decoded: i32, info: i32, to: usize): usize {
  if (info === UNSEEN) {
    if (at === last) last = at + <usize>(decoded & 7);
    return to;
  }
  if (at !== last) {
    first = at;
    firstTo = to;
    count = 0;
    highest = 0;
  }
  if (++count > MARKS_MOST || ((info & COMPOSES) !== 0 && mayJoin(first))) return 0;
  const rank = info >> 8;
  const end = encode(to, decoded >> 3);
  last = rank === 0 ? 0 : at + <usize>(decoded & 7);
  if (rank < highest) moveBack(decoded >> 3, rank, to, end);
  else highest = rank;
  return end;
}

/** Puts the mark that stands from `to` to `end` before those of higher ranks. */
function moveBack(code: i32, rank: i32, to: usize, end: usize): void {
  // one of rank 0 stays: it is another base
  if (rank === 0) return;
  let place = to;
  while (place > firstTo) {
    const before = characterBefore(place);
    if (infoOf(decode(before) >> 3) >> 8 <= rank) break;
    place = before;
  }
  memory.copy(place + (end - to), place, to - place);
  encode(place, code);
}

/** Whether the character before `at` in INPUT composes with a mark or comes apart, for all that is known of it. */
function mayJoin(at: usize): bool {
  const before = characterBefore(at);
  const byte = <i32>load<u8>(before);
  const decoded = byte < 0x80 ? (byte << 3) | 1 : decode(before);
  const code = <usize>(decoded >> 3);
  if (before < INPUT || <usize>(decoded & 7) !== at - before || code > 0xffff) return true;
  return ((load<u8>(JOINING + (code >> 3)) >> <u8>(code & 7)) & 1) !== 0;
}

/** Where the character begins that ends before `at`, if it is a valid one. */
function characterBefore(at: usize): usize {
  let before = at - 1;
  while ((load<u8>(before) & 0xc0) === 0x80 && at - before < 4) before--;
  return before;
}
