import { elementNamed, isNamed, NAME_BYTES } from './elements.ts';

/*
 * Where scripts, and other contents in which no tag counts but their own end tag, come to an end.
 *
 * A script ends at "</script", with one exception (WHATWG HTML, "script data escaped state"). Old pages hide a script
 * in a comment, and inside that comment a script may hold a script.
 *
 *   <script><!-- document.write("<script>x</script>"); --></script>
 *           └ ESCAPED            └ DOUBLY   └ ESCAPED   └ PLAIN
 */

const BANG = 0x21;
const DASH = 0x2d;
const SLASH = 0x2f;
const LESS = 0x3c;
const GREATER = 0x3e;

const SCRIPT = elementNamed('script');
const [PLAIN, ESCAPED, DOUBLY] = [0, 1, 2];

/** The length of the "</name" of an element at `at`, a "<"; 0 where it is something else. */
export function endTagLength(bytes: Uint8Array, at: number, element: number): number {
  const name = NAME_BYTES[element]!;
  return bytes[at + 1] === SLASH && isNamed(bytes, at + 2, name) ? name.length + 2 : 0;
}

/** The position behind the "-->" or "--!>" at `at`, a "-"; 0 where it is something else. */
export function endOfComment(bytes: Uint8Array, at: number): number {
  if (bytes[at + 1] !== DASH) return 0;
  if (bytes[at + 2] === GREATER) return at + 3;
  return bytes[at + 2] === BANG && bytes[at + 3] === GREATER ? at + 4 : 0;
}

/** Finds the end tag of a script, seen a part at a time. */
export class ScriptReader {
  #state = PLAIN;
  /** Whether the end tag was found: it is where reading stopped. */
  ended = false;

  /** Behind a <script>. */
  begin(): void {
    this.#state = PLAIN;
    this.ended = false;
  }

  /** Reads on, up to `limit` or a few bytes beyond it, and returns where it stopped. */
  read(bytes: Uint8Array, start: number, limit: number): number {
    let at = start;
    while (at < limit && !this.ended) {
      if (this.#state === PLAIN) {
        const less = bytes.indexOf(LESS, at);
        at = less < 0 || less >= limit ? limit : this.#less(bytes, less);
      } else if (bytes[at] === LESS) {
        at = this.#less(bytes, at);
      } else if (bytes[at] === DASH && bytes[at + 1] === DASH && bytes[at + 2] === GREATER) {
        this.#state = PLAIN;
        at += 3;
      } else {
        at++;
      }
    }
    return at;
  }

  /** "<" in a script. */
  #less(bytes: Uint8Array, at: number): number {
    if (this.#state === PLAIN && bytes[at + 1] === BANG && bytes[at + 2] === DASH && bytes[at + 3] === DASH) {
      this.#state = ESCAPED;
      // the dashes may already be those of "-->"
      return at + 2;
    }
    if (endTagLength(bytes, at, SCRIPT) > 0) {
      if (this.#state !== DOUBLY) {
        this.ended = true;
        return at;
      }
      this.#state = ESCAPED;
    } else if (this.#state === ESCAPED && isNamed(bytes, at + 1, NAME_BYTES[SCRIPT]!)) {
      this.#state = DOUBLY;
    }
    return at + 1;
  }
}
