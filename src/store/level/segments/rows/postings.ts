/*
 * Many postings (fingerprint, content) as columns: 9 bytes each and no object.
 *
 *   low      Uint32   the low 32 bits of the fingerprint
 *   high     Uint8    its top 8 bits
 *   contents Uint32
 */

export interface Columns {
  readonly low: Uint32Array;
  readonly high: Uint8Array;
  readonly contents: Uint32Array;
}

export const newColumns = (capacity: number): Columns => ({
  low: new Uint32Array(capacity),
  high: new Uint8Array(capacity),
  contents: new Uint32Array(capacity),
});

export const fingerprintAt = ({ low, high }: Columns, at: number): number => high[at]! * 0x1_0000_0000 + low[at]!;

/** Columns that grow as postings are pushed. */
export class Postings {
  columns: Columns;
  count = 0;

  constructor(capacity: number) {
    this.columns = newColumns(capacity);
  }

  /** Makes room for `more` postings at `count`; what is then written there is taken in by raising `count`. */
  reserve(more: number): void {
    const { low, high, contents } = this.columns;
    if (this.count + more <= low.length) return;
    const grown = newColumns(Math.max(2 * low.length, this.count + more));
    grown.low.set(low);
    grown.high.set(high);
    grown.contents.set(contents);
    this.columns = grown;
  }
}
