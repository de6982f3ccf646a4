import { MARK, varintAt } from './block-builder.ts';
import { logRecord } from './log-file.ts';
import type { MadeTable } from './table-writer.ts';

/*
 * The MANIFEST of a database that consists of tables alone, none of which overlaps another (manifest-file.ts): one record.
 *
 *   comparator · log 0 · previous log 0 · next number · last sequence 1 · (table: level number size smallest largest)*
 *
 * All tables lie on one level, the first that holds them: 10 MB on level 1, on each further one ten times as much. So LevelDB
 * has nothing to merge when it opens them, and rows that come later are merged with no more than they were otherwise.
 */

const COMPARATOR = 'leveldb.BytewiseComparator';
/** The first one where LevelDB puts a table that overlaps none, and the last one, which holds whatever comes. */
const [LEVEL_LEAST, LEVEL_MOST] = [2, 6];
const levelBytes = (level: number) => 10 ** (level + 6);
const LAST_SEQUENCE = 1;

export interface NumberedTable extends MadeTable {
  readonly number: number;
}

/** @param nextNumber above those of all files */
export function sealManifest(tables: readonly NumberedTable[], nextNumber: number): Buffer {
  const bytes = tables.reduce((sum, table) => sum + table.bytes, 0);
  let level = LEVEL_LEAST;
  while (level < LEVEL_MOST && bytes > levelBytes(level)) level++;
  const edit = [
    [1, COMPARATOR],
    [2, 0],
    [9, 0],
    [3, nextNumber],
    [4, LAST_SEQUENCE],
    ...tables.map(({ number, bytes: size, first, last }) => [7, level, number, size, marked(first), marked(last)]),
  ];
  return logRecord(Buffer.concat(edit.flat().map(fieldOf)));
}

const marked = (key: string) => key + String.fromCharCode(...MARK);

/** A number as a varint, a string of bytes behind its length. */
function fieldOf(value: string | number): Buffer {
  const bytes = Buffer.allocUnsafe(10);
  if (typeof value === 'number') return bytes.subarray(0, varintAt(bytes, 0, value));
  return Buffer.concat([fieldOf(value.length), Buffer.from(value, 'latin1')]);
}
