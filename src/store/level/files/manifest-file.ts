import { ByteReader, Unreadable } from '../format/byte-reader.ts';
import { readLog } from './log-file.ts';

/*
 * LevelDB's MANIFEST: a log whose records say, one change after the other, which table files make up the database.
 *
 *   record   = (tag fields)*
 *   2 log · 9 previous log     logs from this number on are not in tables yet
 *   7 new table: level number size smallest largest · 6 deleted table: level number
 *   1 comparator · 3 next number · 4 last sequence · 5 compaction pointer: nothing that matters here
 */

/** The files that a LevelDB consists of, by what the MANIFEST says before the first part that cannot be read. */
export interface LiveFiles {
  /** Number -> bytes, of table files. */
  readonly tables: ReadonlyMap<number, number>;
  /** Logs that are in use: those from this number on, and `previousLog`. */
  readonly firstLog: number;
  readonly previousLog: number;
  /** Files of this number and above came after the last change that the MANIFEST tells of. */
  readonly nextFile: number;
  /** Whether the MANIFEST was read to its end: not where it breaks off, which LevelDB takes for its end. */
  readonly whole: boolean;
  /** Whether a part of it cannot be read: LevelDB does not open it then. */
  readonly damaged: boolean;
  /** Where the first record begins that LevelDB could not write and yet wrote on behind; null where it never did. */
  readonly failedAt: number | null;
}

/*
 * Where the disk refuses a record, LevelDB takes no more writes. But a compaction that is under way goes on. It brings
 * what is in memory into another table, until that can be recorded, and records what came of itself.
 *
 *   torn       … | whole | torn | whole | …                          a part of the record was written
 *   repeated   … | whole | log 7, table 8 | log 7, table 9 | …       it was written, and not synced
 *
 * LevelDB never opens the first again, and ends the process where it opens the second.
 */
export function readManifest(bytes: Buffer): LiveFiles {
  const tables = new Map<number, number>();
  const numbers = { firstLog: 0, previousLog: 0, nextFile: 0 };
  const { records, ends, sound, damaged: unreadable, isCut } = readLog(bytes);
  const startOf = (record: number) => ends[record - 1] ?? 0;
  let damaged = unreadable > 0 || records.length === 0;
  let repeatedAt: number | null = null;
  /** Of the record that said first from which log on rows are not in tables. */
  let saidAt = 0;
  try {
    for (let i = 0; i < sound; i++) {
      const { firstLog } = numbers;
      const onlyAdds = applyEdit(new ByteReader(records[i]!), tables, numbers);
      if (numbers.firstLog !== firstLog) saidAt = startOf(i);
      else if (onlyAdds && firstLog > 0) repeatedAt ??= saidAt;
    }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    damaged = true;
  }
  const failedAt = repeatedAt ?? (unreadable > 0 ? startOf(sound) : null);
  return { tables, ...numbers, whole: !damaged && !isCut, damaged, failedAt };
}

/** @returns whether tables come and none goes: a log has become them */
function applyEdit(
  reader: ByteReader,
  tables: Map<number, number>,
  numbers: { firstLog: number; previousLog: number; nextFile: number },
): boolean {
  const added: [number, number][] = [];
  let deletes = false;
  while (!reader.done) {
    const tag = reader.varint();
    if (tag === 1) reader.sized();
    else if (tag === 2) numbers.firstLog = reader.varint();
    else if (tag === 9) numbers.previousLog = reader.varint();
    else if (tag === 3) numbers.nextFile = reader.varint();
    else if (tag === 4) reader.varint();
    else if (tag === 5) {
      reader.varint();
      reader.sized();
    } else if (tag === 6) {
      reader.varint();
      tables.delete(reader.varint());
      deletes = true;
    } else if (tag === 7) {
      reader.varint();
      added.push([reader.varint(), reader.varint()]);
      reader.sized();
      reader.sized();
    } else throw new Unreadable('the MANIFEST says something unknown');
  }
  // a table that only moves to another level is deleted and added in one edit
  for (const [number, size] of added) tables.set(number, size);
  return added.length > 0 && !deletes;
}

const TABLE_NAME = /^(\d+)\.(ldb|sst)$/;
const LOG_NAME = /^(\d+)\.log$/;

/** As LevelDB names a table file, and a log. */
export const tableName = (number: number) => `${String(number).padStart(6, '0')}.ldb`;
export const logName = (number: number) => `${String(number).padStart(6, '0')}.log`;

/** The number in the name of a table file or a log; undefined for other files. */
export const tableNumber = (name: string) => numberIn(TABLE_NAME, name);
export const logNumber = (name: string) => numberIn(LOG_NAME, name);

/** Whether a name is that of a log whose rows are not in tables yet. */
export function isLiveLog({ firstLog, previousLog }: LiveFiles, name: string): boolean {
  const number = logNumber(name) ?? -1;
  return number >= firstLog || (number >= 0 && number === previousLog);
}

function numberIn(form: RegExp, name: string): number | undefined {
  const found = form.exec(name)?.[1];
  return found === undefined ? undefined : Number(found);
}
