import { parentPort } from 'node:worker_threads';
import type { CorpusOrder } from '../../../src/cluster/served/corpus.worker.ts';
import { replaceResult } from './replace-result.ts';

/*
 * The thread of a served corpus, in which time and chance are left out: each look at the clock is 11 ms after the one before,
 * so that each slice is one step. When the first question has been answered for one slice, another result takes the place of
 * its own, and the same is asked once more.
 */

let now = 0;
performance.now = () => {
  now += 11;
  return now;
};
await import('../../../src/cluster/served/corpus.worker.ts');

const [folder, other] = process.argv.slice(2);
parentPort!.once('message', ([id, asked]: CorpusOrder) => {
  replaceResult(folder!, other!);
  now += 2000;
  parentPort!.emit('message', [id + 1, { ...asked!, caller: 'b' }] satisfies CorpusOrder);
});
