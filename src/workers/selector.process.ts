import { writeFileSync } from 'node:fs';
import { createContext, Script } from 'node:vm';
import { plainError, ShingledError } from '../errors.ts';
import { extractSelected } from '../extract/select/select.ts';
import { createKernel } from '../kernel/choose.ts';
import { stepBack } from '../sharing/priority.ts';
import { createDocumentProcessor, type DocumentProcessor } from './process-document.ts';
import type { Ending, ProcessTask, Said, Told } from './selector-process.ts';

/*
 * The process in which parts of pages are chosen. A tree and a selector can be made to cost what they like, and where a
 * heap is full V8 ends the process, not the thread. So they have one of their own, which whoever started it can lose.
 */

let processDocument: DocumentProcessor | null = null;
let timeoutMs = 0;

const timed = createContext({ work: () => undefined });
const call = new Script('work()');

/** What `work` gives, unless V8 ends it at its time: the process goes on, also where nobody is left to end it. */
function inTime<T>(work: () => T): T {
  timed['work'] = work;
  return call.runInContext(timed, { timeout: timeoutMs }) as T;
}

async function endingOf(task: ProcessTask): Promise<Ending> {
  timeoutMs = task.timeoutMs;
  try {
    return { document: await processDocument!(task.input) };
  } catch (error) {
    if (isTimeout(error)) return { ended: 'late' };
    if (error instanceof ShingledError) return { failed: plainError(error) };
    const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { failed: plainError(new ShingledError('internal', `The page could not be read: ${cause}`)) };
  }
}

/** Not `instanceof`: it is an error of the other context. */
const isTimeout = (error: unknown) => (error as NodeJS.ErrnoException | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';

// where nobody listens any more, `disconnect` ends this process
const say = (said: Said) => void process.send!(said, () => {});

process.on('message', (told: Told) => {
  if ('setup' in told) {
    const { identity, limits, kernel } = told.setup;
    const { sketcher } = createKernel(identity.fingerprint, kernel);
    processDocument = createDocumentProcessor(identity, sketcher, (input) =>
      inTime(() => extractSelected(input, input, limits)),
    );
    return;
  }
  say({ begun: true });
  void endingOf(told).then(say);
});
// signals of a terminal reach all its processes: whoever started this one ends it
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.once('disconnect', () => process.exit());

stepBack('process');
try {
  // where memory runs short, the kernel is to take this process and not the service
  writeFileSync('/proc/self/oom_score_adj', '1000');
} catch {
  // not on this system, or not allowed: a precaution less
}
