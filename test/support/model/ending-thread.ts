import { parentPort, workerData } from 'node:worker_threads';

/*
 * Runs in the place of a worker thread's own file (worker-end.ts): loads that, and ends the thread a while after it was given
 * a job, wherever it is then.
 */

const { file, ends } = workerData as { file: string; ends: { left: Int32Array; kind: string; afterMsMax: number } };

// first: messages come from the moment when somebody listens, and go to those who do
await import(file);

parentPort!.on('message', (job: { readonly kind?: string }) => {
  if (!(job.kind ?? '').startsWith(ends.kind) || Atomics.sub(ends.left, 0, 1) <= 0) return;
  setTimeout(() => process.exit(1), Math.random() * ends.afterMsMax);
});
