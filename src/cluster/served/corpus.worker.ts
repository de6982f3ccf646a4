import { statSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { ClusterLookUp } from './cluster-look-up.ts';
import type { CorpusQuestion } from './port.ts';

/*
 * The thread that holds a result and answers from it. Where another one has taken its place, the next question has that read
 * first, but not within RECHECK_MS of the last look. One that cannot be read leaves the one before in place.
 */

const RECHECK_MS = 1000;

export type CorpusMessage =
  | { readonly opened: number }
  | { readonly failed: string }
  | { readonly id: number; readonly answer: ReturnType<ClusterLookUp['answer']> };

const folder = workerData as string;
const port = parentPort!;
const say = (message: CorpusMessage) => port.postMessage(message);

let lookedAt = performance.now();
let identity = identityOf();
let held = open();

port.on('message', ([id, question]: readonly [number, CorpusQuestion]) => {
  if (performance.now() - lookedAt >= RECHECK_MS) recheck();
  if (held !== null) say({ id, answer: held.answer(question) });
});

/** A finished result has its summary, which is written last. */
function identityOf(): string {
  const { ino, mtimeMs, size } = statSync(join(folder, 'clusters.json'), { throwIfNoEntry: false }) ?? {};
  return [ino, mtimeMs, size].join();
}

function recheck(): void {
  lookedAt = performance.now();
  const now = identityOf();
  if (now === identity) return;
  identity = now;
  const next = open();
  if (next === null) return;
  held?.close();
  held = next;
}

function open(): ClusterLookUp | null {
  try {
    const opened = new ClusterLookUp(folder);
    say({ opened: opened.documents });
    return opened;
  } catch (error) {
    say({ failed: (error as Error).message });
    return null;
  }
}
