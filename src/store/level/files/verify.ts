import { readFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import { Deadline } from '../../../sharing/deadline.ts';
import { rest } from '../../../sharing/waiting.ts';
import { Unreadable } from '../format/byte-reader.ts';
import { beforeFailure, type CurrentFiles, FileError, readCurrent } from './current.ts';
import { isAbsent } from './file-system.ts';
import { tableName } from './manifest-file.ts';
import { checkBlocks } from './table-file.ts';

/*
 * The checksums of all blocks of all table files. LevelDB looks at them only when asked to, and our binding to it
 * cannot ask. A bit that changes in a key, or in the filter before a block, takes a row out of sight. An older row of
 * the same key comes to light. Our own checksums guard values under their keys, and say nothing of a row that is not
 * found.
 *
 * Only files that the MANIFEST names count: what LevelDB has begun or left behind is nobody's loss. While it is open a file
 * may be replaced as it is read, so a fault counts only if the MANIFEST still names the file then.
 *
 * Cost: some 4 ms a MB. In the background a tenth of a core, in turns of a millisecond.
 */

const TURN_MS = 1;
const REST_MS = 9;

/** What the system says of a disk or a file system that has lost the bytes; 117 is EUCLEAN of Linux. */
const LOST: ReadonlySet<number> = new Set([constants.errno.EIO, constants.errno.EBADMSG, 117]);

type Pace = 'gentle' | 'full';

export interface FileProblem {
  /** Its name in the folder of the database. */
  readonly file: string;
  /** What is wrong, as the end of a sentence. */
  readonly problem: string;
  /** False where it could not be looked at for another reason: a lack of descriptors, or of rights. */
  readonly isDamage: boolean;
  /** What the system said, if it was the system. */
  readonly errno: string | null;
}

/**
 * Looks through the files of a database, and goes on after each that cannot be believed.
 *
 * @param pace `gentle` beside other work of this thread
 * @param seen names of files that need not be looked at; those that were looked at are added
 */
export async function* fileProblems(
  location: string,
  pace: Pace,
  seen = new Set<string>(),
): AsyncGenerator<FileProblem> {
  const current = await currentIn(location);
  if ('problem' in current) {
    yield current;
    return;
  }
  const { live, manifest } = current;
  const isDamaged = live.damaged && (await beforeFailure(location, current)) === null;
  if (isDamaged) yield { file: manifest, problem: 'a part of it cannot be read', isDamage: true, errno: null };
  for (const [number, size] of [...live.tables].sort(([a], [b]) => a - b)) {
    const file = tableName(number);
    if (seen.has(file)) continue;
    const found = await look(location, file, size, pace);
    const problem = found && (await stillSo(found, location, number));
    if (problem === undefined || (problem === found && problem.isDamage)) seen.add(file);
    if (problem !== undefined) yield problem;
  }
}

async function look(location: string, file: string, size: number, pace: Pace): Promise<FileProblem | undefined> {
  try {
    const bytes = await readFile(join(location, file));
    if (bytes.length !== size) throw new Unreadable(`it has ${bytes.length} bytes; LevelDB wrote ${size}`);
    await checkInTurns(bytes, pace);
    return undefined;
  } catch (error) {
    return problemOf(file, error);
  }
}

function problemOf(file: string, error: unknown): FileProblem {
  if (error instanceof Unreadable) return { file, problem: error.message, isDamage: true, errno: null };
  if (isAbsent(error)) return { file, problem: 'it is missing', isDamage: true, errno: 'ENOENT' };
  const { errno = 0, code = null } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  const isDamage = LOST.has(Math.abs(errno));
  const why = code ?? String(error);
  const problem = isDamage ? `the disk does not give back what is in it (${why})` : `it cannot be read (${why})`;
  return { file, problem, isDamage, errno: code };
}

/** Nothing where the MANIFEST no longer names the file; where the MANIFEST cannot be read, that is the problem. */
async function stillSo(found: FileProblem, location: string, number: number): Promise<FileProblem | undefined> {
  const current = await currentIn(location);
  if ('problem' in current) return current;
  return current.live.damaged || current.live.tables.has(number) ? found : undefined;
}

function currentIn(location: string): Promise<CurrentFiles | FileProblem> {
  return readCurrent(location).catch((error: unknown) => {
    if (error instanceof FileError) return problemOf(error.file, error.cause);
    throw error;
  });
}

async function checkInTurns(bytes: Buffer, pace: Pace): Promise<void> {
  let turn = new Deadline(TURN_MS);
  for (const _ of checkBlocks(bytes)) {
    if (pace === 'full' || !turn.passed) continue;
    await rest(REST_MS);
    turn = new Deadline(TURN_MS);
  }
}
