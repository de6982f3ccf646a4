import { ShingledError } from '../../errors.ts';
import { inTurns, type Turns } from '../../sharing/turns.ts';
import { checkJsonBounds, type JsonLimits } from './json-bounds.ts';
import { syntaxFault } from './json-syntax.ts';

/*
 * JSON as strictly as a document deserves. Bytes that are not UTF-8 are refused, instead of becoming U+FFFD: two
 * different documents would become one. So are depths that later code would overflow on, more values than the event
 * loop should read at a stretch, and the key `__proto__`. Of equal keys in one object the last counts, as everywhere
 * where JSON.parse is the reader.
 */

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @throws ShingledError `invalid-utf8` or `invalid-json`, neither of which repeats any of the text */
export function parseJson(bytes: Uint8Array, limits: JsonLimits): unknown {
  const steps = parsing(bytes, limits);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** The same in turns of the event loop: of 8 MiB a step takes some 10 ms. */
export function parseJsonInTurns(bytes: Uint8Array, limits: JsonLimits, turns: Turns): Promise<unknown> {
  return inTurns(parsing(bytes, limits), turns);
}

function* parsing(bytes: Uint8Array, limits: JsonLimits): Generator<undefined, unknown> {
  checkJsonBounds(bytes, limits);
  yield;
  const text = decodeUtf8(bytes);
  yield;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    yield* syntaxFault(text, error);
  }
  yield;
  refuseProto(value);
  return value;
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
