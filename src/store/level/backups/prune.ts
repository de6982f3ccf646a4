import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ShingledError } from '../../../errors.ts';
import type { BackupEntry } from '../../port.ts';
import { syncFolder } from '../files/file-system.ts';
import { forgetVerified, listBackups } from './list.ts';
import { faultOf, verifyBackup } from './manifest.ts';

/*
 * Old backups deleted. The newest `keep` stay that are whole, and whatever else happens:
 *
 *   the newest one whose files are what was written   they are read before anything is deleted
 *   the newest one that was proven by a check
 *
 * What is damaged does not count, and is left to whoever looks at it: something may be saved from it. A deletion begins with a
 * new name, so that what a killed process leaves is no backup; the next one ends it.
 */

const DELETING = /^\..+\.deleting$/;

export interface PruneOptions {
  readonly folder: string;
  /** 1 or more. */
  readonly keep: number;
  /** Only say what would be deleted. */
  readonly isTrial: boolean;
  readonly progress: (line: string) => void;
}

/**
 * @returns the names of those that were kept and deleted, the newest first, and the damaged ones with what is wrong
 * @throws ShingledError as {@link listBackups}, `invalid-request` where nothing would be kept, `storage-full` where the
 * disk refuses
 */
export async function pruneBackups({ folder, keep, isTrial, progress }: PruneOptions) {
  if (!Number.isInteger(keep) || keep < 1) {
    throw new ShingledError('invalid-request', 'One backup must be kept at least.', { field: 'keep' });
  }
  const { backups } = await listBackups(folder);
  const { whole, damaged } = await sortOut(folder, backups, progress);
  const proven = whole.find(({ state }) => state === 'verified');
  const isKept = (entry: BackupEntry, i: number) => i < keep || entry === proven;
  const kept = whole.filter(isKept).map(({ name }) => name);
  const deleted = whole.filter((entry, i) => !isKept(entry, i)).map(({ name }) => name);
  if (!isTrial) {
    for (const name of await leftovers(folder)) await rm(join(folder, name), { recursive: true, force: true });
    // the oldest first, so that what a failure leaves are the newest
    for (const name of deleted.toReversed()) await erase(folder, name);
  }
  const leftAlone = damaged.map(({ name, problem }) => ({ name, problem: problem ?? '' }));
  return { kept, deleted, leftAlone };
}

/** Which are whole, and which are not: read one after the other, until one was what was written. */
async function sortOut(folder: string, backups: readonly BackupEntry[], progress: (line: string) => void) {
  const damaged = backups.filter(({ state }) => state === 'damaged');
  const whole = backups.filter(({ state }) => state !== 'damaged');
  while (whole.length > 0) {
    const path = join(folder, whole[0]!.name);
    try {
      progress(`Reading ${path} ...`);
      await verifyBackup(path, progress);
      break;
    } catch (error) {
      if (!(error instanceof ShingledError) || error.code !== 'backup-damaged') throw error;
      damaged.push({ ...whole.shift()!, state: 'damaged', problem: faultOf(path, error) });
    }
  }
  return { whole, damaged };
}

async function leftovers(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => DELETING.test(name));
}

async function erase(folder: string, name: string): Promise<void> {
  const [path, aside] = [join(folder, name), join(folder, `.${name}.deleting`)];
  try {
    await rename(path, aside);
    await syncFolder(folder);
    await rm(aside, { recursive: true });
  } catch (cause) {
    throw new ShingledError('storage-full', `The backup ${path} cannot be deleted: ${String(cause)}`, { cause });
  }
  await forgetVerified(path);
}
