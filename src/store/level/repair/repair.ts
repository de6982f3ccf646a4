import { existsSync } from 'node:fs';
import { mkdir, readFile, realpath, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ShingledError } from '../../../errors.ts';
import { type CheckInput, checkAt } from '../check/check-process.ts';
import { ChildDied, inChild } from '../child/child.ts';
import { syncFolder } from '../files/file-system.ts';
import type { Losses } from '../files/merged-rows.ts';
import { isBegunLoad } from '../folder/creation.ts';
import { isBackup, loadUnfinished } from '../folder/folder.ts';
import { BACKUP_FILE, DB_FOLDER, HIGH_WATER_FILE, KEY_FILE, LOADING_FOLDER } from '../folder/folder-parts.ts';
import { giveUp, refuseIfOpen, takeLock } from '../folder/lock.ts';
import { Disk } from '../outage/disk.ts';
import type { Rebuilt, RowsLost } from './rebuild.ts';

/*
 * A damaged index made whole, as far as it can be read:
 *
 *   DATA_DIR/db ── read without LevelDB, in a child (files/) ── <DATA_DIR>.repairing: rows (rebuild.ts), postings
 *                                                                  │ proven by a check, in a child
 *   DATA_DIR/db, high-water  ── moved to ──> <DATA_DIR>.damaged-<time>, with a copy of the key and lost-urls.txt
 *   <DATA_DIR>.repairing/…   ── moved to ──> DATA_DIR
 *
 * Until the moves the old files are as they were. Between them DATA_DIR lacks its high-water mark: a start refuses it. Where
 * DATA_DIR is a mounted volume both folders are made inside it.
 */

export const LOST_URLS_FILE = 'lost-urls.txt';
/** In DATA_DIR while files are moved: no start takes the folder for an empty one, and the next repair ends the moves. */
const SWAP_FILE = 'repair.unfinished';

/** What could not be read, and what there is nevertheless. */
export interface RepairLosses extends Omit<Losses, 'blocks'>, Omit<Rebuilt, 'lost' | 'lostUrls'> {
  /** Whether the high-water mark could be read. */
  readonly highWater: boolean;
  /** Blocks of rows that could not be read, and the files that they lie in. */
  readonly blocks: number;
  readonly damagedFiles: readonly string[];
  readonly rows: RowsLost;
  readonly lostUrlCount: number;
  /** The first of them. */
  readonly lostUrls: readonly string[];
}

export interface RepairReport {
  readonly losses: RepairLosses;
  /** Where the old files are now. */
  readonly keptIn: string;
}

export interface RepairParts extends Omit<CheckInput, 'path'> {
  readonly now: number;
  /** For the new index: the more contents there are, the more it takes. */
  readonly storeMemoryMb: number;
  readonly progress: (line: string) => void;
}

/** What the child is told: where the old index lies, where the new one is to be, and all but what is to be called. */
export interface RepairInput extends Omit<RepairParts, 'progress'> {
  readonly from: string;
  readonly to: string;
  readonly pid: number;
}

/**
 * Repairs the index of a folder that may lack anything but its database folder and its key, and swaps the files.
 *
 * @param partsWith what is known of the index, once its key file is
 * @throws ShingledError `index-missing`; `index-locked`; `index-mismatch`; `storage-full`; `index-damaged` where the key is
 *   gone, or the new index could not be proven. `invalid-config` where what the index was made with is neither to be read nor
 *   given, or `storeMemoryMb` is too little. The old files are as they were then.
 */
export async function repair(
  options: { readonly dataDir: string; readonly indexKeyFile: string | undefined; readonly pid: number },
  partsWith: (keyFile: string) => RepairParts,
): Promise<RepairReport> {
  const { dataDir, indexKeyFile, pid } = options;
  const root = await realpath(dataDir).catch((cause: unknown) => {
    throw new ShingledError('index-missing', `${dataDir} is not there.`, { cause });
  });
  const lock = await takeLock(root, pid);
  try {
    const keyFile = await findParts(root, indexKeyFile);
    await refuseIfOpen(join(root, DB_FOLDER));
    const report = await rebuildBeside(root, indexKeyFile === undefined, pid, partsWith(keyFile));
    await lock.release();
    return report;
  } catch (error) {
    await giveUp(lock, error);
    throw error;
  }
}

/** @returns where the key lies */
async function findParts(root: string, indexKeyFile: string | undefined): Promise<string> {
  if (existsSync(join(root, BACKUP_FILE))) throw isBackup(root);
  await endSwap(root);
  if (!existsSync(join(root, DB_FOLDER))) {
    if (isBegunLoad(join(root, LOADING_FOLDER))) throw loadUnfinished(root);
    throw new ShingledError('index-missing', `${root} has no folder ${DB_FOLDER}: there is nothing to repair.`);
  }
  const keyFile = indexKeyFile ?? join(root, KEY_FILE);
  if (!existsSync(keyFile)) {
    const detail = `${keyFile} is not there: without its key an index is worth nothing. Restore it from a backup.`;
    throw new ShingledError('index-damaged', detail);
  }
  return keyFile;
}

async function rebuildBeside(root: string, hasKey: boolean, pid: number, parts: RepairParts): Promise<RepairReport> {
  const { progress, ...told } = parts;
  const prefix = await placeBeside(root);
  const to = `${prefix}repairing`;
  await rm(to, { recursive: true, force: true });
  await expectRoom(root, dirname(to));
  let losses: RepairLosses;
  try {
    const input: RepairInput = { ...told, from: root, to, pid };
    losses = await inChild<RepairLosses>('repair.process', import.meta.url, input, progress);
    const { problems } = await checkAt({ ...told, path: to }, progress);
    if (problems.length > 0) throw unproven(`The new index was not sound: ${problems.slice(0, 5).join(' ')}`);
  } catch (error) {
    await rm(to, { recursive: true, force: true }).catch(() => undefined);
    if (error instanceof ChildDied) throw unproven(`The process that repaired ended ${error.message}`);
    throw error;
  }
  const keptIn = `${prefix}damaged-${new Date(parts.now).toISOString().replaceAll(':', '')}`;
  await mkdir(keptIn, { mode: 0o700 });
  if (hasKey)
    await writeFile(join(keptIn, KEY_FILE), await readFile(join(root, KEY_FILE)), { mode: 0o600, flush: true });
  await rename(join(to, LOST_URLS_FILE), join(keptIn, LOST_URLS_FILE));
  await swapFiles(root, { to, keptIn });
  return { losses, keptIn };
}

/** Where new folders go: beside the folder, or inside it where renaming beside it cannot be. */
async function placeBeside(root: string): Promise<string> {
  const beside = `${root}.`;
  const probe = `${beside}repairing`;
  try {
    await mkdir(probe, { recursive: true, mode: 0o700 });
    if ((await stat(probe)).dev === (await stat(root)).dev) return beside;
    await rm(probe, { recursive: true });
  } catch {
    // nothing may be made there
  }
  return join(root, '/');
}

async function expectRoom(root: string, folder: string): Promise<void> {
  const needed = await Disk.bytesIn(join(root, DB_FOLDER));
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= needed) return;
  throw new ShingledError(
    'storage-full',
    `A repair needs ${needed} bytes beside the index; ${bavail * bsize} are free.`,
  );
}

interface Swap {
  readonly to: string;
  readonly keptIn: string;
}

/** Each move only if it was not made yet: what a killed process began is ended so. The high-water mark comes last. */
async function swapFiles(root: string, swap: Swap): Promise<void> {
  const { to, keptIn } = swap;
  await syncFolder(dirname(keptIn));
  await writeFile(join(root, SWAP_FILE), JSON.stringify(swap), { mode: 0o600, flush: true });
  await syncFolder(root);
  for (const name of [HIGH_WATER_FILE, DB_FOLDER]) {
    const isOld = existsSync(join(to, name)) && existsSync(join(root, name));
    if (isOld) await rename(join(root, name), join(keptIn, name));
  }
  await syncFolder(keptIn);
  for (const name of [DB_FOLDER, HIGH_WATER_FILE]) {
    if (existsSync(join(to, name))) await rename(join(to, name), join(root, name));
    await syncFolder(root);
  }
  await rm(join(root, SWAP_FILE));
  await syncFolder(root);
  await rm(to, { recursive: true, force: true });
}

/** Ends a swap that a killed process began. */
async function endSwap(root: string): Promise<void> {
  const text = await readFile(join(root, SWAP_FILE), 'utf8').catch(() => undefined);
  // a torn one was written before any move
  if (text?.endsWith('}') === true) await swapFiles(root, JSON.parse(text) as Swap);
}

const unproven = (detail: string) => new ShingledError('index-damaged', `${detail}\nThe old files are as they were.`);
