import { move, transferableSymbol, valueSymbol, workerData } from 'piscina';
import { ShingledError } from '../errors.ts';
import { createKernel } from '../kernel/choose.ts';
import type { DocumentInput, ProcessedDocument } from './port.ts';
import { createDocumentProcessor } from './process-document.ts';
import { type Answer, type Task, toPlainError, type WorkerSetup } from './protocol.ts';

/* A worker thread: one document after the other, each answered by its sketch or by a typed error. */

const { identity, limits, kernel } = workerData as WorkerSetup;
const processDocument = createDocumentProcessor(identity, limits, createKernel(identity.fingerprint, kernel).sketcher);

/** What the pool calls (pool.ts names it). */
export async function processTask({ input, started }: Task): Promise<unknown> {
  Atomics.store(started, 0, 1);
  Atomics.notify(started, 0);
  const answer = await answerTo(input);
  return move({ [valueSymbol]: answer, [transferableSymbol]: 'document' in answer ? buffersOf(answer.document) : [] });
}

async function answerTo(input: DocumentInput): Promise<Answer> {
  try {
    return { document: await processDocument(input) };
  } catch (error) {
    if (error instanceof ShingledError) return { error: toPlainError(error) };
    throw error;
  }
}

/** What is handed over instead of copied: every buffer that one view spans whole. */
function buffersOf({ text, sketch }: ProcessedDocument): ArrayBufferLike[] {
  const views = [text, sketch.shingleSum, sketch.sample.fingerprints];
  const owned = views.filter((view) => view !== null && view.byteLength === view.buffer.byteLength);
  return [...new Set(owned.map((view) => view!.buffer))];
}
