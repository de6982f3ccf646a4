import { Worker } from 'node:worker_threads';

/**
 * From now on the thread that segments are written in ends by itself `afterMs` after it was given a job, so long as `isIt`
 * says so of that job: as when it runs out of memory.
 *
 * @returns ends that again
 */
export function endWorkers(isIt: (job: { readonly kind?: string }) => boolean, afterMs: () => number): () => void {
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function post(this: Worker, ...args: Parameters<typeof postMessage>) {
    postMessage.apply(this, args);
    const job: unknown = args[0];
    if (typeof job !== 'object' || job === null || !isIt(job)) return;
    setTimeout(() => void this.terminate(), afterMs());
  };
  return () => {
    Worker.prototype.postMessage = postMessage;
  };
}
