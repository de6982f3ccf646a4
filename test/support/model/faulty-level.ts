import { type LevelDatabase, openLevel } from '../../../src/store/level/database/level-handle.ts';

/*
 * A LevelDB whose disk fails as disks do, by the letters of the tables that a write puts rows of:
 *
 *   lost   the write is refused, and nothing of it will be there: its sync failed, and the pages were dropped, as were those
 *          of all batches before it that were not synced
 *   kept   the write is refused, and it is there nevertheless once the database was opened anew: its sync failed
 *   torn   the write is refused, and half a record is left in the log: what is written after it is taken, and is not there
 *          once the database was opened anew (nor is it seen before, here)
 *
 * A sync of its logs alone is the write `sync`; LevelDB does not learn whether that failed.
 *
 * After a failed sync of its own LevelDB refuses all that follows on that handle; behind a torn record it does not.
 */

export type Failure = 'lost' | 'kept' | 'torn';

interface Row {
  readonly type: 'put' | 'del';
  readonly key: string;
  readonly value?: Buffer;
}

/** What a write is: the tables of its rows in order, or what clears and compacts. */
export type Seen = string;

type Batch = (rows: readonly Row[], options?: { readonly sync?: boolean }) => Promise<void>;

export const ioError = (text = 'Input/output error') =>
  Object.assign(new Error(`IO error: 000005.log: ${text}`), { code: 'LEVEL_IO_ERROR' });

export class FaultyLevel {
  /** What was written, for a test to look at. */
  readonly seen: Seen[] = [];
  /** How often the database was opened. */
  opened = 0;
  private wanted: { readonly isIt: (write: Seen) => boolean; readonly failure: Failure } | undefined;
  private failed: PromiseWithResolvers<void> = Promise.withResolvers();
  /** To be there, or no more, once the database was opened anew. */
  private keptRows: (readonly Row[])[] = [];
  /** What takes back the batches that were not synced. */
  private unsynced: (readonly Row[])[] = [];
  private readsFail: Error | undefined;

  /** The first write that `isIt` says fails. @returns resolves when it has */
  failNext(failure: Failure, isIt: (write: Seen) => boolean): Promise<void> {
    this.failed = Promise.withResolvers();
    this.wanted = { isIt, failure };
    return this.failed.promise;
  }

  /** Reads of rows fail with this error until it is undefined. */
  failReads(error: Error | undefined): void {
    this.readsFail = error;
  }

  readonly open = async (location: string, create: boolean): Promise<LevelDatabase> => {
    const level = await openLevel(location, create);
    this.opened++;
    for (const rows of this.keptRows.splice(0)) await (level.batch as unknown as Batch)(rows);
    return this.wrapped(level);
  };

  private wrapped(level: LevelDatabase): LevelDatabase {
    const real = {
      batch: level.batch.bind(level) as unknown as Batch,
      clear: level.clear.bind(level) as unknown as (range: object) => Promise<void>,
      get: level.get.bind(level) as unknown as (...args: unknown[]) => Promise<unknown>,
      getSync: level.getSync.bind(level) as unknown as (...args: unknown[]) => unknown,
      getMany: level.getMany.bind(level) as unknown as (...args: unknown[]) => Promise<unknown>,
      syncLogs: level.syncLogs,
    };
    let state: 'whole' | 'refusing' | 'torn' = 'whole';
    const before = async ({ key }: Row): Promise<Row> => {
      const value = (await real.get(key)) as Buffer | undefined;
      return value === undefined ? { type: 'del', key } : { type: 'put', key, value };
    };
    const write = async (what: Seen, rows: readonly Row[], work: () => Promise<void>) => {
      this.seen.push(what);
      if (state === 'refusing') throw ioError();
      if (state === 'torn') return;
      const { wanted } = this;
      if (wanted === undefined || !wanted.isIt(what)) return work();
      this.wanted = undefined;
      state = wanted.failure === 'torn' ? 'torn' : 'refusing';
      if (wanted.failure === 'kept') this.keptRows.push(rows);
      if (wanted.failure === 'lost') this.keptRows.push(...this.unsynced.reverse());
      this.failed.resolve();
      throw ioError();
    };
    const batch: Batch = (rows, options) =>
      write(tablesOf(rows), rows, async () => {
        if (options?.sync === true) this.unsynced = [];
        else this.unsynced.push(await Promise.all(rows.map(before)));
        await real.batch(rows, options);
      });
    const reading =
      (read: (...args: unknown[]) => Promise<unknown>) =>
      (...args: unknown[]) =>
        this.readsFail === undefined ? read(...args) : Promise.reject(this.readsFail);
    const syncLogs = async () => {
      this.seen.push('sync');
      if (state === 'refusing') throw ioError();
      const failure = this.wanted?.isIt('sync') === true ? this.wanted.failure : undefined;
      if (failure === undefined) {
        if (state === 'whole') this.unsynced = [];
        return real.syncLogs();
      }
      this.wanted = undefined;
      if (failure === 'lost') {
        state = 'torn';
        this.keptRows.push(...this.unsynced.reverse());
      }
      this.failed.resolve();
      throw ioError();
    };
    return Object.assign(level, {
      syncLogs,
      batch: (...args: unknown[]) => (args.length === 0 ? chained(batch) : batch(...(args as Parameters<Batch>))),
      clear: (range: object) => write('clear', [], () => real.clear(range)),
      get: reading(real.get),
      getSync: (...args: unknown[]) => {
        if (this.readsFail !== undefined) throw this.readsFail;
        return real.getSync(...args);
      },
      getMany: reading(real.getMany),
    }) as unknown as LevelDatabase;
  }
}

const tablesOf = (rows: readonly Row[]): Seen => [...new Set(rows.map(({ key }) => key.charAt(0)))].sort().join('');

/** LevelDB's other way to write a batch. */
function chained(batch: Batch) {
  const rows: Row[] = [];
  return {
    put: (key: string, value: Buffer) => void rows.push({ type: 'put', key, value }),
    del: (key: string) => void rows.push({ type: 'del', key }),
    write: (options: { sync: boolean }) => batch(rows, options),
  };
}
