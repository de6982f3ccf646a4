import { lstatSync } from 'node:fs';
import { ShingledError } from '../../../errors.ts';
import { onDisk } from '../../../ingest/inputs/byte-names.ts';
import { count } from '../../texts.ts';
import type { ListedFile, ListingHeader } from './listing-lines.ts';

/**
 * The files of a listing that are no longer there. A file that is there is not among them, even if it is left out now, and
 * neither is one that cannot be looked for.
 *
 * @param path of the listing
 * @throws ShingledError `input-changed` if nothing of a folder is there, as if its disk were not mounted
 */
export function vanishedOf(listed: readonly ListedFile[], { folders }: ListingHeader, path: string): ListedFile[] {
  const vanished = listed.filter(({ isThere, file }) => !isThere && isAbsent(file));
  for (const { name } of folders) {
    const isIn = ({ file }: ListedFile) => file.startsWith(name.endsWith('/') ? name : `${name}/`);
    const before = listed.filter(isIn).length;
    if (before > 0 && vanished.filter(isIn).length === before) throw nothingLeft(name, before, path);
  }
  return vanished;
}

function isAbsent(file: string): boolean {
  try {
    return lstatSync(onDisk(file)).isDirectory();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR';
  }
}

function nothingLeft(folder: string, before: number, path: string): ShingledError {
  const files = before === 1 ? 'the one file' : `any of the ${count(before)} files`;
  return new ShingledError(
    'input-changed',
    [
      `--mirror: ${folder} no longer has ${files} that the last run found in it. Nothing was made gone.`,
      'If its disk is not mounted, mount it and run the same command again.',
      `If the files are really gone, delete ${path}, and delete their documents with "shingled delete --prefix <url>".`,
    ].join('\n'),
  );
}
