import { existsSync } from 'node:fs';
import { join } from 'node:path';

/*
 * What the folder of an index has in it (folder.ts).
 */

export const KEY_FILE = 'index.key';
export const DB_FOLDER = 'db';
export const HIGH_WATER_FILE = 'high-water';
/** In the folder of a backup: what it was made of (backups/manifest.ts). */
export const BACKUP_FILE = 'backup.json';
/** Links to files of a backup that is being taken; what a killed process left of it is cleared away. */
export const BACKUP_STAGING = 'backup.staging';
/** An index that is being restored, until it is proven (backups/restore.ts). */
export const RESTORING_FOLDER = 'restoring';
/** An index that is being loaded (load/place.ts). Earlier versions refuse a folder with one, as with any other name. */
export const LOADING_FOLDER = 'loading';
/** In it: how far the load came, once that is on the disk. */
export const CHECKPOINT_FILE = 'checkpoint';
/** A database in it, which is open as long as it is loaded. */
export const LOADING_ROWS = 'again/rows';

/** Whether a folder is one: a data folder, or a backup. Folders of documents may have one named db in them, too. */
export const isIndex = (path: string): boolean =>
  existsSync(join(path, DB_FOLDER)) &&
  [HIGH_WATER_FILE, BACKUP_FILE, join(DB_FOLDER, 'CURRENT')].some((file) => existsSync(join(path, file)));

/** Whether a folder is to be one by a first load, which is under way or is to go on. */
export const isBeingLoaded = (path: string): boolean =>
  [LOADING_ROWS, CHECKPOINT_FILE].some((file) => existsSync(join(path, LOADING_FOLDER, file)));
