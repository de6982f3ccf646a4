import { fork } from 'node:child_process';
import { readFileSync, writeSync } from 'node:fs';
import { extname } from 'node:path';
import { errorOf, type PlainError, plainError, ShingledError } from '../../../errors.ts';

/*
 * Work on an index that may be damaged, in a process of its own: LevelDB aborts the process that reads a damaged table file.
 * The child gets one line of JSON on standard input and prints lines of JSON, each an {@link Answer}, the last its result.
 */

/** One line that the child prints. */
interface Answer<Result> {
  readonly progress?: string;
  readonly result?: Result;
  readonly failed?: PlainError;
}

const SAID_MAX = 500;

/** The child ended without an answer. */
export class ChildDied extends Error {}

/**
 * Runs a module in a process of its own.
 *
 * @param entry its name without its ending
 * @param beside the URL of the module that it lies beside
 * @throws ShingledError what the child failed with; ChildDied how it ended where it said nothing
 */
export function inChild<Result>(
  entry: string,
  beside: string,
  input: unknown,
  progress: (line: string) => void,
): Promise<Result> {
  // the sources run as they are, the build as JavaScript
  const file = new URL(`./${entry}${extname(beside)}`, beside);
  const child = fork(file, { stdio: ['pipe', 'pipe', 'pipe', 'ipc'] });
  let answer: Answer<Result> = {};
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-SAID_MAX);
  });
  let rest = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const read = JSON.parse(line) as Answer<Result>;
      if (read.progress === undefined) answer = read;
      else progress(read.progress);
    }
  });
  child.stdin?.on('error', () => undefined).end(JSON.stringify(input));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      const { result, failed } = answer;
      if (result !== undefined) resolve(result);
      else if (failed !== undefined) reject(errorOf(failed));
      else reject(new ChildDied(howItEnded(code, signal, said)));
    });
  });
}

function howItEnded(code: number | null, signal: string | null, said: string): string {
  const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
  const words = said.trim() === '' ? '' : ` Its last words: ${said.trim()}`;
  return `${how}${words}`;
}

/** The other end, for the module of the child: reads the input, works, and prints what it comes to. */
export async function answerParent<Input, Result>(
  work: (input: Input, progress: (line: string) => void) => Promise<Result>,
): Promise<void> {
  const say = (answer: Answer<Result>) => void writeSync(1, `${JSON.stringify(answer)}\n`);
  try {
    say({ result: await work(JSON.parse(readFileSync(0, 'utf8')) as Input, (progress) => say({ progress })) });
  } catch (error) {
    if (error instanceof ShingledError) say({ failed: plainError(error) });
    else say({ failed: { code: 'internal', message: error instanceof Error ? error.message : String(error) } });
  }
}
