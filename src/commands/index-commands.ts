import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { ShingledError } from '../errors.ts';
import { readIndexKeyFile } from '../identity/index-key.ts';
import { refuseNested } from '../nested-folders.ts';
import { expectedOf, folderOf, inSettings, KEY_SETTING, openIndex, secretOf } from '../open-index.ts';
import { forgetVerified, listBackups, noteVerified } from '../store/level/backups/list.ts';
import { type PruneOptions, pruneBackups } from '../store/level/backups/prune.ts';
import { prepareRestore } from '../store/level/backups/restore.ts';
import { takeBackup } from '../store/level/backups/take.ts';
import { unpackBackup } from '../store/level/backups/unpack.ts';
import { type CheckInput, type CheckReport, checkAt, runCheck } from '../store/level/check/check-process.ts';
import { whileClosed } from '../store/level/folder/folder.ts';
import { HIGH_WATER_FILE } from '../store/level/folder/folder-parts.ts';
import { readHighWater } from '../store/level/folder/high-water.ts';
import { type RepairLosses, type RepairReport, repair } from '../store/level/repair/repair.ts';
import { BACKUP_ADVICE, type BackupList, type BackupOutcome, DAMAGE_ADVICE } from '../store/port.ts';

/* What the command line does with an index that no process owns. */

export type Progress = (line: string) => void;

export interface AdvisedReport extends CheckReport {
  /** What to do about the problems. */
  readonly advice: string | null;
}

export interface RestoreResult {
  readonly path: string;
  /** When the backup was taken. */
  readonly createdAt: string;
  readonly counts: NonNullable<CheckReport['counts']>;
}

export interface RepairResult extends RepairLosses, Pick<RepairReport, 'keptIn'> {}

export type PruneRequest = Pick<PruneOptions, 'keep' | 'isTrial'>;
export type PruneResult = Awaited<ReturnType<typeof pruneBackups>>;

export interface CompactResult {
  readonly diskBytesBefore: number | null;
  readonly diskBytesAfter: number | null;
  readonly elapsedMs: number;
}

/**
 * Proves the index of the configured folder, in a process of its own.
 *
 * @throws ShingledError `invalid-config`, `index-missing`, `index-locked`, `index-mismatch`, `folder-is-backup`; damage is
 *   reported
 */
export async function checkIndex(config: Config, pid: number, progress: Progress): Promise<AdvisedReport> {
  const folder = await folderOf(config, true, pid);
  const secret = await secretOf(folder);
  const report = await runCheck({ folder, ...expectedOf(secret, config), progress }).catch((error: unknown) => {
    throw inSettings(error);
  });
  return { ...report, advice: report.problems.length > 0 ? DAMAGE_ADVICE : null };
}

/**
 * Proves a backup: its files are what was written, and the index in them is sound. Nothing in it changes; that it was proven is
 * noted beside it.
 *
 * @throws ShingledError `invalid-config`, `backup-missing`, `index-locked`, `index-mismatch`, `storage-full`; damage is
 * reported
 */
export async function checkBackup(
  config: Config,
  pid: number,
  backup: string,
  progress: Progress,
): Promise<AdvisedReport> {
  try {
    return await proveBackup(config, pid, backup, progress);
  } catch (error) {
    if (!(error instanceof ShingledError) || error.code !== 'backup-damaged') throw inSettings(error);
    await forgetVerified(backup);
    return { problems: [error.message], counts: null, advice: BACKUP_ADVICE };
  }
}

async function proveBackup(config: Config, pid: number, backup: string, progress: Progress): Promise<AdvisedReport> {
  const indexKeyFile = config.INDEX_KEY_FILE ?? undefined;
  const { path, keyFile, manifest, release } = await unpackBackup({ backup, indexKeyFile, pid, progress });
  try {
    const report = await checkAt(checkOf(path, keyFile, config), progress);
    if (report.problems.length > 0 || report.counts === null) {
      await forgetVerified(backup);
      return { ...report, advice: BACKUP_ADVICE };
    }
    const isNoted = await noteVerified(backup, manifest, report.counts);
    if (!isNoted) progress('That it was verified could not be noted beside it: "shingled backups" will not say so.');
    return { ...report, advice: null };
  } finally {
    await release();
  }
}

const keyIn = (file: string, { INDEX_KEY_FILE }: Config): Uint8Array =>
  readIndexKeyFile(file, INDEX_KEY_FILE === null ? null : KEY_SETTING);

function checkOf(path: string, keyFile: string, config: Config): CheckInput {
  return { path, ...expectedOf(keyIn(keyFile, config), config) };
}

/**
 * Copies the index of the configured folder.
 *
 * @param target the folder of the backup, which must not be there yet
 * @throws ShingledError as {@link takeBackup}, and `index-locked` where a service runs: that one is to be asked
 */
export async function backupIndex(config: Config, pid: number, target: string): Promise<BackupOutcome> {
  await refuseNested('backup', target, config.DATA_DIR);
  const folder = await folderOf(config, true, pid).catch(adviseAsking);
  return whileClosed(folder, async () => {
    const batch = await readHighWater(join(folder.path, HIGH_WATER_FILE));
    const keyFile = folder.isKeyOutside ? null : folder.keyFile;
    const source = { folder: folder.path, keyFile, description: null, totals: () => null };
    return takeBackup({ ...source, alone: (work) => work(batch) }, target);
  }).catch(adviseAsking);
}

function adviseAsking(error: unknown): never {
  if (!(error instanceof ShingledError) || error.code !== 'index-locked') throw error;
  const advice = 'Ask the running service for a backup: POST /admin/backup.';
  throw new ShingledError('index-locked', `${error.message}\n${advice}`, { cause: error });
}

/** @param folder BACKUP_DIR unless given @throws ShingledError `invalid-config`, `backup-missing` */
export async function backupsIn(config: Config, folder: string | null): Promise<BackupList> {
  return listBackups(backupFolder(config, folder));
}

/** @param folder BACKUP_DIR unless given @throws ShingledError as {@link pruneBackups} */
export async function pruneBackupsIn(
  config: Config,
  folder: string | null,
  how: PruneRequest,
  progress: Progress,
): Promise<PruneResult> {
  return pruneBackups({ folder: backupFolder(config, folder), ...how, progress });
}

function backupFolder({ BACKUP_DIR }: Config, folder: string | null): string {
  const named = folder ?? BACKUP_DIR;
  if (named !== null) return named;
  throw new ShingledError('invalid-config', 'BACKUP_DIR is not set: set it, or name the folder of the backups.');
}

/**
 * Makes a backup the index of the configured folder, which must be absent or empty.
 *
 * @throws ShingledError `backup-damaged`, `index-exists`, `index-locked`, `index-mismatch`, `invalid-config`, `storage-full`
 */
export async function restoreIndex(
  config: Config,
  pid: number,
  backup: string,
  progress: Progress,
): Promise<RestoreResult> {
  const dataDir = config.DATA_DIR;
  await refuseNested('restore', backup, dataDir);
  const indexKeyFile = config.INDEX_KEY_FILE ?? undefined;
  const restore = await prepareRestore({ backup, dataDir, indexKeyFile, pid, progress });
  try {
    const { problems, counts } = await checkAt(checkOf(restore.path, restore.keyFile, config), progress);
    if (problems.length > 0 || counts === null) throw new ShingledError('backup-damaged', problems.join('\n'));
    await restore.finish();
    // best effort: it may lie where nothing can be written
    await noteVerified(backup, restore.manifest, counts);
    return { path: resolve(dataDir), createdAt: restore.manifest.createdAt, counts };
  } catch (error) {
    throw inSettings(error);
  } finally {
    await restore.release();
  }
}

/**
 * Rebuilds a damaged index from what can be read of it, in processes of their own, and keeps the old files beside it.
 *
 * @throws ShingledError as {@link repair}
 */
export async function repairIndex(config: Config, pid: number, progress: Progress): Promise<RepairResult> {
  const place = { dataDir: config.DATA_DIR, indexKeyFile: config.INDEX_KEY_FILE ?? undefined, pid };
  try {
    const { losses, keptIn } = await repair(place, (keyFile) => ({
      ...expectedOf(keyIn(keyFile, config), config),
      ...{ now: Date.now(), storeMemoryMb: config.STORE_MEMORY_MB, progress },
    }));
    return { keptIn, ...losses };
  } catch (error) {
    throw inSettings(error);
  }
}

/** Leaves nothing on disk of what was forgotten. */
export async function compactIndex(config: Config, pid: number, log: Logger): Promise<CompactResult> {
  const { store } = await openIndex({ ...config, INDEX_MUST_EXIST: true }, pid, log);
  try {
    const startedAt = performance.now();
    const before = (await store.stats()).diskBytes;
    await store.compact();
    const after = (await store.stats()).diskBytes;
    return { diskBytesBefore: before, diskBytesAfter: after, elapsedMs: Math.round(performance.now() - startedAt) };
  } finally {
    await store.close();
  }
}
