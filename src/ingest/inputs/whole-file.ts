import { Buffer } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { systemFault } from '../../plain-words/system-faults.ts';
import { onDisk } from './byte-names.ts';

/*
 * A file of a folder, read at once. Synchronously: four calls that wait for threads take longer than most files do. Nothing
 * that waits is opened: a pipe has no bytes yet, and a link may lead anywhere.
 */

const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

export type WholeFile =
  | { readonly bytes: Buffer; readonly mtimeMs: number }
  | { readonly refused: 'unreadable' | 'too-large' | 'no-document'; readonly detail: string };

/** @param path that is no link */
export function readWholeFile(path: string, bytesMax: number): WholeFile {
  let file: number | null = null;
  try {
    file = openSync(onDisk(path), FLAGS);
    return readOpen(file, bytesMax);
  } catch (error) {
    return { refused: 'unreadable', detail: `It cannot be read: ${systemFault(error)}.` };
  } finally {
    if (file !== null) closeSync(file);
  }
}

function readOpen(file: number, bytesMax: number): WholeFile {
  const before = fstatSync(file);
  const kind = specialKind(before);
  if (kind !== null) return { refused: 'unreadable', detail: `It is ${kind}, not a file.` };
  const { size, mtimeMs } = before;
  if (size > bytesMax) {
    const detail = `It has ${size} bytes; at most ${bytesMax} of a document are read (INGEST_DOCUMENT_BYTES_MAX).`;
    return { refused: 'too-large', detail };
  }
  // one more than there should be: a file that has grown shows
  const bytes = Buffer.allocUnsafe(size + 1);
  let length = 0;
  for (let read = -1; read !== 0 && length < bytes.length; length += read) {
    read = readSync(file, bytes, length, bytes.length - length, length);
  }
  if (length !== size || fstatSync(file).mtimeMs !== mtimeMs) {
    return { refused: 'unreadable', detail: 'It has changed while it was read.' };
  }
  return length === 0
    ? { refused: 'no-document', detail: 'It is empty.' }
    : { bytes: bytes.subarray(0, length), mtimeMs };
}

/** What is no file: `a folder`, `a pipe`; null for a file. */
export function specialKind(stats: Pick<Stats, 'isFile' | 'isDirectory' | 'isFIFO' | 'isSocket'>): string | null {
  if (stats.isFile()) return null;
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}
