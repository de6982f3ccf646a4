import { parentPort, workerData } from 'node:worker_threads';
import { ShingledError } from '../../../../errors.ts';
import { stepBack } from '../../../../sharing/priority.ts';
import { openLevel } from '../../database/level-handle.ts';
import { readFailure } from '../../outage/failures.ts';
import { LogGuard } from '../../outage/log-guard.ts';
import { letGo } from '../let-go.ts';
import { tailBytes } from '../tail.ts';
import { type Job, work } from './jobs.ts';
import type { Answer, JobFailure } from './segment-worker.ts';

/*
 * The worker thread of the posting index: one job after the other. Each has a handle of its own that is closed before
 * the answer, so that the main thread alone has the database open while no job runs.
 */

const { location, log } = workerData as { location: string; log: SharedArrayBuffer };
const guard = new LogGuard(log);

async function answerTo(job: Job): Promise<Answer> {
  try {
    const level = await openLevel(location, false);
    try {
      return { product: await work(level, job, guard) };
    } finally {
      await level.close();
    }
  } catch (error) {
    return { failed: failureOf(error) };
  }
}

function failureOf(error: unknown): JobFailure {
  const message = error instanceof Error ? error.message : String(error);
  // in the words of LevelDB a write that was refused looks like a read that failed
  if (guard.isRefused) return { code: 'storage-full', message };
  const failure = readFailure(error);
  return failure instanceof ShingledError
    ? { code: failure.code, message: failure.message }
    : { code: 'internal', message };
}

/** What of a job is memory of the other thread, or becomes it. */
function sharedBytes(job: Job, answer: Answer): number {
  const tail = job.kind === 'flush' ? tailBytes(job.tail) : 0;
  const image = 'product' in answer ? (answer.product.image?.memory.byteLength ?? 0) : 0;
  return tail + image;
}

// no answer waits for it, but where tails are full
stepBack('thread');
parentPort!.on('message', (job: Job) => {
  void answerTo(job).then((answer) => {
    parentPort!.postMessage(answer);
    letGo(job, sharedBytes(job, answer));
  });
});
