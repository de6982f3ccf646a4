import { fork } from 'node:child_process';
import { extname } from 'node:path';
import { type ErrorCode, ShingledError } from '../../errors.ts';
import type { CheckedCounts } from './check.ts';
import type { PreparedFolder } from './folder.ts';
import type { IndexIdentity } from './open.ts';

/*
 * A check runs in a process of its own: a damaged table file makes LevelDB abort the process that reads it.
 */

export interface CheckReport {
  /** What is wrong, one sentence each; none = the index is sound. */
  readonly problems: readonly string[];
  /** What was counted; null where the check could not get so far. */
  readonly counts: CheckedCounts | null;
}

export interface CheckOptions extends IndexIdentity {
  /** Taken by prepareFolder with `mustExist`; given up when the check is done. */
  readonly folder: PreparedFolder;
  readonly rankKey: readonly [number, number];
  readonly progress?: (line: string) => void;
}

export interface CheckInput {
  readonly path: string;
  readonly identity: IndexIdentity;
  readonly rankKey: readonly [number, number];
}

/** One line that the child prints. */
export interface CheckAnswer {
  readonly progress?: string;
  readonly report?: CheckReport;
  readonly failed?: { readonly code: ErrorCode; readonly message: string };
}

const SAID_MAX = 500;

/**
 * Proves an index (check.ts).
 *
 * @throws ShingledError `index-mismatch`, `index-locked`; damage is not thrown but reported
 */
export async function runCheck(options: CheckOptions): Promise<CheckReport> {
  const { folder, rankKey, keyId, fingerprintId, shingleSize, indexModulusMax, recordModulusMax } = options;
  const identity = { keyId, fingerprintId, shingleSize, indexModulusMax, recordModulusMax };
  try {
    return await inChild({ path: folder.path, identity, rankKey }, options.progress ?? (() => undefined));
  } finally {
    await folder.release();
  }
}

function inChild(input: CheckInput, progress: (line: string) => void): Promise<CheckReport> {
  // the sources run as they are, the build as JavaScript
  const entry = new URL(`./check-entry${extname(import.meta.url)}`, import.meta.url);
  const child = fork(entry, { stdio: ['pipe', 'pipe', 'pipe', 'ipc'] });
  let answer: CheckAnswer = {};
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-SAID_MAX);
  });
  let rest = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const read = JSON.parse(line) as CheckAnswer;
      if (read.progress === undefined) answer = read;
      else progress(read.progress);
    }
  });
  child.stdin?.on('error', () => undefined).end(JSON.stringify(input));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      const { report, failed } = answer;
      if (report !== undefined) resolve(report);
      else if (failed === undefined) resolve({ problems: [died(code, signal, said)], counts: null });
      else if (isDamage(failed.code)) resolve({ problems: [failed.message], counts: null });
      else reject(new ShingledError(failed.code, failed.message));
    });
  });
}

const isDamage = (code: ErrorCode) => code === 'index-damaged' || code === 'index-unreadable';

function died(code: number | null, signal: string | null, said: string): string {
  const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
  const words = said.trim() === '' ? '' : ` Its last words: ${said.trim()}`;
  return `LevelDB ended the process that read the index (${how}): one of its table files is damaged.${words}`;
}
