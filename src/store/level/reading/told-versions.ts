import type { VersionSketch } from '../../../core/sketch/version-sketch.ts';
import { ShingledError } from '../../../errors.ts';
import { evidenceOfVersions, haveSameMain, haveSameWords, sketchOfContent } from '../../contents.ts';
import type { Version } from '../../port.ts';
import type { LevelDatabase } from '../database/level-handle.ts';
import type { Snapshot } from '../database/near-rows.ts';
import { openComparedSteps } from '../format/content-values.ts';
import { contentKey, lexicalKey } from '../format/keys.ts';
import { openNumber } from '../format/values.ts';
import { inSteps } from '../next-turn.ts';
import { goneAfter } from '../writing/history.ts';
import { type DatedVersion, lastSeenOf } from '../writing/version-runs.ts';

/*
 * Versions as they are told: whether their contents are kept, and what each shares with the one before it. That is looked up
 * in their sketches; the present version has none, so its content is read where there is another one beside it.
 */

/** @param stored of each source its versions, the newest first @returns the same with what other rows say */
export async function tellVersions(
  level: LevelDatabase,
  snapshot: Snapshot,
  stored: readonly (readonly DatedVersion[])[],
): Promise<Version[][]> {
  const all = stored.map((versions) => versions.map((version, i) => withContent(version, versions[i + 1])));
  // there is no row of no digest
  const ids = [...new Set(all.flatMap((versions) => versions.map(({ row }) => row.contentId ?? '')))];
  const keys = ids.map(lexicalKey);
  const values = await level.rows.getMany(keys, snapshot);
  const numbers = new Map<string, number>();
  for (const [i, value] of values.entries()) {
    if (value !== undefined) numbers.set(ids[i]!, openNumber(keys[i]!, value));
  }
  const sketches = await sketchesOf(level, snapshot, all, numbers);
  const sketchOf = ({ row }: DatedVersion) => row.sketch ?? sketches.get(row.contentId ?? '');
  return all.map((versions) =>
    versions.map((version, i) => {
      const { observedAt, row } = version;
      const { state, httpStatus, contentId, bytesDigest } = row;
      const older = versions[i + 1];
      const [a, b] = isChange(older, version) ? [sketchOf(older), sketchOf(version)] : [];
      const areKnown = a !== undefined && b !== undefined;
      const overlap = areKnown ? evidenceOfVersions(a, b) : null;
      const isSame = areKnown ? haveSameWords(a, b) : older?.row.contentId === contentId;
      const hasSameWords = state === 'live' && isSame;
      const hasSameMain = state === 'live' && areKnown && !isSame && haveSameMain(a, b);
      const contentKept = numbers.has(contentId ?? '');
      const lastSeen = lastSeenOf(version);
      const told = { observedAt, lastSeen, state, httpStatus, contentId, contentKept, bytesDigest };
      return { ...told, overlap, hasSameWords, hasSameMain };
    }),
  );
}

/** Of what is gone, what was there before is that of the version before it. */
const withContent = (version: DatedVersion, older: DatedVersion | undefined): DatedVersion =>
  version.row.state === 'live' ? version : { ...version, row: goneAfter(version.row, older?.row) };

/** Whether there is anything to be compared. */
function isChange(older: DatedVersion | undefined, newer: DatedVersion): older is DatedVersion {
  return older !== undefined && older.row.contentId !== newer.row.contentId;
}

/** Of contents whose versions are compared and have no sketches, as far as they are kept. */
async function sketchesOf(
  level: LevelDatabase,
  snapshot: Snapshot,
  all: readonly (readonly DatedVersion[])[],
  numbers: ReadonlyMap<string, number>,
): Promise<Map<string, VersionSketch>> {
  const wanted = new Set<string>();
  for (const versions of all) {
    for (const [i, newer] of versions.entries()) {
      const older = versions[i + 1];
      if (!isChange(older, newer)) continue;
      for (const { row } of [older, newer]) {
        if (row.sketch === null && row.contentId !== null && numbers.has(row.contentId)) wanted.add(row.contentId);
      }
    }
  }
  const ids = [...wanted];
  const keys = ids.map((id) => contentKey(numbers.get(id)!));
  const values = ids.length === 0 ? [] : await level.rows.getEach(keys, snapshot);
  const sketches = new Map<string, VersionSketch>();
  for (const [i, id] of ids.entries()) {
    const value = values[i];
    if (!value) continue;
    try {
      sketches.set(id, sketchOfContent(await inSteps(openComparedSteps(keys[i]!, value))));
    } catch (error) {
      // what it shares is not known then: a check names it
      if (!(error instanceof ShingledError) || error.code !== 'index-unreadable') throw error;
    }
  }
  return sketches;
}
