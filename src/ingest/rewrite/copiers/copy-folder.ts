import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  realpathSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { rest } from '../../../sharing/waiting.ts';
import { onDisk } from '../../inputs/byte-names.ts';
import { hasUnpacked, unpackedName } from '../../inputs/file-names.ts';
import { fileOfEntry } from '../../inputs/folder-files.ts';
import { type WalkOptions, type WalkStep, walkFolder } from '../../inputs/folder-walk.ts';
import type { IngestLimits } from '../../limits.ts';
import { unwritable } from '../outputs/partial.ts';
import type { Rewritten } from '../port.ts';
import { changed, type FolderMarks, secondsOf } from '../unchanged.ts';
import { isCopied } from './copy-lines.ts';

/*
 * The files of a folder that are kept, each under its relative name and with the date of its last change, which is that of its
 * document. Each is a record, in the order in which ingest reads them. For a link stands the file that it leads to.
 *
 * A packed copy, page.html.gz beside page.html, is left out with the file that it is a copy of: else it would be the document
 * in its place.
 */

export interface FolderParts {
  readonly walk: WalkOptions;
  readonly limits: IngestLimits;
  readonly marks: FolderMarks;
  /** Where the files go: a folder that is there. */
  readonly target: string;
  readonly keeps: (record: number) => boolean;
  readonly done: Rewritten;
  /** Told how many bytes were copied; throws where it is to end. */
  readonly turn: (bytes: number) => void;
}

/** Files are copied at once, which takes less than waiting for threads; after so many others have a turn. */
const TURN_FILES = 64;

/** @returns how many files there were. @throws ShingledError `input-changed`, `input-unreadable`, `output-unwritable` */
export async function copyFolder(parts: FolderParts): Promise<number> {
  const { walk, limits, marks } = parts;
  const root = realpathSync(walk.root);
  let [record, bytes] = [0, 0];
  for (const step of walkFolder({ ...walk, root }, limits, null)) {
    if (record % TURN_FILES === 0) await rest(0, { ref: true });
    parts.turn(bytes);
    const source = sourceOf(root, step);
    const target = join(parts.target, step.path);
    const keeps = (of: number) => parts.keeps(of) && !isWithoutOriginal(root, step.path, parts.target);
    if (isCopied({ ...parts, keeps }, { start: 0, end: 0, isLost: source === null }, ++record)) {
      bytes += copyOne(source!, target);
    }
    if (!marks.isUnchanged(root, step, record - 1)) throw changed(join(walk.root, step.path));
  }
  if (record !== marks.count) throw changed(walk.root);
  parts.done.bytes += bytes;
  return record;
}

/** The file that is copied; null where it cannot be read. */
function sourceOf(root: string, step: WalkStep): string | null {
  const file = 'entry' in step ? fileOfEntry(root, step) : null;
  if (file === null || !('path' in file)) return null;
  try {
    accessSync(onDisk(file.path), constants.R_OK);
    return file.path;
  } catch {
    return null;
  }
}

/** Whether it is a packed copy of a file that is not copied. */
function isWithoutOriginal(root: string, path: string, target: string): boolean {
  return hasUnpacked(join(root, path), basename(path)) && !existsSync(onDisk(join(target, unpackedName(path))));
}

/** @returns its bytes */
function copyOne(source: string, target: string): number {
  try {
    mkdirSync(onDisk(dirname(target)), { recursive: true });
    copyFileSync(onDisk(source), onDisk(target), constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    const { size, atimeMs, mtimeMs } = statSync(onDisk(source));
    utimesSync(onDisk(target), secondsOf(atimeMs), secondsOf(mtimeMs));
    return size;
  } catch (error) {
    throw unwritable(target, error);
  }
}
