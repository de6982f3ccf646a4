import { chmod, copyFile, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { ShingledError } from '../../../errors.ts';
import { Deadline } from '../../../sharing/deadline.ts';
import type { BackupOutcome, IndexDescription } from '../../port.ts';
import { syncFolder } from '../files/sync-folder.ts';
import { BACKUP_STAGING, DB_FOLDER, HIGH_WATER_FILE, KEY_FILE } from '../folder/folder-parts.ts';
import { makeFolder } from '../folder/folders.ts';
import { HighWater } from '../folder/high-water.ts';
import { type BackupTotals, describeFiles, writeManifest } from './manifest.ts';
import { stageFiles } from './stage.ts';

/*
 * A consistent copy of an index, which may be in use:
 *
 *   writes wait   the files of LevelDB at one moment, linked into DATA_DIR/backup.staging (stage.ts)
 *   writes go on  linked from there, or copied where that is another file system, into <folder>/.<name>.partial,
 *                 with key, high-water mark and backup.json; synced; then renamed to <folder>/<name>
 *
 * A backup that is there under its name is complete. Where it lies on the same file system it shares its table files
 * with the index. So it costs little room, and guards against deletion and bad writes, not against the loss of the
 * disk.
 */

/** So long do writes wait at most. */
const WRITES_WAIT_MS_MAX = 5000;

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

export interface BackupSource {
  /** DATA_DIR. */
  readonly folder: string;
  /** The index key, null where it lies elsewhere. */
  readonly keyFile: string | null;
  /** null where the index is not open. */
  readonly description: IndexDescription | null;
  /** What the index holds, asked while nothing is written; null where it is not open. */
  totals(): BackupTotals | null;
  /** Runs `work` while nothing is written, telling it the number of the last batch. */
  alone<T>(work: (batch: number) => Promise<T>): Promise<T>;
}

/**
 * The path of a backup below the configured folder.
 *
 * @throws ShingledError `backup-not-configured`, or `invalid-request` for a name that is none
 */
export function backupPath(folder: string | null, name: string): string {
  const parent = configured(folder);
  if (!NAME.test(name)) {
    const detail = 'A name has 1 to 100 letters, digits, dots, hyphens and underscores, the first a letter or digit.';
    throw new ShingledError('invalid-request', detail, { field: 'name' });
  }
  return join(parent, name);
}

/** @throws ShingledError `backup-not-configured` */
export function configured(folder: string | null): string {
  if (folder !== null) return folder;
  throw new ShingledError('backup-not-configured', 'Set BACKUP_DIR to the folder where backups belong.');
}

/**
 * Takes a backup.
 *
 * @param target its folder, which must not be there yet
 * @throws ShingledError `backup-exists`, `overloaded`, `index-damaged`, `storage-full`; nothing is left under its name then
 */
export async function takeBackup(source: BackupSource, target: string): Promise<BackupOutcome> {
  const startedAt = performance.now();
  const path = resolve(target);
  const partial = join(dirname(path), `.${basename(path)}.partial`);
  const staging = join(source.folder, BACKUP_STAGING);
  await refuseExisting(path);
  await prepare(partial);
  try {
    let writesWaitedMs = 0;
    let totals: BackupTotals | null = null;
    const batch = await source.alone(async (last) => {
      const until = new Deadline(WRITES_WAIT_MS_MAX);
      totals = source.totals();
      await stageFiles(join(source.folder, DB_FOLDER), staging, until);
      writesWaitedMs = Math.round(until.elapsedMs);
      return last;
    });
    const linkedFiles = await place(staging, join(partial, DB_FOLDER));
    await (await HighWater.create(join(partial, HIGH_WATER_FILE), batch)).close();
    if (source.keyFile !== null) await placeKey(source.keyFile, join(partial, KEY_FILE));
    const files = await describeFiles(partial);
    const { description, keyFile } = source;
    const createdAt = new Date().toISOString();
    await writeManifest(partial, { createdAt, batch, description, totals, hasKey: keyFile !== null, files });
    await refuseExisting(path);
    await syncFolder(join(partial, DB_FOLDER));
    await syncFolder(partial);
    await rename(partial, path);
    await syncFolder(dirname(path));
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    const elapsedMs = Math.round(performance.now() - startedAt);
    return { path, createdAt, files: files.length, bytes, linkedFiles, writesWaitedMs, elapsedMs };
  } catch (error) {
    await rm(partial, { recursive: true, force: true }).catch(() => undefined);
    throw diskError(error);
  } finally {
    await rm(staging, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function refuseExisting(path: string): Promise<void> {
  const there = await stat(path).catch(() => undefined);
  if (there !== undefined)
    throw new ShingledError('backup-exists', `${basename(path)} is there already.`, { field: 'name' });
}

async function prepare(partial: string): Promise<void> {
  try {
    await makeFolder(dirname(partial));
    // what a killed process left
    await rm(partial, { recursive: true, force: true });
    await mkdir(partial, { mode: 0o700 });
    await mkdir(join(partial, DB_FOLDER), { mode: 0o700 });
  } catch (error) {
    throw diskError(error);
  }
}

/** @returns how many files are links */
async function place(staging: string, folder: string): Promise<number> {
  let linked = 0;
  for (const name of await readdir(staging)) {
    const [from, to] = [join(staging, name), join(folder, name)];
    const isLink = await link(from, to).then(
      () => true,
      () => false,
    );
    if (!isLink) await copyFile(from, to);
    if (!isLink || !name.endsWith('.ldb')) await syncFile(to);
    linked += Number(isLink && name.endsWith('.ldb'));
  }
  return linked;
}

async function placeKey(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  await chmod(to, 0o600);
  await syncFile(to);
}

export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** The file system's refusals in the words of the index. */
function diskError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ShingledError || !('code' in error)) return error;
  return new ShingledError('storage-full', `The backup cannot be written: ${error.message}`, { cause: error });
}
