import { runToEnd } from '../core/memory/steps.ts';
import { ShingledError } from '../errors.ts';
import { inTurns, type Turns } from '../sharing/turns.ts';
import { faultAt, findingFault, STEP_CHARACTERS } from './json-fault.ts';

/*
 * JSON as strictly as a document deserves. Bytes that are not UTF-8 are refused, instead of becoming U+FFFD: two
 * different documents would become one. So are depths that later code would overflow on, more values than the event
 * loop should read at a stretch, and the key `__proto__`. Of equal keys in one object the last counts, as everywhere
 * where JSON.parse is the reader.
 */

/** How deep JSON may go, lists and objects inside one another, and how many values it may have, those among them. */
export interface JsonLimits {
  readonly jsonDepthMax: number;
  readonly jsonValuesMax: number;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @throws ShingledError `invalid-utf8` or `invalid-json`, neither of which repeats any of the text */
export function parseJson(bytes: Uint8Array, limits: JsonLimits): unknown {
  return runToEnd(parsing(bytes, limits));
}

/** The same in turns of the event loop: of 8 MiB a step takes some 10 ms. */
export function parseJsonInTurns(bytes: Uint8Array, limits: JsonLimits, turns: Turns): Promise<unknown> {
  return inTurns(parsing(bytes, limits), turns);
}

function* parsing(bytes: Uint8Array, limits: JsonLimits): Generator<undefined, unknown> {
  const { isOpen, mayHaveProto } = checkJsonBounds(bytes, limits);
  yield;
  const text = decodeUtf8(bytes);
  yield;
  // V8 would read all of a string that does not end before it refuses it
  if (isOpen) throw yield* faultOf(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    yield;
    throw yield* faultOf(text);
  }
  // whoever asked for megabytes works on them for as long again
  yield;
  if (mayHaveProto) refuseProto(value);
  return value;
}

function* faultOf(text: string): Generator<undefined, ShingledError> {
  const place = yield* findingFault(text);
  return new ShingledError('invalid-json', yield* faultTextSteps(text, place));
}

/** How gzip and zstd begin. */
const PACKED = ['1f8b', '28b52ffd'];

/** @throws ShingledError `invalid-utf8` */
function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    const begin = Buffer.from(bytes.subarray(0, 4)).toString('hex');
    const isPacked = PACKED.some((magic) => begin.startsWith(magic));
    const way = isPacked ? ': it looks packed, which Content-Encoding has to say' : '';
    throw new ShingledError('invalid-utf8', `The JSON is not valid UTF-8${way}.`);
  }
}

/** Recursion is safe here: the depth is known to be small. */
function refuseProto(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (Object.hasOwn(value, '__proto__')) {
    throw new ShingledError('invalid-json', 'The JSON has a key that objects must not have.', { field: '__proto__' });
  }
  for (const inner of Object.values(value)) refuseProto(inner);
}

/*
 * What JSON costs is known before it is parsed: how deep it goes, and how many values it has. JSON.parse takes up to 1
 * us for a value (each key of an object that has many). So 8 MiB of them would hold the event loop for a second. This
 * here takes 1 ns a byte at the most, whatever they say.
 */

/** A double needs 24 at most, and 310 where it is written out; to read a million takes 8 ms. */
const NUMBER_CHARACTERS_MAX = 1000;

/** Of a string looked at one by one, before the next quote is looked for at once: a tenth of the time where that is far. */
const NEAR_BYTES = 64;

/** `__proto__`, and the longest way to write it: each letter as an escape. */
const [PROTO_BYTES, PROTO_BYTES_MAX] = [9, 54];

const [TAB, LF, CR, SPACE] = [0x09, 0x0a, 0x0d, 0x20];
const [QUOTE, BACKSLASH, COMMA, LOW_LINE] = [0x22, 0x5c, 0x2c, 0x5f];
const [ZERO, NINE, MINUS] = [0x30, 0x39, 0x2d];
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/** What is known of JSON before it is parsed. */
interface JsonSeen {
  /** It ends within a string. */
  readonly isOpen: boolean;
  /** A string of it may be `__proto__`; false: none is. */
  readonly mayHaveProto: boolean;
}

/**
 * Counts of valid JSON exactly; of other bytes something, for the parser to refuse.
 *
 * @throws ShingledError `invalid-json`, which names the limit that was met
 */
export function checkJsonBounds(bytes: Uint8Array, { jsonDepthMax, jsonValuesMax }: JsonLimits): JsonSeen {
  let depth = 0;
  let values = 1;
  let mayHaveProto = false;
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
    else if (byte === QUOTE) {
      const start = at + 1;
      at = endOfString(bytes, at);
      if (at >= bytes.length) return { isOpen: true, mayHaveProto };
      const length = at - start;
      if (length >= PROTO_BYTES && length <= PROTO_BYTES_MAX) mayHaveProto ||= mayBeProto(bytes, start, length);
    } else if (byte === MINUS || (byte >= ZERO && byte <= NINE)) at = endOfNumber(bytes, at);
  }
  return { isOpen: false, mayHaveProto };
}

/** Whether a string, as it is written, may be `__proto__`: letter by letter, or with escapes. */
function mayBeProto(bytes: Uint8Array, start: number, length: number): boolean {
  const first = bytes[start]!;
  return first === BACKSLASH || (first === LOW_LINE && (length === PROTO_BYTES || hasEscape(bytes, start, length)));
}

function hasEscape(bytes: Uint8Array, start: number, length: number): boolean {
  for (let at = start; at < start + length; at++) if (bytes[at] === BACKSLASH) return true;
  return false;
}

/** The position of the quote that closes the string opened at `start`; the end of the bytes where none does. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  // twice as far each time: where quotes are escaped, looking for each by itself takes twice as long
  for (let near = NEAR_BYTES; ; near *= 2) {
    const end = Math.min(bytes.length, at + near);
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

/**
 * Why a text is no JSON, with line and column of the fault, both from 1, of one line with the column only; null where it is.
 */
export function jsonFault(text: string): string | null {
  const place = faultAt(text);
  return place === null ? null : runToEnd(faultTextSteps(text, place));
}

/** @param place null: V8 says so, and finds something that nobody knows of */
function* faultTextSteps(text: string, place: number | null): Generator<undefined, string> {
  if (place === null) return 'The JSON cannot be parsed.';
  if (text.trim() === '') return 'The JSON is empty.';
  const what = place === text.length ? 'ends too early, at' : 'has a syntax error at';
  return `The JSON ${what} ${yield* placeSteps(text, place)}.`;
}

/** Without a line where there is one only: that may be any line of NDJSON. */
function* placeSteps(text: string, index: number): Generator<undefined, string> {
  if (!text.includes('\n')) return `column ${index + 1}`;
  let line = 1;
  let lineAt = 0;
  for (let at = 0; at < index; at++) {
    if (at % STEP_CHARACTERS === STEP_CHARACTERS - 1) yield;
    if (text.charCodeAt(at) !== LF) continue;
    line++;
    lineAt = at + 1;
  }
  return `line ${line}, column ${index - lineAt + 1}`;
}
