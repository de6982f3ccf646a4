import type { OpenedBytes, Span } from './port.ts';

/*
 * A reader that is told to find records gives the same items in the same order. It looks no further into a record than their
 * number takes, and says of each where it lies:
 *
 *   unpacked bytes   │ head of a table, blank line … │ record │ record │ blank line │ torn record │ record │
 *   spans                                            ├───0────┼───1────┤            ├──2, lost────┼───3────┤
 */

/** What an item says of a record that was found and not read. */
export const FOUND = { refused: 'no-document', detail: 'It was found, and not read.', url: null } as const;

/** Ends of what follows one on the other, as spans; null where nobody asks. */
export class Spans {
  readonly #isTraced: boolean;
  readonly #placeOf: (byte: number) => number;
  /** In the file. It is not asked for again: bytes that were given up there lie behind it, and have the same place decoded. */
  #end = 0;

  constructor({ isTraced, placeOf = (byte) => byte }: Pick<OpenedBytes, 'isTraced' | 'placeOf'>) {
    this.#isTraced = isTraced === true;
    this.#placeOf = placeOf;
  }

  /** From the end before to this one. */
  to(end: number, isLost = false): Span | null {
    if (!this.#isTraced) return null;
    const start = this.#end;
    this.#end = this.#placeOf(end);
    return { start, end: this.#end, isLost };
  }

  /** The same of what has a beginning of its own. */
  of(start: number, end: number, isLost = false): Span | null {
    if (this.#isTraced) this.#end = this.#placeOf(start);
    return this.to(end, isLost);
  }
}
