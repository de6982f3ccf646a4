import type { Alignment } from './alignment.ts';
import { isBlank, isHyphen, nextLineOfRun, secondHalf } from './joined-lines.ts';
import { Normalizer } from './normalize.ts';
import { infoOf, KIND_MASK, MARK, SEPARATOR, SPLITS, UNSAFE, UNSPACED } from './unicode.ts';
import { decodeAt, encodeAt } from './utf8.ts';

/*
 * The slow path of the canonical form: stretches of characters that need normalising or pairing.
 *
 *   characters ─ normalise (normalize.ts) ─┬─ unspaced letters ─ pairs ─────┬─ output
 *                                          └─ others, marks with the last ──┘
 *
 *   c1 c2 c3 c4  ->  c1 c2  20  c2 c3  20  c3 c4       each letter is copied once from where it was written
 *
 * Cost: linear, about 40 ns a character.
 */

const SPACE = 0x20;

/** Whether a character can be written as it comes: no neighbour changes it and it pairs with none. */
export function isPlain(info: number): boolean {
  return (info & (UNSAFE | SPLITS)) === 0 && (info & KIND_MASK) !== UNSPACED;
}

export class Stretch {
  /** The output offset after what was written. */
  written = 0;
  readonly #text: Uint8Array;
  readonly #output: Uint8Array;
  readonly #alignment: Alignment | null;
  readonly #normalizer = new Normalizer((code, kind, start, end) => this.#write(code, kind, start, end));
  // letters in the run of unspaced script under way, counted to 2, and where the last one begins
  #runLength = 0;
  #letterAt = 0;
  #letterStart = 0;

  constructor(text: Uint8Array, output: Uint8Array, alignment: Alignment | null) {
    this.#text = text;
    this.#output = output;
    this.#alignment = alignment;
  }

  /**
   * Takes the character at input offset `from`, whatever it is, and all up to one that is plain and no mark. Writes
   * what they become from output offset `to` on. Returns the input offset where it stopped.
   */
  run(from: number, to: number): number {
    const text = this.#text;
    this.written = to;
    let next = from;
    do {
      const decoded = decodeAt(text, next);
      const code = decoded >> 3;
      const start = next;
      next += decoded & 7;
      this.#normalizer.push(code, start, next);
      if (isBlank(text[next])) next = this.#behindLineEnd(code, start, next);
    } while (next < text.length && goesOn(infoOf(decodeAt(text, next) >> 3)));
    this.#normalizer.flush();
    this.#endRun();
    return next;
  }

  /** Where the text goes on behind a character at `start` that blanks follow at `next`: there, or behind a line end. */
  #behindLineEnd(code: number, start: number, next: number): number {
    const half = isHyphen(code) ? secondHalf(this.#text, start, next) : -1;
    if (half >= 0) return half;
    // no letter of such a script changes what stands before it
    this.#normalizer.flush();
    return this.#runLength === 0 ? next : Math.max(next, nextLineOfRun(this.#text, next));
  }

  #write(code: number, kind: number, start: number, end: number): void {
    if (kind === UNSPACED) this.#beginLetter(start);
    else if (kind !== MARK) this.#endRun();
    if (kind === SEPARATOR) this.#space();
    else {
      this.#alignment?.comesFrom(this.written, start, end);
      this.written = encodeAt(this.#output, this.written, code);
    }
  }

  #beginLetter(start: number): void {
    if (this.#runLength === 0) this.#space();
    if (this.#runLength === 2) this.#repeatLetter(start);
    else this.#runLength++;
    this.#letterAt = this.written;
    this.#letterStart = start;
  }

  /** A pair is complete and its second letter begins the next one. */
  #repeatLetter(end: number): void {
    const output = this.#output;
    const letterEnd = this.written;
    this.#space();
    this.#alignment?.comesFrom(this.written, this.#letterStart, end);
    for (let i = this.#letterAt; i < letterEnd; i++) output[this.written++] = output[i]!;
  }

  #endRun(): void {
    if (this.#runLength > 0) this.#space();
    this.#runLength = 0;
  }

  #space(): void {
    this.#output[this.written++] = SPACE;
  }
}

function goesOn(info: number): boolean {
  return !isPlain(info) || (info & KIND_MASK) === MARK;
}
