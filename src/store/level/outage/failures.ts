import { ShingledError } from '../../../errors.ts';

/*
 * What an error of LevelDB or of the file system says. Of a write it does not matter: each one ends in an outage. Of a read:
 *
 *   passing     the system had no file, memory or process to give for the moment: the same read may succeed the next time
 *   unreadable  all else: the disk, or what LevelDB found there
 */

/** LevelDB says it in the words of the system, Node by a code. */
const PASSING = /Too many open files|Cannot allocate memory|Resource temporarily unavailable|Interrupted system call/;
/** Opening writes as well. */
const REFUSED = /No space left on device|Disk quota exceeded|Read-only file system/;
/** `IO error: /folder/000047.dbtmp: Input/output error` */
const FILE_AND_REASON = /\/([^/:]+): [^:]+$/;
const ABSENT = /No such file or directory$/;
const PASSING_CODES: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EINTR']);

export function storageFull(
  detail: string,
  details: { cause?: unknown; limit?: { name: string; value: number } } = {},
): ShingledError {
  return new ShingledError('storage-full', `${detail} Reads go on; writes will again when the disk takes them.`, {
    retryAfterS: 5,
    ...details,
  });
}

/** Whether nothing is wrong with the index: not with what lies on its disk. */
export function isPassing(error: unknown): boolean {
  if (error instanceof ShingledError) return error.code === 'overloaded';
  return PASSING_CODES.has(codeOf(error)) || (isOfLevel(error) && PASSING.test(messageOf(error)));
}

/** For what an answer leaves out and counts: `instead` of a row that cannot be read. @throws where the row may be sound */
export const leftOut =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (isPassing(error)) throw error;
    return instead;
  };

/** What a read that failed in LevelDB means: `overloaded` or `index-unreadable`. Other errors stay what they are. */
export function readFailure(error: unknown): unknown {
  if (!isOfLevel(error)) return error;
  if (isPassing(error)) {
    const detail = `The system cannot give LevelDB what it needs: ${messageOf(error)}`;
    return new ShingledError('overloaded', detail, { cause: error, retryAfterS: 1 });
  }
  const detail = `LevelDB cannot read a part of the index: ${messageOf(error)}`;
  return new ShingledError('index-unreadable', detail, { cause: error });
}

/**
 * Why LevelDB cannot open its folder: `index-locked`, `storage-full` where the disk or the system refuses, `index-damaged`.
 *
 * @param before names of the files that were in the folder: a failure at another one was a failure to write it
 */
export function openFailure(error: unknown, before?: ReadonlySet<string>): ShingledError {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (codeOf(cause) === 'LEVEL_LOCKED') {
    return new ShingledError('index-locked', 'Another process has the database of this index open.', { cause });
  }
  const text = messageOf(cause);
  const file = FILE_AND_REASON.exec(text)?.[1];
  const isWrite = before !== undefined && file !== undefined && !before.has(file) && !ABSENT.test(text);
  const code = isWrite || isPassing(cause) || REFUSED.test(text) ? 'storage-full' : 'index-damaged';
  return new ShingledError(code, `LevelDB cannot open the index: ${text}`, { cause });
}

/** Whether what lies on disk is not what was written there. */
export const isDamage = (error: unknown): boolean =>
  error instanceof ShingledError && (error.code === 'index-unreadable' || error.code === 'index-damaged');

/** An error that the database itself gives as damage, whatever it was doing. */
export const isCorruption = (error: unknown): boolean => codeOf(error) === 'LEVEL_CORRUPTION';

function isOfLevel(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'LEVEL_IO_ERROR' || code === 'LEVEL_CORRUPTION';
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
/** What Node or LevelDB calls it; undefined where it has no code. */
export const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);
