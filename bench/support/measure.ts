import { execFileSync, spawnSync } from 'node:child_process';

/** What a process did, and in what time. CPU time is that of all threads of the process: compilers and collectors too. */
export interface Measured {
  readonly bytes: number;
  readonly documents: number;
  readonly cpuUs: number;
  readonly wallMs: number;
}

/** Something to measure in a process of its own. */
export interface Job<T> {
  /** One of a kind in the plan: the process is told no more. */
  readonly name: string;
  readonly work: (round: number) => T | Promise<T>;
  /** All threads of the process on one core, where {@link canTakeOneCore}. */
  readonly onOneCore?: boolean;
  /** Of Node. */
  readonly flags?: readonly string[];
}

/** Whether this system can keep a process on one core (util-linux). */
export const canTakeOneCore = spawnSync('taskset', ['--version']).status === 0;

/** No job takes a tenth of it, on a quiet machine. */
const TIMEOUT_MS = 600_000;
const WARM_UP_MS = 1000;
const MEASURED_MS = 600;
/** The clock is read once in so many bytes, for reading it takes as long as 500 of them. */
const CLOCK_BYTES = 250_000;

/** Runs `script --job NAME --round ROUND` and what this process was told, and returns the JSON that it prints. */
export function inOwnProcess<T>(script: string, { name, onOneCore, flags = [] }: Job<T>, round: number): T {
  const args = [process.execPath, ...flags, script, ...process.argv.slice(2), '--job', name, '--round', String(round)];
  if (onOneCore === true) args.unshift('taskset', '--cpu-list', '0');
  const stdout = execFileSync(args[0]!, args.slice(1), {
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(stdout) as T;
}

/** Does the job on one document after another, for so much CPU time to warm up and for a little more to be measured. */
export function measure(documents: readonly Uint8Array[], job: (index: number) => number): Measured {
  runFor(WARM_UP_MS, documents, job);
  return runFor(MEASURED_MS, documents, job);
}

/** By CPU time, for on a busy machine wall time would end before anything is compiled. */
export function runFor(cpuMs: number, documents: readonly Uint8Array[], job: (index: number) => number): Measured {
  const started = performance.now();
  const before = process.cpuUsage();
  let bytes = 0;
  let count = 0;
  let found = 0;
  for (;;) {
    for (const stop = bytes + CLOCK_BYTES; bytes < stop; count++) {
      const index = count % documents.length;
      found += job(index);
      bytes += documents[index]!.length;
    }
    const cpuUs = cpuUsSince(before);
    if (cpuUs < 1000 * cpuMs) continue;
    if (found === 0) throw new Error('nothing was found');
    return { bytes, documents: count, cpuUs, wallMs: performance.now() - started };
  }
}

/** Of all threads of this process. @param before left out: from its start */
export function cpuUsSince(before?: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
