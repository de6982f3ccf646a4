import type { KeyRange } from './keys.ts';
import type { LoadedRows } from './loaded-rows.ts';

/*
 * Rows that are not written yet, laid over rows that are. Plans are resolved without waiting, so that one of the usual kind
 * costs no promise: what they start from has been read for the whole batch before. A row that has not been makes the plan
 * stop with NOT_LOADED (loaded-rows.ts); what it has changed so far is undone, the row is read, and the plan begins again.
 *
 *   this batch     s:put  c:put  l:put        | a plan changes this, and remembers what to put back
 *   batch before   s:put  r:del               | on its way to the disk: its plans are resolved, so these rows are true
 *   loaded         s  c  l                    v read from LevelDB for this batch; with gaps
 */

/** How rows of a table become bytes. */
export interface Codec<Row> {
  seal(key: string, row: Row): Buffer;
  open(key: string, value: Buffer): Row;
  /** The same in steps, of rows that may be large. */
  openSteps?(key: string, value: Buffer): Generator<undefined, Row>;
}

/** A row of more bytes is opened in steps where it can be: some 10 ms. */
const OPENED_AT_ONCE_MAX = 2 ** 17;

/** A row to be put, or with null to be deleted. */
export type RowChange = readonly [key: string, value: Buffer | null];

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
  /** Rows that were read, as they are: a plan asks for one several times, and others after it. */
  private readonly opened = new Map<string, Row>();
  private readonly unsound = new Set<string>();
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
    const opened = this.opened.get(key);
    if (opened !== undefined) return opened;
    const value = this.loaded.get(key);
    return value === undefined ? undefined : this.open(key, value);
  }

  private open(key: string, value: Buffer): Row {
    const { codec, opened } = this;
    // what cannot be opened is said at once, to the plan that asks for it
    if (value.length <= OPENED_AT_ONCE_MAX || codec.openSteps === undefined || this.unsound.has(key)) {
      const row = codec.open(key, value);
      opened.set(key, row);
      return row;
    }
    return this.loaded.inSteps(key, this.opening(key, codec.openSteps(key, value)));
  }

  private *opening(key: string, steps: Generator<undefined, Row>): Generator<undefined, void> {
    try {
      this.opened.set(key, yield* steps);
    } catch {
      this.unsound.add(key);
    }
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
