import type { Content, KnownSource } from '../../port.ts';
import type { LevelDatabase } from '../database/level-handle.ts';
import { contentKey, sourceRowKey } from '../format/keys.ts';
import { openSource } from '../format/values.ts';
import { type FamilyRecords, RECORDS_A_PART } from './family-records.ts';
import { FoundOpener } from './found-content.ts';
import { atOnce, type Snapshot, sourceOf } from './reads.ts';

/**
 * Two reads of many rows, of one moment: the sources, then the contents of those that are there.
 *
 * @param families of a long list, which is likely to be met again, contents are from there, and kept there
 */
export function readMany(
  level: LevelDatabase,
  urls: readonly string[],
  families: FamilyRecords,
): Promise<(KnownSource | 'unreadable' | undefined)[]> {
  return atOnce(level, async (snapshot) => {
    const rows = await readRows(level, snapshot, urls.map(sourceRowKey), openSource);
    const numbers = new Set<number>();
    for (const row of rows) if (typeof row === 'object') numbers.add(row.present.content);
    const contents = await readContents(level, snapshot, numbers, families);
    return rows.map((row, at) => {
      if (row === undefined) return row;
      const content = row === 'unreadable' ? undefined : contents.get(row.present.content);
      return content === undefined || row === 'unreadable'
        ? 'unreadable'
        : { source: sourceOf(urls[at]!, row), content };
    });
  });
}

/** Those that can be read. */
async function readContents(
  level: LevelDatabase,
  snapshot: Snapshot,
  numbers: ReadonlySet<number>,
  families: FamilyRecords,
): Promise<Map<number, Content>> {
  const contents = new Map<number, Content>();
  const absent: number[] = [];
  for (const number of numbers) {
    const record = families.get(number);
    if (record === undefined) absent.push(number);
    else contents.set(number, record);
  }
  const areMany = numbers.size > RECORDS_A_PART;
  const opener = new FoundOpener();
  const read = await readRows(level, snapshot, absent.map(contentKey), (key, value) =>
    opener.open(key, value, areMany),
  );
  for (const [i, record] of read.entries()) {
    if (typeof record !== 'object') continue;
    contents.set(absent[i]!, record);
    if (areMany) families.keep(absent[i]!, record);
  }
  return contents;
}

/** Rows in the order of their keys: undefined where there is none. Where one cannot be read, the others are. */
async function readRows<T extends object>(
  level: LevelDatabase,
  snapshot: Snapshot,
  keys: string[],
  open: (key: string, value: Buffer) => T | Promise<T>,
): Promise<(T | 'unreadable' | undefined)[]> {
  const values = await level.rows.getEach(keys, snapshot);
  const rows: (T | 'unreadable' | undefined)[] = [];
  for (const [i, value] of values.entries()) {
    try {
      const row = value === null ? 'unreadable' : value && open(keys[i]!, value);
      rows.push(row instanceof Promise ? await row : row);
    } catch {
      rows.push('unreadable');
    }
  }
  return rows;
}
