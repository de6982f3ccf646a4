import { resumed } from '../../../sharing/served.ts';
import { HOST_SOURCES_MAX, sourceHash } from '../../host-sample.ts';
import type { Content, HostContents } from '../../port.ts';
import { urlOfSourceKey } from '../../source-key.ts';
import { atOnce, type LevelDatabase } from '../database/level-handle.ts';
import type { Snapshot } from '../database/near-rows.ts';
import { sourceSpans } from '../format/keys.ts';
import { openSource } from '../format/values.ts';
import { FamilyRecords, readRecords } from './family-records.ts';

/** The contents that stand for a host (host-sample.ts): the rows of its sources, those with the lowest hashes first. */
export function readHostContents(
  level: LevelDatabase,
  host: string,
  known: string | null,
  key: readonly [number, number],
): Promise<HostContents> {
  return atOnce(level, async (snapshot) => {
    const { numbers, unreadable } = await liveContents(level, snapshot, host, key);
    const sample = numbers.join(' ');
    if (sample === known) return { sample, contents: null, unreadable };
    const records = await readRecords(level, snapshot, numbers, new FamilyRecords(0));
    const contents = records.filter((record): record is Content => record != null);
    return { sample, contents, unreadable: unreadable + numbers.length - contents.length };
  });
}

async function liveContents(level: LevelDatabase, snapshot: Snapshot, host: string, key: readonly [number, number]) {
  const [span] = sourceSpans({ host });
  const keys = await level.keys({ ...span!, snapshot }).all();
  resumed();
  const hashed = keys.map((row) => ({ row, hash: sourceHash(key, urlOfSourceKey(row)) }));
  hashed.sort((a, b) => a.hash - b.hash || (a.row < b.row ? -1 : 1));
  const numbers = new Set<number>();
  let unreadable = 0;
  let live = 0;
  for (let at = 0; at < hashed.length && live < HOST_SOURCES_MAX; at += HOST_SOURCES_MAX) {
    const rows = hashed.slice(at, at + HOST_SOURCES_MAX).map(({ row }) => row);
    for (const [i, value] of (await level.rows.getEach(rows, snapshot)).entries()) {
      try {
        const { state, present } = openSource(rows[i]!, value!);
        if (state !== 'live' || live === HOST_SOURCES_MAX) continue;
        numbers.add(present.content);
        live++;
      } catch {
        unreadable++;
      }
    }
  }
  return { numbers: [...numbers], unreadable };
}
