import type { Column } from './growing-column.ts';

/*
 * Numbers of which nobody knows how many will come, in pages: none is copied, and less than a page is free at the end. They are
 * written to a file one page after the other, and so are columns that follow from them.
 */

/** A megabyte of words: so much goes back to the system by itself, once nobody needs it. */
const PAGE_BITS = 18;
const PAGE = 2 ** PAGE_BITS;

/** A column in parts, one behind the other. */
export interface ColumnParts {
  readonly length: number;
  parts(): Iterable<Column>;
}

/** The pages of a column, as they go from one thread to another. */
export interface ColumnPages<T extends Column> {
  readonly length: number;
  readonly pages: T[];
}

export class PagedColumn<T extends Column> implements ColumnParts {
  length: number;
  private readonly pages: T[];
  private readonly make: (size: number) => T;

  /** @param make memory for so many numbers @param from what it has at first, which it may change */
  constructor(make: (size: number) => T, from: ColumnPages<T> = { length: 0, pages: [] }) {
    this.make = make;
    this.length = from.length;
    this.pages = from.pages;
  }

  /** All of it; no copy. */
  inPages(): ColumnPages<T> {
    return { length: this.length, pages: this.pages };
  }

  /** Of memory. */
  get bytes(): number {
    return this.pages.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** @param index below the length */
  at(index: number): number {
    return this.pages[index >>> PAGE_BITS]![index & (PAGE - 1)]!;
  }

  push(value: number): void {
    const at = this.length & (PAGE - 1);
    if (at === 0) this.pages.push(this.make(PAGE));
    this.pages[this.length++ >>> PAGE_BITS]![at] = value;
  }

  *parts(): Generator<T, void, undefined> {
    for (const [i, page] of this.pages.entries()) yield page.subarray(0, Math.min(PAGE, this.length - i * PAGE)) as T;
  }
}

/** As many numbers in a page of bytes as are a megabyte. */
const NARROW_BITS = 20;
const NARROW_PAGE = 2 ** NARROW_BITS;

/** Whole numbers below 2^32, each page as wide as its greatest needs: a byte, 2 or 4. Its parts are words. */
export class NarrowPages implements ColumnParts {
  length = 0;
  private readonly pages: (Uint8Array | Uint16Array | Uint32Array)[] = [];

  /** Of memory. */
  get bytes(): number {
    return this.pages.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  push(value: number): void {
    const at = this.length & (NARROW_PAGE - 1);
    if (at === 0) this.pages.push(new Uint8Array(NARROW_PAGE));
    const page = this.pages[this.length++ >>> NARROW_BITS]!;
    page[at] = value;
    // cut off where it is too large
    if (page[at] !== value) this.widen(page, at, value);
  }

  *parts(): Generator<Uint32Array, void, undefined> {
    for (const [i, page] of this.pages.entries())
      yield Uint32Array.from(page.subarray(0, Math.min(NARROW_PAGE, this.length - i * NARROW_PAGE)));
  }

  private widen(page: Uint8Array | Uint16Array | Uint32Array, at: number, value: number): void {
    const wide = value < 2 ** 16 ? new Uint16Array(NARROW_PAGE) : new Uint32Array(NARROW_PAGE);
    wide.set(page.subarray(0, at));
    wide[at] = value;
    this.pages[this.pages.length - 1] = wide;
  }
}

/** A number for each of a column, in new memory. */
export function mappedColumn<T extends Column>(
  column: ColumnParts,
  make: (size: number) => T,
  of: (value: number) => number,
): ColumnParts {
  return {
    length: column.length,
    *parts() {
      for (const part of column.parts()) {
        const mapped = make(part.length);
        for (let i = 0; i < part.length; i++) mapped[i] = of(part[i]!);
        yield mapped;
      }
    },
  };
}

/** Numbers of a column in another order, a page at a time. @param indexes of them */
export function chosenOf<T extends Column>(column: T, indexes: Uint32Array, make: (size: number) => T): ColumnParts {
  return {
    length: indexes.length,
    *parts() {
      for (let from = 0; from < indexes.length; from += PAGE) {
        const chosen = make(Math.min(PAGE, indexes.length - from));
        for (let i = 0; i < chosen.length; i++) chosen[i] = column[indexes[from + i]!]!;
        yield chosen;
      }
    },
  };
}

/** Where each of some lengths begins, and at last where all of them end. */
export function startsOf(lengths: ColumnParts): ColumnParts {
  return {
    length: lengths.length + 1,
    *parts() {
      let end = 0;
      for (const part of lengths.parts()) {
        const starts = new Float64Array(part.length);
        for (let i = 0; i < part.length; i++) {
          starts[i] = end;
          end += part[i]!;
        }
        yield starts;
      }
      yield Float64Array.of(end);
    },
  };
}

/** A column behind so many equal numbers. */
export function afterEqual(count: number, value: number, column: ColumnParts): ColumnParts {
  return {
    length: count + column.length,
    *parts() {
      for (let left = count; left > 0; left -= PAGE) yield new Float64Array(Math.min(left, PAGE)).fill(value);
      yield* column.parts();
    },
  };
}
