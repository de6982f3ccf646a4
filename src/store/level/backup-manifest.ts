import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ShingledError } from '../../errors.ts';
import type { IndexDescription } from '../port.ts';

/*
 * What lies in the folder of a backup:
 *
 *   backup.json     what it was made of and when, and of every other file its size and SHA-256; written last, and sealed
 *                   by a SHA-256 of its own: over all of it before `seal`, as JSON without spaces
 *   db/             LevelDB, as after a kill at that moment: opening it replays its log
 *   high-water      how far it reaches
 *   index.key       mode 0600; absent where INDEX_KEY_FILE lies elsewhere
 */

export const BACKUP_FILE = 'backup.json';
const BACKUP_FORMAT = 1;

export interface BackupFile {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface BackupManifest {
  readonly format: number;
  readonly createdAt: string;
  /** The last batch of writes that is in it for certain. */
  readonly batch: number;
  readonly description: IndexDescription | null;
  readonly hasKey: boolean;
  readonly files: readonly BackupFile[];
}

/** All files below a folder, measured and summed. */
export async function describeFiles(folder: string): Promise<BackupFile[]> {
  const names = await readdir(folder, { recursive: true });
  const files: BackupFile[] = [];
  for (const name of names.sort()) {
    const path = join(folder, name);
    const { size } = await stat(path);
    if ((await stat(path)).isFile()) {
      files.push({ path: name.replaceAll('\\', '/'), bytes: size, sha256: await sha256Of(path) });
    }
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
 * @throws ShingledError `backup-damaged` naming the first file that is missing, cut, changed or not named
 */
export async function verifyBackup(folder: string, progress: (line: string) => void): Promise<BackupManifest> {
  const manifest = await readManifest(folder);
  let bytes = 0;
  for (const file of manifest.files) {
    const path = join(folder, file.path);
    const found = await stat(path).catch(() => undefined);
    if (found === undefined) throw damaged(folder, `${file.path} is missing.`);
    if (found.size !== file.bytes) throw damaged(folder, `${file.path} has ${found.size} bytes; it was ${file.bytes}.`);
    if ((await sha256Of(path)) !== file.sha256) throw damaged(folder, `${file.path} is not what was written.`);
    bytes += file.bytes;
  }
  progress(`The backup is whole: ${manifest.files.length} files, ${bytes} bytes, made ${manifest.createdAt}.`);
  return manifest;
}

async function readManifest(folder: string): Promise<BackupManifest> {
  let text: string;
  try {
    text = await readFile(join(folder, BACKUP_FILE), 'utf8');
  } catch (cause) {
    throw new ShingledError('backup-damaged', `${folder} is no backup: it has no ${BACKUP_FILE}.`, { cause });
  }
  const manifest = parse(text);
  if (manifest?.format !== BACKUP_FORMAT) throw damaged(folder, `${BACKUP_FILE} cannot be read.`);
  for (const { path } of manifest.files) {
    if (!/^(?:db\/[\w.-]+|[\w-][\w.-]*)$/.test(path)) throw damaged(folder, 'it names a file outside of itself.');
  }
  return manifest;
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

const sealOf = (manifest: BackupManifest) => createHash('sha256').update(JSON.stringify(manifest)).digest('hex');

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

const damaged = (folder: string, detail: string) =>
  new ShingledError('backup-damaged', `The backup in ${folder} is damaged: ${detail}`);
