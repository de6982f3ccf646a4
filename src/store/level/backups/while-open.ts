import { join } from 'node:path';
import { ShingledError } from '../../../errors.ts';
import type { BackupList, BackupOutcome, IndexDescription } from '../../port.ts';
import type { Damage } from '../damage/damage.ts';
import type { PostingIndex } from '../segments/posting-index.ts';
import type { Writer } from '../writing/writer.ts';
import { listBackups } from './list.ts';
import { type BackupSource, takeBackup } from './take.ts';

/* Backups of an index that is open and goes on being used meanwhile. */

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** What of an open index its backups need. */
export interface OpenIndex {
  readonly description: IndexDescription;
  readonly writer: Writer;
  readonly index: PostingIndex;
  /** What was met that cannot be trusted. */
  readonly damage: Damage;
  /** DATA_DIR. */
  readonly folder: string;
  /** The index key; null where it lies elsewhere. */
  readonly keyFile: string | null;
  /** Where backups belong. */
  readonly backupDir: string | null;
}

/**
 * Takes a backup below the configured folder; writes wait only while the files of one moment are linked.
 *
 * @throws ShingledError as {@link takeBackup} and {@link backupPath} do, but `index-unreadable` for `index-damaged`: the rest
 * of the index is still served
 */
export async function backupOpen(open: OpenIndex, name: string): Promise<BackupOutcome> {
  const { folder, keyFile, backupDir, description, writer, index, damage } = open;
  const target = backupPath(backupDir, name);
  const alone: BackupSource['alone'] = async (work) => {
    // the worker writes too; what it is at comes to an end first, while documents are still taken
    await index.suspend(work);
    try {
      return await writer.alone(work);
    } finally {
      index.resume(work);
    }
  };
  try {
    const totals = () => ({ sources: writer.totals.sources, contents: writer.totals.contents });
    return await takeBackup({ folder, keyFile, description, totals, alone }, target);
  } catch (error) {
    if (!(error instanceof ShingledError) || error.code !== 'index-damaged') throw error;
    damage.note(error.message);
    throw new ShingledError('index-unreadable', error.message, { cause: error });
  }
}

/** The backups in the configured folder. @throws ShingledError `backup-not-configured`, also where it cannot be read */
export async function backupsOf({ backupDir }: Pick<OpenIndex, 'backupDir'>): Promise<BackupList> {
  const folder = configured(backupDir);
  try {
    return await listBackups(folder);
  } catch (error) {
    if (!(error instanceof ShingledError)) throw error;
    // the first backup makes it
    if (error.code === 'backup-missing') return { backups: [], more: 0 };
    throw new ShingledError('backup-not-configured', 'BACKUP_DIR cannot be read.', { cause: error });
  }
}

/**
 * The path of a backup below the configured folder.
 *
 * @throws ShingledError `backup-not-configured`, or `invalid-request` for a name that is none
 */
function backupPath(folder: string | null, name: string): string {
  const parent = configured(folder);
  if (!NAME.test(name)) {
    const detail = 'A name has 1 to 100 letters, digits, dots, hyphens and underscores, the first a letter or digit.';
    throw new ShingledError('invalid-request', detail, { field: 'name' });
  }
  return join(parent, name);
}

/** @throws ShingledError `backup-not-configured` */
function configured(folder: string | null): string {
  if (folder !== null) return folder;
  throw new ShingledError('backup-not-configured', 'Set BACKUP_DIR to the folder where backups belong.');
}
