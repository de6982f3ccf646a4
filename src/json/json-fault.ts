/*
 * Where a text stops being JSON, in one pass and without an exception. V8 says so for some faults only, and an exception takes
 * as long as to parse some KB: a file whose every line is broken would take minutes.
 */

const [TAB, LF, CR, SPACE] = [0x09, 0x0a, 0x0d, 0x20];
const [QUOTE, BACKSLASH, COMMA, COLON, SMALL_U] = [0x22, 0x5c, 0x2c, 0x3a, 0x75];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];
const ESCAPES = new Set([...'"\\/bfnrt'].map((sign) => sign.charCodeAt(0)));
const HEX_DIGITS = 4;
const LITERALS = ['true', 'false', 'null'];
/** What a number may go on with, each part if the one before it is there. */
const NUMBER = /-?(?:(?:0|[1-9]\d*)(?:\.(?:\d+)?)?)?(?:(?<=\d)[eE][+-]?\d*)?/y;

const STEP_CHARACTERS = 2 ** 19;

const isWhite = (code: number) => code === SPACE || code === LF || code === CR || code === TAB;

/**
 * The place of the first character, in UTF-16 units, with which no JSON goes on; the length of a text that ends too early; null
 * for JSON. However deep it is, no call is within another.
 */
export function faultAt(text: string): number | null {
  const steps = findingFault(text);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** The same in steps of some ms. */
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
    while (isWhite(text.charCodeAt(at))) at++;
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
      const [end, isSound] = stringEnd(text, at);
      if (!isSound) return end;
      at = end;
      next = 'colon';
    } else if (code === LIST || code === OBJECT) {
      ends.push(code === LIST ? LIST_END : OBJECT_END);
      next = code === LIST ? 'item' : 'first key';
      at++;
    } else {
      const [end, isSound] = code === QUOTE ? stringEnd(text, at) : scalarEnd(text, at);
      if (!isSound) return end;
      at = end;
      next = 'more';
    }
  }
}

/** Behind a part of a text, or where it is broken. */
type End = readonly [place: number, isSound: boolean];

function stringEnd(text: string, from: number): End {
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return [at + 1, true];
    if (code < SPACE) return [at, false];
    if (code !== BACKSLASH) continue;
    const escaped = text.charCodeAt(++at);
    if (escaped === SMALL_U) {
      const hex = /^[\da-f]{0,4}/i.exec(text.slice(at + 1, at + 1 + HEX_DIGITS))![0].length;
      if (hex < HEX_DIGITS) return [at + 1 + hex, false];
      at += HEX_DIGITS;
    } else if (!ESCAPES.has(escaped)) return [Math.min(at, text.length), false];
  }
  return [text.length, false];
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
