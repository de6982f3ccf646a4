import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { root } from '../tree/tree.ts';

/** A real shingled in a process of its own. */
export interface SpawnedService {
  readonly child: ChildProcess;
  /** Where it listens, without a slash at the end. */
  readonly url: string;
  /** What it has printed so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Sends a signal, and resolves when the process has ended. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<Exit>;
  readonly ended: Promise<Exit>;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The log line that says where the service listens. */
export const LISTENING = /"listening on (http:[^"]+)"/;

/** One thread of each kind: each takes a process 0.3 s of CPU, and machines of many cores would start many. */
export const FEW_THREADS = { WORKERS_THREADS: '1', QUERY_THREADS: '1' };

/** Runs `shingled` with a clean environment, none of this process's settings; it ends with the test at the latest. */
export function spawnShingled(args: readonly string[], environment: Record<string, string>, cwd: string = root) {
  const env = { PATH: process.env['PATH'] ?? '', ...FEW_THREADS, ...environment };
  const child = spawn(process.execPath, [...process.execArgv, `${root}/src/main.ts`, ...args], { env, cwd });
  const printed = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed.stderr += text;
  });
  const ended = once(child, 'close').then(([code, signal]): Exit => ({ code, signal }));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, ended, stdout: () => printed.stdout, stderr: () => printed.stderr };
}

/**
 * Starts a service on a free port and resolves once it listens.
 *
 * @param environment its settings; DATA_DIR must be among them
 * @throws with what it printed, where it ends before it listens
 */
export async function spawnService(
  environment: Record<string, string> & { DATA_DIR: string },
): Promise<SpawnedService> {
  const spawned = spawnShingled([], { PORT: '0', ...environment });
  const url = await new Promise<string | null>((resolve) => {
    const look = () => {
      const found = LISTENING.exec(spawned.stdout())?.[1];
      if (found !== undefined) resolve(found);
    };
    spawned.child.stdout.on('data', look);
    spawned.child.once('close', () => resolve(null));
  });
  if (url === null) throw new Error(`the service did not start: ${spawned.stderr()}${spawned.stdout()}`);
  return {
    ...spawned,
    url,
    stop: (signal = 'SIGTERM') => {
      spawned.child.kill(signal);
      return spawned.ended;
    },
  };
}
