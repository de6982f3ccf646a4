import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Database } from '../database/database.ts';
import { openLevel, pagesOf } from '../database/level-handle.ts';
import { under } from '../format/keys.ts';
import type { RowChange } from '../format/rows.ts';
import { readFailure } from '../outage/failures.ts';
import { GrownFile, type GrownMark } from './checkpoint/grown-file.ts';

/*
 * Rows that change while an index is loaded, in a database aside; and all changes in a file that only grows, for who goes on
 * with the load. It can be cut off at a mark, and a database cannot be taken back to one: it is made again from the file.
 */

/** Of the whole, each write buffer, of which there may be two. */
const SHARE = 1 / 32;
const BUFFER_BYTES = { least: 64 * 1024, most: 32 * 1024 * 1024 };
/** Few rows are read again. */
const CACHE_BYTES = 8 * 1024 * 1024;
const ROWS_A_WRITE = 2048;

export class RowsAside {
  readonly database: Database;
  /** null once nothing is taken in any more: what comes then, a later process makes again. */
  private changes: GrownFile | null;

  private constructor(database: Database, changes: GrownFile) {
    this.database = database;
    this.changes = changes;
  }

  /**
   * @param temporary the folder of the database @param kept that of the file
   * @param mark where to go on: then {@link restore} comes first
   * @throws Unreadable where the file is not what it was; the file system's error
   */
  static async open(temporary: string, kept: string, memoryBytes: number, mark: GrownMark | null): Promise<RowsAside> {
    const file = join(kept, 'changes');
    const location = join(temporary, 'rows');
    for (const folder of [temporary, kept]) await mkdir(folder, { mode: 0o700, recursive: true });
    await rm(location, { recursive: true, force: true });
    const changes = mark === null ? GrownFile.create(file) : GrownFile.reopen(file, mark);
    const bytes = Math.min(BUFFER_BYTES.most, Math.max(BUFFER_BYTES.least, memoryBytes * SHARE));
    // what is read once again is not worth being compressed
    const memory = { cacheBytes: CACHE_BYTES, writeBufferBytes: Math.floor(bytes), compression: false };
    try {
      const database = await Database.open(location, true, (where, isNew) => openLevel(where, isNew, memory));
      return new RowsAside(database, changes);
    } catch (error) {
      changes.close();
      throw error;
    }
  }

  async write(changes: readonly RowChange[]): Promise<void> {
    for (const change of changes) this.changes?.add(change);
    await this.database.write('rows', changes, false);
  }

  /** Makes the database again. @param each receives each change @throws as {@link write} does */
  async restore(each: (change: RowChange) => void): Promise<void> {
    let some: RowChange[] = [];
    for (const change of this.changes!.changes()) {
      each(change);
      if (some.push(change) < ROWS_A_WRITE) continue;
      await this.database.write('rows', some, false);
      some = [];
    }
    if (some.length > 0) await this.database.write('rows', some, false);
  }

  /** All rows of a table, in their order. @throws ShingledError `index-unreadable`, `overloaded` */
  async *rows(table: string): AsyncGenerator<readonly [string, Buffer], void, undefined> {
    const { gte, lt } = under(table, 0);
    const pages = await this.database.read(async (level) => pagesOf(level, { gte, lt }));
    try {
      for await (const page of pages) yield* page;
    } catch (error) {
      throw readFailure(error);
    }
  }

  /** Writes what waits. @throws the file system's error */
  mark(): GrownMark {
    return this.changes!.mark();
  }

  /** Brings the changes to the disk. @throws the file system's error */
  async sync(): Promise<void> {
    await this.changes?.sync();
  }

  endChanges(): void {
    this.changes?.close();
    this.changes = null;
  }

  async close(): Promise<void> {
    this.endChanges();
    await this.database.close();
  }
}
