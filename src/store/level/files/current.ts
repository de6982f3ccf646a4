import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Unreadable } from '../format/byte-reader.ts';
import { type LiveFiles, readManifest } from './manifest-file.ts';

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

/** Whether a file was not there. */
export const isAbsent = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';
