import { Buffer } from 'node:buffer';
import { ShingledError } from '../errors.ts';
import { checkTextLength } from './extract.ts';
import type { ExtractLimits } from './limits.ts';

/* What readers of files have in common: PDF files, office documents, mail. */

/** How a file is read. */
export interface Reading {
  readonly limits: ExtractLimits;
  /** Asked between parts of the work. */
  readonly isLate: () => boolean;
}

/** The reading took longer than it may. */
export class OutOfTime extends Error {}

/** @throws OutOfTime */
export function checkTime({ isLate }: Reading): void {
  if (isLate()) throw new OutOfTime();
}

/** A file that is damaged or locked. @param how behind its name, such as "is damaged" */
export function unreadable(file: string, how: string, cause?: unknown): ShingledError {
  return new ShingledError('unreadable-document', `${file} ${how}`, { cause });
}

/** What a reader did not foresee is a damaged file. @param error thrown by the reader */
export function asUnreadable(file: string, error: unknown): Error {
  if (error instanceof ShingledError || error instanceof OutOfTime) return error;
  return unreadable(file, 'is damaged', error);
}

const isFirstHalf = (unit: number) => unit >= 0xd800 && unit < 0xdc00;

/** Units that wait to be encoded. */
const UNITS_WAITING_MAX = 64 * 1024;
const PARTS_WAITING_MAX = 1000;

/** The end of a line behind which a word or a run of letters may go on. */
const MAY_GO_ON = /\P{ASCII}|-/u;

/** A text as it grows, kept as UTF-8: its parts would keep alive what they are parts of. */
export class GrowingText {
  readonly #limits: ExtractLimits;
  #waiting: string[] = [];
  #unitsWaiting = 0;
  #encoded: Uint8Array[] = [];
  #bytes = 0;
  /** The last code unit that is no white space. */
  #lastSeen = '';

  constructor(limits: ExtractLimits) {
    this.#limits = limits;
  }

  /** @throws ShingledError `body-too-large` */
  add(text: string): void {
    this.#waiting.push(text);
    this.#unitsWaiting += text.length;
    this.#lastSeen = text.trimEnd().at(-1) ?? this.#lastSeen;
    if (this.#unitsWaiting > UNITS_WAITING_MAX || this.#waiting.length > PARTS_WAITING_MAX) this.#encode();
  }

  /** Ends a paragraph: where a line end might part nothing (core/text/joined-lines.ts), by a blank line. */
  endParagraph(): void {
    this.add(MAY_GO_ON.test(this.#lastSeen) ? '\n\n' : '\n');
  }

  /** On a line of its own. @param utf8 copied. @throws ShingledError `body-too-large` */
  addUtf8(utf8: Uint8Array): void {
    this.endParagraph();
    this.#encode();
    this.#keep(new Uint8Array(utf8));
  }

  /** All of it as UTF-8, with a line end. @throws ShingledError `body-too-large` */
  finish(): Uint8Array {
    this.add('\n');
    this.#encode();
    return Buffer.concat(this.#encoded);
  }

  #encode(): void {
    if (this.#waiting.length === 0) return;
    const text = this.#waiting.join('');
    // half a character waits for the other half
    const end = isFirstHalf(text.charCodeAt(text.length - 1)) ? text.length - 1 : text.length;
    this.#waiting = end < text.length ? [text.slice(end)] : [];
    this.#unitsWaiting = text.length - end;
    this.#keep(Buffer.from(text.slice(0, end)));
  }

  #keep(utf8: Uint8Array): void {
    this.#bytes += utf8.length;
    checkTextLength(this.#bytes, this.#limits);
    this.#encoded.push(utf8);
  }
}
