import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { TABLE_BYTES } from '../database/level-handle.ts';
import { TableSet } from '../files/table-set.ts';
import { isOfSystem } from '../files/table-writer.ts';
import { type KeyRange, Table } from '../format/keys.ts';
import type { RowReader } from '../format/loaded-rows.ts';
import type { RowChange } from '../format/rows.ts';
import { nextTurn } from '../next-turn.ts';
import { storageFull } from '../outage/failures.ts';
import type { RowsMark } from './checkpoint/checkpoint-file.ts';
import type { GrownMark } from './checkpoint/grown-file.ts';
import { keepLastRows } from './checkpoint/last-rows.ts';
import { RowsAside } from './rows-aside.ts';
import { NewSources } from './sources/new-sources.ts';
import { SortedRuns } from './sources/sorted-runs.ts';

/*
 * The rows of an index that is being loaded:
 *
 *   tables    the index itself, in the order of keys: records (c), which come so, then all else once it is sorted
 *   sources   of each source (s) the first row, sorted outside memory
 *   aside     a database for what is left: h r x q; s of a source that is met again, c of a content that another one owns since
 *
 * Each row of a table but few is written once, past LevelDB (files/table-set.ts). What is aside is copied table by table, in
 * the order of keys, and an s of it stands for that among the sources. A c of it comes last, as LevelDB's own write.
 *
 * Nothing counts before the end. Tables are synced as they become full.
 */

/** Of the whole, what sources have in memory. */
const SOURCES_SHARE = 1 / 8;
/** Rows of one turn of the event loop. */
const ROWS_A_TURN = 2048;

/** Where rows lie that are no part of the index yet. */
export interface LoadFolders {
  /** Of the index. */
  readonly index: string;
  /** Of what a later process goes on with. */
  readonly kept: string;
  /** Of what it makes again. */
  readonly temporary: string;
}

export class LoadRows implements RowReader {
  readonly tables: TableSet;
  readonly sources: NewSources;
  private readonly aside: RowsAside;
  private readonly folders: LoadFolders;
  /** Keys of records that are in a table and stand no longer for a content. */
  private readonly forgotten: string[] = [];

  private constructor(folders: LoadFolders, tables: TableSet, sources: NewSources, aside: RowsAside) {
    this.folders = folders;
    this.tables = tables;
    this.sources = sources;
    this.aside = aside;
  }

  /**
   * @param mark where to go on: then {@link restore} comes first; null: nothing is there
   * @throws ShingledError `storage-full`; Unreadable where the files are not what they were at the mark
   */
  static async open(folders: LoadFolders, memoryBytes: number, mark: RowsMark | null): Promise<LoadRows> {
    const { index, kept, temporary } = folders;
    const ofSources = [join(kept, 'sources'), memoryBytes * SOURCES_SHARE] as const;
    for (const folder of [index, ofSources[0]]) await mkdir(folder, { mode: 0o700, recursive: true });
    const aside = await RowsAside.open(temporary, kept, memoryBytes, mark?.changes ?? null);
    let runs: SortedRuns | undefined;
    try {
      runs = mark === null ? new SortedRuns(...ofSources) : SortedRuns.reopen(...ofSources, mark.sources);
      const tables =
        mark === null ? new TableSet(index, TABLE_BYTES) : await TableSet.reopen(index, TABLE_BYTES, mark.tables);
      return new LoadRows(folders, tables, new NewSources(runs), aside);
    } catch (error) {
      runs?.close();
      await aside.close();
      throw error;
    }
  }

  /** Writes what waits; what was aside is there once {@link write} has resolved. @throws ShingledError `storage-full` */
  mark(): RowsMark {
    try {
      return { tables: this.tables.mark(), sources: this.sources.runs.mark(), changes: this.aside.mark() };
    } catch (cause) {
      throw refused(cause);
    }
  }

  /** Brings what the last mark names to the disk. @throws ShingledError `storage-full` */
  async sync(): Promise<void> {
    try {
      await Promise.all([this.tables.sync(), this.sources.runs.sync(), this.aside.sync()]);
    } catch (cause) {
      throw refused(cause);
    }
  }

  /** From here on nothing is taken in: what goes aside now, a later process makes again. */
  endChanges(): void {
    this.aside.endChanges();
  }

  /**
   * Makes again what was aside at the mark, before anything else is written.
   *
   * @param each receives each change
   */
  restore(each: (change: RowChange) => void): Promise<void> {
    return this.aside.restore((change) => {
      const [key, value] = change;
      if (key.startsWith(Table.content) && value === null) this.forgotten.push(key);
      each(change);
    });
  }

  /** @param key above those of all records before @throws ShingledError `storage-full` */
  addRecord(key: string, value: Buffer): void {
    this.tables.add(key, value);
  }

  async get(key: string): Promise<Buffer | undefined> {
    return (await this.aside.database.get(key)) ?? this.firstOf(key);
  }

  async getMany(keys: string[]): Promise<(Buffer | undefined)[]> {
    const aside = await this.aside.database.getMany(keys);
    return aside.map((row, i) => row ?? this.firstOf(keys[i]!));
  }

  /** Of tables h, r and x. */
  keys(range: KeyRange): Promise<string[]> {
    return this.aside.database.keys(range);
  }

  /** @throws ShingledError `storage-full` */
  async write(changes: readonly RowChange[]): Promise<void> {
    const { last } = this.tables;
    const others: RowChange[] = [];
    const records: (readonly [key: string, value: Buffer])[] = [];
    for (const change of changes) {
      const [key, value] = change;
      const isRecord = key.startsWith(Table.content);
      if (isRecord && key > last) {
        // else a content that came and went in the same group
        if (value !== null) records.push([key, value]);
      } else {
        if (isRecord && value === null) this.forgotten.push(key);
        others.push(change);
      }
    }
    records.sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [key, value] of records) this.tables.add(key, value);
    if (others.length === 0) return;
    try {
      await this.aside.write(others);
    } catch (cause) {
      throw refused(cause);
    }
  }

  /**
   * Copies a table into the index, whose key lies above all that is there.
   *
   * @param each is told how many rows were copied @param seen is told each row
   */
  async copy(table: string, each: (rows: number) => void, seen?: (key: string, value: Buffer) => void): Promise<void> {
    const first = table === Table.source ? this.sources.runs.rows() : [].values();
    let copied = 0;
    // a promise a row would take as long as its block
    const add = ([key, value]: readonly [string, Buffer]) => {
      this.tables.add(key, value);
      seen?.(key, value);
      return ++copied % ROWS_A_TURN === 0;
    };
    const turn = () => {
      each(ROWS_A_TURN);
      return nextTurn();
    };
    try {
      let waiting = first.next();
      for await (const row of this.aside.rows(table)) {
        for (; waiting.done !== true && waiting.value[0] <= row[0]; waiting = first.next()) {
          if (waiting.value[0] < row[0] && add(waiting.value)) await turn();
        }
        if (add(row)) await turn();
      }
      for (; waiting.done !== true; waiting = first.next()) if (add(waiting.value)) await turn();
    } finally {
      // it has files open
      first.return?.();
    }
    each(copied % ROWS_A_TURN);
  }

  /** Reads a table of what is aside. @param seen is told each key */
  async readAside(table: string, seen: (key: string) => void): Promise<void> {
    let read = 0;
    for await (const [key] of this.aside.rows(table)) {
      seen(key);
      if (++read % ROWS_A_TURN === 0) await nextTurn();
    }
  }

  /**
   * Makes tables of all that was added.
   *
   * @param changes rows beside
   * @returns what is to be written into them at last: it is on the disk, as they are
   * @throws ShingledError `storage-full`
   */
  async finish(changes: readonly RowChange[]): Promise<GrownMark> {
    await this.tables.finish();
    try {
      return await keepLastRows(this.folders.kept, this.changedRecords(), changes);
    } catch (cause) {
      throw refused(cause);
    }
  }

  async close(): Promise<void> {
    this.sources.runs.close();
    await this.tables.close();
    await this.aside.close();
  }

  /** A row as it was when it was added, where it may have been by no other way. */
  private firstOf(key: string): Buffer | undefined {
    if (key.startsWith(Table.source)) return this.sources.get(key);
    return key.startsWith(Table.content) ? this.tables.get(key) : undefined;
  }

  /** What is to be changed in tables that are written. */
  private async *changedRecords(): AsyncGenerator<RowChange, void, undefined> {
    for (const key of this.forgotten) yield [key, null];
    yield* this.aside.rows(Table.content);
  }
}

const refused = (cause: unknown) =>
  isOfSystem(cause) ? storageFull('The disk refused rows that are to be sorted.', { cause }) : cause;
