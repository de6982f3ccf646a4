import { elementNamed, isNamed, NAME_BYTES } from './elements.ts';

/* Where scripts, comments, and other contents in which no tag counts but their own end tag, come to an end. */

const BANG = 0x21;
const DASH = 0x2d;
const SLASH = 0x2f;
const LESS = 0x3c;
const GREATER = 0x3e;

const SCRIPT = elementNamed('script');
const [PLAIN, ESCAPED, DOUBLY] = [0, 1, 2];

/** Where a byte is next, or `limit` where it is not before that. */
export function positionOf(byte: number, bytes: Uint8Array, start: number, limit: number): number {
  const found = bytes.indexOf(byte, start);
  return found < 0 || found > limit ? limit : found;
}

/** The length of the "</name" of an element at `at`, a "<"; 0 where it is something else. */
export function endTagLength(bytes: Uint8Array, at: number, element: number): number {
  const name = NAME_BYTES[element]!;
  return bytes[at + 1] === SLASH && isNamed(bytes, at + 2, name) ? name.length + 2 : 0;
}

/** The position behind the "-->" or "--!>" that ends a comment; 0 where it does not begin before `limit`. */
export function endOfComment(bytes: Uint8Array, start: number, limit: number): number {
  for (let at = start; at < limit; at++) {
    if (bytes[at] !== DASH || bytes[at + 1] !== DASH) continue;
    if (bytes[at + 2] === GREATER) return at + 3;
    if (bytes[at + 2] === BANG && bytes[at + 3] === GREATER) return at + 4;
  }
  return 0;
}

/**
 * The position of the "</script" that ends a script, `limit` where it is not before that.
 *
 * A script ends at the first, with one exception (WHATWG HTML, "script data escaped state"). Old pages hide a script in a
 * comment, and inside that comment a script may hold a script.
 *
 *   <script><!-- document.write("<script>x</script>"); --></script>
 *           └ ESCAPED            └ DOUBLY   └ ESCAPED   └ PLAIN
 */
export function endOfScript(bytes: Uint8Array, start: number, limit: number): number {
  let state = PLAIN;
  let at = start;
  while (at < limit) {
    if (state === PLAIN) at = positionOf(LESS, bytes, at, limit);
    if (at >= limit) break;
    if (bytes[at] === DASH && bytes[at + 1] === DASH && bytes[at + 2] === GREATER) {
      state = PLAIN;
      at += 3;
      continue;
    }
    if (bytes[at] === LESS) {
      if (endTagLength(bytes, at, SCRIPT) > 0) {
        if (state !== DOUBLY) return at;
        state = ESCAPED;
      } else if (state === PLAIN && bytes[at + 1] === BANG && bytes[at + 2] === DASH && bytes[at + 3] === DASH) {
        state = ESCAPED;
        // the dashes may already be those of "-->"
        at++;
      } else if (state === ESCAPED && isNamed(bytes, at + 1, NAME_BYTES[SCRIPT]!)) {
        state = DOUBLY;
      }
    }
    at++;
  }
  return limit;
}
