import { statSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { ClusterLookUp } from './cluster-look-up.ts';
import type { CorpusQuestion } from './port.ts';

/*
 * The thread that holds a result and answers from it. Where another one has taken its place, the next question has that read
 * first, but not within RECHECK_MS of the last look. One that cannot be read leaves the one before in place. It is tried
 * again after RECHECK_MS, then after twice as long each time, since files may have been on their way.
 */

const RECHECK_MS = 1000;
const REST_MS_MAX = 60_000;

export type CorpusMessage =
  | { readonly opened: number }
  | { readonly failed: string }
  | { readonly id: number; readonly answer: ReturnType<ClusterLookUp['answer']>; readonly ms: number }
  | { readonly id: number; readonly fault: unknown };

const folder = workerData as string;
const port = parentPort!;
const say = (message: CorpusMessage) => port.postMessage(message);

let lookedAt = performance.now();
/** Of the result that is held. */
let identity = '';
let held: ClusterLookUp | null = null;
/** One that could not be read: when that was, and how long it rests. */
const NONE = { identity: '', at: 0, restMs: RECHECK_MS };
let failed = NONE;
read(identityOf());

port.on('message', ([id, question]: readonly [number, CorpusQuestion]) => {
  if (performance.now() - lookedAt >= RECHECK_MS) recheck();
  say({ id, ...(held === null ? { fault: new Error('No result could be read.') } : answered(held, question)) });
});

/** A file that can be read no more is the fault of one question: the next may do without that part of it. */
function answered(corpus: ClusterLookUp, question: CorpusQuestion) {
  const startedAt = performance.now();
  try {
    return { answer: corpus.answer(question), ms: performance.now() - startedAt };
  } catch (fault) {
    return { fault };
  }
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
    identity = now;
    failed = NONE;
  } catch (error) {
    const restMs = now === failed.identity ? Math.min(REST_MS_MAX, 2 * failed.restMs) : RECHECK_MS;
    failed = { identity: now, at: performance.now(), restMs };
    say({ failed: (error as Error).message });
  }
}
