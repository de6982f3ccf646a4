import { open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Unreadable } from '../format/byte-reader.ts';
import { isAbsent } from './file-system.ts';
import { type LiveFiles, logName, readManifest, tableName } from './manifest-file.ts';

/*
 * Which files make up a LevelDB at this moment: CURRENT names a MANIFEST, that names them. All others in the folder count for
 * nothing: LevelDB may have begun them, or be about to delete them. While it is open it replaces both.
 */

export interface CurrentFiles {
  /** Its name. */
  readonly manifest: string;
  readonly bytes: Buffer;
  readonly live: LiveFiles;
}

/**
 * @throws FileError where CURRENT or its MANIFEST cannot be read, or says nothing; a MANIFEST that is damaged in a part is
 *   not thrown but told by `live`
 */
export async function readCurrent(folder: string): Promise<CurrentFiles> {
  for (;;) {
    const manifest = await manifestIn(folder);
    try {
      const bytes = await readFile(join(folder, manifest));
      return { manifest, bytes, live: readManifest(bytes) };
    } catch (cause) {
      // replaced between the two
      if (isAbsent(cause) && (await manifestIn(folder)) !== manifest) continue;
      throw new FileError(manifest, cause);
    }
  }
}

async function manifestIn(folder: string): Promise<string> {
  try {
    const text = await readFile(join(folder, 'CURRENT'), 'latin1');
    if (!/^MANIFEST-\d+\n$/.test(text)) throw new Unreadable('it names no MANIFEST');
    return text.trim();
  } catch (cause) {
    throw new FileError('CURRENT', cause);
  }
}

/** A file of a database could not be read, or makes no sense; `cause` says which. */
export class FileError extends Error {
  readonly file: string;

  constructor(file: string, cause: unknown) {
    super(`${file}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.file = file;
  }
}

/*
 * A MANIFEST in which LevelDB could not write a record, and wrote on behind it (manifest-file.ts). It is cut off before
 * that record:
 *
 *   | whole | whole | failed | written behind | …      the whole ones say what the database was when it failed
 *
 * Nothing is lost by that. LevelDB took no write after it failed: what it recorded behind it is only in which tables its
 * rows were brought. And it deleted no file since. So the log of which the whole records say that its rows are in no table
 * yet is there, and every table that they name. Where one of these is missing, LevelDB never failed: the disk has changed
 * the record since. That is damage, and left as it is.
 */

/** What the records before one that failed say; null where none failed. */
export async function beforeFailure(folder: string, { bytes, live }: CurrentFiles): Promise<LiveFiles | null> {
  if (live.failedAt === null) return null;
  const before = readManifest(bytes.subarray(0, live.failedAt));
  if (before.damaged || before.firstLog === 0) return null;
  if ((await sizeOf(join(folder, logName(before.firstLog)))) === null) return null;
  for (const [number, size] of before.tables) {
    if ((await sizeOf(join(folder, tableName(number)))) !== size) return null;
  }
  return before;
}

/** Cuts off the MANIFEST of a database that nobody has open, where a record of it failed. @throws the file system's error */
export async function cutFailed(folder: string, current: CurrentFiles): Promise<void> {
  if ((await beforeFailure(folder, current)) === null) return;
  const file = await open(join(folder, current.manifest), 'r+');
  try {
    await file.truncate(current.live.failedAt!);
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** null where there is no such file. */
async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}
