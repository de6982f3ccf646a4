import { ShingledError } from '../../../errors.ts';
import type { Database } from '../database/database.ts';
import type { HighWater } from '../folder/high-water.ts';
import { seqOfTotalsKey, Table, totalsKey, under } from '../format/keys.ts';
import type { RowReader } from '../format/loaded-rows.ts';
import type { RowChange } from '../format/rows.ts';
import { openTotals, sealTotals, type Totals } from '../format/values.ts';
import type { WriteKind } from '../outage/outage.ts';

/** The batches that were written, each with its row of the trail; one at a time. */
export class BatchLog {
  private readonly database: Database;
  private readonly highWater: HighWater;
  private seq: number;
  private state: Totals;
  /** Whether there are batches that a power cut may take. */
  private unsynced = false;

  constructor(database: Database, highWater: HighWater, { seq, totals }: Trail) {
    this.database = database;
    this.highWater = highWater;
    this.seq = seq;
    this.state = totals;
  }

  /** After the last batch. */
  get totals(): Totals {
    return this.state;
  }

  get lastSeq(): number {
    return this.seq;
  }

  get isSynced(): boolean {
    return !this.unsynced;
  }

  /** @throws ShingledError `storage-full` where LevelDB does not take it: nothing of it will be seen */
  async write(kind: WriteKind, changes: readonly RowChange[], totals: Totals, sync: boolean): Promise<void> {
    const seq = this.seq + 1;
    const key = totalsKey(seq);
    const own: RowChange[] = [[key, sealTotals(key, totals)]];
    // what falls off the trail
    if (seq >= TRAIL_BATCHES) own.unshift([totalsKey(seq - TRAIL_BATCHES), null]);
    if (sync && this.unsynced) await this.database.syncAll();
    if (seq % (TRAIL_BATCHES / 2) === 0) await this.database.flush();
    await this.database.write(kind, changes.concat(own), sync);
    this.seq = seq;
    this.state = totals;
    this.unsynced = !sync;
    if (sync) this.highWater.advance(seq);
  }

  /**
   * After the database was opened anew: it may have a batch of which the disk had said that it refused it, and lack unsynced
   * ones. A number that was given to a content is never given again.
   *
   * @returns whether batches are gone that were acknowledged before they were synced
   */
  goBackTo({ seq, totals }: Trail): boolean {
    const isBehind = seq < this.seq;
    this.seq = seq;
    this.state = { ...totals, nextContent: Math.max(totals.nextContent, this.state.nextContent) };
    this.unsynced = false;
    return isBehind;
  }
}

/*
 * The trail of batches: every batch puts a row `n seq` and deletes the one TRAIL before it, so the last TRAIL batches are
 * there without a hole. What a log can lose lies within the trail: after every TRAIL / 2 batches LevelDB has to bring
 * them into synced tables, however few bytes they were.
 */

export const TRAIL_BATCHES = 65_536;

export interface Trail {
  readonly seq: number;
  readonly totals: Totals;
}

/**
 * The state after the last batch.
 *
 * @param highWater the index reaches at least so far
 * @throws ShingledError `index-damaged` where batches are missing, `index-unreadable` where a row of theirs is damaged
 */
export async function readTrail(database: RowReader, highWater: number): Promise<Trail> {
  const keys = await database.keys(under(Table.totals, 2 * TRAIL_BATCHES));
  const last = keys.at(-1);
  if (last === undefined) throw new ShingledError('index-damaged', 'The index does not say how far it has got.');
  const seq = seqOfTotalsKey(last);
  const first = seqOfTotalsKey(keys[0]!);
  if (seq - first + 1 !== keys.length) {
    const lost = seq - first + 1 - keys.length;
    throw new ShingledError('index-damaged', `Of the last ${seq - first + 1} batches of writes ${lost} are missing.`);
  }
  if (seq < highWater) {
    throw new ShingledError(
      'index-damaged',
      `The last ${highWater - seq} batches of writes are missing: the index ends at ${seq}, it had reached ${highWater}.`,
    );
  }
  const value = await database.get(last);
  return { seq, totals: openTotals(last, value ?? Buffer.alloc(0)) };
}
