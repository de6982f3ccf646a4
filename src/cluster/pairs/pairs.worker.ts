import { parentPort } from 'node:worker_threads';
import { plainError } from '../../errors.ts';
import { collectGarbage } from '../../sharing/collector.ts';
import { failureOf } from '../run-failures.ts';
import type { Answer, Job } from './pair-jobs.ts';
import { work } from './pair-work.ts';

const port = parentPort!;
port.on('message', (job: Job) => {
  // memory that threads share is not counted, and what was found before is somewhere else by now
  collectGarbage();
  let answer: Answer;
  try {
    answer = { product: work(job) };
  } catch (error) {
    answer = { failed: plainError(failureOf(error)) };
  }
  port.postMessage(answer);
});
