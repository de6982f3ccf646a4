import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import type { BackupResult, CheckReport, CompactResult, RepairResult, RestoreResult } from './cli/commands.ts';
import type { Config } from './config.ts';
import { ShingledError } from './errors.ts';
import { refuseNested } from './nested-folders.ts';
import { folderOf, identityAt, identityOf, inSettings, madeWith, openIndex } from './open-index.ts';
import { takeBackup } from './store/level/backup.ts';
import { checkAt, runCheck } from './store/level/check-process.ts';
import { HIGH_WATER_FILE } from './store/level/folder.ts';
import { readHighWater } from './store/level/high-water.ts';
import { prepareRepair } from './store/level/repair.ts';
import { prepareRestore } from './store/level/restore.ts';

/* What the command line does with an index that no process owns. */

type Progress = (line: string) => void;

/**
 * Proves the index of the configured folder, in a process of its own.
 *
 * @throws ShingledError `invalid-config`, `index-missing`, `index-locked`, `index-mismatch`; damage is reported
 */
export async function checkIndex(config: Config, pid: number, progress: Progress): Promise<CheckReport> {
  const folder = await folderOf(config, true, pid);
  const identity = await identityOf(folder, config);
  try {
    return await runCheck({ folder, ...madeWith(identity, config), rankKey: identity.rankKey, progress });
  } catch (error) {
    throw inSettings(error);
  }
}

/**
 * Copies the index of the configured folder.
 *
 * @param target the folder of the backup, which must not be there yet
 * @throws ShingledError as {@link takeBackup}, and `index-locked` where a service runs: that one is to be asked
 */
export async function backupIndex(config: Config, pid: number, target: string): Promise<BackupResult> {
  await refuseNested('backup', target, config.DATA_DIR);
  const folder = await folderOf(config, true, pid).catch((error: unknown) => {
    if (!(error instanceof ShingledError) || error.code !== 'index-locked') throw error;
    const advice = 'Ask the running service for a backup: POST /admin/backup.';
    throw new ShingledError('index-locked', `${error.message}\n${advice}`, { cause: error });
  });
  try {
    const batch = await readHighWater(join(folder.path, HIGH_WATER_FILE));
    const keyFile = folder.isKeyOutside ? null : folder.keyFile;
    const source = { folder: folder.path, keyFile, description: null };
    return await takeBackup({ ...source, alone: (work) => work(batch) }, target);
  } finally {
    await folder.release();
  }
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
    const identity = identityAt(restore.keyFile, config);
    const made = { identity: madeWith(identity, config), rankKey: identity.rankKey };
    const { problems, counts } = await checkAt({ path: restore.path, ...made }, progress);
    if (problems.length > 0 || counts === null) throw new ShingledError('backup-damaged', problems.join('\n'));
    await restore.finish();
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
 * @throws ShingledError as `prepareRepair` and its `run`
 */
export async function repairIndex(config: Config, pid: number, progress: Progress): Promise<RepairResult> {
  const indexKeyFile = config.INDEX_KEY_FILE ?? undefined;
  const prepared = await prepareRepair({ dataDir: config.DATA_DIR, indexKeyFile, pid });
  try {
    const identity = identityAt(prepared.keyFile, config);
    const made = { ...madeWith(identity, config), rankKey: identity.rankKey };
    const { losses, keptIn } = await prepared.run({ ...made, now: Date.now(), progress });
    return { keptIn, ...losses };
  } catch (error) {
    throw inSettings(error);
  } finally {
    await prepared.release();
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
