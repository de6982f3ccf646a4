import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { FEW_THREADS } from '../process/spawn-service.ts';
import { root } from '../tree/tree.ts';

const MAIN = join(root, 'test', 'support', 'cli', 'shingled.process.ts');

/** Starts a command line in a process of its own, which reads lines of bulk requests. */
export function shingled(args: readonly string[], environment: Record<string, string> = {}, main = MAIN) {
  const env = { PATH: process.env['PATH'] ?? '', ...FEW_THREADS, ...environment };
  const child = spawn(process.execPath, [...process.execArgv, main, ...args], { env });
  const printed = { out: '', err: '' };
  child.stdout.on('data', (text) => {
    printed.out += String(text);
  });
  child.stderr.on('data', (text) => {
    printed.err += String(text);
  });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...printed }));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, ended };
}

/** Once the child has read so many records, of which it tells the file READS; or has ended. */
export async function hasRead(child: ChildProcess, reads: string, least: number): Promise<void> {
  const count = () => (existsSync(reads) ? readFileSync(reads, 'utf8').split('\n').length - 1 : 0);
  await vi.waitUntil(() => child.exitCode !== null || count() >= least, { timeout: 60_000, interval: 5 });
}
