import { ShingledError } from '../../../errors.ts';
import { seqOfTotalsKey, Table, totalsKey, under } from '../format/keys.ts';
import type { RowReader } from '../format/rows.ts';
import { openTotals, type Totals } from '../format/values.ts';

/*
 * The trail of batches: every batch puts a row `n seq` and deletes the one TRAIL before it, so the last TRAIL batches are
 * there without a hole. What a log can lose lies within the trail: after every TRAIL / 2 batches LevelDB has to bring
 * them into synced tables, however few bytes they were (batch-log.ts).
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

/** The key that falls off the trail when it comes to `seq`; undefined while the trail is short. */
export const fallenOff = (seq: number) => (seq >= TRAIL_BATCHES ? totalsKey(seq - TRAIL_BATCHES) : undefined);
