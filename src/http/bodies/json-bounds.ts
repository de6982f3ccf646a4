import { ShingledError } from '../../errors.ts';
import type { HttpLimits } from '../limits.ts';

/*
 * What JSON costs is known before it is parsed: how deep it goes, and how many values it has. JSON.parse takes up to 1
 * us for a value (each key of an object that has many). So 8 MiB of them would hold the event loop for a second. This
 * here takes 1 ns a byte at the most, whatever they say.
 */

export type JsonLimits = Pick<HttpLimits, 'jsonDepthMax' | 'jsonValuesMax'>;

/** A double needs 24 at most, and 310 where it is written out; to read a million takes 8 ms. */
const NUMBER_CHARACTERS_MAX = 1000;

/** Of a string looked at one by one, before the next quote is looked for at once: a tenth of the time where that is far. */
const NEAR_BYTES = 64;

const [TAB, LF, CR, SPACE] = [0x09, 0x0a, 0x0d, 0x20];
const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [ZERO, NINE, MINUS] = [0x30, 0x39, 0x2d];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Counts of valid JSON exactly; of other bytes something, for the parser to refuse.
 *
 * @throws ShingledError `invalid-json`, which names the limit that was met
 */
export function checkJsonBounds(bytes: Uint8Array, { jsonDepthMax, jsonValuesMax }: JsonLimits): void {
  let depth = 0;
  let values = 1;
  /** Right behind the beginning of a list or an object: what comes next says whether it is empty. */
  let isBegun = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === SPACE || byte === LF || byte === CR || byte === TAB) continue;
    const isEnd = byte === LIST_END || byte === OBJECT_END;
    if (byte === COMMA || (isBegun && !isEnd)) {
      if (++values > jsonValuesMax) throw beyond('jsonValuesMax', jsonValuesMax, 'has more than', 'values');
    }
    isBegun = byte === LIST || byte === OBJECT;
    if (isBegun) {
      if (++depth > jsonDepthMax) throw beyond('jsonDepthMax', jsonDepthMax, 'is nested more than', 'deep');
    } else if (isEnd) depth--;
    else if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === MINUS || (byte >= ZERO && byte <= NINE)) at = endOfNumber(bytes, at);
  }
}

/** The position of the quote that closes the string opened at `start`; the end of the bytes where none does. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  for (;;) {
    const end = Math.min(bytes.length, at + NEAR_BYTES);
    while (at < end && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
    if (at < end || at >= bytes.length) return at;
    const quote = bytes.indexOf(QUOTE, at);
    if (quote === -1) return bytes.length;
    let slashes = quote;
    while (slashes > at && bytes[slashes - 1] === BACKSLASH) slashes--;
    if ((quote - slashes) % 2 === 0) return quote;
    at = quote + 1;
  }
}

/** The position of the last of the digits, points and signs that begin at `start`. */
function endOfNumber(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at]! > COMMA && bytes[at]! < LIST && at - start <= NUMBER_CHARACTERS_MAX) at++;
  if (at - start <= NUMBER_CHARACTERS_MAX) return at - 1;
  throw beyond('numberCharactersMax', NUMBER_CHARACTERS_MAX, 'has a number of more than', 'characters');
}

function beyond(
  name: keyof JsonLimits | 'numberCharactersMax',
  value: number,
  verb: string,
  what: string,
): ShingledError {
  return new ShingledError('invalid-json', `The JSON ${verb} ${value} ${what}.`, { limit: { name, value } });
}
