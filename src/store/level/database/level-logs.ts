import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { LevelDatabase } from './level-database.ts';

/** Below all keys: a range in which there is nothing to compact. */
const NO_KEY = '!';
/** So often is it asked to bring its log into a table: others may write once or twice in the meantime, not each time. */
const FLUSH_TRIES = 20;

/** The logs of a LevelDB folder: one, or two while the older one is brought into a table. */
export async function logsIn(location: string): Promise<string[]> {
  return (await readdir(location)).filter((name) => name.endsWith('.log'));
}

/**
 * Syncs all logs. LevelDB begins a new one whenever its write buffer is full, and never syncs the old one. One that is gone
 * by then has its rows in a synced table.
 *
 * @throws the file system's error
 */
export async function syncLogs(location: string): Promise<void> {
  for (const name of await logsIn(location)) {
    const log = await open(join(location, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    try {
      await log?.datasync();
    } finally {
      await log?.close();
    }
  }
}

/**
 * Has LevelDB bring its logs into synced tables. LevelDB does not say that it has failed. Nor does it say that it has
 * left its log alone, as it does where others write meanwhile. Once the logs that were there are gone, their rows are
 * in tables.
 *
 * @throws Error where they are still there
 */
export async function flushLogs(level: LevelDatabase, location: string): Promise<void> {
  const before = new Set(await logsIn(location));
  for (let tries = 0; tries < FLUSH_TRIES; tries++) {
    await level.compactRange(NO_KEY, NO_KEY);
    const after = new Set(await logsIn(location));
    if (after.isDisjointFrom(before)) return;
  }
  throw new Error('LevelDB could not bring its log into a table.');
}
