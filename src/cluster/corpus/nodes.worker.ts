import { parentPort, workerData } from 'node:worker_threads';
import { plainError } from '../../errors.ts';
import { failureOf } from '../run-failures.ts';
import type { NodeAnswer, NodeTask } from './node-thread.ts';
import { type NodeSetup, NodeWriter } from './node-writer.ts';

/* A thread that writes nodes, one batch of texts after the other. */

const port = parentPort!;
const writer = NodeWriter.create(workerData as NodeSetup);
// met where it is awaited
writer.catch(() => undefined);
let last: Promise<void> = Promise.resolve();

async function answerTo(task: NodeTask): Promise<NodeAnswer> {
  try {
    const nodes = await writer;
    if (task === 'texts') return { nodeOfText: nodes.takeNodeOfText() };
    if (task === 'seal') {
      const sealed = await nodes.seal();
      await nodes.close();
      return { sealed };
    }
    nodes.add(task.batch, task.used);
    await nodes.room();
    return { batch: task.batch, bytes: nodes.bytes };
  } catch (error) {
    return { failed: plainError(failureOf(error)) };
  }
}

/** Memory that goes to who is answered. */
function givenWith(answer: NodeAnswer): ArrayBuffer[] {
  if ('batch' in answer) return [answer.batch.buffer];
  return 'nodeOfText' in answer ? answer.nodeOfText.pages.map(({ buffer }) => buffer) : [];
}

port.on('message', (task: NodeTask) => {
  last = last.then(async () => {
    const answer = await answerTo(task);
    port.postMessage(answer, givenWith(answer));
  });
});
