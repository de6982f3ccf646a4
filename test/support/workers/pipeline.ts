import { onTestFinished } from 'vitest';
import type { ShingledError } from '../../../src/errors.ts';
import { DEFAULT_EXTRACT_LIMITS } from '../../../src/extract/limits.ts';
import { deriveIdentity } from '../../../src/identity/index-key.ts';
import { DEFAULT_PIPELINE_LIMITS } from '../../../src/workers/limits.ts';
import { createDocumentPipeline, type PipelineOptions } from '../../../src/workers/pool.ts';
import type { DocumentInput } from '../../../src/workers/port.ts';

export const IDENTITY = deriveIdentity(new Uint8Array(32).fill(7), 7);

/** The real pipeline with the real pool, one thread unless told otherwise. */
const pipelineWith = (options: Partial<PipelineOptions> = {}) =>
  createDocumentPipeline({
    ...DEFAULT_PIPELINE_LIMITS,
    identity: IDENTITY,
    limits: DEFAULT_EXTRACT_LIMITS,
    threads: 1,
    // no more than a minute for what ends in milliseconds, on whatever machine
    timeoutMs: 60_000,
    ...options,
  });

/** The same, asked by one caller unless another is named. */
export function begin(options: Partial<PipelineOptions> = {}) {
  const pipeline = pipelineWith(options);
  return {
    process: (document: DocumentInput, signal?: AbortSignal, caller = 'somebody') =>
      pipeline.process(document, { caller, signal }),
    processInBulk: (document: DocumentInput, caller = 'somebody') => pipeline.processInBulk(document, caller),
    processAll: (documents: readonly DocumentInput[], caller = 'somebody') => pipeline.processAll(documents, caller),
    isReadApart: (document: DocumentInput) => pipeline.isReadApart(document),
    begunApart: (documents: DocumentInput[]) => pipeline.begunApart(documents),
    get queued() {
      return pipeline.queued;
    },
    close: () => pipeline.close(),
  };
}

/** The same, closed at the end of the test. */
export function start(options: Partial<PipelineOptions> = {}) {
  const pipeline = begin(options);
  onTestFinished(() => pipeline.close());
  return pipeline;
}

/** A page as the pipeline takes it. */
export function input(body: string | Uint8Array, rest: Partial<DocumentInput> = {}): DocumentInput {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return { bytes, contentType: 'text/html', select: null, remove: null, modulusMax: 4, keepText: true, ...rest };
}

/** A page that takes a worker seconds: 40 MB, within limits that let it through. */
export const SLOW_LIMITS = { ...DEFAULT_EXTRACT_LIMITS, documentBytesMax: 100_000_000, textBytesMax: 100_000_000 };
export const slowPage = () => input(`<svg>seen<![CDATA[${']]'.repeat(25_000_000)}`);

/** A page and a selector that compares each of 60,000 siblings with all others: minutes of work, unless it is ended. */
export const selectorBomb = () => input('<i></i>'.repeat(60_000), { select: 'i:nth-last-child(5)' });

export const PAGE = '<html lang=en><title>A rose</title><p>is a <b>rose</b> is a flower which is a rose';
export const selected = (select: string) => input(PAGE, { select });

/** What comes of a promise: `done`, or the code of its error. */
export const settled = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: unknown) => (error as ShingledError).code,
  );
