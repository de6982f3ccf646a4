import { FIRST, PARAMETERS, SECOND, TOKENS, WINDOWS } from './layout.as.ts';

/*
 * Every window of w tokens, folded to 64 bits as it slides: core/sketch/shingles.ts (GENERAL, Lemire & Kaser 2010).
 *
 *   F <- F · x + t(new) - t(old) · x^w mod P        t(old) · x^w: the top w bits by table FIRST, where
 *                                                  they are many by SECOND too; the others move up
 */

let size: u64 = 0;
let secondBits: u64 = 0;
let polynomial: u64 = 0;
let window: u64 = 0;

/** Takes w and the polynomial, whose tables stand in memory; SECOND is for the lowest `second` of the w bits. */
export function prepareWindow(shingleSize: i32, second: i32): void {
  size = <u64>shingleSize;
  secondBits = <u64>second;
  polynomial = load<u64>(PARAMETERS);
}

/** Forgets all tokens: the window is full of empty ones. */
export function beginWindow(): void {
  const empty = load<u64>(PARAMETERS, 8);
  window = 0;
  for (let i: usize = 1; i <= <usize>size; i++) {
    store<u64>(TOKENS - (i << 3), empty);
    window = timesX(window) ^ empty;
  }
}

/** Slides the window over the first `count` tokens: the windows that end with them go to WINDOWS. */
export function slide(count: i32): void {
  const past: usize = TOKENS - ((<usize>size) << 3);
  const bytes: usize = (<usize>count) << 3;
  if (secondBits === 0) slideShort(past, bytes);
  else slideLong(past, bytes);
  for (let at: usize = 0; at < (<usize>size) << 3; at += 8) store<u64>(past + at, load<u64>(past + bytes + at));
}

/** Windows of a few tokens, for which one table is enough. */
function slideShort(past: usize, bytes: usize): void {
  const w = size;
  const p = polynomial;
  // so that what is left of a value is eight times the index into the table
  const shift = 61 - w;
  let f = window;
  for (let at: usize = 0; at < bytes; at += 8) {
    const old = load<u64>(past + at);
    const leaving = (old << w) ^ load<u64>(<usize>(old >> shift) & ~7, FIRST);
    // in this order, so that a step waits only for the mask of the one before
    f = load<u64>(at, TOKENS) ^ leaving ^ (f << 1) ^ (<u64>(<i64>f >> 63) & p);
    store<u64>(at, f, WINDOWS);
  }
  window = f;
}

function slideLong(past: usize, bytes: usize): void {
  const w = size;
  const p = polynomial;
  const firstShift = 61 - w + secondBits;
  const secondShift = 61 - w;
  const secondMask: usize = (((<usize>1) << (<usize>secondBits)) - 1) << 3;
  let f = window;
  for (let at: usize = 0; at < bytes; at += 8) {
    const old = load<u64>(past + at);
    const leaving =
      (old << w) ^
      load<u64>(<usize>(old >> firstShift) & ~7, FIRST) ^
      load<u64>(<usize>(old >> secondShift) & secondMask, SECOND);
    f = load<u64>(at, TOKENS) ^ leaving ^ (f << 1) ^ (<u64>(<i64>f >> 63) & p);
    store<u64>(at, f, WINDOWS);
  }
  window = f;
}

/** Writes the window as it stands to WINDOWS: the one shingle of a text of fewer than w tokens. */
export function stopWindow(): void {
  store<u64>(WINDOWS, window);
}

function timesX(value: u64): u64 {
  return (value << 1) ^ (<u64>(<i64>value >> 63) & polynomial);
}
