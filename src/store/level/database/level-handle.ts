import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClassicLevel, DatabaseOptions } from 'classic-level';
import { Level } from 'level';
import { resumed } from '../../../sharing/served.ts';
import type { RowReader } from '../format/loaded-rows.ts';
import type { RowChange } from '../format/rows.ts';
import { nextTurn } from '../next-turn.ts';
import { openFailure, readFailure } from '../outage/failures.ts';
import { NearRows, type Snapshot } from './near-rows.ts';

/* A handle of LevelDB: how it is opened, read and written, and how its logs are synced. */

/** With what LevelDB lacks: a sync of all its logs, of the older ones too; and rows at once where they lie in memory. */
export type LevelDatabase = ClassicLevel<string, Buffer> & { syncLogs(): Promise<void>; readonly rows: NearRows };

export type OpenLevel = (location: string, create: boolean) => Promise<LevelDatabase>;

/**
 * Of a table file, about. A look-up in a file that is not open opens it and reads its index first, which makes a row cost twice
 * as much: LevelDB keeps 1,000 open unless told. It maps 1,000 into memory, which are faster to read than others. In files of
 * 16 MB instead of 2, ten million documents are 700; queries among them take half as long, and a third longer at 700,000 while
 * documents come.
 */
export const TABLE_BYTES = 16 * 1024 * 1024;

/** Values are sealed by us; keys are ASCII (keys.ts). */
const OPTIONS: DatabaseOptions<string, Buffer> = {
  keyEncoding: 'utf8',
  valueEncoding: 'buffer',
  // a worker opens the same folder to write segments (segments/)
  multithreading: true,
  maxFileSize: TABLE_BYTES,
  maxOpenFiles: 10_000,
};

/** The memory of a chained batch is freed only with the object, an array costs twice the time a row: 1.2 against 2.0 µs. */
const ARRAY_ROWS_MAX = 64;
/** Rows handed to LevelDB before others get the event loop. */
const ROWS_A_SLICE = 2048;

interface LevelMemory {
  /** Of blocks that were read. */
  readonly cacheBytes: number;
  /** Of rows that are in no table yet: one such is filled while another is written. */
  readonly writeBufferBytes: number;
  /** Of blocks on disk; they are unless told otherwise. */
  readonly compression?: boolean;
}

const LEVEL_MEMORY: LevelMemory = { cacheBytes: 32 * 1024 * 1024, writeBufferBytes: 4 * 1024 * 1024 };

/**
 * @param memory where the database is open already, that one's is shared
 * @throws ShingledError `index-locked`, `index-damaged`, `storage-full`
 */
export async function openLevel(location: string, create: boolean, memory = LEVEL_MEMORY): Promise<LevelDatabase> {
  // what is made opens by itself unless told in the same iteration of the event loop
  const before = new Set(await readdir(location).catch(() => []));
  // level's own types are stale (they stop at its version 9), what it exports on Node is classic-level
  const { cacheBytes, writeBufferBytes, compression = true } = memory;
  const sizes = { cacheSize: cacheBytes, writeBufferSize: writeBufferBytes, compression };
  const database = new Level(location, { ...OPTIONS, ...sizes } as object) as unknown as LevelDatabase;
  try {
    await database.open({ createIfMissing: create, errorIfExists: create });
    return Object.assign(database, { syncLogs: () => syncLogs(location), rows: new NearRows(database) });
  } catch (error) {
    throw openFailure(error, before);
  }
}

/** Runs steps of reading that see the index at one moment. */
export async function atOnce<T>(level: LevelDatabase, steps: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const snapshot = level.snapshot();
  try {
    return await steps(snapshot);
  } finally {
    await snapshot.close();
    resumed();
  }
}

/** What reads go through; in the midst of an exchange, the new handle alone. */
export interface LevelReader extends RowReader {
  /** Runs a read that may take several steps. */
  read<T>(work: (level: LevelDatabase) => Promise<T>): Promise<T>;
}

/** Handles of the same folder in other threads: while the database is opened anew there may be none. */
export interface OtherHandles {
  /** Resolves when all are closed. */
  suspend(): Promise<void>;
  resume(): void;
}

/** Reads by one handle. */
export function readerOf(level: LevelDatabase): LevelReader {
  const read: LevelReader['read'] = async (work) => {
    try {
      return await work(level);
    } catch (error) {
      throw readFailure(error);
    }
  };
  return {
    read,
    get: (key) => read(() => level.get(key)),
    getMany: (keys) => read(() => level.getMany(keys)),
    keys: (range) => read(() => level.keys(range).all()),
  };
}

/** Rows that LevelDB hands over at a time, at most: an iterator keeps 64 bytes for each until it is collected (see Pages). */
const ROWS_A_PAGE = 128;

/** Above all keys, and so outside of every range. */
const PAST_ALL_KEYS = '\x7f';

interface PagedIterator<T> {
  seek(key: string): void;
  nextv(size: number): Promise<T[]>;
  close(): Promise<void>;
}

/**
 * An iterator that frees its last page when it is closed, for all code that reads large pages.
 *
 * classic-level keeps a copy of that page, as large as `highWaterMarkBytes`, in native memory until the JavaScript object is
 * collected. V8 does not know of these bytes, so nothing hastens the collection: 1,500 iterators closed in the middle of their
 * range held 1,089 MB. A step at the end of the range replaces the page by an empty one. The room for as many rows as were
 * asked for at a time stays. So lists by 200 connections took 458 MiB in five minutes, when they asked for 1,000 at a time.
 */
export class Pages<T> {
  readonly #iterator: PagedIterator<T>;
  #hasPage = false;

  constructor(iterator: PagedIterator<T>) {
    this.#iterator = iterator;
  }

  /** @returns at most `size` rows, and ROWS_A_PAGE; none at the end */
  async next(size: number): Promise<T[]> {
    const page = await this.#iterator.nextv(Math.min(size, ROWS_A_PAGE));
    resumed();
    this.#hasPage ||= page.length > 0;
    return page;
  }

  seek(key: string): void {
    this.#iterator.seek(key);
  }

  async close(): Promise<void> {
    try {
      // in a database without rows, classic-level ends the process at such a step
      if (this.#hasPage) {
        this.#iterator.seek(PAST_ALL_KEYS);
        await this.#iterator.nextv(1);
      }
    } finally {
      await this.#iterator.close();
      resumed();
    }
  }
}

/** All rows of a range in order, a page at a time, and past the cache: they are read once. */
export async function* pagesOf(
  level: LevelDatabase,
  range: { readonly gte: string; readonly lt?: string; readonly lte?: string },
): AsyncGenerator<readonly [string, Buffer][]> {
  const pages = new Pages(level.iterator({ ...range, fillCache: false, highWaterMarkBytes: 1 << 20 }));
  try {
    for (;;) {
      const rows = await pages.next(ROWS_A_PAGE);
      if (rows.length === 0) return;
      yield rows;
    }
  } finally {
    await pages.close();
  }
}

/** Writes rows as one batch, in whichever of LevelDB's two ways takes less. */
export async function writeBatch(level: LevelDatabase, changes: readonly RowChange[], sync: boolean): Promise<void> {
  if (changes.length <= ARRAY_ROWS_MAX) {
    const operations = changes.map(([key, value]) =>
      value === null ? ({ type: 'del', key } as const) : ({ type: 'put', key, value } as const),
    );
    return level.batch(operations, { sync });
  }
  const batch = level.batch();
  let rows = 0;
  for (const [key, value] of changes) {
    if (value === null) batch.del(key);
    else batch.put(key, value);
    if (++rows % ROWS_A_SLICE === 0) await nextTurn();
  }
  await batch.write({ sync });
}

/** Below all keys: a range in which there is nothing to compact. */
const NO_KEY = '!';
/** So often is it asked to bring its log into a table: others may write once or twice in the meantime, not each time. */
const FLUSH_TRIES = 20;

/** The logs of a LevelDB folder: one, or two while the older one is brought into a table. */
export async function logsIn(location: string): Promise<string[]> {
  return (await readdir(location)).filter((name) => name.endsWith('.log'));
}

/**
 * Syncs all logs. LevelDB begins a new one whenever its write buffer is full, and never syncs the old one. One that is gone
 * by then has its rows in a synced table.
 *
 * @throws the file system's error
 */
async function syncLogs(location: string): Promise<void> {
  for (const name of await logsIn(location)) {
    const log = await open(join(location, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    try {
      await log?.datasync();
    } finally {
      await log?.close();
    }
  }
}

/**
 * Has LevelDB bring its logs into synced tables. LevelDB does not say that it has failed. Nor does it say that it has
 * left its log alone, as it does where others write meanwhile. Once the logs that were there are gone, their rows are
 * in tables.
 *
 * @throws Error where they are still there
 */
export async function flushLogs(level: LevelDatabase, location: string): Promise<void> {
  const before = new Set(await logsIn(location));
  for (let tries = 0; tries < FLUSH_TRIES; tries++) {
    await level.compactRange(NO_KEY, NO_KEY);
    const after = new Set(await logsIn(location));
    if (after.isDisjointFrom(before)) return;
  }
  throw new Error('LevelDB could not bring its log into a table.');
}
