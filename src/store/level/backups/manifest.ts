import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ShingledError } from '../../../errors.ts';
import { missingText } from '../../../plain-words/system-faults.ts';
import type { IndexDescription } from '../../port.ts';
import { isAbsent, isRefusal, RIGHTS_ADVICE } from '../files/file-system.ts';
import { BACKUP_FILE, DB_FOLDER } from '../folder/folder-parts.ts';
import type { Totals } from '../format/values.ts';
import { codeOf } from '../outage/failures.ts';

/*
 * What lies in the folder of a backup:
 *
 *   backup.json     what it was made of and when, and of every other file its size and SHA-256; written last, and sealed
 *                   by a SHA-256 of its own: over all of it before `seal`, as JSON without spaces
 *   db/             LevelDB, as after a kill at that moment: opening it replays its log
 *   high-water      how far it reaches
 *   index.key       mode 0600; absent where INDEX_KEY_FILE lies elsewhere
 */

const BACKUP_FORMAT = 1;

export interface BackupFile {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** What an index held; lacking in older backups. */
export type BackupTotals = Pick<Totals, 'sources' | 'contents'>;

export interface BackupManifest {
  readonly format: number;
  readonly createdAt: string;
  /** The last batch of writes that is in it for certain. */
  readonly batch: number;
  /** null where the index was not open: it does not say then what it holds. */
  readonly description: IndexDescription | null;
  readonly totals?: BackupTotals | null;
  readonly hasKey: boolean;
  readonly files: readonly BackupFile[];
}

/** All files below a folder, measured and summed. @throws ShingledError `index-damaged` where one cannot be read */
export async function describeFiles(folder: string): Promise<BackupFile[]> {
  const names = await readdir(folder, { recursive: true });
  const files: BackupFile[] = [];
  for (const name of names.sort()) {
    const path = join(folder, name);
    const found = await stat(path);
    if (!found.isFile()) continue;
    const sha256 = await sha256Of(path).catch((cause: unknown) => {
      const detail = `${name} does not give back what is in it: ${String(cause)}. Run "shingled check".`;
      throw new ShingledError('index-damaged', detail, { cause });
    });
    files.push({ path: name.replaceAll('\\', '/'), bytes: found.size, sha256 });
  }
  return files;
}

export async function writeManifest(folder: string, manifest: Omit<BackupManifest, 'format'>): Promise<void> {
  const whole = { format: BACKUP_FORMAT, ...manifest };
  const text = JSON.stringify({ ...whole, seal: sealOf(whole) }, null, 2);
  await writeFile(join(folder, BACKUP_FILE), text, { mode: 0o600, flush: true });
}

/**
 * Reads what a backup says of itself and holds its files against it.
 *
 * @throws ShingledError `backup-missing`, `invalid-config` where a file may not be read, or `backup-damaged` naming the first
 *   file that is missing, cut or changed
 */
export async function verifyBackup(folder: string, progress: (line: string) => void): Promise<BackupManifest> {
  const manifest = await readManifest(folder);
  await verifySizes(folder, manifest);
  for (const { path, sha256 } of manifest.files) {
    const found = await sha256Of(join(folder, path)).catch((error: unknown) => {
      throw unreadable(folder, path, error);
    });
    if (found !== sha256) throw damaged(folder, `${path} is not what was written.`);
  }
  progress(
    `The backup is whole: ${manifest.files.length} files, ${bytesOf(manifest)} bytes, made ${manifest.createdAt}.`,
  );
  return manifest;
}

/** The same without reading the files: which are there, and how long they are. */
export async function verifySizes(folder: string, { files }: BackupManifest): Promise<void> {
  for (const { path, bytes } of files) {
    const { size } = await stat(join(folder, path)).catch((error: unknown) => {
      throw unreadable(folder, path, error);
    });
    if (size !== bytes) throw damaged(folder, `${path} has ${size} bytes; it was ${bytes}.`);
  }
}

export const bytesOf = ({ files }: BackupManifest) => files.reduce((sum, { bytes }) => sum + bytes, 0);

/** Names a backup by all that it says of itself. */
export const sealOf = (manifest: BackupManifest) => createHash('sha256').update(JSON.stringify(manifest)).digest('hex');

/** @throws ShingledError `backup-missing`, `backup-damaged`, `invalid-config` */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const manifest = parse(await readText(folder));
  if (manifest?.format !== BACKUP_FORMAT) throw damaged(folder, `${BACKUP_FILE} cannot be read.`);
  for (const { path } of manifest.files) {
    if (!/^(?:db\/[\w.-]+|[\w-][\w.-]*)$/.test(path)) throw damaged(folder, 'it names a file outside of itself.');
  }
  return manifest;
}

async function readText(folder: string): Promise<string> {
  try {
    return await readFile(join(folder, BACKUP_FILE), 'utf8');
  } catch (cause) {
    const isAnything = await stat(join(folder, DB_FOLDER)).catch(() => undefined);
    if (isAnything !== undefined && isNothing(cause)) {
      const hint = `If it is an index: shingled check --data-dir ${folder}`;
      throw damaged(folder, `${BACKUP_FILE} is missing.\n${hint}`);
    }
    if (!isNothing(cause)) throw unreadable(folder, BACKUP_FILE, cause);
    const text = missingText(folder) ?? `${folder} is no backup: it has no ${BACKUP_FILE}.`;
    throw new ShingledError('backup-missing', text, { cause });
  }
}

/** undefined where it is not what was sealed. */
function parse(text: string): BackupManifest | undefined {
  try {
    const { seal, ...manifest } = JSON.parse(text) as BackupManifest & { seal?: unknown };
    return seal === sealOf(manifest) ? manifest : undefined;
  } catch {
    return undefined;
  }
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

const damagedIn = (folder: string) => `The backup in ${folder} is damaged: `;

const damaged = (folder: string, detail: string) =>
  new ShingledError('backup-damaged', `${damagedIn(folder)}${detail}`);

/** What is wrong with a backup, without where it lies. */
export function faultOf(folder: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(damagedIn(folder), '').replaceAll(`${folder}/`, '');
}

/** Neither there, nor a folder. */
const isNothing = (error: unknown) => isAbsent(error) || codeOf(error) === 'ENOTDIR';

function unreadable(folder: string, file: string, cause: unknown): ShingledError {
  if (isAbsent(cause)) return damaged(folder, `${file} is missing.`);
  const code = String(codeOf(cause) ?? cause);
  if (!isRefusal(code)) return damaged(folder, `${file} cannot be read (${code}).`);
  return new ShingledError('invalid-config', `${join(folder, file)} may not be read (${code}). ${RIGHTS_ADVICE}`);
}
