import type { KeyRange } from './keys.ts';

/*
 * Rows that are not written yet, laid over rows that are. Plans are resolved without waiting, so that one of the usual kind
 * costs no promise: what they start from has been read for the whole batch before. A row that has not been makes the plan
 * stop with {@link NOT_LOADED}; what it has changed so far is undone, the row is read, and the plan begins anew.
 *
 *   this batch     s:put  c:put  l:put        | a plan changes this, and remembers what to put back
 *   batch before   s:put  r:del               | on its way to the disk: its plans are resolved, so these rows are true
 *   loaded         s  c  l                    v read from LevelDB for this batch; with gaps
 */

/** How rows of a table become bytes. */
export interface Codec<Row> {
  seal(key: string, row: Row): Buffer;
  open(key: string, value: Buffer): Row;
}

/** A row to be put, or with null to be deleted. */
export type RowChange = readonly [key: string, value: Buffer | null];

/** Thrown where a plan asks for a row that was not read yet: to be caught by whoever can read it, and never seen else. */
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

type Restored<Key, Value> = Pick<Map<Key, Value>, 'set' | 'delete'>;

/** What a plan changes in Maps, so that it can be put back; one list for all plans, without an object a change. */
export class Undo {
  private readonly maps: Restored<unknown, unknown>[] = [];
  private readonly keys: unknown[] = [];
  private readonly values: unknown[] = [];

  /** @param previous what the map held under that key; undefined = nothing */
  note<Key, Value>(map: Restored<Key, Value>, key: Key, previous: Value | undefined): void {
    this.maps.push(map as Restored<unknown, unknown>);
    this.keys.push(key);
    this.values.push(previous);
  }

  /** From here on there is nothing to put back. */
  keep(): void {
    this.maps.length = 0;
    this.keys.length = 0;
    this.values.length = 0;
  }

  putBack(): void {
    for (let i = this.maps.length - 1; i >= 0; i--) {
      const previous = this.values[i];
      if (previous === undefined) this.maps[i]!.delete(this.keys[i]);
      else this.maps[i]!.set(this.keys[i], previous);
    }
    this.keep();
  }
}

/** The rows of one table as this batch leaves them. */
export class TableRows<Row> {
  private readonly codec: Codec<Row>;
  private readonly loaded: LoadedRows;
  private readonly undo: Undo;
  private before: TableRows<Row> | undefined;
  private readonly changed = new Map<string, Row | null>();

  constructor(codec: Codec<Row>, loaded: LoadedRows, undo: Undo, before: TableRows<Row> | undefined) {
    this.codec = codec;
    this.loaded = loaded;
    this.undo = undo;
    this.before = before;
  }

  /** @throws NOT_LOADED, or what reading it failed with */
  get(key: string): Row | undefined {
    const own = this.changed.get(key);
    if (own !== undefined) return own ?? undefined;
    const earlier = this.before?.changed.get(key);
    if (earlier !== undefined) return earlier ?? undefined;
    const value = this.loaded.get(key);
    return value === undefined ? undefined : this.codec.open(key, value);
  }

  /** @param row null deletes it */
  put(key: string, row: Row | null): void {
    this.undo.note(this.changed, key, this.changed.get(key));
    this.changed.set(key, row);
  }

  delete(key: string): void {
    this.put(key, null);
  }

  keys(range: KeyRange): string[] {
    const changed = new Map([...this.within(range, this.before?.changed), ...this.within(range, this.changed)]);
    const read = this.loaded.keys({ ...range, limit: range.limit + changed.size });
    const keys = read.filter((key) => !changed.has(key));
    for (const [key, row] of changed) if (row !== null) keys.push(key);
    keys.sort();
    if (range.reverse === true) keys.reverse();
    return keys.slice(0, range.limit);
  }

  forgetBefore(): void {
    this.before = undefined;
  }

  /** Adds them as they are to be written. */
  seal(changes: RowChange[]): void {
    this.changed.forEach((row, key) => {
      changes.push([key, row === null ? null : this.codec.seal(key, row)]);
    });
  }

  private within({ gte, lt }: KeyRange, changed: Map<string, Row | null> | undefined): [string, Row | null][] {
    const found: [string, Row | null][] = [];
    if (changed === undefined) return found;
    for (const entry of changed) if (entry[0] >= gte && entry[0] < lt) found.push(entry);
    return found;
  }
}
