import type { KeyRange } from './keys.ts';

/* What a batch has read of the rows that are there: rows.ts. */

/** Thrown when a plan asks for a row that was not read yet. The resolver catches it and reads the row; nothing else sees it. */
export const NOT_LOADED = new Error('a row is not loaded yet');

/** Asks for rows that do not hang together, so that those which are not loaded yet are read at once. @throws NOT_LOADED */
export function together<Asks extends readonly (() => unknown)[]>(
  ...asks: Asks
): { [At in keyof Asks]: ReturnType<Asks[At]> } {
  let isLacking = false;
  const found = asks.map((ask) => {
    try {
      return ask();
    } catch (error) {
      if (error !== NOT_LOADED) throw error;
      isLacking = true;
      return undefined;
    }
  });
  if (isLacking) throw NOT_LOADED;
  return found as { [At in keyof Asks]: ReturnType<Asks[At]> };
}

/** Rows as they are read from disk. */
export interface RowReader {
  getMany(keys: string[]): Promise<(Buffer | undefined)[]>;
  get(key: string): Promise<Buffer | undefined>;
  /** Keys of a range in order. */
  keys(range: KeyRange): Promise<string[]>;
}

/** What was read for a batch, and what is still to be read. */
export class LoadedRows {
  private readonly reader: RowReader;
  private readonly values = new Map<string, Buffer | undefined>();
  private readonly ranges = new Map<string, readonly string[]>();
  /** By key or range: what it was that reading it failed with. */
  private readonly failures = new Map<string, unknown>();
  private readonly wantedKeys = new Set<string>();
  private readonly wantedRanges = new Map<string, KeyRange>();
  private readonly wantedSteps = new Map<string, Generator<undefined, void>>();

  constructor(reader: RowReader) {
    this.reader = reader;
  }

  want(key: string): void {
    this.wantedKeys.add(key);
  }

  /** It is known that there is no such row. */
  absent(key: string): void {
    this.values.set(key, undefined);
  }

  /** @throws NOT_LOADED, or what reading it failed with */
  get(key: string): Buffer | undefined {
    const value = this.values.get(key);
    if (value !== undefined || this.values.has(key)) return value;
    if (this.failures.has(key)) throw this.failures.get(key);
    this.wantedKeys.add(key);
    throw NOT_LOADED;
  }

  /** @throws NOT_LOADED, or what reading it failed with */
  keys(range: KeyRange): readonly string[] {
    const name = `${range.gte}${range.lt}${range.reverse === true ? '-' : '+'}${range.limit}`;
    const keys = this.ranges.get(name);
    if (keys !== undefined) return keys;
    if (this.failures.has(name)) throw this.failures.get(name);
    this.wantedRanges.set(name, range);
    throw NOT_LOADED;
  }

  /** Notes work that is to be done in {@link steps} before the plan is tried again. @throws NOT_LOADED */
  inSteps(key: string, steps: Generator<undefined, void>): never {
    if (!this.wantedSteps.has(key)) this.wantedSteps.set(key, steps);
    throw NOT_LOADED;
  }

  /** Does the work that was noted. */
  *steps(): Generator<undefined, void> {
    for (const [key, steps] of this.wantedSteps) {
      this.wantedSteps.delete(key);
      yield* steps;
    }
  }

  /** Reads all that is wanted. What cannot be read fails the plans that ask for it. */
  async load(): Promise<void> {
    const keys = [...this.wantedKeys];
    const ranges = [...this.wantedRanges];
    this.wantedKeys.clear();
    this.wantedRanges.clear();
    const failed = (name: string) => (error: unknown) => void this.failures.set(name, error);
    const readRanges = ranges.map(([name, range]) =>
      this.reader.keys(range).then((found) => void this.ranges.set(name, found), failed(name)),
    );
    try {
      const values = keys.length === 0 ? [] : await this.reader.getMany(keys);
      for (const [i, key] of keys.entries()) this.values.set(key, values[i]);
    } catch {
      // one of them, so each by itself
      for (const key of keys) {
        await this.reader.get(key).then((value) => void this.values.set(key, value), failed(key));
      }
    }
    await Promise.all(readRanges);
  }
}
