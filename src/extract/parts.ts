/** Scans bytes from `at` to `limit`, or a few beyond it, and returns where it stopped; it may look at `lookahead` more. */
export type Scan = (bytes: Uint8Array, at: number, limit: number) => number;

/**
 * Lets something that has to look a little ahead scan bytes that come in parts, cut anywhere. Each part is scanned up
 * to so many bytes before its end. Those are kept, and scanned together with the first bytes of the next.
 */
export class Parts {
  readonly #lookahead: number;
  readonly #scan: Scan;
  /** The bytes not yet scanned; behind them, room for as many of the next part, and for zeros. */
  readonly #kept: Uint8Array;
  #keptLength = 0;

  constructor(lookahead: number, scan: Scan) {
    this.#lookahead = lookahead;
    this.#scan = scan;
    this.#kept = new Uint8Array(3 * lookahead);
  }

  /** The next part, of any length. It is not kept. */
  write(bytes: Uint8Array): void {
    // one class of arrays everywhere, also for a Buffer: V8 is slower where it has met two
    const part = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    let from = 0;
    if (this.#keptLength > 0) {
      const joined = Math.min(part.length, this.#lookahead);
      this.#kept.set(part.subarray(0, joined), this.#keptLength);
      const length = this.#keptLength + joined;
      const reached = this.#scan(this.#kept, 0, length - this.#lookahead);
      if (joined === part.length) {
        this.#kept.copyWithin(0, reached, length);
        this.#keptLength = length - reached;
        return;
      }
      from = reached - this.#keptLength;
    }
    from = this.#scan(part, from, part.length - this.#lookahead);
    this.#kept.set(part.subarray(from));
    this.#keptLength = part.length - from;
  }

  /** There is no more: what is kept is scanned to its end, with zeros behind it to look at. */
  end(): void {
    this.#kept.fill(0, this.#keptLength);
    this.#scan(this.#kept, 0, this.#keptLength);
  }
}
