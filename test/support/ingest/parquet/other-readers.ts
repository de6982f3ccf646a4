import { spawnSync } from 'node:child_process';

/* Readers of Parquet other than ours, where this machine has a Python with some of them: pyarrow, DuckDB, Polars. */

const SCRIPT = new URL('compare.py', import.meta.url).pathname;

export interface CopyOf {
  readonly original: string;
  readonly copy: string;
  /** How many rows the original has. */
  readonly count: number;
  /** The places of those that the copy has; null: all. */
  readonly rows: readonly number[] | null;
}

/** What each reader says of a copy: `same`, `refused: …` where it does not read the original, or what is wrong. */
export type Verdicts = Readonly<Record<string, string>>;

const OUTPUT_BYTES_MAX = 2 ** 26;

/** The names of those that can be asked. */
export function otherReaders(python: string): string[] {
  const { status, stdout } = spawnSync(python, [SCRIPT, '--readers'], { encoding: 'utf8' });
  return status === 0 ? (JSON.parse(stdout) as string[]) : [];
}

export function compared(python: string, copies: readonly CopyOf[]): Verdicts[] {
  const input = copies.map((copy) => `${JSON.stringify(copy)}\n`).join('');
  const { stdout, stderr } = spawnSync(python, [SCRIPT], { encoding: 'utf8', input, maxBuffer: OUTPUT_BYTES_MAX });
  const lines = stdout.split('\n').slice(0, -1);
  if (lines.length !== copies.length) throw new Error(`${lines.length} of ${copies.length} answers: ${stderr}`);
  return lines.map((line) => JSON.parse(line) as Verdicts);
}
