import { createReadStream } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The logs of a LevelDB folder: one, or two while the older one is brought into a table. */
export async function logsIn(location: string): Promise<string[]> {
  return (await readdir(location)).filter((name) => name.endsWith('.log'));
}

/**
 * Reads all logs to their ends, before LevelDB does: where it cannot read on, it takes that for the end of the log, and
 * deletes the log with all that it did not see.
 *
 * @throws the file system's error
 */
export async function readLogs(location: string): Promise<void> {
  for (const name of await logsIn(location)) {
    for await (const _ of createReadStream(join(location, name))) {
      // to be read is all
    }
  }
}

/**
 * Syncs all logs, as LevelDB does with the one that it writes. One that is gone by then has its rows in a synced table.
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
