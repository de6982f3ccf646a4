import { join } from 'node:path';
import { Database } from '../../database/database.ts';
import type { RowChange } from '../../format/rows.ts';
import { GrownFile, type GrownMark } from './grown-file.ts';

/*
 * The rows that LevelDB itself writes into the tables of a load, once these are whole. What it makes of its files meanwhile
 * cannot be cut off at a mark. So it is done again as a whole, and comes to the same.
 */

const ROWS_A_WRITE = 2048;

const fileIn = (kept: string) => join(kept, 'last');

/** Brings the rows to the disk. @param kept a folder @throws the file system's error */
export async function keepLastRows(
  kept: string,
  records: AsyncIterable<RowChange>,
  others: Iterable<RowChange>,
): Promise<GrownMark> {
  const file = GrownFile.create(fileIn(kept));
  try {
    for await (const row of records) file.add(row);
    for (const row of others) file.add(row);
    const mark = file.mark();
    await file.sync();
    return mark;
  } finally {
    file.close();
  }
}

/**
 * Writes them into the tables.
 *
 * @param index the folder of the tables
 * @throws ShingledError `storage-full`; Unreadable where the file is not what it was at the mark
 */
export async function writeLastRows(kept: string, mark: GrownMark, index: string): Promise<void> {
  const file = GrownFile.reopen(fileIn(kept), mark);
  try {
    const database = await Database.open(index, false);
    try {
      let rows: RowChange[] = [];
      for (const row of file.changes()) {
        if (rows.push(row) < ROWS_A_WRITE) continue;
        await database.write('rows', rows, false);
        rows = [];
      }
      await database.write('rows', rows);
      await database.flush();
    } finally {
      await database.close();
    }
  } finally {
    file.close();
  }
}
