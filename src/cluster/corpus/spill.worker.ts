import { parentPort, workerData } from 'node:worker_threads';
import { plainError, ShingledError } from '../../errors.ts';
import { PostingSpill } from '../../spill/posting-spill.ts';
import { type SpillAnswer, type SpillSetup, type SpillTask, spillBatch } from './spill-thread.ts';

/* A thread that writes postings to a spill, one batch after the other. */

const { path, chunkEntries } = workerData as SpillSetup;
const port = parentPort!;
const spill = PostingSpill.create(path, chunkEntries, true);
// met where it is awaited
spill.catch(() => undefined);
let last: Promise<void> = Promise.resolve();

async function answerTo(task: SpillTask): Promise<SpillAnswer> {
  try {
    const opened = await spill;
    if (task === 'seal') {
      const layout = await opened.seal();
      await opened.close();
      return { layout };
    }
    spillBatch(opened, task.batch, task.used);
    opened.check();
    return { batch: task.batch };
  } catch (error) {
    if (error instanceof ShingledError) return { failed: plainError(error) };
    throw error;
  }
}

port.on('message', (task: SpillTask) => {
  last = last.then(async () => {
    const answer = await answerTo(task);
    port.postMessage(answer, 'batch' in answer ? [answer.batch.buffer] : []);
  });
});
