import { readFileSync, writeSync } from 'node:fs';
import { plainError, ShingledError } from '../../../errors.ts';
import type { Answer } from './child.ts';

/** The other end of child.ts: reads the input, works, and prints what it comes to. */
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
