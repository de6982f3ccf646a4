import { readFileSync, realpathSync } from 'node:fs';
import { ShingledError } from '../../../errors.ts';
import type { FileMark } from '../../../ingest/port.ts';
import type { InputFields } from '../../../ingest/sources.ts';
import { systemFault } from '../../../plain-words/system-faults.ts';
import type { LoadSubject } from '../state-file.ts';

/* The lines of a listing of folders: what it is of, then a line of JSON for each file. */

const LISTING_VERSION = 1;
const LINE_FEED = 10;

export interface ListingHeader {
  readonly shingledListing: number;
  /** As they were named, and where they are. */
  readonly folders: readonly { readonly name: string; readonly root: string }[];
  readonly fields: InputFields;
}

export type ListingLine =
  | FileLine
  /** A URL that has been made gone. */
  | { readonly gone: string }
  /** A folder that could not be read. */
  | { readonly hidden: string };

interface FileLine {
  readonly url: string;
  /** As positions name it. */
  readonly file: string;
  /** null: to be read again, whatever its size and time. */
  readonly mark: FileMark | null;
}

/** A file of the listing that the last run left, and what this run has found of it. */
export interface ListedFile extends FileLine {
  /** Its URL was met. */
  isThere: boolean;
  /** It has a line in the listing of this run. */
  isTold: boolean;
  /** It is being made gone. */
  isGone: boolean;
}

/** @throws ShingledError `invalid-config` if a folder is not there */
export function headerOf({ inputs, fields }: LoadSubject): ListingHeader {
  const folders = inputs.filter(({ kind }) => kind === 'folder').map(({ name }) => ({ name, root: rootOf(name) }));
  return { shingledListing: LISTING_VERSION, folders, fields };
}

function rootOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (error) {
    throw new ShingledError('invalid-config', `${folder} cannot be read: ${systemFault(error)}.`);
  }
}

/**
 * The lines of a listing, without its header.
 *
 * @param header what it must be of
 * @param keptBytes how many bytes of the file are read; null: all of them, or none if there is no file
 * @throws ShingledError `invalid-config` if it cannot be read, is no listing, or one of something else
 */
export function* readListing(
  path: string,
  header: ListingHeader,
  keptBytes: number | null,
): Generator<ListingLine, void, undefined> {
  const fault = (what: string) => {
    const advice = 'If you delete it, all files are read again, and files that have vanished until then stay live.';
    return new ShingledError('invalid-config', `--state: ${path} ${what}. ${advice}`);
  };
  let bytes: Buffer;
  try {
    bytes = readFileSync(path).subarray(0, keptBytes ?? Number.POSITIVE_INFINITY);
  } catch (error) {
    if (keptBytes === null && (error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw fault(`cannot be read: ${systemFault(error)}`);
  }
  let isFirst = true;
  for (const text of linesOf(bytes)) {
    const line = parsed(text);
    if (isFirst) {
      const difference = differenceOf(line as Partial<ListingHeader> | null, header);
      if (difference !== null) throw fault(difference);
    } else if (isListingLine(line)) yield line;
    else throw fault('is damaged');
    isFirst = false;
  }
  if (isFirst) throw fault('is no listing of folders');
}

/** One by one: all of them may be longer than a string can be. */
function* linesOf(bytes: Buffer): Generator<string> {
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, start);
    const behind = end < 0 ? bytes.length : end;
    yield bytes.toString('utf8', start, behind);
    start = behind + 1;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function differenceOf(found: Partial<ListingHeader> | null, { folders, fields }: ListingHeader): string | null {
  if (typeof found?.shingledListing !== 'number') return 'is no listing of folders';
  if (found.shingledListing !== LISTING_VERSION) return 'is of another version of shingled';
  if (JSON.stringify(found.folders) !== JSON.stringify(folders)) {
    const named = (found.folders ?? []).map(({ name, root }) => (name === root ? name : `${name}, which was ${root}`));
    return `is of other folders: ${named.join('; ')}`;
  }
  return JSON.stringify(found.fields) === JSON.stringify(fields)
    ? null
    : 'is of a load that read files by other options';
}

function isListingLine(line: unknown): line is ListingLine {
  if (typeof line !== 'object' || line === null) return false;
  if ('gone' in line) return typeof line.gone === 'string';
  if ('hidden' in line) return typeof line.hidden === 'string';
  if (!('url' in line && 'file' in line && 'mark' in line)) return false;
  return typeof line.url === 'string' && typeof line.file === 'string' && typeof line.mark === 'object';
}
