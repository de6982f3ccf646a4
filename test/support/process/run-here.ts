import { Readable, Writable } from 'node:stream';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { createLogger } from '../../../src/logger.ts';
import { openIndex } from '../../../src/open-index.ts';
import { run } from '../../../src/run.ts';
import { startService } from '../../../src/start.ts';
import { readText } from '../tree/tree.ts';
import { LISTENING } from './spawn-service.ts';

/*
 * What `shingled` does, in the process of the test: it takes the first 30 ms, a process of its own over a second. For all that
 * is not about processes: signals, what is on standard output, umask and locks are.
 */

const { version: VERSION } = JSON.parse(readText('package.json')) as { version: string };

/** One thread that reads documents: two take 0.3 s of CPU to start, and test/workers and processes of their own have them. */
const WORKERS_THREADS = '1';

/** Runs a command line to its end; the log goes nowhere. */
export async function runHere(
  args: readonly string[],
  environment: Record<string, string>,
  stdin: Readable = Readable.from([]),
) {
  const [out, err]: [string[], string[]] = [[], []];
  const nothing = () => undefined;
  const host = {
    argv: [process.execPath, 'shingled', ...args],
    env: { LOG_LEVEL: 'silent', WORKERS_THREADS, ...environment },
    pid: process.pid,
    stdin,
    stdout: Object.assign(writableTo(out), { isTTY: false }),
    stderr: { write: (text: string) => err.push(text) },
    ...{ umask: nothing, listeners: () => [], once: nothing, on: nothing, off: nothing, exit: nothing },
  };
  const code = await run(host as unknown as NodeJS.Process, VERSION);
  return { code, out: out.join(''), err: err.join('') };
}

const IN_ONE_PROCESS = { PORT: '0', EVENT_LOOP_DELAY_MS_MAX: '0', QUERY_THREADS: '0', WORKERS_THREADS };

const writableTo = (texts: string[]) =>
  new Writable({
    decodeStrings: false,
    write: (text: string, _encoding, done) => {
      texts.push(text);
      done();
    },
  });

/**
 * A service that listens, until the test has ended at the latest. It answers by itself unless QUERY_THREADS says otherwise: a
 * thread takes 0.3 s of CPU to start, and test/queries and the services in processes of their own have them.
 */
export async function serveHere(environment: Record<string, string> & { DATA_DIR: string }) {
  // a machine that runs other tests as well is late at times
  const { config } = readConfig({ ...IN_ONE_PROCESS, ...environment });
  const logged: string[] = [];
  const log = pino({}, { write: (line) => void logged.push(line) });
  const { stop } = await startService(config, { version: VERSION, pid: process.pid }, log);
  onTestFinished(stop);
  return { url: LISTENING.exec(logged.join(''))![1]!, logged, stop };
}

/** An index without a document. */
export async function createIndexHere(environment: Record<string, string> & { DATA_DIR: string }): Promise<void> {
  const { store } = await openIndex(readConfig(environment).config, process.pid, await createLogger('silent', false));
  await store.close();
}
