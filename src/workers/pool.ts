import { ShingledError } from '../errors.ts';
import { type ExtractLimits, heapBytesNeeded } from '../extract/limits.ts';
import { mediaTypeOf } from '../extract/media-type.ts';
import type { Identity } from '../identity/identity.ts';
import { createKernel, type Kernel, type KernelChoice } from '../kernel/choose.ts';
import { DocumentWorkers } from './document-workers.ts';
import { Gatherer } from './gatherer.ts';
import type { PipelineLimits } from './limits.ts';
import type { DocumentInput, DocumentPipeline, ProcessedDocument } from './port.ts';
import { createDocumentProcessor } from './process-document.ts';

/*
 * Where a document is processed.
 *
 *   small, without selectors   on the event loop: cheaper than handing it over, and too short to be felt
 *     … one of many            in a worker, several together
 *   larger                     in a worker
 *   with selectors             in a worker, always: a tree and a selector can be made to cost what they like
 */

export interface PipelineOptions extends PipelineLimits {
  readonly identity: Identity;
  readonly limits: ExtractLimits;
  /** Which kernel makes the sketches; `auto` where it is left out. */
  readonly kernel?: KernelChoice;
}

const MIB = 2 ** 20;
const RETRY_AFTER_S = 1;

/** @throws `invalid-config` where memoryMb cannot hold what the limits of extraction allow, or the kernel does not work. */
export function createDocumentPipeline(options: PipelineOptions): DocumentPipeline {
  const memoryMbMin = Math.ceil(heapBytesNeeded(options.limits) / MIB);
  if (!(options.memoryMb >= memoryMbMin)) {
    throw new ShingledError(
      'invalid-config',
      `Workers with ${options.memoryMb} MB of memory are too small for the limits of documents: they need ${memoryMbMin} MB`,
      { field: 'memoryMb', limit: { name: 'memoryMb', value: memoryMbMin } },
    );
  }
  return new Pipeline(options);
}

class Pipeline implements DocumentPipeline {
  readonly #options: PipelineOptions;
  readonly #processInline: (input: DocumentInput) => Promise<ProcessedDocument>;
  readonly #workers: DocumentWorkers;
  readonly #gatherer: Gatherer;
  readonly kernel: Pick<Kernel, 'name' | 'why'>;
  #closed = false;

  constructor(options: PipelineOptions) {
    this.#options = options;
    const { sketcher, name, why } = createKernel(options.identity.fingerprint, options.kernel ?? 'auto');
    this.kernel = { name, why };
    this.#processInline = createDocumentProcessor(options.identity, options.limits, sketcher);
    this.#workers = new DocumentWorkers({ ...options, kernel: name });
    this.#gatherer = new Gatherer({
      workers: options.threads,
      queueMax: options.bulkQueueMax,
      processHere: this.#processInline,
      processThere: (inputs) => this.#workers.process(inputs),
      failure: (error) => this.#failure(error),
    });
  }

  get queued(): number {
    return this.#workers.queued + this.#gatherer.queued;
  }

  async process(input: DocumentInput, signal?: AbortSignal): Promise<ProcessedDocument> {
    if (this.#closed) throw draining();
    if (signal?.aborted) throw abandoned(signal);
    try {
      return this.#isInline(input) ? await this.#processInline(input) : await this.#processInWorker(input, signal);
    } catch (error) {
      throw this.#failure(error, signal);
    }
  }

  processInBulk(input: DocumentInput): Promise<ProcessedDocument> {
    if (input.bytes.length > this.#options.limits.documentBytesMax) return this.process(input);
    if (this.#closed) return Promise.reject(draining());
    return this.#gatherer.add(input, this.#isInline(input));
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#gatherer.refuse(draining());
    await this.#workers.close();
  }

  async #processInWorker(input: DocumentInput, signal: AbortSignal | undefined): Promise<ProcessedDocument> {
    const { queueMax } = this.#options;
    if (this.#workers.queued >= queueMax) {
      throw new ShingledError('overloaded', `${queueMax} documents are waiting to be processed`, {
        limit: { name: 'queueMax', value: queueMax },
        retryAfterS: RETRY_AFTER_S,
      });
    }
    const [outcome] = await this.#workers.process([input], signal);
    if (outcome instanceof ShingledError) throw outcome;
    return outcome!;
  }

  #failure(error: unknown, signal?: AbortSignal): ShingledError {
    if (error instanceof ShingledError) return error;
    if (signal?.aborted) return abandoned(signal);
    if (this.#closed) return draining();
    return new ShingledError('internal', 'The document could not be processed', { cause: error });
  }

  #isInline({ bytes, contentType, select, remove }: DocumentInput): boolean {
    const { inlineHtmlBytesMax, inlineTextBytesMax, limits } = this.#options;
    if (bytes.length > limits.documentBytesMax) return true; // refused there, and not handed over for it
    if (select !== null || remove !== null) return false;
    if (bytes.length <= inlineHtmlBytesMax) return true;
    return bytes.length <= inlineTextBytesMax && mediaTypeOf(contentType, bytes).kind === 'plain';
  }
}

function draining(): ShingledError {
  return new ShingledError('draining', 'The service is stopping');
}

/** The caller gave up: by its own reason where that is one of ours. */
function abandoned(signal: AbortSignal): ShingledError {
  if (signal.reason instanceof ShingledError) return signal.reason;
  return new ShingledError('deadline-exceeded', 'The document was not ready in time', { cause: signal.reason });
}
