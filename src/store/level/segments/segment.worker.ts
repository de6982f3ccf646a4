import { parentPort, workerData } from 'node:worker_threads';
import { ShingledError } from '../../../errors.ts';
import { openLevel } from '../database.ts';
import { LogGuard } from '../log-guard.ts';
import { type Job, work } from './jobs.ts';
import type { Answer } from './segment-worker.ts';

/*
 * The worker thread of the posting index: one job after the other, each on a handle of its own that is closed before the
 * answer, so that while no job runs the main thread alone has the database open.
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
    const unreadable = error instanceof ShingledError && error.code === 'index-unreadable';
    return { failed: { unreadable, message: error instanceof Error ? error.message : String(error) } };
  }
}

parentPort!.on('message', (job: Job) => void answerTo(job).then((answer) => parentPort!.postMessage(answer)));
