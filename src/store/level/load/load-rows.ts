import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Database } from '../database/database.ts';
import { openLevel, pagesOf, TABLE_BYTES } from '../database/level-handle.ts';
import { TableSet } from '../files/table-set.ts';
import { isOfSystem } from '../files/table-writer.ts';
import { type KeyRange, Table, under } from '../format/keys.ts';
import type { RowChange, RowReader } from '../format/rows.ts';
import { nextTurn } from '../next-turn.ts';
import { readFailure, storageFull } from '../outage/failures.ts';
import type { RowsMark } from './checkpoint/checkpoint-file.ts';
import { GrownFile, type GrownMark } from './checkpoint/grown-file.ts';
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
 * Nothing counts before the end. Tables are synced as they become full. What is aside is also written to a file that only grows,
 * where somebody may go on with the load: a database cannot be taken back to an earlier moment, a file is cut off there.
 */

/** Of the whole, what sources have in memory, and each write buffer aside, of which there may be two. */
const SHARE = { sources: 1 / 8, aside: 1 / 32 };
const ASIDE_BYTES = { least: 64 * 1024, most: 32 * 1024 * 1024 };
/** Few rows are read again. */
const CACHE_BYTES = 8 * 1024 * 1024;
/** Rows of one write, and of one turn of the event loop. */
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
  readonly aside: Database;
  private readonly folders: LoadFolders;
  /** What went aside, where somebody may go on with the load. */
  private changes: GrownFile | null;
  /** Keys of records that are in a table and stand no longer for a content. */
  private readonly forgotten: string[] = [];

  private constructor(
    folders: LoadFolders,
    parts: { tables: TableSet; sources: NewSources; aside: Database; changes: GrownFile },
  ) {
    this.folders = folders;
    this.tables = parts.tables;
    this.sources = parts.sources;
    this.aside = parts.aside;
    this.changes = parts.changes;
  }

  /**
   * @param mark where to go on; null: nothing is there
   * @throws ShingledError `storage-full`; Unreadable where the files are not what they were at the mark
   */
  static async open(folders: LoadFolders, memoryBytes: number, mark: RowsMark | null): Promise<LoadRows> {
    const { index, kept, temporary } = folders;
    const places = { rows: join(temporary, 'rows'), sources: join(kept, 'sources'), changes: join(kept, 'changes') };
    for (const folder of [index, places.sources, temporary]) await mkdir(folder, { mode: 0o700, recursive: true });
    const bytes = Math.min(ASIDE_BYTES.most, Math.max(ASIDE_BYTES.least, memoryBytes * SHARE.aside));
    // what is read once again is not worth being compressed
    const memory = { cacheBytes: CACHE_BYTES, writeBufferBytes: Math.floor(bytes), compression: false };
    await rm(places.rows, { recursive: true, force: true });
    const aside = await Database.open(places.rows, true, (where, isNew) => openLevel(where, isNew, memory));
    const ofSources = [places.sources, memoryBytes * SHARE.sources] as const;
    const opened: { close(): unknown }[] = [aside];
    try {
      const runs = mark === null ? new SortedRuns(...ofSources) : SortedRuns.reopen(...ofSources, mark.sources);
      opened.push(runs);
      const changes = mark === null ? GrownFile.create(places.changes) : GrownFile.reopen(places.changes, mark.changes);
      opened.push(changes);
      const tables =
        mark === null ? new TableSet(index, TABLE_BYTES) : await TableSet.reopen(index, TABLE_BYTES, mark.tables);
      return new LoadRows(folders, { tables, sources: new NewSources(runs), aside, changes });
    } catch (error) {
      for (const one of opened) await one.close();
      throw error;
    }
  }

  /** Writes what waits; what was aside is there once {@link write} has resolved. @throws ShingledError `storage-full` */
  mark(): RowsMark {
    try {
      return { tables: this.tables.mark(), sources: this.sources.runs.mark(), changes: this.changes!.mark() };
    } catch (cause) {
      throw refused(cause);
    }
  }

  /** Brings what the last mark names to the disk. @throws ShingledError `storage-full` */
  async sync(): Promise<void> {
    try {
      await Promise.all([this.tables.sync(), this.sources.runs.sync(), this.changes?.sync()]);
    } catch (cause) {
      throw refused(cause);
    }
  }

  /** From here on nothing is taken in: what goes aside now, a later process makes again. */
  endChanges(): void {
    this.changes?.close();
    this.changes = null;
  }

  /**
   * Makes again what was aside at the mark from which rows were opened, before anything else is written.
   *
   * @param each is told of each change
   */
  async restore(each: (change: RowChange) => void): Promise<void> {
    let some: RowChange[] = [];
    for (const change of this.changes!.changes()) {
      const [key, value] = change;
      if (key.startsWith(Table.content) && value === null) this.forgotten.push(key);
      each(change);
      if (some.push(change) < ROWS_A_TURN) continue;
      await this.aside.write('rows', some, false);
      some = [];
    }
    if (some.length > 0) await this.aside.write('rows', some, false);
  }

  /** @param key above those of all records before @throws ShingledError `storage-full` */
  addRecord(key: string, value: Buffer): void {
    this.tables.add(key, value);
  }

  async get(key: string): Promise<Buffer | undefined> {
    return (await this.aside.get(key)) ?? this.firstOf(key);
  }

  async getMany(keys: string[]): Promise<(Buffer | undefined)[]> {
    const aside = await this.aside.getMany(keys);
    return aside.map((row, i) => row ?? this.firstOf(keys[i]!));
  }

  /** Of tables h, r and x. */
  keys(range: KeyRange): Promise<string[]> {
    return this.aside.keys(range);
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
    this.keep(others);
    await this.aside.write('rows', others, false);
  }

  /** Copies a table into the index, whose key lies above all that is there. @param each is told how many rows were copied */
  async copy(table: string, each: (rows: number) => void): Promise<void> {
    const first = table === Table.source ? this.sources.runs.rows() : [].values();
    let copied = 0;
    // a promise a row would take as long as its block
    const add = ([key, value]: readonly [string, Buffer]) => {
      this.tables.add(key, value);
      return ++copied % ROWS_A_TURN === 0;
    };
    const turn = () => {
      each(ROWS_A_TURN);
      return nextTurn();
    };
    try {
      let waiting = first.next();
      for await (const row of this.rowsAside(table)) {
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

  /**
   * Makes tables of all that was added.
   *
   * @param changes rows beside
   * @returns what {@link writeLast} writes into them: it is on the disk, as they are
   * @throws ShingledError `storage-full`
   */
  async finish(changes: readonly RowChange[]): Promise<GrownMark> {
    await this.tables.finish();
    let last: GrownFile | undefined;
    try {
      last = GrownFile.create(lastOf(this.folders));
      for await (const row of this.changedRecords()) last.add(row);
      for (const change of changes) last.add(change);
      const mark = last.mark();
      await last.sync();
      return mark;
    } catch (cause) {
      throw refused(cause);
    } finally {
      last?.close();
    }
  }

  /**
   * Makes the index of tables that are whole. Where it is done again, it comes to the same.
   *
   * @throws ShingledError `storage-full`; Unreadable where the file is not what it was at the mark
   */
  static async writeLast(folders: LoadFolders, mark: GrownMark): Promise<void> {
    const last = GrownFile.reopen(lastOf(folders), mark);
    try {
      const index = await Database.open(folders.index, false);
      try {
        let rows: RowChange[] = [];
        for (const row of last.changes()) {
          if (rows.push(row) < ROWS_A_TURN) continue;
          await index.write('rows', rows, false);
          rows = [];
        }
        await index.write('rows', rows);
        await index.flush();
      } finally {
        await index.close();
      }
    } finally {
      last.close();
    }
  }

  async close(): Promise<void> {
    this.endChanges();
    this.sources.runs.close();
    await this.tables.close();
    await this.aside.close();
  }

  private keep(changes: readonly RowChange[]): void {
    if (this.changes === null) return;
    try {
      for (const change of changes) this.changes.add(change);
    } catch (cause) {
      throw refused(cause);
    }
  }

  /** A row as it was when it was added, where it may have been by no other way. */
  private firstOf(key: string): Buffer | undefined {
    if (key.startsWith(Table.source)) return this.sources.get(key);
    return key.startsWith(Table.content) ? this.tables.get(key) : undefined;
  }

  /** What is to be changed in tables that are written. */
  private async *changedRecords(): AsyncGenerator<RowChange, void, undefined> {
    for (const key of this.forgotten) yield [key, null];
    yield* this.rowsAside(Table.content);
  }

  private async *rowsAside(table: string): AsyncGenerator<readonly [string, Buffer], void, undefined> {
    const { gte, lt } = under(table, 0);
    const pages = await this.aside.read(async (level) => pagesOf(level, { gte, lt }));
    try {
      for await (const page of pages) yield* page;
    } catch (error) {
      throw readFailure(error);
    }
  }
}

const lastOf = ({ kept }: LoadFolders) => join(kept, 'last');

const refused = (cause: unknown) =>
  isOfSystem(cause) ? storageFull('The disk refused rows that are to be sorted.', { cause }) : cause;
