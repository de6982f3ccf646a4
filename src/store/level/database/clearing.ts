import type { Database } from './database.ts';

/** Keys that are cleared between two batches: some milliseconds of LevelDB. */
const KEYS_A_CLEARING = 4096;
/** A range of so many of these, of some 50 MB, is compacted at a time. */
const CLEARINGS_A_COMPACTION = 32;

/**
 * Deletes all rows of a range and has LevelDB give back their room, so that the deletions last.
 *
 * @throws ShingledError `storage-full` where that is not certain: rows may be left
 */
export async function clearRange(
  database: Database,
  { gte, lt }: { readonly gte: string; readonly lt: string },
): Promise<void> {
  let [from, cleared] = [gte, gte];
  for (let slices = 1; ; slices++) {
    const last = (await database.keys({ gte: cleared, lt, limit: KEYS_A_CLEARING })).at(-1);
    if (last !== undefined) await database.delete({ gte: cleared, lte: last });
    if (last === undefined || slices % CLEARINGS_A_COMPACTION === 0) {
      await database.compactRange(from, last ?? lt);
      from = last ?? lt;
    }
    if (last === undefined) return;
    cleared = `${last}\0`;
  }
}
