import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';

const MODULE = new URL('../../../../src/store/level/segments/let-go.ts', import.meta.url).href;

/** Lets go of so many bytes, does nothing for 4 s, and says whether they are still held. */
const THREAD = `
  const { parentPort, workerData } = require('node:worker_threads');
  function letGoOf(letGo, bytes) {
    const held = { memory: new SharedArrayBuffer(bytes) };
    letGo(held, bytes);
    return new WeakRef(held);
  }
  import('${MODULE}').then(({ letGo }) => {
    const held = letGoOf(letGo, workerData);
    setTimeout(() => parentPort.postMessage(held.deref() !== undefined), 4000);
  });
`;

it.concurrent.each([
  [64, false],
  [1, true],
])('of %i MB that were let go, an idle thread still has some: %s', async (megabytes, isHeld) => {
  const worker = new Worker(THREAD, { eval: true, workerData: megabytes * 2 ** 20 });
  expect(await once(worker, 'message')).toEqual([isHeld]);
  await worker.terminate();
});
