import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Database } from '../database/database.ts';
import { type LevelDatabase, openLevel, pagesOf } from '../database/level-handle.ts';
import { type KeyRange, Table, under } from '../format/keys.ts';
import type { RowChange, RowReader } from '../format/rows.ts';

/*
 * The rows of an index that is being loaded, in two databases:
 *
 *   index   records (c), which come in the order of their numbers, and so of their keys; all else once it is sorted
 *   aside   what comes in any order: s l h r x, and q, until it is copied table by table, in the order of keys
 *
 * A file of LevelDB whose keys lie above all that is there is never merged with another. So of the index each row is written
 * once. The one aside is merged as it grows; its rows are a quarter of the bytes.
 *
 * Nothing is synced before the end: LevelDB syncs its tables by itself, and its logs are of no use after a crash.
 */

/** Of the whole, what each write buffer has, of which there may be two: the one aside sorts the more in memory. */
const SHARE = { index: 1 / 64, aside: 1 / 12 };
const BUFFER_BYTES = { least: 64 * 1024, index: 16 * 1024 * 1024, aside: 128 * 1024 * 1024 };
/** Few rows are read again. */
const CACHE_BYTES = 8 * 1024 * 1024;
/** Rows of one write. */
const ROWS_A_WRITE = 2048;

export class LoadRows implements RowReader {
  readonly index: Database;
  readonly aside: Database;

  private constructor(index: Database, aside: Database) {
    this.index = index;
    this.aside = aside;
  }

  /** @param location of the index @param asideLocation a folder that is made */
  static async create(location: string, asideLocation: string, memoryBytes: number): Promise<LoadRows> {
    await mkdir(asideLocation, { mode: 0o700, recursive: true });
    const index = await create(location, memoryBytes * SHARE.index, BUFFER_BYTES.index, true);
    try {
      // what is read once again is not worth being compressed
      const aside = await create(join(asideLocation, 'rows'), memoryBytes * SHARE.aside, BUFFER_BYTES.aside, false);
      return new LoadRows(index, aside);
    } catch (error) {
      await index.close();
      throw error;
    }
  }

  get(key: string): Promise<Buffer | undefined> {
    return this.databaseOf(key).get(key);
  }

  async getMany(keys: string[]): Promise<(Buffer | undefined)[]> {
    const found = new Map<string, Buffer | undefined>();
    for (const database of [this.index, this.aside]) {
      const own = keys.filter((key) => this.databaseOf(key) === database);
      const values = own.length === 0 ? [] : await database.getMany(own);
      for (const [i, key] of own.entries()) found.set(key, values[i]);
    }
    return keys.map((key) => found.get(key));
  }

  keys(range: KeyRange): Promise<string[]> {
    return this.databaseOf(range.gte).keys(range);
  }

  /** @throws ShingledError `storage-full` */
  async write(changes: readonly RowChange[]): Promise<void> {
    const records: RowChange[] = [];
    const others: RowChange[] = [];
    for (const change of changes) {
      const table = change[0].charAt(0);
      if (table === Table.content) records.push(change);
      else others.push(change);
    }
    await Promise.all([writeRows(this.index, records), writeRows(this.aside, others)]);
  }

  /** Copies a table from aside into the index. @param each is told how many rows were copied */
  async copy(table: string, each: (rows: number) => void): Promise<void> {
    await this.aside.read(async (level) => {
      let writing = Promise.resolve();
      for await (const rows of oneAhead(manyPages(level, table))) {
        await writing;
        writing = writeRows(this.index, rows);
        writing.catch(() => undefined);
        each(rows.length);
      }
      await writing;
    });
  }

  async close(): Promise<void> {
    await Promise.all([this.index.close(), this.aside.close()]);
  }

  private databaseOf(key: string): Database {
    return key.startsWith(Table.content) ? this.index : this.aside;
  }
}

async function* manyPages(level: LevelDatabase, table: string): AsyncGenerator<RowChange[]> {
  const { gte, lt } = under(table, 0);
  let rows: RowChange[] = [];
  for await (const page of pagesOf(level, { gte, lt })) {
    for (const row of page) rows.push(row);
    if (rows.length < ROWS_A_WRITE) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}

/** The same, of which the next one is read while one is being written. */
async function* oneAhead<T>(all: AsyncGenerator<T>): AsyncGenerator<T, void, undefined> {
  let next = all.next();
  try {
    for (;;) {
      const one = await next;
      if (one.done === true) return;
      next = all.next();
      // met where it is awaited
      next.catch(() => undefined);
      yield one.value;
    }
  } finally {
    await next.catch(() => undefined);
    await all.return(undefined);
  }
}

async function writeRows(database: Database, rows: readonly RowChange[]): Promise<void> {
  if (rows.length > 0) await database.write('rows', rows, false);
}

function create(location: string, bytes: number, most: number, compression: boolean): Promise<Database> {
  const writeBufferBytes = Math.floor(Math.min(most, Math.max(BUFFER_BYTES.least, bytes)));
  const memory = { cacheBytes: CACHE_BYTES, writeBufferBytes, compression };
  return Database.open(location, true, (where, isNew) => openLevel(where, isNew, memory));
}
