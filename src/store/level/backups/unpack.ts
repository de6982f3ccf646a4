import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { ShingledError } from '../../../errors.ts';
import { copyInto, linked } from '../files/file-system.ts';
import { DB_FOLDER, KEY_FILE } from '../folder/folder-parts.ts';
import { takeLock } from '../folder/lock.ts';
import { codeOf } from '../outage/failures.ts';
import { type BackupManifest, verifyBackup } from './manifest.ts';

/*
 * A backup made ready to be looked at, and itself not changed by a byte: LevelDB writes its log and its MANIFEST anew
 * on opening, so these are copied. Table files never change; links to them do, which take no room, and what LevelDB
 * deletes are links.
 *
 *   <folder>/.<name>.checking     beside the backup, where that can be written; else in the folder of temporary files, copied
 */

/**
 * The file system is read-only, or not this user's, or another check has taken the folder away: then a copy is made
 * elsewhere.
 */
const UNWRITABLE: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOENT']);

/** Of a process that was killed, the next one clears it away. */
const checkingFolder = (backup: string) => join(dirname(backup), `.${basename(backup)}.checking`);

export interface UnpackOptions {
  /** The folder of the backup. */
  readonly backup: string;
  /** Where the index key lies if not in the backup; one that is there is left aside then. */
  readonly indexKeyFile: string | undefined;
  readonly pid: number;
  readonly progress: (line: string) => void;
}

export interface UnpackedBackup {
  /** An index, as after a kill; to be opened by nobody but the caller. */
  readonly path: string;
  readonly keyFile: string;
  readonly manifest: BackupManifest;
  /** Takes it away again. */
  release(): Promise<void>;
}

/** @throws ShingledError `invalid-config` where the backup has no key, and none is configured */
export function keyFileOf(manifest: BackupManifest, folder: string, indexKeyFile: string | undefined): string {
  if (indexKeyFile !== undefined) return indexKeyFile;
  if (manifest.hasKey) return join(folder, KEY_FILE);
  throw new ShingledError(
    'invalid-config',
    'The backup has no index key, since that lay elsewhere: set INDEX_KEY_FILE to it.',
  );
}

/**
 * Holds a backup against what it says of itself, and makes it ready to be opened.
 *
 * @throws ShingledError `backup-missing`, `backup-damaged`, `index-locked` where another process looks at it, `invalid-config`,
 *   `storage-full`
 */
export async function unpackBackup(options: UnpackOptions): Promise<UnpackedBackup> {
  const { indexKeyFile, pid, progress } = options;
  const backup = resolve(options.backup);
  const manifest = await verifyBackup(backup, progress);
  keyFileOf(manifest, backup, indexKeyFile);
  const { path, release } = await takeFolder(backup, pid);
  try {
    await mkdir(join(path, DB_FOLDER), { recursive: true, mode: 0o700 });
    for (const file of manifest.files) {
      const [from, to] = [join(backup, file.path), join(path, file.path)];
      if (!from.endsWith('.ldb') || !(await linked(from, to))) await copyInto(from, to);
    }
    return { path, keyFile: keyFileOf(manifest, path, indexKeyFile), manifest, release };
  } catch (cause) {
    await release();
    if (cause instanceof ShingledError) throw cause;
    throw new ShingledError('storage-full', `No copy to look at can be made in ${path}: ${String(cause)}`, { cause });
  }
}

async function takeFolder(backup: string, pid: number): Promise<Pick<UnpackedBackup, 'path' | 'release'>> {
  const beside = checkingFolder(backup);
  try {
    await mkdir(beside, { recursive: true, mode: 0o700 });
    const path = await realpath(beside);
    const lock = await takeLock(path, pid);
    // of one that was killed
    await rm(join(path, DB_FOLDER), { recursive: true, force: true });
    const release = async () => {
      await rm(path, { recursive: true, force: true });
      await lock.release();
    };
    return { path, release };
  } catch (error) {
    if (!UNWRITABLE.has(codeOf(error))) throw error;
  }
  const path = await mkdtemp(join(tmpdir(), 'shingled-checking-'));
  return { path, release: () => rm(path, { recursive: true, force: true }) };
}
