import { statSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { ClusterLookUp } from './cluster-look-up.ts';
import type { CorpusAnswer, CorpusQuestion } from './port.ts';
import { SharedTime } from './shared-time.ts';

/*
 * The thread that holds a result and answers from it. Between two slices of work (shared-time.ts) it hears of questions that
 * have come, and of those whose answers nobody wants any more.
 *
 * If another result has taken the place of the one that is held, the next question has that read first, but not within
 * RECHECK_MS of the last look. What is being answered then begins again. A result that cannot be read leaves the one before
 * in place. It is tried again after RECHECK_MS, then after twice as long each time, since files may have been on their way.
 */

const RECHECK_MS = 1000;
const REST_MS_MAX = 60_000;

export type CorpusMessage =
  | { readonly opened: number }
  | { readonly failed: string }
  | { readonly caller: string; readonly worked: number }
  | { readonly id: number; readonly answer: CorpusAnswer }
  | { readonly id: number; readonly fault: unknown };

/** A question, or null: nobody wants its answer any more. */
export type CorpusOrder = readonly [
  id: number,
  asked: { readonly caller: string; readonly question: CorpusQuestion } | null,
];

const folder = workerData as string;
const port = parentPort!;
const say = (message: CorpusMessage) => port.postMessage(message);

const time = new SharedTime<CorpusAnswer>();
let isAtWork = false;

let lookedAt = performance.now();
/** Of the result that is held. */
let identity = '';
let held: ClusterLookUp | null = null;
/** One that could not be read: when that was, and how long it rests. */
const NONE = { identity: '', at: 0, restMs: RECHECK_MS };
let failed = NONE;
read(identityOf());

port.on('message', ([id, asked]: CorpusOrder) => {
  if (asked === null) return time.drop(id);
  if (performance.now() - lookedAt >= RECHECK_MS) recheck();
  time.add({ id, caller: asked.caller, begin: () => answerSteps(asked.question) });
  if (!isAtWork) work();
});

function work(): void {
  const slice = time.work();
  isAtWork = time.length > 0;
  if (isAtWork) setImmediate(work);
  if (slice === null) return;
  const { id, caller, ms, result } = slice;
  say({ caller, worked: ms });
  // a file that can be read no more is the fault of one question: the next may do without that part of it
  if (result !== null) say('value' in result ? { id, answer: result.value } : { id, fault: result.fault });
}

function answerSteps(question: CorpusQuestion): Generator<undefined, CorpusAnswer> {
  if (held === null) throw new Error('No result could be read.');
  return held.answerSteps(question);
}

/** A finished result has its summary, which is written last. */
function identityOf(): string {
  const { ino, mtimeMs, size } = statSync(join(folder, 'clusters.json'), { throwIfNoEntry: false }) ?? {};
  return [ino, mtimeMs, size].join();
}

function recheck(): void {
  lookedAt = performance.now();
  const now = identityOf();
  if (now === identity || (now === failed.identity && lookedAt - failed.at < failed.restMs)) return;
  read(now);
}

function read(now: string): void {
  try {
    const opened = new ClusterLookUp(folder);
    say({ opened: opened.documents });
    held?.close();
    held = opened;
    time.beginAgain();
    identity = now;
    failed = NONE;
  } catch (error) {
    const restMs = now === failed.identity ? Math.min(REST_MS_MAX, 2 * failed.restMs) : RECHECK_MS;
    failed = { identity: now, at: performance.now(), restMs };
    say({ failed: (error as Error).message });
  }
}
