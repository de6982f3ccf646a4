import { link, mkdir, readFile, readlink, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { getPriority, hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { ShingledError } from '../../../errors.ts';
import { openLevel } from '../database/level-handle.ts';
import { isAbsent } from '../files/file-system.ts';
import { codeOf } from '../outage/failures.ts';

/*
 * Who owns an index folder: a file that names the owner's process, beside LevelDB's own lock.
 *
 * LevelDB's lock alone is not enough. It is an fcntl lock, which a process loses when it closes ANY descriptor of that
 * file (a second open that fails, a backup that reads it). And it names nobody. Ours alone would not be either: whether
 * a process of another container is alive cannot be seen. So a lock whose owner cannot be judged is taken over,
 * LevelDB's lock decides, and a loser puts the file back ({@link FolderLock}).
 *
 *   { pid, start, host, pids }     start: when the process started, so that a pid used again is not taken for its owner;
 *                                  host and pids (the namespace of pids): where that pid means anything
 */

export const LOCK_FILE = 'shingled.lock';
const PROBE = `${LOCK_FILE}.probe`;
const LEVEL_LOCK = 'LOCK';
/** Some file systems have none: then nothing can be said. */
const NO_LINKS: ReadonlySet<unknown> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK']);

interface Owner {
  readonly pid: number;
  readonly start: string | null;
  readonly host: string;
  readonly pids: string | null;
}

/** Folders owned by this process: another open of the same one must not even touch LevelDB. */
const ownedHere = new Set<string>();

export interface FolderLock {
  release(): Promise<void>;
  /** Releases and restores the lock that was taken over: its owner is alive after all. */
  giveBack(): Promise<void>;
}

/**
 * Takes the lock of a folder that exists.
 *
 * @param folder its real path
 * @param pid of this process
 * @throws ShingledError `index-locked`, naming the owner
 */
export async function takeLock(folder: string, pid: number): Promise<FolderLock> {
  if (ownedHere.has(folder)) throw locked(`this process (pid ${pid})`);
  ownedHere.add(folder);
  try {
    const text = JSON.stringify(await ownerOf(pid));
    for (;;) {
      if (await tryToLock(folder, text, pid)) return lockOf(folder, text, undefined);
      const found = await readIfThere(join(folder, LOCK_FILE));
      if (found === undefined) continue;
      await refuseIfOwned(found, pid);
      const displaced = await displace(folder, found, pid);
      if (displaced && (await tryToLock(folder, text, pid))) return lockOf(folder, text, found);
    }
  } catch (error) {
    ownedHere.delete(folder);
    throw error;
  }
}

/** @param displaced what the lock said that was taken over */
function lockOf(folder: string, text: string, displaced: string | undefined): FolderLock {
  let released = false;
  const leave = async (successor: string | undefined) => {
    if (released) return;
    released = true;
    const path = join(folder, LOCK_FILE);
    if ((await readIfThere(path)) === text) {
      if (successor === undefined) await unlink(path);
      else await writeFile(path, successor);
    }
    ownedHere.delete(folder);
  };
  return { release: () => leave(undefined), giveBack: () => leave(displaced) };
}

/** Puts our file there, whole or not at all. */
async function tryToLock(folder: string, text: string, pid: number): Promise<boolean> {
  const mine = join(folder, `${LOCK_FILE}.${pid}`);
  await writeFile(mine, text, { mode: 0o600 });
  try {
    await link(mine, join(folder, LOCK_FILE));
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await unlink(mine);
  }
}

/** Moves a stale lock aside; false where it was another one by then, which is put back. */
async function displace(folder: string, stale: string, pid: number): Promise<boolean> {
  const path = join(folder, LOCK_FILE);
  const aside = `${path}.${pid}.stale`;
  try {
    await rename(path, aside);
  } catch (error) {
    if (isAbsent(error)) return true;
    throw error;
  }
  const isThatOne = (await readIfThere(aside)) === stale;
  if (!isThatOne) await link(aside, path).catch(() => undefined);
  await unlink(aside);
  return isThatOne;
}

async function refuseIfOwned(text: string, pid: number): Promise<void> {
  const owner = parseOwner(text);
  if (owner === undefined) return;
  const here = await ownerOf(pid);
  if (owner.host !== here.host || owner.pids !== here.pids) return;
  if (owner.pid === pid) {
    // not in ownedHere: an earlier process with our pid, or another thread of ours
    if (owner.start !== null && owner.start === here.start) throw locked(`this process (pid ${pid})`);
    return;
  }
  const isAlive = owner.start === null ? exists(owner.pid) : (await startOf(owner.pid)) === owner.start;
  if (isAlive) throw locked(`process ${owner.pid}: stop it first, or ask it over HTTP`);
}

async function ownerOf(pid: number): Promise<Owner> {
  const pids = await readlink('/proc/self/ns/pid').catch(() => null);
  return { pid, start: await startOf(pid), host: hostname(), pids };
}

/** When a process started, in clock ticks of this boot; null where there is no such process, or no /proc. */
async function startOf(pid: number): Promise<string | null> {
  const stat = await readIfThere(`/proc/${pid}/stat`);
  const boot = (await readIfThere('/proc/sys/kernel/random/boot_id')) ?? '';
  // the second field, the name, may hold spaces and parentheses; the start time is the 22nd
  const ticks = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  return ticks === undefined ? null : `${boot.trim()}:${ticks}`;
}

function exists(pid: number): boolean {
  try {
    getPriority(pid);
    return true;
  } catch {
    return false;
  }
}

function parseOwner(text: string): Owner | undefined {
  try {
    const owner = JSON.parse(text) as Partial<Owner> | null;
    return typeof owner?.pid === 'number' ? { start: null, host: '', pids: null, ...owner, pid: owner.pid } : undefined;
  } catch {
    return undefined;
  }
}

const readIfThere = (path: string) => readFile(path, 'utf8').catch(() => undefined);

function locked(owner: string): ShingledError {
  return new ShingledError('index-locked', `The index is in use by ${owner}.`);
}

/**
 * Asks LevelDB's lock whether a process that our own cannot judge has the database open, one of another container say. It
 * is asked without opening the database, which would change it. For LevelDB looks at the lock first, and a folder with a
 * link to nothing but the lock is no database.
 *
 * @param location the folder of the database, of which this process has no handle
 * @throws ShingledError `index-locked`
 */
export async function refuseIfOpen(location: string): Promise<void> {
  const probe = join(dirname(location), PROBE);
  await rm(probe, { recursive: true, force: true });
  await mkdir(probe, { mode: 0o700 });
  try {
    await link(join(location, LEVEL_LOCK), join(probe, LEVEL_LOCK));
    await openLevel(probe, false);
  } catch (error) {
    if (error instanceof ShingledError) {
      // any other says that there is no database
      if (error.code === 'index-locked') throw error;
    } else if (!isAbsent(error) && !NO_LINKS.has(codeOf(error))) throw error;
  } finally {
    await rm(probe, { recursive: true, force: true });
  }
}

/** Gives a lock up after an error: back to the owner that was taken for dead, where it is alive after all. */
export async function giveUp(lock: FolderLock, error: unknown): Promise<void> {
  const isOwnedElsewhere = error instanceof ShingledError && error.code === 'index-locked';
  await (isOwnedElsewhere ? lock.giveBack() : lock.release());
}
