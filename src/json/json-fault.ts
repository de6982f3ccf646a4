import { runToEnd } from '../core/memory/steps.ts';

/*
 * Where a text stops being JSON, in one pass and without an exception. V8 says so for some faults only, and an exception takes
 * as long as to parse some KB: a file whose every line is broken would take minutes.
 */

const [TAB, LF, CR, SPACE] = [0x09, 0x0a, 0x0d, 0x20];
const [QUOTE, BACKSLASH, COMMA, COLON, SMALL_U] = [0x22, 0x5c, 0x2c, 0x3a, 0x75];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];
const ESCAPES = '"\\/bfnrt';
/** Whether a character may stand behind a backslash, by its code: a Set would take as long as everything else together. */
const IS_ESCAPE = Uint8Array.from({ length: 0x80 }, (_, code) => Number(ESCAPES.includes(String.fromCharCode(code))));
const HEX_DIGITS = 4;
const LITERALS = ['true', 'false', 'null'];
/** What a number may go on with, each part if the one before it is there. */
const NUMBER = /-?(?:(?:0|[1-9]\d*)(?:\.(?:\d+)?)?)?(?:(?<=\d)[eE][+-]?\d*)?/y;

/** Characters that are looked at in one step: some ms. */
export const STEP_CHARACTERS = 2 ** 19;

const isWhite = (code: number) => code === SPACE || code === LF || code === CR || code === TAB;

/**
 * The place of the first character, in UTF-16 units, with which no JSON goes on; the length of a text that ends too early; null
 * for JSON. However deep it is, no call is within another.
 */
export function faultAt(text: string): number | null {
  return runToEnd(findingFault(text));
}

/** {@link faultAt} in steps of some ms. */
export function* findingFault(text: string): Generator<undefined, number | null> {
  let stepEnd = STEP_CHARACTERS;
  const ends: number[] = [];
  /** What comes next. `item`: a value, or the end of the list that has just begun. */
  let next: 'value' | 'item' | 'key' | 'first key' | 'colon' | 'more' = 'value';
  for (let at = 0; ; ) {
    if (at > stepEnd) {
      yield;
      stepEnd = at + STEP_CHARACTERS;
    }
    while (at <= stepEnd && isWhite(text.charCodeAt(at))) at++;
    if (at > stepEnd) continue;
    if (at >= text.length) return next === 'more' && ends.length === 0 ? null : text.length;
    const code = text.charCodeAt(at);
    if (next === 'more') {
      const end = ends.at(-1);
      if (end === undefined || (code !== COMMA && code !== end)) return at;
      if (code === end) ends.pop();
      else next = end === OBJECT_END ? 'key' : 'value';
      at++;
    } else if (next === 'colon') {
      if (code !== COLON) return at;
      next = 'value';
      at++;
    } else if ((next === 'item' && code === LIST_END) || (next === 'first key' && code === OBJECT_END)) {
      ends.pop();
      next = 'more';
      at++;
    } else if (next === 'key' || next === 'first key') {
      if (code !== QUOTE) return at;
      const [end, isSound] = endWithin(text, at, at + STEP_CHARACTERS) ?? (yield* findingEnd(text, at));
      if (!isSound) return end;
      at = end;
      next = 'colon';
    } else if (code === LIST || code === OBJECT) {
      ends.push(code === LIST ? LIST_END : OBJECT_END);
      next = code === LIST ? 'item' : 'first key';
      at++;
    } else {
      const [end, isSound] =
        code !== QUOTE
          ? scalarEnd(text, at)
          : (endWithin(text, at, at + STEP_CHARACTERS) ?? (yield* findingEnd(text, at)));
      if (!isSound) return end;
      at = end;
      next = 'more';
    }
  }
}

/** Behind a part of a text, or where it is broken. */
type End = readonly [place: number, isSound: boolean];

/** The end of a string that begins with the quote at `from`; null if it neither ends nor breaks before `to`. */
function endWithin(text: string, from: number, to: number): End | null {
  const end = stringEnd(text, from + 1, to);
  return typeof end === 'number' ? null : end;
}

/** The end of a string that is longer than a step, found in steps. */
function* findingEnd(text: string, from: number): Generator<undefined, End> {
  for (let at = from + 1; ; ) {
    const end = stringEnd(text, at, at + STEP_CHARACTERS);
    if (typeof end !== 'number') return end;
    at = end;
    yield;
  }
}

/** @param from within a string, not within an escape @returns a number, `to` or a little more, from which it goes on */
function stringEnd(text: string, from: number, to: number): End | number {
  const { length } = text;
  for (let at = from; at < length; at++) {
    if (at >= to) return at;
    const code = text.charCodeAt(at);
    if (code === QUOTE) return [at + 1, true];
    if (code < SPACE) return [at, false];
    if (code !== BACKSLASH) continue;
    const escaped = text.charCodeAt(++at);
    if (escaped === SMALL_U) {
      const hex = hexDigits(text, at + 1);
      if (hex < HEX_DIGITS) return [at + 1 + hex, false];
      at += HEX_DIGITS;
    } else if (IS_ESCAPE[escaped] !== 1) return [Math.min(at, length), false];
  }
  return [length, false];
}

/** How many hexadecimal digits stand from `at` on, at most HEX_DIGITS. */
function hexDigits(text: string, at: number): number {
  let count = 0;
  while (count < HEX_DIGITS && isHexDigit(text.charCodeAt(at + count))) count++;
  return count;
}

function isHexDigit(code: number): boolean {
  const small = code | 0x20;
  return (code >= 0x30 && code <= 0x39) || (small >= 0x61 && small <= 0x66);
}

function scalarEnd(text: string, from: number): End {
  const literal = LITERALS.find((word) => word.charCodeAt(0) === text.charCodeAt(from));
  if (literal !== undefined) {
    let same = 1;
    while (same < literal.length && text[from + same] === literal[same]) same++;
    return [from + same, same === literal.length];
  }
  NUMBER.lastIndex = from;
  const number = NUMBER.exec(text)![0];
  return [from + number.length, /\d$/.test(number)];
}
