import { readdir, realpath, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ShingledError } from '../../../errors.ts';
import { systemFault } from '../../../plain-words/system-faults.ts';
import { copyInto, makeFolder, syncFile, syncFolder } from '../files/file-system.ts';
import { isBegunLoad, isCreation } from '../folder/creation.ts';
import { loadUnfinished, startError } from '../folder/folder.ts';
import {
  BACKUP_FILE,
  DB_FOLDER,
  HIGH_WATER_FILE,
  KEY_FILE,
  LOADING_FOLDER,
  RESTORING_FOLDER,
} from '../folder/folder-parts.ts';
import { type FolderLock, LOCK_FILE, takeLock } from '../folder/lock.ts';
import { verifyBackup } from './manifest.ts';
import { keyFileOf, type UnpackedBackup, type UnpackOptions } from './unpack.ts';

/*
 * A backup becomes an index:
 *
 *   backup.json holds? ── copied to DATA_DIR/restoring ── opened and proven there, by the caller ── moved to DATA_DIR
 *
 * Until the last move DATA_DIR holds no index: a start refuses it, and restoring may begin again. Files are copied, never
 * linked, so that backup and index share nothing.
 */

/** After `finish` its `release` gives up the lock only. */
export interface PreparedRestore extends UnpackedBackup {
  /** Makes it the index of DATA_DIR. */
  finish(): Promise<void>;
}

/**
 * Checks a backup and copies it beside where it is to be.
 *
 * @throws ShingledError `backup-damaged`, `index-exists` where the folder is not empty, `index-locked`, `invalid-config`,
 *   `storage-full`
 */
export async function prepareRestore(options: UnpackOptions & { readonly dataDir: string }): Promise<PreparedRestore> {
  const { backup, dataDir, indexKeyFile, pid, progress } = options;
  // first, so that a wrong folder costs nothing
  await refuseUnlessEmpty(dataDir);
  const manifest = await verifyBackup(backup, progress);
  keyFileOf(manifest, backup, indexKeyFile);
  const lock = await takeFolder(dataDir, pid);
  const root = await realpath(dataDir);
  const path = join(root, RESTORING_FOLDER);
  const release = async () => {
    await rm(path, { recursive: true, force: true });
    await lock.release();
  };
  try {
    await refuseUnlessEmpty(root);
    await rm(path, { recursive: true, force: true });
    for (const name of [KEY_FILE, DB_FOLDER]) await rm(join(root, name), { recursive: true, force: true });
    const files = manifest.files.filter((file) => file.path !== KEY_FILE || indexKeyFile === undefined);
    progress(`Copying ${files.length} files to ${dataDir} ...`);
    for (const file of files) {
      await copyInto(join(backup, file.path), join(path, file.path));
      await syncFile(join(path, file.path));
    }
    await syncFolder(join(path, DB_FOLDER));
    await syncFolder(path);
  } catch (error) {
    await release();
    throw startError(error);
  }
  const keyFile = keyFileOf(manifest, path, indexKeyFile);
  return { path, keyFile, manifest, finish: () => moveUp(root, path, indexKeyFile === undefined), release };
}

async function takeFolder(dataDir: string, pid: number): Promise<FolderLock> {
  try {
    await makeFolder(dataDir);
    return await takeLock(await realpath(dataDir), pid);
  } catch (cause) {
    if (cause instanceof ShingledError) throw cause;
    throw new ShingledError('invalid-config', `The folder ${dataDir} cannot be made: ${systemFault(cause)}.`, {
      cause,
    });
  }
}

/** Empty, but for what an earlier restore left that did not get to its end. */
async function refuseUnlessEmpty(dataDir: string): Promise<void> {
  const names = new Set(await readdir(dataDir).catch(() => []));
  if (isBegunLoad(join(dataDir, LOADING_FOLDER))) throw loadUnfinished(dataDir);
  const isPassing = (name: string) =>
    name.startsWith(LOCK_FILE) || isCreation(name) || name === LOADING_FOLDER || name === 'lost+found';
  const others = [...names].filter((name) => !isPassing(name));
  if (others.length === 0) return;
  if (names.has(RESTORING_FOLDER) && !names.has(HIGH_WATER_FILE)) return;
  const what = names.has(BACKUP_FILE) ? 'a backup' : names.has(DB_FOLDER) ? 'an index' : `other files (${others[0]})`;
  throw new ShingledError('index-exists', `${dataDir} holds ${what}; a backup is restored into an empty folder only.`);
}

/** The high-water mark last: without it nothing takes the folder for an index. */
async function moveUp(root: string, path: string, hasKey: boolean): Promise<void> {
  for (const name of [...(hasKey ? [KEY_FILE] : []), DB_FOLDER]) await rename(join(path, name), join(root, name));
  await syncFolder(root);
  await rename(join(path, HIGH_WATER_FILE), join(root, HIGH_WATER_FILE));
  await rm(path, { recursive: true });
  await syncFolder(root);
}
