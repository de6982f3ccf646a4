import { ShingledError } from '../errors.ts';
import { fileKindOf } from '../extract/charset/file-kind.ts';
import { isPlainText } from '../extract/charset/media-type.ts';
import { extract } from '../extract/extract.ts';
import { type ExtractLimits, heapBytesNeeded, heapBytesToRead } from '../extract/limits.ts';
import { isFeatures } from '../features/feature-list.ts';
import type { Identity } from '../identity/identity.ts';
import { createKernel, type KernelChoice } from '../kernel/choose.ts';
import { givenUp, throwIfGivenUp } from '../sharing/deadline.ts';
import { Dispatcher } from './dispatcher.ts';
import { DocumentWorkers } from './document-workers.ts';
import type { PipelineLimits } from './limits.ts';
import { isForWorker, LEFT_HERE_BYTES_MAX } from './not-here.ts';
import { ParserLane } from './parser-lane.ts';
import type { Asking, DocumentInput, DocumentPipeline, ProcessedDocument } from './port.ts';
import { createDocumentProcessor } from './process-document.ts';

/*
 * Where a document is processed.
 *
 *   small, without selectors   on the event loop: cheaper than handing it over, and too short to be felt
 *     … one of many            in a worker thread, several together
 *     … that takes long for its size, as it turns out: in a worker thread (not-here.ts)
 *   larger                     in a worker thread
 *   with selectors, files      in a process, always: a tree, a selector, a PDF file or an office document can be made to cost
 *                              what they like
 */

export interface PipelineOptions extends PipelineLimits {
  readonly identity: Identity;
  readonly limits: ExtractLimits;
  /** Which kernel makes the sketches; `auto` where it is left out. */
  readonly kernel?: KernelChoice;
  /** Told how long a worker was at work for a caller, ms. */
  readonly onWorked?: (caller: string, ms: number) => void;
}

const MIB = 2 ** 20;

/** @throws `invalid-config` where memoryMb cannot hold what the limits of extraction allow, or the kernel does not work. */
export function createDocumentPipeline(options: PipelineOptions): DocumentPipeline {
  const { identity, limits, threads, queueMax, onWorked } = options;
  checkMemory(options);
  const { sketcher, name, why } = createKernel(identity.fingerprint, options.kernel ?? 'auto', LEFT_HERE_BYTES_MAX);
  const processHere = createDocumentProcessor(identity, sketcher, (input) => extract(input, limits, false), true);
  const setup = { identity, limits, kernel: name };
  const memoryMb = Math.ceil(heapBytesToRead(limits) / MIB);
  const workers = new DocumentWorkers({ ...options, memoryMb, setup });
  const parsers = new ParserLane({ ...options, setup });
  let closed = false;

  const failure = (error: unknown, signal?: AbortSignal): ShingledError => {
    if (error instanceof ShingledError) return error;
    if (signal?.aborted) return givenUp(signal);
    if (closed) return draining();
    return new ShingledError('internal', 'The document could not be processed', { cause: error });
  };
  const dispatcher = new Dispatcher({
    ...{ workers: threads, queueMax, processHere, failure },
    processThere: (inputs) => workers.process(inputs),
    worked: (caller, ms) => onWorked?.(caller, ms),
  });

  async function processOne(input: DocumentInput, asking: Asking, patient: boolean): Promise<ProcessedDocument> {
    const { signal } = asking;
    if (closed) throw draining();
    throwIfGivenUp(signal);
    try {
      if (isInline(input, options)) return await processInline(input, asking);
      if (isForParser(input)) return await parsers.process(input, asking, patient);
      return await dispatcher.add(input, asking);
    } catch (error) {
      throw failure(error, signal);
    }
  }

  async function processInline(input: DocumentInput, asking: Asking): Promise<ProcessedDocument> {
    try {
      return await processHere(input);
    } catch (error) {
      if (isForWorker(error)) return dispatcher.add(input, asking);
      throw error;
    }
  }

  const isAlone = (input: DocumentInput) => input.bytes.length > limits.documentBytesMax || isForParser(input);

  function processInBulk(input: DocumentInput, caller: string): Promise<ProcessedDocument> {
    if (isAlone(input)) return processOne(input, { caller }, true);
    if (closed) return Promise.reject(draining());
    return dispatcher.addInBulk(input, isInline(input, options), caller);
  }

  return {
    kernel: { name, why },
    get queued() {
      return dispatcher.queued + parsers.queued;
    },
    process: (input, asking) => processOne(input, asking, false),
    isSmall: (input) => isInline(input, options),
    isReadApart: (input) =>
      input.bytes.length <= limits.documentBytesMax &&
      (isForParser(input) || (!workers.areReady && !isInline(input, options))),
    async begunApart(inputs) {
      const forParser = inputs.filter(isForParser).length;
      await Promise.allSettled([
        ...(forParser > 0 ? [parsers.begun()] : []),
        ...(forParser < inputs.length ? [workers.begun()] : []),
      ]);
    },
    processInBulk,
    processAll(inputs, caller) {
      const isEachAlone = closed || inputs.some(isAlone);
      if (!isEachAlone) return dispatcher.addAllInBulk(inputs, (input) => isInline(input, options), caller);
      return Promise.all(inputs.map((input) => processInBulk(input, caller).catch((error: unknown) => failure(error))));
    },
    async close() {
      closed = true;
      dispatcher.refuse(draining());
      await Promise.all([workers.close(), parsers.close()]);
    },
  };
}

function checkMemory({ memoryMb, limits }: PipelineOptions): void {
  const memoryMbMin = Math.ceil(heapBytesNeeded(limits) / MIB);
  if (memoryMb >= memoryMbMin) return;
  throw new ShingledError(
    'invalid-config',
    `Processes for selectors and PDF files with ${memoryMb} MB of memory are too small for the limits of documents: they need ${memoryMbMin} MB`,
    { field: 'memoryMb', limit: { name: 'memoryMb', value: memoryMbMin } },
  );
}

type Given = Pick<DocumentInput, 'bytes' | 'contentType' | 'select' | 'remove'>;

/** Never throws, nor does `isForParser`: where a document is read is decided for many at a time. */
function isInline(input: Given, options: PipelineOptions): boolean {
  const { inlineFeaturesBytesMax, inlineHtmlBytesMax, inlineTextBytesMax, limits } = options;
  const { bytes, contentType } = input;
  if (bytes.length > limits.documentBytesMax) return true; // refused there, and not handed over for it
  if (isForParser(input)) return false;
  if (isFeatures(contentType)) return bytes.length <= inlineFeaturesBytesMax;
  if (bytes.length <= inlineHtmlBytesMax) return true;
  return bytes.length <= inlineTextBytesMax && isPlainText(contentType, bytes);
}

function isForParser({ bytes, contentType, select, remove }: Given): boolean {
  return select !== null || remove !== null || fileKindOf(contentType, bytes) !== null;
}

function draining(): ShingledError {
  return new ShingledError('draining', 'The service is stopping');
}
