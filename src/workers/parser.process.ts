import { writeFileSync } from 'node:fs';
import { createContext, Script } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { plainError, ShingledError } from '../errors.ts';
import { fileKindOf } from '../extract/charset/file-kind.ts';
import type { ExtractedText } from '../extract/extract.ts';
import { extractFile, loadReader } from '../extract/extract-file.ts';
import { OutOfTime } from '../extract/reading.ts';
import { extractSelected, notHtml } from '../extract/select/select.ts';
import { FILE_TYPES, type FileKind } from '../features/file-types.ts';
import { createKernel } from '../kernel/choose.ts';
import { stepBack } from '../sharing/priority.ts';
import type { MemoryWatch } from './memory-watch.worker.ts';
import type { Ending, ProcessTask, Said, Setup, Told } from './parser-process.ts';
import type { DocumentInput } from './port.ts';
import { createDocumentProcessor, type DocumentProcessor } from './process-document.ts';

/*
 * The process in which parts of pages are chosen, and PDF files, office documents and mail read. They can be made to cost what
 * they like, and where a heap is full V8 ends the process, not the thread. So they have one of their own, which whoever started
 * it can lose.
 */

const WATCH = new URL(`./memory-watch.worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

let processDocument: DocumentProcessor | null = null;
let timeoutMs = 0;
let begunAt = 0;
let watch: MemoryWatch | null = null;

const timed = createContext({ work: () => undefined });
const call = new Script('work()');

/** What `work` gives, unless V8 ends it at its time: the process goes on, also where nobody is left to end it. */
function inTime<T>(work: () => T): T {
  timed['work'] = work;
  return call.runInContext(timed, { timeout: timeoutMs }) as T;
}

/** The text of a file, while the memory of the process is watched; it looks at its own time. */
async function extractWatched(
  kind: FileKind,
  input: DocumentInput,
  { setup, processMbMax }: Setup,
): Promise<ExtractedText> {
  if (input.select !== null || input.remove !== null) throw notHtml(input, `read as ${FILE_TYPES[kind]}`);
  watch ??= startWatch(processMbMax);
  const { atWork } = watch;
  Atomics.store(atWork, 0, 1);
  Atomics.notify(atWork, 0);
  try {
    return await extractFile(kind, input, {
      limits: setup.limits,
      isLate: () => performance.now() - begunAt > timeoutMs,
    });
  } finally {
    Atomics.store(atWork, 0, 0);
    Atomics.notify(atWork, 0);
  }
}

function startWatch(processMbMax: number): MemoryWatch {
  const atWork = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const workerData: MemoryWatch = { atWork, bytesMax: processMbMax * 2 ** 20 };
  new Worker(WATCH, { workerData, env: {}, resourceLimits: { maxOldGenerationSizeMb: 8 } }).unref();
  return workerData;
}

async function begin(task: ProcessTask): Promise<void> {
  // that it takes time is no fault of the file; where it fails, the file is told of it
  const kind = fileKindOf(task.input.contentType, task.input.bytes);
  if (kind !== null) await loadReader(kind).catch(() => {});
  say({ begun: true });
  say(await endingOf(task));
}

async function endingOf(task: ProcessTask): Promise<Ending> {
  timeoutMs = task.timeoutMs;
  begunAt = performance.now();
  try {
    return { document: await processDocument!(task.input) };
  } catch (error) {
    if (isTimeout(error) || error instanceof OutOfTime) return { ended: 'late' };
    if (error instanceof ShingledError) return { failed: plainError(error) };
    const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { failed: plainError(new ShingledError('internal', `The document could not be read: ${cause}`)) };
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
    processDocument = createDocumentProcessor(identity, sketcher, (input) => {
      const kind = fileKindOf(input.contentType, input.bytes);
      return kind === null ? inTime(() => extractSelected(input, input, limits)) : extractWatched(kind, input, told);
    });
    say({ ready: true });
    return;
  }
  void begin(told);
});
// signals of a terminal reach all its processes: whoever started this one ends it
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
// pdf.js lets go of promises that a damaged file makes fail, and tells of the file by another one
process.on('unhandledRejection', () => {});
process.once('disconnect', () => process.exit());

stepBack('process');
try {
  // where memory runs short, the kernel is to take this process and not the service
  writeFileSync('/proc/self/oom_score_adj', '1000');
} catch {
  // not on this system, or not allowed: a precaution less
}
