import { lstatSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { getSystemErrorMap } from 'node:util';
import { didYouMean } from './near-name.ts';

/* What the system says of files, in plain words. The code stays in brackets, because people search for it. */

/** In a folder with more files none is looked for whose name is alike: a message must not take seconds. */
const NEIGHBOURS_MAX = 20_000;

const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'permission is denied',
  EBUSY: 'it is in use',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was closed',
  EEXIST: 'there is something of this name',
  EFBIG: 'it would be larger than files may be',
  EIO: 'the disk reports an error',
  EISDIR: 'it is a folder',
  ELOOP: 'its links lead in a circle',
  EMFILE: 'this process has too many files open (see "ulimit -n")',
  ENAMETOOLONG: 'its name is too long',
  ENFILE: 'this machine has too many files open',
  ENOENT: 'it is not there',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is a file, not a folder',
  ENOTFOUND: 'the name of the host is not known',
  EDQUOT: 'the disk quota is used up',
  EPERM: 'the operation is not permitted',
  EROFS: 'the file system is read-only',
  ETIMEDOUT: 'it took too long',
};

/** Why a call of the system failed, as the end of a sentence: `permission is denied (EACCES)`. */
export function systemFault(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined) return message ?? String(error);
  const words = WORDS[code] ?? systemWords().get(code);
  return words === undefined ? code : `${words} (${code})`;
}

/** A sentence on a file or folder that cannot be read; it names what is like it where it is not there. */
export function unreadableText(path: string, error: unknown): string {
  const isLink = isMissing(error) && firstMissing(path) === null;
  if (isLink) return `${path} cannot be read: it is a link that leads nowhere (ENOENT).`;
  return (isMissing(error) ? missingText(path) : null) ?? `${path} cannot be read: ${systemFault(error)}.`;
}

/** A sentence on a file that cannot be written; it names the folder that is missing. */
export function unwritableText(path: string, error: unknown): string {
  const folder = isMissing(error) ? firstMissing(dirname(path)) : null;
  const why = folder === null ? systemFault(error) : `there is no folder ${folder}`;
  return `${path} cannot be written: ${why}.`;
}

/** A sentence on a path that is not there; null if it is. */
export function missingText(path: string): string | null {
  const missing = firstMissing(path);
  if (missing === null) return null;
  const near = didYouMean(basename(missing), neighboursOf(missing), (name) => join(dirname(missing), name));
  return missing === path || path.endsWith('/')
    ? `There is no file or folder ${missing}.${near}`
    : `${path} is not there, because there is no folder ${missing}.${near}`;
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** The first part of a path that is not there; null if all of it is. */
function firstMissing(path: string): string | null {
  const above = dirname(path);
  const before = above === path ? null : firstMissing(above);
  if (before !== null) return before;
  return lstatSync(path, { throwIfNoEntry: false }) === undefined ? path : null;
}

/** The names in the folder of a path. */
function neighboursOf(path: string): string[] {
  try {
    const names = readdirSync(dirname(path));
    return names.length > NEIGHBOURS_MAX ? [] : names;
  } catch {
    return [];
  }
}

let words: ReadonlyMap<string, string> | null = null;

/** What the C library says, by codes: for those that are rare. */
function systemWords(): ReadonlyMap<string, string> {
  words ??= new Map(getSystemErrorMap().values());
  return words;
}
