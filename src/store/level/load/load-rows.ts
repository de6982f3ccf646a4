import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Database } from '../database/database.ts';
import { openLevel, pagesOf, TABLE_BYTES } from '../database/level-handle.ts';
import { TableSet } from '../files/table-set.ts';
import { type KeyRange, Table, under } from '../format/keys.ts';
import type { RowChange, RowReader } from '../format/rows.ts';
import { nextTurn } from '../next-turn.ts';
import { readFailure } from '../outage/failures.ts';
import { NewSources } from './sources/new-sources.ts';

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

/** Of the whole, what sources have in memory, and each write buffer aside, of which there may be two. */
const SHARE = { sources: 1 / 8, aside: 1 / 32 };
const ASIDE_BYTES = { least: 64 * 1024, most: 32 * 1024 * 1024 };
/** Few rows are read again. */
const CACHE_BYTES = 8 * 1024 * 1024;
/** Rows of one write, and of one turn of the event loop. */
const ROWS_A_TURN = 2048;

export class LoadRows implements RowReader {
  readonly tables: TableSet;
  readonly sources: NewSources;
  readonly aside: Database;
  private readonly location: string;
  /** Keys of records that are in a table and stand no longer for a content. */
  private readonly forgotten: string[] = [];

  private constructor(location: string, tables: TableSet, sources: NewSources, aside: Database) {
    this.location = location;
    this.tables = tables;
    this.sources = sources;
    this.aside = aside;
  }

  /** @param location of the index @param temporary a folder of its own @throws ShingledError `storage-full` */
  static async create(location: string, temporary: string, memoryBytes: number): Promise<LoadRows> {
    const places = { rows: join(temporary, 'rows'), sources: join(temporary, 'sources') };
    for (const folder of [location, places.sources]) await mkdir(folder, { mode: 0o700, recursive: true });
    const bytes = Math.min(ASIDE_BYTES.most, Math.max(ASIDE_BYTES.least, memoryBytes * SHARE.aside));
    // what is read once again is not worth being compressed
    const memory = { cacheBytes: CACHE_BYTES, writeBufferBytes: Math.floor(bytes), compression: false };
    const aside = await Database.open(places.rows, true, (where, isNew) => openLevel(where, isNew, memory));
    const sources = new NewSources(places.sources, memoryBytes * SHARE.sources);
    return new LoadRows(location, new TableSet(location, TABLE_BYTES), sources, aside);
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
    if (others.length > 0) await this.aside.write('rows', others, false);
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

  /** Makes the index of all that was added, with these rows beside. @throws ShingledError `storage-full` */
  async finish(changes: readonly RowChange[]): Promise<void> {
    await this.tables.finish();
    const index = await Database.open(this.location, false);
    try {
      let rows: RowChange[] = [];
      for await (const row of this.changedRecords()) {
        rows.push(row);
        if (rows.length < ROWS_A_TURN) continue;
        await index.write('rows', rows, false);
        rows = [];
      }
      await index.write('rows', [...rows, ...changes]);
      await index.flush();
    } finally {
      await index.close();
    }
  }

  async close(): Promise<void> {
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
