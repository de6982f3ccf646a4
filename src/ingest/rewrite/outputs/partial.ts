import { type FileHandle, lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ShingledError } from '../../../errors.ts';
import { unwritableText } from '../../../plain-words/system-faults.ts';
import type { WriteBytes } from '../port.ts';

/*
 * An output on its way: written under a name of its own beside its place, and renamed when it is whole.
 *
 *   a file OUT, a folder OUT      .OUT.partial           renamed to OUT
 *   files into a folder OUT       OUT/.shingled.partial  each renamed to OUT/its name
 *
 * Nothing that is there is written over. What a run leaves that was killed is removed by the next one.
 */

export interface PartialOutput {
  /** Where it is written. */
  readonly path: string;
  /** Brings it to its place. @throws ShingledError `output-exists`, `output-unwritable`; nothing of it is there then */
  readonly commit: () => Promise<void>;
  /** Removes what was not brought to its place. */
  readonly discard: () => Promise<void>;
}

/** What is at a path; an empty folder is nothing. @throws ShingledError `output-exists` */
export async function refuseExisting(path: string): Promise<void> {
  const there = await lstat(path).catch(() => null);
  if (there === null) return;
  const isEmpty = there.isDirectory() && (await readdir(path).catch(() => [''])).length === 0;
  if (!isEmpty) throw new ShingledError('output-exists', `There is something at ${path} already.`);
}

/** A file, or a folder, at `path`. @throws ShingledError `output-unwritable` */
export async function partialOf(path: string, kind: 'file' | 'folder'): Promise<PartialOutput> {
  const partial = join(dirname(path), `.${basename(path)}.partial`);
  const commit = async () => {
    await refuseExisting(path);
    await guarded(path, async () => {
      await rename(partial, path);
      await syncFolder(dirname(path));
    });
  };
  return prepared(path, partial, kind, commit);
}

/** Files of these names in a folder that is there. @throws ShingledError `output-unwritable` */
export async function partialInto(folder: string, names: readonly string[]): Promise<PartialOutput> {
  const partial = join(folder, '.shingled.partial');
  const commit = async () => {
    for (const name of names) await refuseExisting(join(folder, name));
    const moved: string[] = [];
    try {
      for (const name of names) {
        await rename(join(partial, name), join(folder, name));
        moved.push(name);
      }
      await rm(partial, { recursive: true });
      await syncFolder(folder);
    } catch (error) {
      for (const name of moved) await rm(join(folder, name), { recursive: true, force: true });
      throw unwritable(folder, error);
    }
  };
  return prepared(folder, partial, 'folder', commit);
}

async function prepared(
  path: string,
  partial: string,
  kind: 'file' | 'folder',
  commit: () => Promise<void>,
): Promise<PartialOutput> {
  await guarded(path, async () => {
    await rm(partial, { recursive: true, force: true });
    if (kind === 'folder') await mkdir(partial);
  });
  const discard = () => rm(partial, { recursive: true, force: true });
  return { path: partial, commit, discard };
}

/** A new file that is written from its beginning on. */
export class NewFile {
  readonly #path: string;
  readonly #file: FileHandle;

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  /** @throws ShingledError `output-unwritable` */
  static async make(path: string): Promise<NewFile> {
    return guarded(path, async () => new NewFile(path, await open(path, 'wx')));
  }

  readonly write: WriteBytes = (bytes) => guarded(this.#path, () => this.#file.writeFile(bytes));

  /** Brings it to the disk. */
  sync(): Promise<void> {
    return guarded(this.#path, () => this.#file.sync());
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

async function guarded<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** What the system said of an output. */
export function unwritable(path: string, cause: unknown): ShingledError {
  if (cause instanceof ShingledError) return cause;
  return new ShingledError('output-unwritable', unwritableText(path, cause), { cause });
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
