import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ShingledError } from '../errors.ts';

/*
 * Files that are there after a power cut, once they are said to be. What is written is brought to the disk before its name is.
 * Both are before anything that speaks of them.
 *
 *   path.new ── written, synced ── renamed to path ── folder synced
 */

/** What a failure of the disk is called, with the file that it met. */
export function refusedBy(path: string, cause: unknown): ShingledError {
  if (cause instanceof ShingledError) return cause;
  const { code } = cause as NodeJS.ErrnoException;
  return new ShingledError('storage-full', `The disk refused ${path}${code === undefined ? '' : `: ${code}`}.`, {
    cause,
  });
}

/** What is left of a run cannot be read back. */
export function unreadable(path: string, cause: unknown): ShingledError {
  if (cause instanceof ShingledError) return cause;
  const { code, message } = cause as NodeJS.ErrnoException;
  const advice = `Remove ${dirname(path)}, and the same command begins anew.`;
  return new ShingledError('result-damaged', `${path} cannot be read: ${code ?? message}. ${advice}`, { cause });
}

/** Writes a file whole or not at all. @throws ShingledError `storage-full` */
export function writeWhole(path: string, parts: Iterable<Uint8Array>): void {
  const unfinished = `${path}.new`;
  try {
    const file = openSync(unfinished, 'w', 0o600);
    try {
      for (const part of parts) writeAll(file, part);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(unfinished, path);
    syncFolder(dirname(path));
  } catch (cause) {
    throw refusedBy(path, cause);
  }
}

/** Writes all of the bytes at where the file is; the caller says what a failure is. */
export function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

/** Makes a folder that nobody else may read, with those above it. @throws ShingledError `storage-full` */
export function makeFolder(path: string): void {
  try {
    const first = mkdirSync(path, { recursive: true, mode: 0o700 });
    if (first === undefined) return;
    const top = dirname(resolve(first));
    for (let at = resolve(path); at !== top; at = dirname(at)) syncFolder(dirname(at));
  } catch (cause) {
    throw refusedBy(path, cause);
  }
}

/** Removes a file or a folder, where it is there. @throws ShingledError `storage-full` */
export function removeAll(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch (cause) {
    throw refusedBy(path, cause);
  }
}

/**
 * Gives a file another name; the one that it has stays, so that what follows can be done again. Where a file has but one name,
 * as on a memory stick, it is copied. Its folder is not synced.
 *
 * @throws ShingledError `storage-full`
 */
export function linkOver(path: string, target: string): void {
  removeAll(target);
  try {
    linkSync(path, target);
  } catch {
    copyOver(path, target);
  }
}

function copyOver(path: string, target: string): void {
  try {
    copyFileSync(path, target, constants.COPYFILE_EXCL);
    const file = openSync(target, 'r+');
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    throw refusedBy(target, cause);
  }
}

/** So that new names in it are there after a power cut. */
function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
