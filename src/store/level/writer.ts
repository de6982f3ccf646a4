import { ShingledError } from '../../errors.ts';
import type { IndexDescription, WriteOutcome, WritePlan } from '../port.ts';
import type { StoreSettings } from '../settings.ts';
import type { Pending } from './committer.ts';
import type { Database } from './database.ts';
import { type Disk, storageFull } from './disk.ts';
import { Draft } from './draft.ts';
import type { HighWater } from './high-water.ts';
import { sweepPast } from './history.ts';
import { type KeyRange, lexicalKey, sourceRowKey, totalsKey } from './keys.ts';
import { nextTurn } from './next-turn.ts';
import { resolvePlan } from './resolve.ts';
import { RowLayer, type RowReader } from './rows.ts';
import { fallenOff, readTrail, type Trail } from './trail.ts';
import { sealTotals, type Totals } from './values.ts';

export interface SweepRequest {
  readonly kind: 'sweep';
  readonly now: number;
  readonly limit: number;
}

export interface SweepOutcome {
  readonly examined: number;
  readonly forgotten: number;
}

export type WriteRequest = WritePlan | SweepRequest;
type PendingWrite = Pending<WriteRequest, WriteOutcome | SweepOutcome>;

/** A batch takes no further plan from this many rows on: handing rows to LevelDB is work on the event loop. */
const ROWS_PER_BATCH = 4096;
/** Resolving pauses after so many rows, for the same reason. */
const ROWS_A_SLICE = 1024;

export interface WriterParts {
  readonly database: Database;
  readonly highWater: HighWater;
  readonly disk: Disk;
  readonly description: IndexDescription;
  readonly settings: StoreSettings;
  readonly retryMs: number;
}

/**
 * Turns waiting plans into one synced batch: resolves them in order, each over the rows of those before it, adds the row
 * of the batch, writes, and only then acknowledges. Used by one committer, so nothing else ever writes.
 */
export class Writer {
  private readonly parts: WriterParts;
  private seq: number;
  private state: Totals;
  private refusedBy: unknown;
  private retry: NodeJS.Timeout | undefined;
  private retrying: Promise<void> | undefined;

  constructor(parts: WriterParts, { seq, totals }: Trail) {
    this.parts = parts;
    this.seq = seq;
    this.state = totals;
  }

  /** False from a refused write until one has succeeded again. */
  get writable(): boolean {
    return this.refusedBy === undefined;
  }

  get totals(): Totals {
    return this.state;
  }

  /** See {@link Committer}: settles every request but those that it returns, for which the batch has no room. */
  async commit(requests: readonly PendingWrite[]): Promise<readonly PendingWrite[]> {
    try {
      await this.checkDisk();
      const batch = new RowLayer(await this.prefetched(requests));
      const { settled, left, totals } = await this.resolveAll(requests, batch);
      if (batch.size > 0) await this.write(batch, totals);
      for (const acknowledge of settled) acknowledge();
      return left;
    } catch (error) {
      if (this.writable && error instanceof ShingledError && error.code === 'storage-full') {
        this.refusedBy = error;
        this.retryLater();
      }
      // settling a request twice has no effect
      for (const { reject } of requests) reject(error);
      return [];
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.retry);
    this.retry = undefined;
    await this.retrying;
  }

  private async resolveAll(requests: readonly PendingWrite[], batch: RowLayer) {
    const { description, settings } = this.parts;
    const settled: (() => void)[] = [];
    let totals = this.state;
    let taken = 0;
    let pauseAt = ROWS_A_SLICE;
    for (const { request, resolve, reject } of requests) {
      if (batch.size >= ROWS_PER_BATCH) break;
      if (batch.size >= pauseAt) {
        pauseAt = batch.size + ROWS_A_SLICE;
        await nextTurn();
      }
      taken++;
      const draft = new Draft(new RowLayer(batch), totals, description, settings);
      try {
        const outcome =
          request.kind === 'sweep'
            ? await sweepPast(draft, request.now, request.limit)
            : await resolvePlan(draft, request);
        batch.takeOver(draft.rows);
        totals = draft.totals;
        settled.push(() => resolve(outcome));
      } catch (error) {
        settled.push(() => reject(error));
      }
    }
    return { settled, left: requests.slice(taken), totals };
  }

  private async write(batch: RowLayer, totals: Totals): Promise<void> {
    const seq = this.seq + 1;
    const key = totalsKey(seq);
    batch.put(key, sealTotals(key, totals));
    const fallen = fallenOff(seq);
    if (fallen !== undefined) batch.delete(fallen);
    try {
      await this.parts.database.write(batch.changes(), batch.size);
    } catch (cause) {
      throw storageFull('The disk refused the write.', { cause });
    }
    this.seq = seq;
    this.state = totals;
    this.parts.highWater.advance(seq);
  }

  private async checkDisk(): Promise<void> {
    if (!this.writable) throw storageFull('The disk has refused a write.', { cause: this.refusedBy });
    await this.parts.disk.checkReserve();
  }

  private retryLater(): void {
    this.retry = setTimeout(() => {
      this.retrying = this.recover().catch(() => {
        if (this.retry !== undefined) this.retryLater();
      });
    }, this.parts.retryMs);
    this.retry.unref();
  }

  /** Once the disk takes a file again: a new handle, the state as it is there, and a batch of nothing but its own row. */
  private async recover(): Promise<void> {
    const { database, disk, highWater } = this.parts;
    await disk.checkReserve();
    await disk.probe();
    await database.reopen();
    const { seq, totals } = await readTrail(database, highWater.value);
    this.seq = seq;
    this.state = totals;
    await this.write(new RowLayer(database), totals);
    this.refusedBy = undefined;
  }

  /** The rows that almost every plan starts from, read at once. */
  private async prefetched(requests: readonly PendingWrite[]): Promise<RowReader> {
    const keys = new Set<string>();
    for (const { request } of requests) {
      if (request.kind === 'sweep') continue;
      keys.add(sourceRowKey(request.url));
      if (request.kind === 'put') keys.add(lexicalKey(request.content.id));
    }
    const list = [...keys];
    const { database } = this.parts;
    // where one of them cannot be read, each plan meets it by itself
    const values = await database.getMany(list).catch(() => []);
    const rows = new Map(values.map((value, i) => [list[i], value]));
    return {
      get: (key) => (rows.has(key) ? Promise.resolve(rows.get(key)) : database.get(key)),
      keys: (range: KeyRange) => database.keys(range),
    };
  }
}
