import { ShingledError } from '../../errors.ts';
import type { CheckedCounts } from './check.ts';
import { ChildDied, inChild } from './child.ts';
import type { PreparedFolder } from './folder.ts';
import type { IndexIdentity } from './open.ts';

export interface CheckReport {
  /** What is wrong, one sentence each; none = the index is sound. */
  readonly problems: readonly string[];
  /** What was counted; null where the check could not get so far. */
  readonly counts: CheckedCounts | null;
}

export interface CheckInput {
  /** A folder with `db` and `high-water` in it, which nobody uses. */
  readonly path: string;
  readonly identity: IndexIdentity;
  readonly rankKey: readonly [number, number];
}

export interface CheckOptions extends IndexIdentity {
  /** Taken by prepareFolder with `mustExist`; given up when the check is done. */
  readonly folder: PreparedFolder;
  readonly rankKey: readonly [number, number];
  readonly progress?: (line: string) => void;
}

/**
 * Proves an index (check.ts).
 *
 * @throws ShingledError `index-mismatch`, `index-locked`; damage is not thrown but reported
 */
export async function runCheck(options: CheckOptions): Promise<CheckReport> {
  const { folder, rankKey } = options;
  try {
    return await checkAt({ path: folder.path, identity: identityIn(options), rankKey }, options.progress);
  } finally {
    await folder.release();
  }
}

/** The same for a folder that is the caller's. */
export async function checkAt(
  input: CheckInput,
  progress: (line: string) => void = () => undefined,
): Promise<CheckReport> {
  try {
    return await inChild<CheckReport>('check-entry', input, progress);
  } catch (error) {
    if (error instanceof ShingledError && isDamage(error)) return { problems: [error.message], counts: null };
    if (!(error instanceof ChildDied)) throw error;
    const detail = `LevelDB ended the process that read the index (${error.message})`;
    return { problems: [`${detail}: one of its table files is damaged.`], counts: null };
  }
}

/** What an index was made with, of an object that says more. */
export function identityIn(identity: IndexIdentity): IndexIdentity {
  const { keyId, fingerprintId, shingleSize, indexModulusMax, recordModulusMax } = identity;
  return { keyId, fingerprintId, shingleSize, indexModulusMax, recordModulusMax };
}

const isDamage = ({ code }: ShingledError) => code === 'index-damaged' || code === 'index-unreadable';
