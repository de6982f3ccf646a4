import { copyFile, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { ShingledError } from '../../../errors.ts';
import { Deadline } from '../../../sharing/deadline.ts';
import type { BackupOutcome, IndexDescription } from '../../port.ts';
import { copyInto, linked, makeFolder, syncFile, syncFolder } from '../files/file-system.ts';
import { BACKUP_STAGING, DB_FOLDER, HIGH_WATER_FILE, KEY_FILE } from '../folder/folder-parts.ts';
import { createHighWater } from '../folder/high-water.ts';
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
    const linkedFiles = await moveIn(staging, join(partial, DB_FOLDER));
    await createHighWater(join(partial, HIGH_WATER_FILE), batch);
    if (source.keyFile !== null) {
      await copyInto(source.keyFile, join(partial, KEY_FILE));
      await syncFile(join(partial, KEY_FILE));
    }
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
    for (const path of [partial, join(partial, DB_FOLDER)]) await mkdir(path, { mode: 0o700 });
  } catch (error) {
    throw diskError(error);
  }
}

/** @returns how many files are links */
async function moveIn(staging: string, folder: string): Promise<number> {
  let links = 0;
  for (const name of await readdir(staging)) {
    const [from, to] = [join(staging, name), join(folder, name)];
    const isLink = await linked(from, to);
    if (!isLink) await copyFile(from, to);
    if (!isLink || !name.endsWith('.ldb')) await syncFile(to);
    links += Number(isLink && name.endsWith('.ldb'));
  }
  return links;
}

/** The file system's refusals in the words of the index. */
function diskError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ShingledError || !('code' in error)) return error;
  return new ShingledError('storage-full', `The backup cannot be written: ${error.message}`, { cause: error });
}
