import { existsSync } from 'node:fs';
import { mkdir, readdir, realpath, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ShingledError } from '../../../errors.ts';
import { systemFault } from '../../../plain-words/system-faults.ts';
import { isRefusal, makeFolder, RIGHTS_ADVICE, syncFolder } from '../files/file-system.ts';
import {
  beginCreation,
  clearCreations,
  discard,
  endCreations,
  hasHalfMoved,
  isBegunLoad,
  isCreation,
} from './creation.ts';
import {
  BACKUP_FILE,
  BACKUP_STAGING,
  CHECKPOINT_FILE,
  DB_FOLDER,
  HIGH_WATER_FILE,
  KEY_FILE,
  LOADING_FOLDER,
  LOADING_ROWS,
  RESTORING_FOLDER,
} from './folder-parts.ts';
import { type FolderLock, giveUp, LOCK_FILE, refuseIfOpen, takeLock } from './lock.ts';

/*
 * The folder of an index:
 *
 *   DATA_DIR/index.key       the secret that names the index's fingerprints; absent where INDEX_KEY_FILE lies elsewhere
 *   DATA_DIR/db/             LevelDB
 *   DATA_DIR/high-water      high-water.ts
 *   DATA_DIR/shingled.lock   lock.ts, while a process owns the folder
 *   DATA_DIR/creating.<id>/  an index that comes into being (creation.ts)
 *   DATA_DIR/loading/        one that comes into being by a first load (load/place.ts), which may go on
 *
 * An index is created where the folder is absent or empty, and nowhere else: a folder that has lost a part must not look
 * like a new one. `lost+found` does not count: fresh file systems have one.
 */

const PROBE_FILE = 'shingled.probe';
/** Among the names of a folder: a first load that a later process may go on with. */
const BEGUN_LOAD = `${LOADING_FOLDER}/${CHECKPOINT_FILE}`;

export interface FolderOptions {
  readonly dataDir: string;
  /** Where the index key lies if not in the folder. */
  readonly indexKeyFile?: string | undefined;
  /** Refuse to create an index, whatever the folder looks like. */
  readonly mustExist: boolean;
  /** Of this process. */
  readonly pid: number;
  /** For a first load, which may go on with one that was begun here; nothing else may use such a folder. */
  readonly isForLoad?: boolean;
}

/** A folder that this process owns until `release`, ready for the key to be read or made. */
export interface PreparedFolder {
  /** Its real path. */
  readonly path: string;
  /** Whether an index is to be created here: say so to the operator. */
  readonly isNew: boolean;
  /** Where it is to be made (creation.ts); null where there is one. */
  readonly creation: string | null;
  readonly keyFile: string;
  readonly isKeyOutside: boolean;
  /** Whether the key is to be made; else it is to be read. */
  readonly lacksKey: boolean;
  readonly lock: FolderLock;
  /** Gives the folder up; for when no store is opened in it after all. */
  release(): Promise<void>;
}

/**
 * Takes the folder: decides whether there is an index or one is to be created, and locks it. Clears away what creations
 * that did not come to their end have left, or ends them.
 *
 * @throws ShingledError `index-missing`, `index-locked`, `index-damaged` (naming what is missing), `invalid-config` where
 *   the folder cannot be made or read
 */
export async function prepareFolder(options: FolderOptions): Promise<PreparedFolder> {
  const path = await findFolder(options);
  // before the lock too, so that nothing is left in a folder that is not ours; of a load that goes on now the lock says so
  if (!(await hasHalfMoved(path))) judge(await entriesOf(path), { ...options, isForLoad: true });
  let lock: FolderLock | undefined;
  try {
    const taken = await takeLock(path, options.pid);
    lock = taken;
    await endCreations(path);
    const isNew = judge(await entriesOf(path), options) === 'new';
    const creation = await creationFor(path, isNew, options);
    if (!isNew) await clearCreations(path);
    await rm(join(path, BACKUP_STAGING), { recursive: true, force: true });
    const keyFile = options.indexKeyFile ?? join(isNew ? creation! : path, KEY_FILE);
    const isKeyOutside = options.indexKeyFile !== undefined;
    const lacksKey = isNew && !isKeyOutside && !isBegunLoad(creation!);
    const release = async () => {
      if (creation !== null && !isBegunLoad(creation)) await discard(creation);
      await taken.release();
    };
    return { path, isNew, creation, keyFile, isKeyOutside, lacksKey, lock: taken, release };
  } catch (error) {
    await lock?.release();
    throw startError(error);
  }
}

/**
 * Does something with a folder whose database nobody has open, and gives the folder up.
 *
 * @throws ShingledError `index-locked`, and what `work` throws
 */
export async function whileClosed<T>({ path, lock, release }: PreparedFolder, work: () => Promise<T>): Promise<T> {
  try {
    await refuseIfOpen(join(path, DB_FOLDER));
    const done = await work();
    await release();
    return done;
  } catch (error) {
    await giveUp(lock, error);
    throw error;
  }
}

/**
 * While starting, a row that cannot be read means a damaged index, and an error of the file system a lack of rights or
 * room.
 */
export function startError(error: unknown): unknown {
  if (error instanceof ShingledError) {
    if (error.code !== 'index-unreadable') return error;
    return new ShingledError('index-damaged', `${error.message} Run "shingled check".`, { cause: error });
  }
  if (!(error instanceof Error && 'code' in error)) return error;
  if (isRefusal(error.code)) {
    return new ShingledError('invalid-config', `${error.message}. ${RIGHTS_ADVICE}`, { cause: error });
  }
  return new ShingledError('storage-full', `The index cannot be opened or created: ${error.message}`, { cause: error });
}

/** Where an index is made; null where none is to be. */
async function creationFor(path: string, isNew: boolean, { isForLoad = false }: FolderOptions): Promise<string | null> {
  if (!isForLoad) return isNew ? beginCreation(path) : null;
  const creation = join(path, LOADING_FOLDER);
  // of another container, say, which our lock does not see
  const rows = join(creation, LOADING_ROWS);
  if (existsSync(rows)) await refuseIfOpen(rows);
  if (isBegunLoad(creation)) return creation;
  await discard(creation);
  await mkdir(creation, { mode: 0o700 });
  return creation;
}

async function findFolder({ dataDir, mustExist }: FolderOptions): Promise<string> {
  try {
    const first = mustExist ? undefined : await makeFolder(dataDir);
    if (first !== undefined) await syncFolder(dirname(first));
    return await realpath(dataDir);
  } catch (cause) {
    if (mustExist) throw missing(`${dataDir} is not there.`);
    throw new ShingledError('invalid-config', `The folder ${dataDir} cannot be made: ${systemFault(cause)}.`, {
      cause,
    });
  }
}

async function entriesOf(path: string): Promise<Set<string>> {
  try {
    const names = new Set(await readdir(path));
    if (names.has(DB_FOLDER)) {
      for (const name of await readdir(join(path, DB_FOLDER))) if (name === 'CURRENT') names.add('db/CURRENT');
    }
    if (isBegunLoad(join(path, LOADING_FOLDER))) names.add(BEGUN_LOAD);
    return names;
  } catch (cause) {
    throw new ShingledError('invalid-config', `The folder ${path} cannot be read: ${systemFault(cause)}.`, { cause });
  }
}

function judge(entries: Set<string>, options: FolderOptions): 'new' | 'existing' {
  const { dataDir, mustExist, indexKeyFile, isForLoad = false } = options;
  if (entries.has(BACKUP_FILE)) throw isBackup(dataDir);
  if (entries.has(BEGUN_LOAD) && !isForLoad) throw loadUnfinished(dataDir);
  const others = [...entries].filter((name) => !isPassing(name));
  if (others.length === 0) {
    if (mustExist && !entries.has(BEGUN_LOAD)) throw missing(`${dataDir} is empty: is its volume mounted?`);
    return 'new';
  }
  const parts = [DB_FOLDER, 'db/CURRENT', HIGH_WATER_FILE, ...(indexKeyFile === undefined ? [KEY_FILE] : [])];
  const lacking = parts.filter((name) => !entries.has(name));
  if (lacking.length === 0) return 'existing';
  if (entries.has(RESTORING_FOLDER)) {
    throw missing(`Restoring a backup into ${dataDir} was never finished. Run "shingled restore" again.`);
  }
  if (![DB_FOLDER, KEY_FILE, HIGH_WATER_FILE].some((name) => entries.has(name))) {
    throw missing(`${dataDir} holds no index, but other files (${others[0]}); one is created in an empty folder only.`);
  }
  if (lacking.includes(KEY_FILE)) {
    throw new ShingledError(
      'index-damaged',
      `The index in ${dataDir} lacks ${KEY_FILE}, and nothing can read it without its key, "shingled repair" neither. Put the file back, name it by INDEX_KEY_FILE if it lies elsewhere, restore a backup into an empty folder, or empty this one to begin again.`,
    );
  }
  throw new ShingledError(
    'index-damaged',
    `The index in ${dataDir} lacks ${lacking.join(', ')}. Run "shingled repair", restore a backup into an empty folder, or empty this one to begin again.`,
  );
}

/** Files that come and go with a process, or that a file system makes. */
function isPassing(name: string): boolean {
  const isOfLoad = name === LOADING_FOLDER || name === BEGUN_LOAD;
  return name.startsWith(LOCK_FILE) || isCreation(name) || isOfLoad || name === 'lost+found' || name === PROBE_FILE;
}

/** Why nothing but a first load may use a folder: it is neither empty nor an index. */
export function loadUnfinished(folder: string): ShingledError {
  const loading = join(folder, LOADING_FOLDER);
  const ways = [
    'To go on with it, run the same "shingled ingest" command again.',
    `To throw it away, delete ${loading}.`,
  ];
  const detail = `A first load was begun in ${folder} and is not finished: there is no index before its end.`;
  return new ShingledError('load-unfinished', [detail, ...ways].join('\n'));
}

/** Opening a backup would change its files, so that it could not be restored any more. */
export function isBackup(folder: string): ShingledError {
  const ways = [
    `To verify it: shingled check ${folder}`,
    `To use it: shingled restore ${folder}, with an empty DATA_DIR`,
    `To save what is left of a damaged one: copy it without ${BACKUP_FILE}, then shingled repair --data-dir <the copy>`,
  ];
  const detail = `${folder} is a backup (it has a ${BACKUP_FILE}); opening it would spoil it.`;
  return new ShingledError('folder-is-backup', [detail, ...ways].join('\n'));
}

const missing = (detail: string) => new ShingledError('index-missing', detail);
