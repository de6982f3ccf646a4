import type { ContentId, HolderCounts } from '../../port.ts';
import { atOnce, type LevelDatabase } from '../database/level-handle.ts';
import { NO_HOLDERS, ONE_LIVE, openCounts, stateOfHolder } from '../format/holder-counts.ts';
import { countsKey, sourceRowKey } from '../format/keys.ts';
import { openSource } from '../format/values.ts';
import { numberOf } from './reads.ts';

/** How many sources hold a content, without some: a row, and the rows of those. */
export function readHolderCounts(
  level: LevelDatabase,
  id: ContentId,
  except: readonly string[],
): Promise<HolderCounts> {
  return atOnce(level, async (snapshot) => {
    const number = await numberOf(level, snapshot, id);
    if (number === undefined) return NO_HOLDERS;
    const key = countsKey(number);
    const value = await level.rows.get(key, snapshot);
    const counts = { ...(value === undefined ? ONE_LIVE : openCounts(key, value)) };
    const keys = [...new Set(except)].map(sourceRowKey);
    const sources = keys.length === 0 ? [] : await level.rows.getMany(keys, snapshot);
    for (const [i, source] of sources.entries()) {
      const state = source === undefined ? null : stateOfHolder(openSource(keys[i]!, source), number);
      if (state !== null) counts[state]--;
    }
    return counts;
  });
}
