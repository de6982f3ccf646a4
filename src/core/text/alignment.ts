/*
 * Where the bytes of a canonical form come from in the text that it was made of.
 *
 *   entry:  output offset | start in the input | end in the input      ascending by output offset; the last of equals counts
 *
 * An entry holds up to the next one. Its end is RUNS_ON where input and output run side by side, byte by byte (ASCII),
 * else every byte of the entry comes from the same characters of the input.
 */

/** Tokens that end in one block, in order: their bounds, then their values, low and high halves apart. */
export interface TokenBlock {
  count: number;
  /** Start and end (exclusive) of token i at 2i and 2i + 1, counted from the first canonical byte. */
  readonly edges: Int32Array;
  /** Set where the last token of the block is not over: its start stands after the other edges. */
  open: boolean;
}

const RUNS_ON = -1;

export class Alignment {
  #entries = new Int32Array(3 * 256);
  #length = 0;
  /** The entry that the last question was answered by: questions come in ascending order. */
  #at = 0;

  /** Forgets all entries. */
  clear(): void {
    this.#length = 0;
  }

  /** From this output offset on, bytes correspond one to one, beginning at this input offset. */
  runsOn(output: number, input: number): void {
    this.#add(output, input, RUNS_ON);
  }

  /** What is written from this output offset on comes from bytes start..end-1 of the input. */
  comesFrom(output: number, start: number, end: number): void {
    this.#add(output, start, end);
  }

  /** Start and end (exclusive) in the input of each token of a block, one after the other; blocks must come in their order. */
  locate({ edges, count }: TokenBlock): Uint32Array {
    const located = new Uint32Array(2 * count);
    for (let i = 0; i < count; i++) {
      const from = edges[2 * i]!;
      const to = edges[2 * i + 1]!;
      this.#at = this.#seek(this.#at, from);
      located[2 * i] = this.#origin(this.#at, from, 1);
      located[2 * i + 1] = this.#origin(this.#seek(this.#at, to - 1), to, 2);
    }
    return located;
  }

  /** The input offset of an output offset by the entry at `at`; where the entry is of one piece, its start (1) or end (2). */
  #origin(at: number, output: number, bound: 1 | 2): number {
    const entries = this.#entries;
    return entries[at + 2] === RUNS_ON ? entries[at + 1]! + output - entries[at]! : entries[at + bound]!;
  }

  #seek(from: number, output: number): number {
    let at = from;
    while (at + 3 < this.#length && this.#entries[at + 3]! <= output) at += 3;
    return at;
  }

  #add(output: number, start: number, end: number): void {
    if (this.#length + 3 > this.#entries.length) {
      const grown = new Int32Array(2 * this.#entries.length);
      grown.set(this.#entries);
      this.#entries = grown;
    }
    this.#entries[this.#length] = output;
    this.#entries[this.#length + 1] = start;
    this.#entries[this.#length + 2] = end;
    this.#length += 3;
  }
}
