import { ShingledError } from '../../../errors.ts';
import { endsWithin } from '../../../sharing/deadline.ts';
import { resumed } from '../../../sharing/served.ts';
import type { KeyRange } from '../format/keys.ts';
import type { RowChange } from '../format/rows.ts';
import { Disk } from '../outage/disk.ts';
import { isCorruption, openFailure, readFailure, storageFull } from '../outage/failures.ts';
import { LogGuard } from '../outage/log-guard.ts';
import type { WriteKind } from '../outage/outage.ts';
import { InUse } from './in-use.ts';
import { KeptLogs } from './kept-logs.ts';
import {
  flushLogs,
  type LevelDatabase,
  type LevelReader,
  type OpenLevel,
  type OtherHandles,
  openLevel,
  readerOf,
  writeBatch,
} from './level-handle.ts';

/*
 * One LevelDB folder: opened, read, written, and opened again after the disk has refused a write. From then on LevelDB
 * refuses every write on that handle for good, or goes on behind a torn record of its log. Reads go on meanwhile, and wait
 * while the handle is exchanged. Every write goes through here or is announced to the guard of the log.
 */

/** How long a read waits for a handle that is being exchanged. */
const EXCHANGE_WAIT_MS = 5000;
/** Room for a manifest and a new log. */
const OPENING_BYTES = 1024 * 1024;

export interface DatabaseEvents {
  /** A write was refused: to be told at once. */
  onRefused?(kind: WriteKind, cause: unknown): void;
  /** LevelDB itself says that its files are damaged. */
  onDamage?(error: unknown): void;
}

export class Database implements LevelReader {
  /** What the log of LevelDB has come to: to be told to whoever writes by another handle. */
  readonly log: LogGuard;
  private readonly location: string;
  private readonly open: OpenLevel;
  private level: LevelDatabase | undefined;
  private readonly reads = new InUse();
  private readonly writes = new InUse();
  /** Those that LevelDB was asked for. */
  private readonly syncs = new InUse();
  /** Of a range, one at a time: the end of the last one. */
  private compaction: Promise<void> = Promise.resolve();
  private exchange: Promise<void> | undefined;
  private closed = false;
  others: OtherHandles | undefined;

  private constructor(location: string, open: OpenLevel, level: LevelDatabase, events: DatabaseEvents) {
    this.location = location;
    this.open = open;
    this.level = level;
    this.log = new LogGuard(undefined, (kind, cause) => {
      if (isCorruption(cause)) events.onDamage?.(cause);
      events.onRefused?.(kind, cause);
    });
  }

  static async open(
    location: string,
    create: boolean,
    open: OpenLevel = openLevel,
    events: DatabaseEvents = {},
  ): Promise<Database> {
    if (create) return new Database(location, open, await open(location, true), events);
    const kept = await KeptLogs.open(location).catch((error: unknown) => Promise.reject(openFailure(error)));
    try {
      return new Database(location, open, await kept.openWhole(open), events);
    } finally {
      await kept.close();
    }
  }

  /**
   * Runs a read that may take several steps; the handle is not exchanged meanwhile.
   *
   * @throws ShingledError `index-unreadable` where LevelDB cannot read, `overloaded` where the system has no file for it or
   *   it cannot be opened anew yet, `draining` after close
   */
  async read<T>(work: (level: LevelDatabase) => Promise<T>): Promise<T> {
    if (this.exchange !== undefined) await endsWithin(EXCHANGE_WAIT_MS, this.exchange);
    if (this.closed) throw new ShingledError('draining', 'The index is closed.');
    const { level } = this;
    if (level === undefined)
      throw new ShingledError('overloaded', 'The index cannot be opened again yet.', { retryAfterS: 1 });
    this.reads.begin();
    try {
      return await work(level);
    } catch (error) {
      throw readFailure(error);
    } finally {
      resumed();
      this.reads.end();
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
   * Writes all rows in one batch. When it resolves they are on disk; where it is not to be synced, they will be unless
   * the power fails. When it rejects, the database is to be opened anew, and all of them or none will be there. Behind
   * a write that was refused LevelDB is given none: it would take it, and it may be there where the one before is not.
   *
   * @throws ShingledError `storage-full`
   */
  async write(kind: WriteKind, changes: readonly RowChange[], sync = true): Promise<void> {
    if (this.log.isRefused) throw this.log.behindRefused(kind);
    await this.refusing(kind, async (level) => {
      if (sync && !this.log.maySync) {
        await writeBatch(level, changes, false);
        await level.syncLogs();
        return;
      }
      this.syncs.begin();
      try {
        await writeBatch(level, changes, sync);
      } finally {
        this.syncs.end();
      }
    });
    if (!(await this.log.isWhole())) throw this.log.behindRefused(kind);
  }

  /** Deletes all rows of a range at once. @throws ShingledError `storage-full` where that is not certain: rows may be left */
  async delete(range: { readonly gte: string; readonly lte: string }): Promise<void> {
    try {
      await this.log.announced('clearing', () => this.writing((level) => level.clear(range)));
    } catch (cause) {
      throw storageFull('The disk refused to clear rows.', { cause });
    }
  }

  /** Syncs all that was written before, whichever logs it lies in. @throws ShingledError `storage-full` */
  syncAll(): Promise<void> {
    return this.refusing('flush', (level) => level.syncLogs());
  }

  /** Has LevelDB bring into synced tables all that it has in memory. @throws ShingledError `storage-full` */
  flush(): Promise<void> {
    return this.refusing('flush', (level) => flushLogs(level, this.location));
  }

  /** As {@link flush}, and rewrites the tables that overlap a range. That this failed is said by the next write. */
  compactRange(from: string, to: string): Promise<void> {
    const compacted = this.compaction.then(() =>
      this.refusing('flush', (level) =>
        this.log.compacting(this.syncs, async () => {
          await flushLogs(level, this.location);
          await level.compactRange(from, to);
        }),
      ),
    );
    this.compaction = compacted.catch(() => undefined);
    return compacted;
  }

  /** What opening may write, at the most: LevelDB brings its log into a table, and begins another log and manifest. */
  async openingBytes(): Promise<number> {
    return (await Disk.bytesIn(this.location, '.log')) + OPENING_BYTES;
  }

  /**
   * Closes the handle when nothing uses it, and opens another.
   *
   * @param prepare runs before anybody else reads by the new handle, which is closed again where it throws
   * @throws what opening or `prepare` throws: reads fail until a later try
   */
  async reopen(prepare: (reader: LevelReader) => Promise<void> = async () => undefined): Promise<void> {
    await this.others?.suspend();
    // while it is compacted, for minutes maybe, reads go on
    await this.writes.none();
    const exchange = this.exchangeHandle(prepare);
    this.exchange = exchange.catch(() => undefined);
    try {
      await exchange;
    } catch (cause) {
      this.log.refused('opening', cause);
      throw cause;
    } finally {
      this.exchange = undefined;
      if (this.level !== undefined) this.others?.resume();
    }
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await this.exchange;
    await this.others?.suspend();
    await this.writes.none();
    await this.reads.none();
    await this.level?.close();
  }

  private async exchangeHandle(prepare: (reader: LevelReader) => Promise<void>): Promise<void> {
    await this.reads.none();
    const kept = await KeptLogs.open(this.location);
    try {
      await this.level?.close();
      this.level = undefined;
      if (this.closed) return;
      this.level = await kept.openAnew(this.open, (level) => {
        this.log.reset();
        return prepare(readerOf(level));
      });
    } finally {
      await kept.close();
    }
  }

  /** Runs a write; whatever it rejects with is a refusal. */
  private async refusing(kind: WriteKind, work: (level: LevelDatabase) => Promise<void>): Promise<void> {
    try {
      await this.writing(work);
    } catch (cause) {
      this.log.refused(kind, cause);
      throw storageFull('The disk refused the write.', { cause });
    }
  }

  private async writing(work: (level: LevelDatabase) => Promise<void>): Promise<void> {
    while (this.exchange !== undefined) await this.exchange;
    const { level } = this;
    if (level === undefined || this.closed) throw new Error('The database is not open.');
    this.writes.begin();
    try {
      await work(level);
    } finally {
      this.writes.end();
    }
  }
}
