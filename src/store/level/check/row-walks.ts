import type { LevelDatabase } from '../database/level-handle.ts';
import { sourceRowOfVersionKey, under } from '../format/keys.ts';

export type Row = [key: string, value: Buffer];

const ROWS_A_STEP = 512;

/** All rows whose keys begin so, in order. */
export async function* rowsUnder(level: LevelDatabase, prefix: string): AsyncGenerator<Row> {
  const options = { ...under(prefix, -1), fillCache: false, highWaterMarkBytes: 1 << 20 };
  const iterator = level.iterator<string, Buffer>(options);
  try {
    for (let rows = await iterator.nextv(ROWS_A_STEP); rows.length > 0; rows = await iterator.nextv(ROWS_A_STEP)) {
      yield* rows;
    }
  } finally {
    await iterator.close();
  }
}

/** Goes through table h beside table s. */
export class VersionRows {
  private readonly rows: AsyncIterator<Row> | Iterator<Row>;
  private readonly onStray: (sourceRow: string) => void;
  private head: IteratorResult<Row> | undefined;

  /**
   * @param rows all of table h
   * @param onStray is told, for each row of a source that is not there, the key of that source's row
   */
  constructor(rows: AsyncIterator<Row> | Iterator<Row>, onStray: (sourceRow: string) => void) {
    this.rows = rows;
    this.onStray = onStray;
  }

  /** The past versions of the source of this row key, the newest first: sources in order. */
  async of(sourceRow: string): Promise<Row[]> {
    const own: Row[] = [];
    for (let row = await this.peek(); row !== undefined; row = await this.peek()) {
      const owner = sourceRowOfVersionKey(row[0]);
      if (owner > sourceRow) break;
      if (owner === sourceRow) own.push(row);
      else this.onStray(owner);
      this.head = undefined;
    }
    return own;
  }

  /** The next row; undefined behind the last. */
  async peek(): Promise<Row | undefined> {
    this.head ??= await this.rows.next();
    return this.head.done === true ? undefined : this.head.value;
  }
}
