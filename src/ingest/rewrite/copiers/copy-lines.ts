import { Buffer } from 'node:buffer';
import type { Span } from '../../port.ts';
import type { Copier, Output, Rewritten, Waiting } from '../port.ts';
import type { Tape } from './tape.ts';

/** What a copier works with, for one file. */
export interface CopyParts {
  readonly tape: Tape;
  readonly output: Output;
  readonly keeps: (record: number) => boolean;
  readonly done: Rewritten;
  /** Whether other inputs go into the same output, and whether this is the first of them. */
  readonly isJoined: boolean;
  readonly isFirst: boolean;
}

/** Whether a record is to be copied; it is counted. */
export function isCopied({ keeps, done }: Pick<CopyParts, 'keeps' | 'done'>, span: Span, record: number): boolean {
  done.records++;
  const isKept = keeps(record);
  if (!isKept) done.leftOut++;
  else if (span.isLost) done.lost++;
  else done.copied++;
  return isKept && !span.isLost;
}

const MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const LINE_END = Buffer.from('\n');

/**
 * Lines and rows, byte for byte. What is between records is copied: blank lines, comments of a list of URLs, the first row of
 * a table. Of a further input the byte order mark is not, nor what is between the rows of a table.
 */
export class LineCopier implements Copier {
  readonly #parts: CopyParts;
  readonly #isTable: boolean;
  #hasBegun = false;

  constructor(parts: CopyParts, isTable: boolean) {
    this.#parts = parts;
    this.#isTable = isTable;
  }

  take(span: Span, record: number): Waiting {
    if (!this.#hasBegun) this.#begin();
    const between = this.#between(span.start);
    return between === null ? this.#record(span, record) : between.then(() => this.#record(span, record));
  }

  end(): Waiting {
    if (!this.#hasBegun) this.#begin();
    return this.#between(this.#parts.tape.until);
  }

  #record(span: Span, record: number): Waiting {
    const { tape, output } = this.#parts;
    if (!isCopied(this.#parts, span, record)) return tape.skipTo(span.end);
    const copied = tape.copyTo(span.end, output);
    if (copied === null) output.endRecord();
    return copied;
  }

  #between(place: number): Waiting {
    const { tape, output, isFirst } = this.#parts;
    return this.#isTable && !isFirst ? tape.skipTo(place) : tape.copyTo(place, output);
  }

  /** Sees to where one input ends in the output and the next one begins. */
  #begin(): void {
    const { tape, output, isFirst } = this.#parts;
    this.#hasBegun = true;
    if (!output.endsLine) output.add(LINE_END);
    // the first bytes of a file are in memory when its first record is told
    if (!isFirst && tape.glance(0, MARK.length)?.equals(MARK) === true) void tape.skipTo(MARK.length);
  }
}
