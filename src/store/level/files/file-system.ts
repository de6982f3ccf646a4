import { constants } from 'node:fs';
import { chmod, copyFile, link, mkdir, open, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { codeOf } from '../outage/failures.ts';

/* What the folders of an index and of its backups need of the file system beside what Node has. */

/** What helps a command that may not read or write a file. */
export const RIGHTS_ADVICE =
  'Run the command as the user that the service runs as, or give this one the right to read and write there.';

/** Whether an error code of the system says that this user may not. */
export const isRefusal = (code: unknown): boolean => code === 'EACCES' || code === 'EPERM';

/** Whether a file was not there. */
export const isAbsent = (error: unknown): boolean => codeOf(error) === 'ENOENT';

/** So that the names of its files outlive a power cut. */
export async function syncFolder(path: string): Promise<void> {
  // Windows has no handle of a folder to sync
  const folder = await open(path, 'r').catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}

export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** Copies a file, for its owner alone to read; the folder that it is to be in is made. */
export async function copyInto(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  await chmod(to, 0o600);
}

/** Makes a hard link. @returns whether that could be */
export const linked = (from: string, to: string): Promise<boolean> =>
  link(from, to).then(
    () => true,
    () => false,
  );

/**
 * Makes a folder and those above it. Node's own way does not come to an end where a file system says of a folder whose
 * parent is there that its parent is missing, as /proc does.
 *
 * @returns the first that was made; undefined where it was there
 * @throws Error of the file system
 */
export async function makeFolder(path: string): Promise<string | undefined> {
  const whole = resolve(path);
  try {
    await mkdir(whole, { mode: 0o700 });
    return whole;
  } catch (error) {
    if (await isFolder(whole)) return undefined;
    if (!isAbsent(error) || whole === dirname(whole)) throw error;
  }
  const first = await makeFolder(dirname(whole));
  await mkdir(whole, { mode: 0o700 }).catch(async (error: unknown) => {
    // another process was quicker
    if (!(await isFolder(whole))) throw error;
  });
  return first ?? whole;
}

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
