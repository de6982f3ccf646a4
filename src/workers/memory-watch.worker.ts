import { workerData } from 'node:worker_threads';

/*
 * A thread of a process for parsing that ends it, from inside, where its memory passes a limit while it is at work. The
 * limits of V8 count JavaScript objects; what a PDF file unfolds to lies beside them, and a document of 1 MB may unfold to
 * a thousand. Nothing else can look while the parser is busy: not its event loop, and not the service on every system.
 *
 *   atWork[0]   0: nothing to watch, the thread sleeps   1: it looks every 10 ms
 */

export interface MemoryWatch {
  readonly atWork: Int32Array;
  readonly bytesMax: number;
}

/** In so long an inflating parser takes some 10 MB. */
const LOOK_EVERY_MS = 10;

const { atWork, bytesMax } = workerData as MemoryWatch;

for (;;) {
  Atomics.wait(atWork, 0, 0);
  Atomics.wait(atWork, 0, 1, LOOK_EVERY_MS);
  if (process.memoryUsage.rss() > bytesMax) process.kill(process.pid, 'SIGKILL');
}
