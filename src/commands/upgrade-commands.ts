import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Config } from '../config.ts';
import { ShingledError } from '../errors.ts';
import { expectedOf, folderOf, inSettings, secretOf } from '../open-index.ts';
import { gathered } from '../sharing/gathered-texts.ts';
import { readManifest, verifySizes } from '../store/level/backups/manifest.ts';
import { isBegunLoad } from '../store/level/folder/creation.ts';
import { isPresent } from '../store/level/folder/description.ts';
import { loadUnfinished, whileClosed } from '../store/level/folder/folder.ts';
import { DB_FOLDER, HIGH_WATER_FILE, LOADING_FOLDER } from '../store/level/folder/folder-parts.ts';
import { readHighWater } from '../store/level/folder/high-water.ts';
import { refuseIfOpen, takeLock } from '../store/level/folder/lock.ts';
import { type Migrated, migrate } from '../store/level/migrate.ts';
import { type ListedUrl, WholeIndex } from '../store/level/whole-index.ts';
import type { IndexDescription } from '../store/port.ts';
import { checkBackup, type Progress } from './index-commands.ts';

/* What the command line does with an index of another version of shingled. */

export interface MigrateResult extends Migrated {
  readonly path: string;
}

export interface UrlsResult {
  readonly path: string;
  readonly urls: number;
  /** Whether all that there is could be read. */
  readonly isWhole: boolean;
}

export type WriteTexts = (texts: Iterable<string>) => Promise<void>;

/**
 * Brings the index of the configured folder to the present format and pipeline. What is there has a proven backup before
 * anything of it changes, unless that is given up by name.
 *
 * @param backup its folder; null = without one
 * @throws ShingledError `index-mismatch`, `index-missing`, `index-locked`, `backup-missing` where the backup is of another
 * index or older than this one, `backup-damaged`, `index-damaged`, `invalid-config`, `storage-full`
 */
export async function migrateIndex(
  config: Config,
  pid: number,
  backup: string | null,
  progress: Progress,
): Promise<MigrateResult> {
  const folder = await folderOf(config, true, pid);
  const secret = await secretOf(folder);
  try {
    return await whileClosed(folder, async () => {
      const { description } = new WholeIndex(join(folder.path, DB_FOLDER));
      const expected = expectedOf(secret, config);
      const isOlder = description === null || !isPresent(description, expected);
      if (isOlder && backup !== null) {
        await refuseOther(backup, folder.path, description);
        const { problems } = await checkBackup(config, pid, backup, progress);
        if (problems.length > 0) throw new ShingledError('backup-damaged', problems.join('\n'));
      }
      return { path: folder.path, ...(await migrate(folder.path, expected)) };
    });
  } catch (error) {
    throw inSettings(error);
  }
}

/** Refuses a backup that is none of the index, or was taken before its last write. @param path of the index */
async function refuseOther(backup: string, path: string, own: IndexDescription | null): Promise<void> {
  const manifest = await readManifest(backup);
  await verifySizes(backup, manifest);
  const { description } = new WholeIndex(join(backup, DB_FOLDER));
  if (description?.indexId !== own?.indexId) {
    throw new ShingledError('backup-missing', `The backup in ${backup} is one of another index.`);
  }
  if (manifest.batch < (await readHighWater(join(path, HIGH_WATER_FILE)))) {
    const detail = `The index was written after the backup in ${backup} was taken: take another.`;
    throw new ShingledError('backup-missing', detail);
  }
}

/**
 * Lists what an index knows of URLs, as lines of a bulk request that lack their documents. Nothing of the index changes, and
 * it may be of any format that is read, of any pipeline, damaged, and without its key.
 *
 * @param backup its folder; null = the index of the configured folder
 * @param write is given many lines at once, and waits where nobody takes them
 * @throws ShingledError `index-mismatch`, `index-missing`, `index-locked`, `backup-missing`, `backup-damaged`, `invalid-config`
 */
export async function listUrls(
  config: Config,
  pid: number,
  backup: string | null,
  write: WriteTexts,
): Promise<UrlsResult> {
  if (backup !== null) {
    const path = resolve(backup);
    await readManifest(path);
    if (existsSync(join(path, DB_FOLDER))) return listAll(path, write);
    throw new ShingledError('backup-damaged', `The backup in ${path} has no folder ${DB_FOLDER}.`);
  }
  const root = await realpath(config.DATA_DIR).catch((cause: unknown) => {
    throw new ShingledError('index-missing', `${config.DATA_DIR} is not there.`, { cause });
  });
  const location = join(root, DB_FOLDER);
  if (isBegunLoad(join(root, LOADING_FOLDER))) throw loadUnfinished(root);
  if (!existsSync(location)) throw new ShingledError('index-missing', `${root} has no folder ${DB_FOLDER}.`);
  const lock = await takeLock(root, pid);
  try {
    await refuseIfOpen(location);
    return await listAll(root, write);
  } finally {
    await lock.release();
  }
}

async function listAll(path: string, write: WriteTexts): Promise<UrlsResult> {
  const listed = new WholeIndex(join(path, DB_FOLDER));
  let count = 0;
  function* lines(): Generator<string> {
    for (const url of listed.urls()) {
      count++;
      yield `${JSON.stringify(lineOf(url))}\n`;
    }
  }
  await write(gathered(lines()));
  const { losses, rowsLost, description } = listed;
  const { missing, unreadable, blocks, logPlaces } = losses;
  const isWhole = description !== null && losses.manifest && rowsLost + blocks.size + logPlaces === 0;
  return { path, urls: count, isWhole: isWhole && missing.length + unreadable.length === 0 };
}

/** A line of POST /documents, which a put still lacks its `text` or `html` in. */
function lineOf({ url, state, httpStatus, observedAt, meta }: ListedUrl): object {
  const seen = { url, observedAt: new Date(observedAt).toISOString() };
  if (state === 'gone') return { op: 'gone', ...seen, status: httpStatus };
  return { op: 'put', ...seen, ...(meta === null ? {} : { meta }) };
}
