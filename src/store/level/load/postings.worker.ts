import { openSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { ContentTable } from '../segments/content-table.ts';
import { makePart, type PartsSource, type SegmentPart } from './posting-rows.ts';
import type { PartAnswer } from './posting-threads.ts';

/* A thread that makes rows of postings, one part after the other, in the order in which it is asked. */

const source = workerData as PartsSource;
const table = new ContentTable(source.contents);
// the system closes it with the thread
const file = openSync(source.layout.path, 'r');
const port = parentPort!;
let last: Promise<void> = Promise.resolve();

port.on('message', (part: SegmentPart) => {
  last = last.then(async () => {
    const answer: PartAnswer = await makePart(source, file, table, part).then(
      (made) => ({ made }),
      (error: unknown) => ({ failed: error instanceof Error ? error.message : String(error) }),
    );
    port.postMessage(answer, 'made' in answer ? [answer.made.buckets.buffer, answer.made.ends.buffer] : []);
  });
});
