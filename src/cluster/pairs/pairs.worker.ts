import { parentPort } from 'node:worker_threads';
import { plainError } from '../../errors.ts';
import { collectLeft, sharedBytesIn } from '../../sharing/garbage.ts';
import { failureOf } from '../run-failures.ts';
import type { Answer, Job } from './pair-jobs.ts';
import { work } from './pair-work.ts';

const port = parentPort!;
/** By the job before: what was found is somewhere else by now. */
let left = 0;
port.on('message', (job: Job) => {
  collectLeft(left);
  let answer: Answer;
  try {
    answer = { product: work(job) };
  } catch (error) {
    answer = { failed: plainError(failureOf(error)) };
  }
  left = sharedBytesIn(job) + sharedBytesIn(answer);
  port.postMessage(answer);
});
