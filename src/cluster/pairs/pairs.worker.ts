import { parentPort } from 'node:worker_threads';
import type { Answer, Job } from './pair-jobs.ts';
import { work } from './pair-work.ts';

const port = parentPort!;
port.on('message', (job: Job) => {
  let answer: Answer;
  try {
    answer = { product: work(job) };
  } catch (error) {
    answer = { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  port.postMessage(answer);
});
