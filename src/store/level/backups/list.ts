import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { ShingledError } from '../../../errors.ts';
import type { BackupEntry, BackupList } from '../../port.ts';
import type { CheckedCounts } from '../check/check.ts';
import { isAbsent, RIGHTS_ADVICE } from '../files/file-system.ts';
import { BACKUP_FILE } from '../folder/folder-parts.ts';
import { type BackupManifest, bytesOf, faultOf, readManifest, sealOf, verifySizes } from './manifest.ts';

/*
 * The backups of a folder: every folder in it with a backup.json. Beside it is noted that it was proven, and what it
 * was found to hold, so that nothing in it changes. The note is under its seal, so that another backup of its name is
 * not taken for it:
 *
 *   <folder>/<name>/backup.json
 *   <folder>/.<name>.verified       { seal, verifiedAt, counts }
 */

/** Each costs a look at all of its files. */
const LISTED_MAX = 1000;

interface Verified {
  readonly seal: string;
  readonly verifiedAt: string;
  readonly counts: CheckedCounts;
}

const verifiedFile = (backup: string) => join(dirname(backup), `.${basename(backup)}.verified`);

/**
 * All backups of a folder, the newest first, then those that do not say when they were made.
 *
 * @throws ShingledError `backup-missing` where there is no such folder, `invalid-config` where it may not be read
 */
export async function listBackups(folder: string): Promise<BackupList> {
  const names = await namesIn(folder);
  const entries: BackupEntry[] = [];
  for (const name of names.slice(0, LISTED_MAX)) entries.push(await entryOf(join(folder, name)));
  entries.sort((a, b) => (b.createdAt ?? '').localeCompare(a.createdAt ?? '') || a.name.localeCompare(b.name));
  return { backups: entries, more: Math.max(0, names.length - LISTED_MAX) };
}

/** What can be said of a backup without reading all of it. */
async function entryOf(path: string): Promise<BackupEntry> {
  const name = basename(path);
  let known: Known = { createdAt: null, bytes: null, files: null, documents: null };
  try {
    const manifest = await readManifest(path);
    const { createdAt, files, totals } = manifest;
    const verified = await readVerified(path, manifest);
    const documents = totals?.sources ?? verified?.counts.sources ?? null;
    known = { createdAt, bytes: bytesOf(manifest), files: files.length, documents };
    await verifySizes(path, manifest);
    const state = verified === undefined ? 'unverified' : 'verified';
    return { name, ...known, state, verifiedAt: verified?.verifiedAt ?? null, problem: null };
  } catch (error) {
    return { name, ...known, state: 'damaged', verifiedAt: null, problem: faultOf(path, error) };
  }
}

type Known = Pick<BackupEntry, 'createdAt' | 'bytes' | 'files' | 'documents'>;

/** Notes that a backup was proven. @returns whether that could be written */
export async function noteVerified(path: string, manifest: BackupManifest, counts: CheckedCounts): Promise<boolean> {
  const file = verifiedFile(resolve(path));
  const verified: Verified = { seal: sealOf(manifest), verifiedAt: new Date().toISOString(), counts };
  try {
    await writeFile(`${file}.new`, JSON.stringify(verified), { mode: 0o600, flush: true });
    await rename(`${file}.new`, file);
    return true;
  } catch {
    await rm(`${file}.new`, { force: true }).catch(() => undefined);
    return false;
  }
}

/** What was noted of a backup that is no more, or was found damaged. */
export async function forgetVerified(path: string): Promise<void> {
  await rm(verifiedFile(resolve(path)), { force: true }).catch(() => undefined);
}

async function readVerified(path: string, manifest: BackupManifest): Promise<Verified | undefined> {
  try {
    const verified = JSON.parse(await readFile(verifiedFile(resolve(path)), 'utf8')) as Verified | null;
    return verified?.seal === sealOf(manifest) ? verified : undefined;
  } catch {
    return undefined;
  }
}

/** Names of folders with a backup.json, those that were changed last first. */
async function namesIn(folder: string): Promise<string[]> {
  const found: { name: string; changedAt: number }[] = [];
  for (const name of await readdir(folder).catch((error: unknown) => refuse(folder, error))) {
    if (name.startsWith('.')) continue;
    const there = await stat(join(folder, name, BACKUP_FILE)).catch(() => undefined);
    if (there !== undefined) found.push({ name, changedAt: there.mtimeMs });
  }
  return found.sort((a, b) => b.changedAt - a.changedAt).map(({ name }) => name);
}

function refuse(folder: string, cause: unknown): never {
  if (isAbsent(cause)) throw new ShingledError('backup-missing', `The folder ${folder} is not there.`, { cause });
  throw new ShingledError('invalid-config', `The folder ${folder} cannot be read. ${RIGHTS_ADVICE}`, { cause });
}
