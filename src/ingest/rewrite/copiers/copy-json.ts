import { Buffer } from 'node:buffer';
import type { Span } from '../../port.ts';
import type { Copier, Output, Waiting } from '../port.ts';
import { type CopyParts, isCopied } from './copy-lines.ts';

/*
 * The records of JSON files as one array, each byte for byte:
 *
 *   [ \n {a} ,\n {b} ,\n {c} \n ]       without {a}:   [ \n {b} ,\n {c} \n ]
 *   └lead┘   └───┘   └─────┘ └──┘
 *         what is between them is copied where it is what an array of these would have there
 *
 * So an array of which all is kept is copied byte for byte. What is around lists that stand inside of something else is not
 * copied: it speaks of lists that are no longer so. A file that is one record is copied as it is.
 */

const LEAD = /^(?:\ufeff)?\s*\[\s*$/;
const BETWEEN = /^\s*,\s*$/;
const TAIL = /^\s*\]\s*$/;
const EMPTY = /^(?:\ufeff)?\s*(?:\[\s*\]\s*)?$/;
const MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** An array that is being written, of one file or of many. */
export class JsonArray {
  readonly #output: Output;
  /** Whether the only file is one record, and no list. */
  isBare = false;
  #count = 0;
  lead = '[\n';
  tail = '\n]\n';
  empty = '[]\n';

  constructor(output: Output) {
    this.#output = output;
  }

  /** What goes before the next element. */
  begin(between: string): void {
    if (!this.isBare) this.#output.add(Buffer.from(this.#count === 0 ? this.lead : between));
    this.#count++;
  }

  end(): void {
    if (this.isBare) return;
    this.#output.add(Buffer.from(this.#count === 0 ? this.empty : this.tail));
  }
}

export class JsonCopier implements Copier {
  readonly #parts: CopyParts;
  readonly #array: JsonArray;
  #hasBegun = false;

  constructor(parts: CopyParts, array: JsonArray) {
    this.#parts = parts;
    this.#array = array;
  }

  take(span: Span, record: number): Waiting {
    const { tape, isJoined } = this.#parts;
    const between = this.#textTo(span.start);
    if (!this.#hasBegun && !isJoined && between !== null && LEAD.test(between)) this.#array.lead = between;
    this.#hasBegun = true;
    const passed = tape.skipTo(span.start);
    const next = () => this.#record(span, record, between !== null && BETWEEN.test(between) ? between : ',\n');
    return passed === null ? next() : passed.then(next);
  }

  end(): Waiting {
    const { tape, isJoined } = this.#parts;
    const tail = this.#textTo(tape.until);
    if (!isJoined && tail !== null) {
      if (this.#hasBegun && TAIL.test(tail)) this.#array.tail = tail;
      if (!this.#hasBegun && EMPTY.test(tail)) this.#array.empty = tail;
    }
    return tape.skipTo(tape.until);
  }

  #record(span: Span, record: number, between: string): Waiting {
    const { tape, output, isJoined } = this.#parts;
    if (!isCopied(this.#parts, span, record)) return tape.skipTo(span.end);
    if (span.start === 0 && !isJoined) this.#array.isBare = true;
    this.#array.begin(between);
    const isMarked = isJoined && span.start === 0 && tape.glance(0, MARK.length)?.equals(MARK) === true;
    if (isMarked) void tape.skipTo(MARK.length);
    const copied = tape.copyTo(span.end, output);
    if (copied === null) output.endRecord();
    return copied;
  }

  /** What is held up to a place, null where it is long. */
  #textTo(place: number): string | null {
    const { tape } = this.#parts;
    return tape.glance(tape.from, place)?.toString('utf8') ?? null;
  }
}
