import { ShingledError } from '../errors.ts';
import { mediaTypeOf } from '../extract/charset/media-type.ts';
import { extract } from '../extract/extract.ts';
import { type ExtractLimits, heapBytesNeeded, heapBytesToRead } from '../extract/limits.ts';
import type { Identity } from '../identity/identity.ts';
import { createKernel, type Kernel, type KernelChoice } from '../kernel/choose.ts';
import { givenUp, throwIfGivenUp } from '../sharing/deadline.ts';
import { Dispatcher } from './dispatcher.ts';
import { DocumentWorkers } from './document-workers.ts';
import type { PipelineLimits } from './limits.ts';
import type { Asking, DocumentInput, DocumentPipeline, ProcessedDocument } from './port.ts';
import { createDocumentProcessor } from './process-document.ts';
import { SelectorLane } from './selector-lane.ts';

/*
 * Where a document is processed.
 *
 *   small, without selectors   on the event loop: cheaper than handing it over, and too short to be felt
 *     … one of many            in a worker thread, several together
 *   larger                     in a worker thread
 *   with selectors             in a process, always: a tree and a selector can be made to cost what they like
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
  const memoryMbMin = Math.ceil(heapBytesNeeded(options.limits) / MIB);
  if (!(options.memoryMb >= memoryMbMin)) {
    throw new ShingledError(
      'invalid-config',
      `Processes for selectors with ${options.memoryMb} MB of memory are too small for the limits of documents: they need ${memoryMbMin} MB`,
      { field: 'memoryMb', limit: { name: 'memoryMb', value: memoryMbMin } },
    );
  }
  return new Pipeline(options);
}

class Pipeline implements DocumentPipeline {
  readonly #options: PipelineOptions;
  readonly #processInline: (input: DocumentInput) => Promise<ProcessedDocument>;
  readonly #workers: DocumentWorkers;
  readonly #dispatcher: Dispatcher;
  readonly #selectors: SelectorLane;
  readonly kernel: Pick<Kernel, 'name' | 'why'>;
  #closed = false;

  constructor(options: PipelineOptions) {
    this.#options = options;
    const { identity, limits } = options;
    const { sketcher, name, why } = createKernel(identity.fingerprint, options.kernel ?? 'auto');
    this.kernel = { name, why };
    this.#processInline = createDocumentProcessor(identity, sketcher, (input) => extract(input, limits));
    const memoryMb = Math.ceil(heapBytesToRead(limits) / MIB);
    const setup = { identity, limits, kernel: name };
    this.#workers = new DocumentWorkers({ ...options, memoryMb, setup });
    this.#selectors = new SelectorLane({ ...options, setup });
    this.#dispatcher = new Dispatcher({
      workers: options.threads,
      queueMax: options.queueMax,
      processHere: this.#processInline,
      processThere: (inputs) => this.#workers.process(inputs),
      failure: (error) => this.#failure(error),
      worked: (caller, ms) => options.onWorked?.(caller, ms),
    });
  }

  get queued(): number {
    return this.#dispatcher.queued + this.#selectors.queued;
  }

  process(input: DocumentInput, asking: Asking): Promise<ProcessedDocument> {
    return this.#process(input, asking, false);
  }

  async processInBulk(input: DocumentInput, caller: string): Promise<ProcessedDocument> {
    const isAlone = input.bytes.length > this.#options.limits.documentBytesMax || hasSelectors(input);
    if (isAlone) return this.#process(input, { caller }, true);
    if (this.#closed) throw draining();
    return this.#dispatcher.addInBulk(input, this.#isInline(input), caller);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#dispatcher.refuse(draining());
    await Promise.all([this.#workers.close(), this.#selectors.close()]);
  }

  async #process(input: DocumentInput, asking: Asking, patient: boolean): Promise<ProcessedDocument> {
    const { signal } = asking;
    if (this.#closed) throw draining();
    throwIfGivenUp(signal);
    try {
      if (this.#isInline(input)) return await this.#processInline(input);
      if (hasSelectors(input)) return await this.#selectors.process(input, asking, patient);
      return await this.#dispatcher.add(input, asking);
    } catch (error) {
      throw this.#failure(error, signal);
    }
  }

  #failure(error: unknown, signal?: AbortSignal): ShingledError {
    if (error instanceof ShingledError) return error;
    if (signal?.aborted) return givenUp(signal);
    if (this.#closed) return draining();
    return new ShingledError('internal', 'The document could not be processed', { cause: error });
  }

  #isInline(input: DocumentInput): boolean {
    const { bytes, contentType } = input;
    const { inlineHtmlBytesMax, inlineTextBytesMax, limits } = this.#options;
    if (bytes.length > limits.documentBytesMax) return true; // refused there, and not handed over for it
    if (hasSelectors(input)) return false;
    if (bytes.length <= inlineHtmlBytesMax) return true;
    return bytes.length <= inlineTextBytesMax && mediaTypeOf(contentType, bytes).kind === 'plain';
  }
}

function hasSelectors({ select, remove }: DocumentInput): boolean {
  return select !== null || remove !== null;
}

function draining(): ShingledError {
  return new ShingledError('draining', 'The service is stopping');
}
