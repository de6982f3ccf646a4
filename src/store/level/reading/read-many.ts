import type { KnownSource } from '../../port.ts';
import type { LevelDatabase } from '../database/level-handle.ts';
import { sourceRowKey } from '../format/keys.ts';
import { openSource, type SourceRow } from '../format/values.ts';
import { type FamilyRecords, readRecords } from './family-records.ts';
import { atOnce, sourceOf } from './reads.ts';

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
    const keys = urls.map(sourceRowKey);
    const values = await level.rows.getEach(keys, snapshot);
    const rows = values.map((value, i) => value && readable(keys[i]!, value));
    const numbers = [...new Set(rows.flatMap((row) => row?.present.content ?? []))];
    const contents = await readRecords(level, snapshot, numbers, families);
    const byNumber = new Map(contents.map((content, i) => [numbers[i], content]));
    return rows.map((row, at) => {
      if (row === undefined) return row;
      const content = row && byNumber.get(row.present.content);
      return row && content ? { source: sourceOf(urls[at]!, row), content } : 'unreadable';
    });
  });
}

function readable(key: string, value: Buffer): SourceRow | null {
  try {
    return openSource(key, value);
  } catch {
    return null;
  }
}
