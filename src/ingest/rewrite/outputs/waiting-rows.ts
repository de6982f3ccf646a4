/** Some rows of a column. */
export interface ColumnRows {
  /** Null if there is none. */
  readonly values: unknown[];
  /** Of each value; empty where the levels are always 0. */
  readonly definition: number[];
  /** 0 where a row begins; empty where all do. */
  readonly repetition: number[];
}

/** Rows that wait to be a row group. */
export class WaitingRows {
  count = 0;
  #columns: ColumnRows[];
  /** Of each column how many values hold on to nothing else. */
  readonly #owned: number[];

  constructor(columns: number) {
    this.#columns = Array.from({ length: columns }, nothing);
    this.#owned = this.#columns.map(() => 0);
  }

  add(columns: readonly ColumnRows[], count: number): void {
    if (this.count === 0) this.#columns = [...columns];
    else for (const [at, rows] of columns.entries()) append(this.#columns[at]!, rows);
    this.count += count;
  }

  /** Takes the first ones. */
  take(count: number): ColumnRows[] {
    const isAll = count === this.count;
    this.count -= count;
    return this.#columns.map((rows, at) => {
      const end = isAll ? rows.values.length : endOf(rows, count);
      this.#owned[at] = Math.max(0, this.#owned[at]! - end);
      if (isAll) {
        this.#columns[at] = nothing();
        return rows;
      }
      const { values, definition, repetition } = rows;
      return {
        values: values.splice(0, end),
        definition: definition.splice(0, end),
        repetition: repetition.splice(0, end),
      };
    });
  }

  /** Lets go of the pages of which few values wait. */
  own(): void {
    for (const [at, { values }] of this.#columns.entries()) {
      for (let index = this.#owned[at]!; index < values.length; index++) {
        const value = values[index];
        if (value instanceof Uint8Array) values[index] = value.slice();
      }
      this.#owned[at] = values.length;
    }
  }
}

const nothing = (): ColumnRows => ({ values: [], definition: [], repetition: [] });

function append(to: ColumnRows, { values, definition, repetition }: ColumnRows): void {
  for (const value of values) to.values.push(value);
  for (const level of definition) to.definition.push(level);
  for (const level of repetition) to.repetition.push(level);
}

/** Behind the values of the first rows. */
function endOf({ values, repetition }: ColumnRows, rows: number): number {
  if (repetition.length === 0) return rows;
  let begun = 0;
  const end = repetition.findIndex((level) => level === 0 && ++begun > rows);
  return end < 0 ? values.length : end;
}
