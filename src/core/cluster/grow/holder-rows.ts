/*
 * How many of some rows of bits have a one in each column, 32 columns at a time:
 *
 *   row 3    1 0 1 1 …     ones    1 1 0 0 …
 *   row 7    1 1 0 1 …     twos    0 0 1 0 …      a counter lies upright: column 2 has 2
 *   row 8    1 0 1 0 …     …       1 0 0 1 …
 *            ───────
 *   counts   3 1 2 2 …
 *
 * Eight rows at a time pass through carry-save adders: a ^ b ^ c is the sum of three bits, (a & b) | ((a ^ b) & c) what is
 * carried. Source: Harley and Seal, in Warren, Hacker's Delight, 2nd edition, §5-2 (Counting 1-bits in an array).
 * Cost: some 6 operations for 32 columns of a row, and 2 for each bit of a count. Memory: a bit for each row and column.
 */

const WORDS_FIRST = 4;
const ROWS_FIRST = 16;
/** Rows that are added at a time. */
const GROUP = 8;
/** Of ones, twos, fours and so on: sums of fewer than 2^28 rows. */
const PLANES = 28;

export class HolderRows {
  /** Words of a row. */
  #stride = WORDS_FIRST;
  #room = ROWS_FIRST;
  #bits = new Int32Array(ROWS_FIRST * WORDS_FIRST);
  /** Row 0 stays empty. */
  #count = 1;
  readonly #planes = new Int32Array(PLANES);

  /** Makes room for so many columns. */
  makeRoom(columns: number): void {
    if (columns > 32 * this.#stride) this.#resize(2 * this.#stride, this.#room);
  }

  /** @returns the number of a row without a one */
  begin(): number {
    if (this.#count === this.#room) this.#resize(this.#stride, 2 * this.#room);
    return this.#count++;
  }

  /** Puts a one there. @returns false where there is one already */
  add(row: number, column: number): boolean {
    const at = row * this.#stride + (column >>> 5);
    const bit = 1 << (column & 31);
    if ((this.#bits[at]! & bit) !== 0) return false;
    this.#bits[at]! |= bit;
    return true;
  }

  /**
   * Adds to `counts[column]`, for columns below `columns`, how many of the rows have a one there; a row may be named twice.
   *
   * @param met of which there are `size`: becomes the columns whose counts are above 0, where it was those before
   * @returns how many these are
   */
  count(rows: readonly number[], columns: number, counts: Uint32Array, met: Uint32Array, size: number): number {
    const starts = new Int32Array(GROUP * Math.ceil(rows.length / GROUP));
    for (const [i, row] of rows.entries()) starts[i] = row * this.#stride;
    let end = size;
    for (let column = 0; column < columns; column += 32) {
      const last = Math.min(column + 32, columns);
      const depth = this.#addWords(starts, column >>> 5);
      if (depth > 0) end = this.#tell(depth, column, last, counts, met, end);
    }
    return end;
  }

  /** Adds one word of each row up. @returns the planes that the sum has: 0 where there is no one */
  #addWords(starts: Int32Array, word: number): number {
    const bits = this.#bits;
    const planes = this.#planes;
    let [ones, twos, fours, any, depth] = [0, 0, 0, 0, 3];
    for (let i = 0; i < starts.length; i += GROUP) {
      let fourOf = 0;
      let carried = 0;
      for (let half = i; half < i + GROUP; half += GROUP / 2) {
        const a = bits[starts[half]! + word]!;
        const b = bits[starts[half + 1]! + word]!;
        const c = bits[starts[half + 2]! + word]!;
        const d = bits[starts[half + 3]! + word]!;
        any |= a | b | c | d;
        const one = ones ^ a;
        const two = (ones & a) | (one & b);
        ones = one ^ b;
        const other = ones ^ c;
        const twoMore = (ones & c) | (other & d);
        ones = other ^ d;
        const sum = twos ^ two;
        const four = (twos & two) | (sum & twoMore);
        twos = sum ^ twoMore;
        if (half === i) fourOf = four;
        else {
          const sumOfFours = fours ^ fourOf;
          carried = (fours & fourOf) | (sumOfFours & four);
          fours = sumOfFours ^ four;
        }
      }
      for (let plane = 3; carried !== 0; plane++) {
        if (plane === depth) planes[depth++] = 0;
        const before = planes[plane]!;
        planes[plane] = before ^ carried;
        carried &= before;
      }
    }
    planes[0] = ones;
    planes[1] = twos;
    planes[2] = fours;
    return any === 0 ? 0 : depth;
  }

  /** The counts of one word's columns, from the planes. @returns how many columns were met by then */
  #tell(depth: number, from: number, to: number, counts: Uint32Array, met: Uint32Array, size: number): number {
    const planes = this.#planes;
    let end = size;
    for (let column = from; column < to; column++) {
      const bit = column & 31;
      let count = 0;
      for (let plane = 0; plane < depth; plane++) count |= ((planes[plane]! >>> bit) & 1) << plane;
      if (count === 0) continue;
      if (counts[column] === 0) met[end++] = column;
      counts[column]! += count;
    }
    return end;
  }

  #resize(stride: number, room: number): void {
    const bits = new Int32Array(stride * room);
    for (let row = 0; row < this.#count; row++) {
      const from = row * this.#stride;
      bits.set(this.#bits.subarray(from, from + this.#stride), row * stride);
    }
    this.#bits = bits;
    this.#stride = stride;
    this.#room = room;
  }
}
