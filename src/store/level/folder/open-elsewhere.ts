import { link, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ShingledError } from '../../../errors.ts';
import { openLevel } from '../database/level-handle.ts';
import { isAbsent } from '../files/current.ts';
import { type FolderLock, LOCK_FILE } from './lock.ts';

/*
 * Whether a process that our own lock cannot judge, one of another container say, has the database open. LevelDB's lock
 * knows. It is asked without opening the database, which would change it. For LevelDB looks at the lock first, and a
 * folder with a link to nothing but the lock is no database.
 */

const PROBE = `${LOCK_FILE}.probe`;
const LEVEL_LOCK = 'LOCK';

/**
 * @param location the folder of the database, of which this process has no handle
 * @throws ShingledError `index-locked`
 */
export async function refuseIfOpen(location: string): Promise<void> {
  const probe = join(dirname(location), PROBE);
  await rm(probe, { recursive: true, force: true });
  await mkdir(probe, { mode: 0o700 });
  try {
    await link(join(location, LEVEL_LOCK), join(probe, LEVEL_LOCK));
    await openLevel(probe, false);
  } catch (error) {
    if (error instanceof ShingledError) {
      // any other says that there is no database
      if (error.code === 'index-locked') throw error;
    } else if (!isAbsent(error) && !hasNoLinks(error)) throw error;
  } finally {
    await rm(probe, { recursive: true, force: true });
  }
}

/** Gives a lock up after an error: back to the owner that was taken for dead, where it is alive after all. */
export async function giveUp(lock: FolderLock, error: unknown): Promise<void> {
  const isOwnedElsewhere = error instanceof ShingledError && error.code === 'index-locked';
  await (isOwnedElsewhere ? lock.giveBack() : lock.release());
}

/** Some file systems have none: then nothing can be said. */
function hasNoLinks(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'EPERM' || code === 'ENOTSUP' || code === 'EOPNOTSUPP' || code === 'EMLINK';
}
