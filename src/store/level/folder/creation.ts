import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ShingledError } from '../../../errors.ts';
import { syncFolder } from '../files/file-system.ts';
import { CHECKPOINT_FILE, DB_FOLDER, HIGH_WATER_FILE, KEY_FILE, LOADING_FOLDER } from './folder-parts.ts';

/*
 * An index comes into being beside where it is to be, and moves there when it is whole:
 *
 *   DATA_DIR/creating.<uuid>/   index.key, db, high-water ── db moves ── index.key ── high-water ──► DATA_DIR
 *
 * Two processes of which neither can see the other, of two containers say, may do so at the same moment. Each makes its
 * own, and one alone can move its db, since no folder replaces one that holds something; the other has
 * changed nothing. Where a process is killed behind that move, the next start does the rest; what one left before, the
 * next start that finds an index clears away.
 *
 * An index that takes the place of an empty one, of the same key, moves there in the same way:
 *
 *   DATA_DIR/db ── DATA_DIR/creating.<uuid>/replaced ── db moves ── high-water, over the old one
 *
 * An index that a first load makes comes into being in DATA_DIR/loading. Once it has a checkpoint there, only its operator
 * deletes it: a later process goes on with it.
 */

const CREATION = 'creating.';
const MOVED = [KEY_FILE, HIGH_WATER_FILE];
/** In a creation: the db whose place its own takes. */
const REPLACED = 'replaced';

/** Whether a name in DATA_DIR is that of an index which comes into being. Earlier versions left a file of that name. */
export const isCreation = (name: string) => name.startsWith(CREATION) || name === 'creating';

/** @returns the folder where the new index is made */
export async function beginCreation(folder: string): Promise<string> {
  const creation = join(folder, CREATION + randomUUID());
  await mkdir(creation, { mode: 0o700 });
  return creation;
}

/**
 * Moves a new index to where it is to be: all of it is there, and closed.
 *
 * @throws ShingledError `index-locked` where another process was quicker
 */
export async function publish(creation: string, folder: string): Promise<void> {
  await syncFolder(join(creation, DB_FOLDER));
  await syncFolder(creation);
  try {
    await rename(join(creation, DB_FOLDER), join(folder, DB_FOLDER));
  } catch (cause) {
    if (!(await namesIn(folder)).includes(DB_FOLDER)) throw cause;
    const detail = `Another process has created an index in ${folder} at the same moment.`;
    throw new ShingledError('index-locked', detail, { cause });
  }
  await syncFolder(folder);
  await moveRest(creation, folder);
}

/** Moves a new index to where an empty one is: all of it is there, both are closed, and the folder is locked. */
export async function replace(creation: string, folder: string): Promise<void> {
  await syncFolder(join(creation, DB_FOLDER));
  await syncFolder(creation);
  await rename(join(folder, DB_FOLDER), join(creation, REPLACED));
  await endReplacing(creation, folder);
}

/** Ends what a killed process has left half moved. */
export async function endCreations(folder: string): Promise<void> {
  for (const creation of await creationsIn(folder)) {
    if (!(await isHalfMoved(creation))) continue;
    if ((await namesIn(creation)).includes(REPLACED)) await endReplacing(creation, folder);
    else await moveRest(creation, folder);
  }
}

/** Whether {@link endCreations} has anything to do. */
export async function hasHalfMoved(folder: string): Promise<boolean> {
  for (const creation of await creationsIn(folder)) if (await isHalfMoved(creation)) return true;
  return false;
}

/** Clears away what processes have left that came to no index. */
export async function clearCreations(folder: string): Promise<void> {
  for (const creation of await creationsIn(folder)) if (!isBegunLoad(creation)) await discard(creation);
  await rm(join(folder, 'creating'), { force: true });
}

/** Clears away a new index that is not wanted after all; not one whose db is where it is to be already. */
export async function discard(creation: string): Promise<void> {
  if (await isHalfMoved(creation)) return;
  // first: without it nobody takes the rest for an index
  await rm(join(creation, HIGH_WATER_FILE), { force: true });
  await rm(creation, { recursive: true, force: true });
}

/** Whether a later process may go on with what comes into being there. */
export const isBegunLoad = (creation: string): boolean => existsSync(join(creation, CHECKPOINT_FILE));

async function moveRest(creation: string, folder: string): Promise<void> {
  await rm(join(creation, CHECKPOINT_FILE), { force: true });
  for (const name of MOVED) {
    await link(join(creation, name), join(folder, name)).catch((error: unknown) => {
      // there already: another process does the same; not there: it has done so, or the key lies elsewhere
      if (!['EEXIST', 'ENOENT'].includes(String((error as NodeJS.ErrnoException).code))) throw error;
    });
  }
  await syncFolder(folder);
  await rm(creation, { recursive: true, force: true });
  await syncFolder(folder);
}

async function endReplacing(creation: string, folder: string): Promise<void> {
  const names = await namesIn(creation);
  if (names.includes(DB_FOLDER)) await rename(join(creation, DB_FOLDER), join(folder, DB_FOLDER));
  await syncFolder(folder);
  await rm(join(creation, CHECKPOINT_FILE), { force: true });
  if (names.includes(HIGH_WATER_FILE)) await rename(join(creation, HIGH_WATER_FILE), join(folder, HIGH_WATER_FILE));
  await syncFolder(folder);
  await rm(creation, { recursive: true, force: true });
  await syncFolder(folder);
}

async function creationsIn(folder: string): Promise<string[]> {
  const names = await namesIn(folder);
  return names.filter((name) => name.startsWith(CREATION) || name === LOADING_FOLDER).map((name) => join(folder, name));
}

async function isHalfMoved(creation: string): Promise<boolean> {
  const names = await namesIn(creation);
  return names.includes(REPLACED) || (names.includes(HIGH_WATER_FILE) && !names.includes(DB_FOLDER));
}

/** None where there is no such folder, which others say. */
const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);
