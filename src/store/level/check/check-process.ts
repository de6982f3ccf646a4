import { basename, join } from 'node:path';
import { ShingledError } from '../../../errors.ts';
import { ChildDied, inChild } from '../child/child.ts';
import { isRefusal, RIGHTS_ADVICE } from '../files/file-system.ts';
import { fileProblems } from '../files/verify.ts';
import type { ExpectedIdentity } from '../folder/description.ts';
import { type PreparedFolder, whileClosed } from '../folder/folder.ts';
import { DB_FOLDER } from '../folder/folder-parts.ts';
import { isDamage } from '../outage/failures.ts';
import type { CheckedCounts } from './check.ts';

export interface CheckReport {
  /** What is wrong, one sentence each; none = the index is sound. */
  readonly problems: readonly string[];
  /** What was counted; null where the check could not get so far. */
  readonly counts: CheckedCounts | null;
}

export interface CheckInput extends ExpectedIdentity {
  /** A folder with `db` and `high-water` in it, which nobody uses. */
  readonly path: string;
  readonly rankKey: readonly [number, number];
}

export interface CheckOptions extends Omit<CheckInput, 'path'> {
  /** Taken by prepareFolder with `mustExist`; given up when the check is done. */
  readonly folder: PreparedFolder;
  readonly progress?: (line: string) => void;
}

/**
 * Proves an index: the checksums of its files (files/verify.ts), then what they say (check.ts).
 *
 * @throws ShingledError `index-mismatch`, `index-locked`, `invalid-config` where a file may not be read; damage is not thrown
 *   but reported
 */
export async function runCheck({ folder, progress, ...expected }: CheckOptions): Promise<CheckReport> {
  return whileClosed(folder, () => checkAt({ path: folder.path, ...expected }, progress));
}

/** The same for a folder that is the caller's. */
export async function checkAt(
  input: CheckInput,
  progress: (line: string) => void = () => undefined,
): Promise<CheckReport> {
  progress('Checking files ...');
  // before LevelDB opens them: it may write their rows anew, damaged as they are
  const damaged = await damagedFiles(join(input.path, DB_FOLDER));
  try {
    const { problems, counts } = await inChild<CheckReport>('check.process', import.meta.url, input, progress);
    return { problems: [...damaged, ...problems], counts };
  } catch (error) {
    return { problems: [...damaged, sentenceOf(error)], counts: null };
  }
}

async function damagedFiles(location: string): Promise<string[]> {
  const sentences: string[] = [];
  for await (const { file, problem, isDamage, errno } of fileProblems(location, 'full')) {
    if (isDamage) sentences.push(`The file ${file} is damaged: ${problem}.`);
    else throw notLookedAt(`${basename(location)}/${file}`, errno);
  }
  return sentences;
}

function notLookedAt(file: string, errno: string | null): ShingledError {
  const detail = `Nothing can be said of the index: ${file} cannot be read (${errno ?? 'for no known reason'}).`;
  if (!isRefusal(errno)) return new ShingledError('index-unreadable', detail);
  return new ShingledError('invalid-config', `${detail} ${RIGHTS_ADVICE}`);
}

/** What the child ended with, if it means damage. */
function sentenceOf(error: unknown): string {
  if (error instanceof ShingledError && isDamage(error)) return error.message;
  if (!(error instanceof ChildDied)) throw error;
  return `LevelDB ended the process that read the index, as it does where a table file is damaged (${error.message}).`;
}
