import { open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { ShingledError } from '../../../../errors.ts';
import type { IndexDescription } from '../../../port.ts';
import { isAbsent, syncFolder } from '../../files/file-system.ts';
import type { TableSetMark } from '../../files/table-set.ts';
import type { Totals } from '../../format/values.ts';
import { codeOf, storageFull } from '../../outage/failures.ts';
import type { GrownMark } from './grown-file.ts';

/*
 * How far a load came, in a file that is replaced as a whole:
 *
 *   shingled first load 1 89abcdef      version, CRC-32 of what follows
 *   {"description": …, "rows": …, "note": …}
 *
 * All that it names was brought to the disk before it. What is of another version is not looked at.
 */

/** How far the rows have come; plain data, as all here. */
export interface RowsMark {
  readonly tables: TableSetMark;
  readonly sources: RunsMark;
  /** Of what is aside. */
  readonly changes: GrownMark;
}

/** The runs that are in files, and what of the next one is in its log. */
export interface RunsMark {
  readonly runBytes: readonly number[];
  readonly log: GrownMark | null;
}

export interface Checkpoint {
  readonly description: IndexDescription;
  /** The batch that the load counts as: of an empty index that is replaced, the one behind its last. */
  readonly seq: number;
  /** Of what was taken in. */
  readonly totals: Totals;
  readonly rows: RowsMark;
  /** Once all tables are whole: the rows that are still to be written into them; null before. */
  readonly last: GrownMark | null;
  /** The note of the writer of the plans, by which it goes on. */
  readonly note: string;
}

const VERSION = 1;
const HEAD = /^shingled first load (\d+) ([0-9a-f]{8})\n/;

/** @throws ShingledError `storage-full`; the last one is there still */
export async function writeCheckpoint(path: string, checkpoint: Checkpoint): Promise<void> {
  const body = `${JSON.stringify(checkpoint)}\n`;
  try {
    const file = await open(`${path}.next`, 'w', 0o600);
    try {
      await file.writeFile(`shingled first load ${VERSION} ${crc32(body).toString(16).padStart(8, '0')}\n${body}`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${path}.next`, path);
    await syncFolder(dirname(path));
  } catch (cause) {
    throw storageFull('The disk refused a checkpoint of the first load.', { cause });
  }
}

/** @returns null if there is none @throws ShingledError `load-unfinished` if no process can go on from it */
export async function readCheckpoint(path: string): Promise<Checkpoint | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isAbsent(error)) return null;
    throw unusable(path, `cannot be read: ${String(codeOf(error))}`);
  }
  const [head = '', version, crc] = HEAD.exec(text) ?? [];
  if (version !== undefined && Number(version) !== VERSION) throw unusable(path, 'is of another version of shingled');
  const body = text.slice(head.length);
  if (crc === undefined || Number.parseInt(crc, 16) !== crc32(body)) throw unusable(path, 'is damaged');
  return JSON.parse(body) as Checkpoint;
}

/** Why nobody can go on with the load that a checkpoint is of. */
export function unusable(path: string, why: string, cause?: unknown): ShingledError {
  const detail = `A first load was begun here, and cannot go on: ${path} ${why}.`;
  const advice = `To begin again from the first record, delete ${dirname(path)}.`;
  return new ShingledError('load-unfinished', `${detail}\n${advice}`, { cause });
}
