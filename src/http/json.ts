import { ShingledError } from '../errors.ts';

/*
 * JSON as strictly as a document deserves: bytes that are not UTF-8 are refused instead of becoming U+FFFD (two different
 * documents would become one), so are depths that later code would overflow on, and the key `__proto__`. Of equal keys in
 * one object the last counts, as everywhere where JSON.parse is the reader.
 */

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * @param depthMax arrays and objects inside one another
 * @throws ShingledError `invalid-utf8` or `invalid-json`, neither of which repeats any of the text
 */
export function parseJson(bytes: Uint8Array, depthMax: number): unknown {
  const text = decodeUtf8(bytes, 'The JSON is not valid UTF-8.');
  if (depthExceeds(text, depthMax)) {
    throw new ShingledError('invalid-json', `The JSON is nested more than ${depthMax} deep.`, {
      limit: { name: 'jsonDepthMax', value: depthMax },
    });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ShingledError('invalid-json', syntaxDetail(text, error));
  }
  refuseProto(value);
  return value;
}

/** @throws ShingledError `invalid-utf8` */
export function decodeUtf8(bytes: Uint8Array, detail: string): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new ShingledError('invalid-utf8', detail);
  }
}

/** V8's message quotes the text, which belongs in no answer and no log: only the position is taken from it. */
function syntaxDetail(text: string, error: unknown): string {
  if (text.trim() === '') return 'The JSON is empty.';
  const position = error instanceof Error ? /at position (\d+)/.exec(error.message)?.[1] : undefined;
  if (position !== undefined) return `The JSON has a syntax error at character ${position}.`;
  return 'The JSON has a syntax error or ends too early.';
}

function depthExceeds(text: string, depthMax: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22:
        at = endOfString(text, at);
        break;
      case 0x5b:
      case 0x7b:
        if (++depth > depthMax) return true;
        break;
      case 0x5d:
      case 0x7d:
        depth--;
        break;
    }
  }
  return false;
}

/** The position of the quote that closes the string opened at `start`; the end of the text where none does. */
function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (quote >= 0) {
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === 0x5c) backslashes++;
    if (backslashes % 2 === 0) return quote;
    quote = text.indexOf('"', quote + 1);
  }
  return text.length;
}

/** Recursion is safe here: the depth is known to be small. */
function refuseProto(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (Object.hasOwn(value, '__proto__')) {
    throw new ShingledError('invalid-json', 'The JSON has a key that objects must not have.', { field: '__proto__' });
  }
  for (const inner of Object.values(value)) refuseProto(inner);
}
