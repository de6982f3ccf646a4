import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ShingledError } from '../../../errors.ts';
import { storageFull } from '../outage/failures.ts';
import { syncFile, syncFolder } from './file-system.ts';
import { tableName } from './manifest-file.ts';
import { type NumberedTable, sealManifest } from './manifest-writer.ts';
import { isOfSystem, isOfWriting, type MadeTable, rowFailure, type TableMark, TableWriter } from './table-writer.ts';

/*
 * A database of LevelDB made of rows that come in the order of their keys, each written once:
 *
 *   rows ─► 000002.ldb ─► 000003.ldb ─► …       each synced while the next is written
 *   end     MANIFEST-000001 names them, CURRENT names it
 *
 * Until then the folder is no database. LevelDB opens it as one of its own. What a mark says outlives the process once it is
 * synced: a later process goes on from there, with the rows behind it gone.
 */

const MANIFEST = 'MANIFEST-000001';
const FIRST_TABLE = 2;

/** The tables that are whole, and how far the next one was. Plain data. */
export interface TableSetMark {
  readonly whole: readonly Omit<MadeTable, 'path'>[];
  readonly next: TableMark | null;
}

export class TableSet {
  private readonly folder: string;
  private readonly tableBytes: number;
  private readonly tables: NumberedTable[] = [];
  /** Those that are whole, which are read again by few. */
  private readonly ended: TableWriter[] = [];
  private current: TableWriter | undefined;
  private syncing: Promise<void> = Promise.resolve();
  /** The last key. */
  last = '';

  /** @param folder an empty one @param tableBytes of rows in a file: the last one may go beyond */
  constructor(folder: string, tableBytes: number) {
    this.folder = folder;
    this.tableBytes = tableBytes;
  }

  /**
   * Goes on from a mark, and removes all that came behind it.
   *
   * @throws Unreadable where a file is not what it was; the file system's error
   */
  static async reopen(folder: string, tableBytes: number, { whole, next }: TableSetMark): Promise<TableSet> {
    const set = new TableSet(folder, tableBytes);
    for (const { bytes, first, last } of whole) {
      const path = join(folder, tableName(set.nextNumber));
      set.ended.push(TableWriter.whole(path, bytes));
      set.tables.push({ number: set.nextNumber, path, bytes, first, last });
      set.last = last;
    }
    const known = new Set(set.tables.map(({ number }) => tableName(number)));
    if (next !== null) known.add(tableName(set.nextNumber));
    for (const name of await readdir(folder)) if (!known.has(name)) await rm(join(folder, name));
    if (next !== null) {
      set.current = TableWriter.reopen(join(folder, tableName(set.nextNumber)), next);
      set.last = set.current.lastKey;
    }
    return set;
  }

  /** Writes what waits. @throws ShingledError `storage-full` */
  mark(): TableSetMark {
    return this.refusing(() => ({
      whole: this.tables.map(({ bytes, first, last }) => ({ bytes, first, last })),
      next: this.current?.mark() ?? null,
    }));
  }

  /** Brings all that was written to the disk. @throws ShingledError `storage-full` */
  async sync(): Promise<void> {
    try {
      if (this.current !== undefined) await syncFile(this.current.path);
      await this.syncing;
      await syncFolder(this.folder);
    } catch (cause) {
      throw refused(cause);
    }
  }

  /**
   * All rows in their order, where none was added since it was reopened.
   *
   * @throws ShingledError `index-unreadable`, `overloaded`
   */
  *rows(): Generator<readonly [key: string, value: Buffer], void, undefined> {
    for (const table of this.current === undefined ? this.ended : [...this.ended, this.current]) {
      try {
        yield* table.rows();
      } catch (cause) {
        throw rowFailure(table.lastKey, cause);
      }
    }
  }

  /** @param key above all before @throws ShingledError `storage-full` */
  add(key: string, value: Uint8Array): void {
    if (key <= this.last) throw new Error('Rows of a database come in the order of their keys.');
    this.last = key;
    this.refusing(() => {
      this.current ??= TableWriter.create(join(this.folder, tableName(this.nextNumber)));
      this.current.add(key, value);
      if (this.current.bytes >= this.tableBytes) this.endTable();
    });
  }

  /** A row that was added. @throws ShingledError `storage-full`, `index-unreadable`, `overloaded` */
  get(key: string): Buffer | undefined {
    const at = this.tables.findIndex(({ last }) => key <= last);
    const writer = at < 0 ? this.current : this.ended[at];
    try {
      return writer?.get(key);
    } catch (cause) {
      // what was not written yet is written first
      throw isOfWriting(cause) ? refused(cause) : rowFailure(key, cause);
    }
  }

  /** Makes the database of all rows. @throws ShingledError `storage-full` */
  async finish(): Promise<void> {
    this.refusing(() => {
      if (this.current !== undefined) this.endTable();
    });
    await this.syncing;
    const manifest = join(this.folder, MANIFEST);
    try {
      await writeFile(manifest, sealManifest(this.tables, this.nextNumber), { flag: 'wx', mode: 0o600 });
      await syncFile(manifest);
      await writeFile(join(this.folder, 'CURRENT'), `${MANIFEST}\n`, { flag: 'wx', mode: 0o600 });
      await syncFile(join(this.folder, 'CURRENT'));
      await syncFolder(this.folder);
    } catch (cause) {
      throw refused(cause);
    }
  }

  async close(): Promise<void> {
    await this.syncing.catch(() => undefined);
    this.current?.close();
    this.current = undefined;
  }

  private get nextNumber(): number {
    return FIRST_TABLE + this.tables.length;
  }

  private endTable(): void {
    const writer = this.current!;
    this.tables.push({ number: this.nextNumber, ...writer.finish() });
    this.ended.push(writer);
    this.current = undefined;
    const before = this.syncing;
    this.syncing = syncFile(writer.path).then(
      () => before,
      (cause: unknown) => Promise.reject(refused(cause)),
    );
    // met where it is awaited
    this.syncing.catch(() => undefined);
  }

  private refusing<T>(work: () => T): T {
    try {
      return work();
    } catch (cause) {
      throw isOfSystem(cause) ? refused(cause) : cause;
    }
  }
}

const refused = (cause: unknown) =>
  cause instanceof ShingledError ? cause : storageFull('The disk refused a table of the index.', { cause });
