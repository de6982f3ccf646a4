import { move, transferableSymbol, valueSymbol, workerData } from 'piscina';
import { ShingledError } from '../errors.ts';
import { GuessNeeded, hasModels, loadModels } from '../extract/charset/guess.ts';
import { extract } from '../extract/extract.ts';
import { createKernel } from '../kernel/choose.ts';
import { takeUnicodeImage } from '../kernel/unicode-image.ts';
import { stepBack } from '../sharing/priority.ts';
import type { ThreadSetup } from './document-workers.ts';
import type { DocumentInput, Outcome } from './port.ts';
import { createDocumentProcessor } from './process-document.ts';
import { packAnswer, type Task, unpackTask } from './protocol.ts';

/* A worker thread: one batch of documents after the other, each document answered by its sketch or by a typed error. */

const { identity, limits, kernel, unicode } = workerData as ThreadSetup;
if (unicode !== null) takeUnicodeImage(unicode);
const { sketcher } = createKernel(identity.fingerprint, kernel);
const processDocument = createDocumentProcessor(identity, sketcher, (input) => extract(input, limits, hasModels()));

stepBack('thread');

/** What the pool calls (document-workers.ts names it). */
export async function processTask(task: Task): Promise<unknown> {
  Atomics.store(task.started, 0, 1);
  const outcomes: Outcome[] = [];
  for (const input of unpackTask(task)) outcomes.push(await outcomeOf(input, task.started));
  const { answer, transfer } = packAnswer(outcomes, task.buffer);
  return move({ [valueSymbol]: answer, [transferableSymbol]: transfer });
}

async function outcomeOf(input: DocumentInput, started: Task['started']): Promise<Outcome> {
  try {
    return await processDocument(input);
  } catch (error) {
    if (error instanceof ShingledError) return error;
    if (!(error instanceof GuessNeeded)) throw error;
  }
  // which is no fault of the document: its clock stops
  Atomics.store(started, 0, 0);
  loadModels();
  Atomics.store(started, 0, 1);
  return outcomeOf(input, started);
}
