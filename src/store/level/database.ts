import type { ClassicLevel, DatabaseOptions } from 'classic-level';
import { Level } from 'level';
import { ShingledError } from '../../errors.ts';
import { Disk, storageFull } from './disk.ts';
import type { KeyRange } from './keys.ts';
import { LogGuard } from './log-guard.ts';
import type { LevelMemory } from './memory.ts';
import { nextTurn } from './next-turn.ts';
import type { RowChange, RowReader } from './rows.ts';

/*
 * One LevelDB folder, opened, read, written, and opened anew after the disk has refused a write: from then on LevelDB
 * refuses every write on that handle for good, also when there is room again. Reads go on meanwhile; while the handle is
 * exchanged they wait.
 */

export type LevelDatabase = ClassicLevel<string, Buffer>;

/**
 * Values are sealed by us; keys are ASCII (keys.ts).
 *
 * A look-up in a file that is not open opens it and reads its index first, which makes a row cost twice as much: LevelDB keeps
 * 1,000 open unless told. It maps 1,000 into memory, which are faster to read than others. In files of 16 MB instead of 2, ten
 * million documents are 700; queries among them take half as long, and a third longer at 700,000 while documents come.
 */
const OPTIONS: DatabaseOptions<string, Buffer> = {
  keyEncoding: 'utf8',
  valueEncoding: 'buffer',
  // a worker opens the same folder to write segments (segments/)
  multithreading: true,
  maxFileSize: 16 * 1024 * 1024,
  maxOpenFiles: 10_000,
};

/** The memory of a chained batch is freed only with the object, an array costs twice the time a row: 1.2 against 2.0 µs. */
const ARRAY_ROWS_MAX = 64;
/** Rows handed to LevelDB before others get the event loop. */
const ROWS_A_SLICE = 2048;
/** Below all keys: a range in which there is nothing to compact. */
const NO_KEY = '!';
/** How long a read waits for a handle that is being exchanged. */
const EXCHANGE_WAIT_MS = 5000;

/** Room for a manifest and a new log. */
const OPENING_BYTES = 1024 * 1024;

const LEVEL_MEMORY: LevelMemory = { cacheBytes: 32 * 1024 * 1024, writeBufferBytes: 4 * 1024 * 1024 };

/**
 * @param memory where the database is open already, that one's is shared
 * @throws ShingledError `index-locked`, `index-damaged`
 */
export async function openLevel(location: string, create: boolean, memory = LEVEL_MEMORY): Promise<LevelDatabase> {
  // level's own types are stale (they stop at its version 9), what it exports on Node is classic-level
  const sizes = { cacheSize: memory.cacheBytes, writeBufferSize: memory.writeBufferBytes };
  const database = new Level(location, { ...OPTIONS, ...sizes } as object) as unknown as LevelDatabase;
  try {
    await database.open({ createIfMissing: create, errorIfExists: create });
    return database;
  } catch (error) {
    throw refusal(error);
  }
}

export type OpenLevel = (location: string, create: boolean) => Promise<LevelDatabase>;

export class Database implements RowReader {
  /** What the log of LevelDB has come to: to be told to whoever writes by another handle. */
  readonly log = new LogGuard();
  private readonly location: string;
  private readonly open: OpenLevel;
  private level: LevelDatabase | undefined;
  private reads = 0;
  private exchange: Promise<void> | undefined;
  private closed = false;
  private onIdle: (() => void) | undefined;

  private constructor(location: string, open: OpenLevel, level: LevelDatabase) {
    this.location = location;
    this.open = open;
    this.level = level;
  }

  static async open(location: string, create: boolean, open: OpenLevel = openLevel): Promise<Database> {
    return new Database(location, open, await open(location, create));
  }

  /**
   * Runs a read that may take several steps; the handle is not exchanged meanwhile.
   *
   * @throws ShingledError `index-unreadable` where LevelDB cannot read, `overloaded` while it cannot be opened anew, `draining`
   *   after close
   */
  async read<T>(work: (level: LevelDatabase) => Promise<T>): Promise<T> {
    if (this.exchange !== undefined) await this.exchanged();
    if (this.closed) throw new ShingledError('draining', 'The index is closed.');
    if (this.level === undefined)
      throw new ShingledError('overloaded', 'The index cannot be opened again yet.', { retryAfterS: 1 });
    this.reads++;
    try {
      return await work(this.level);
    } catch (error) {
      if (!isFailedRead(error)) throw error;
      const failed = failedRead(error);
      if (failed.code === 'storage-full') this.log.refused();
      throw failed;
    } finally {
      this.reads--;
      if (this.reads === 0) this.onIdle?.();
    }
  }

  get(key: string): Promise<Buffer | undefined> {
    return this.read((level) => level.get(key));
  }

  getMany(keys: string[]): Promise<(Buffer | undefined)[]> {
    return this.read((level) => level.getMany(keys));
  }

  keys(range: KeyRange): Promise<string[]> {
    return this.read((level) => level.keys(range).all());
  }

  /**
   * Writes all rows in one batch: when it resolves they are on disk, or where it is not to be synced, will be unless the
   * power fails; when it rejects, the database is to be opened anew, and all of them or none will be there.
   */
  async write(changes: readonly RowChange[], sync = true): Promise<void> {
    const level = this.level;
    if (level === undefined || this.closed) throw new ShingledError('storage-full', 'The index cannot be written.');
    try {
      await writeBatch(level, changes, sync);
    } catch (error) {
      this.log.refused();
      throw error;
    }
    if (!(await this.log.isWhole()))
      throw new ShingledError('storage-full', 'The disk refused a write before this one.');
  }

  /**
   * Has LevelDB bring into synced tables all that it has in memory. A sync of its log is not enough after writes that were
   * not: it begins a new log whenever its write buffer is full, and never syncs the old one. That it failed is said by the
   * next write.
   */
  flush(): Promise<void> {
    return this.read((level) => level.compactRange(NO_KEY, NO_KEY));
  }

  /** What opening may write, at the most: LevelDB brings its log into a table, and begins another log and manifest. */
  async openingBytes(): Promise<number> {
    return (await Disk.bytesIn(this.location, '.log')) + OPENING_BYTES;
  }

  /** Closes the handle when no read uses it, and opens another. @throws what opening throws: reads fail until a later try */
  async reopen(): Promise<void> {
    const exchange = this.exchangeHandle();
    this.exchange = exchange.catch(() => undefined);
    try {
      await exchange;
    } finally {
      this.exchange = undefined;
    }
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await this.exchange;
    await this.idle();
    await this.level?.close();
  }

  private async exchangeHandle(): Promise<void> {
    await this.idle();
    await this.level?.close();
    this.level = undefined;
    if (this.closed) return;
    this.level = await this.open(this.location, false);
    this.log.reset();
  }

  private async idle(): Promise<void> {
    if (this.reads > 0) await new Promise<void>((resolve) => (this.onIdle = resolve));
    this.onIdle = undefined;
  }

  private async exchanged(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, EXCHANGE_WAIT_MS)));
    await Promise.race([this.exchange, patience]);
    clearTimeout(timer);
  }
}

async function writeBatch(level: LevelDatabase, changes: readonly RowChange[], sync: boolean): Promise<void> {
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

/** What the system says of a disk that takes no more: clearing and compacting write as well. */
const REFUSED = /No space left on device|Disk quota exceeded|Read-only file system/;

function failedRead(cause: unknown): ShingledError {
  const detail = cause instanceof Error ? cause.message : String(cause);
  if (REFUSED.test(detail)) return storageFull('The disk refused a file of LevelDB.', { cause });
  return new ShingledError('index-unreadable', `LevelDB cannot read a part of the index: ${detail}`, { cause });
}

function isFailedRead(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'LEVEL_IO_ERROR' || code === 'LEVEL_CORRUPTION';
}

function refusal(error: unknown): ShingledError {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (codeOf(cause) === 'LEVEL_LOCKED') {
    return new ShingledError('index-locked', 'Another process has the database of this index open.', { cause });
  }
  const detail = cause instanceof Error ? cause.message : String(cause);
  return new ShingledError('index-damaged', `LevelDB cannot open the index: ${detail}`, { cause });
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);
