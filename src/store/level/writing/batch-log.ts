import type { Database } from '../database/database.ts';
import type { HighWater } from '../folder/high-water.ts';
import { totalsKey } from '../format/keys.ts';
import type { RowChange } from '../format/rows.ts';
import { sealTotals, type Totals } from '../format/values.ts';
import type { WriteKind } from '../outage/transitions.ts';
import { fallenOff, TRAIL_BATCHES, type Trail } from './trail.ts';

/** The batches that were written, each with its row of the trail (trail.ts); one at a time. */
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

  /** Of the last batch. */
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
    const fallen = fallenOff(seq);
    const own: RowChange[] = fallen === undefined ? [] : [[fallen, null]];
    own.push([key, sealTotals(key, totals)]);
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
