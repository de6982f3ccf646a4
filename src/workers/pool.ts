import { Piscina } from 'piscina';
import { ShingledError } from '../errors.ts';
import type { ExtractLimits } from '../extract/limits.ts';
import { mediaTypeOf } from '../extract/media-type.ts';
import type { Identity } from '../identity/identity.ts';
import type { PipelineLimits } from './limits.ts';
import type { DocumentInput, DocumentPipeline, ProcessedDocument } from './port.ts';
import { createDocumentProcessor } from './process-document.ts';
import { type Answer, fromPlainError, type Task, type WorkerSetup } from './protocol.ts';

/*
 * Where a document is processed.
 *
 *   small, without selectors   on the event loop: cheaper than handing it over, and too short to be felt
 *   larger                     in a worker
 *   with selectors             in a worker, always: a tree and a selector can be made to cost what they like
 *
 * A worker that takes too long or needs too much memory is ended and replaced; its document is `document-too-complex`. The
 * clock of a document starts when its worker begins, not while it waits for one.
 */

export interface PipelineOptions extends PipelineLimits {
  readonly identity: Identity;
  readonly limits: ExtractLimits;
}

const WORKER_FILE = new URL(`./document.worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);
const RETRY_AFTER_S = 1;

export function createDocumentPipeline(options: PipelineOptions): DocumentPipeline {
  return new Pipeline(options);
}

class Pipeline implements DocumentPipeline {
  readonly #options: PipelineOptions;
  readonly #processInline: (input: DocumentInput) => Promise<ProcessedDocument>;
  #pool: Piscina<Task, Answer> | null = null;
  #closed = false;

  constructor(options: PipelineOptions) {
    this.#options = options;
    this.#processInline = createDocumentProcessor(options.identity, options.limits);
  }

  get queued(): number {
    return this.#pool?.queueSize ?? 0;
  }

  async process(input: DocumentInput, signal?: AbortSignal): Promise<ProcessedDocument> {
    if (this.#closed) throw draining();
    if (signal?.aborted) throw abandoned(signal);
    try {
      return this.#isSmall(input) ? await this.#processInline(input) : await this.#processInWorker(input, signal);
    } catch (error) {
      if (error instanceof ShingledError) throw error;
      throw new ShingledError('internal', 'The document could not be processed', { cause: error });
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#pool?.close();
  }

  #isSmall({ bytes, contentType, select, remove }: DocumentInput): boolean {
    const { inlineHtmlBytesMax, inlineTextBytesMax } = this.#options;
    if (select !== null || remove !== null) return false;
    if (bytes.length <= inlineHtmlBytesMax) return true;
    return bytes.length <= inlineTextBytesMax && mediaTypeOf(contentType, bytes).kind === 'plain';
  }

  async #processInWorker(input: DocumentInput, signal: AbortSignal | undefined): Promise<ProcessedDocument> {
    const { queueMax, timeoutMs, limits } = this.#options;
    if (input.bytes.length > limits.documentBytesMax) return this.#processInline(input); // throws, at no cost
    if (this.queued >= queueMax) {
      throw new ShingledError('overloaded', `${queueMax} documents are waiting to be processed`, {
        limit: { name: 'queueMax', value: queueMax },
        retryAfterS: RETRY_AFTER_S,
      });
    }
    const started = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const deadline = new Deadline(started, timeoutMs);
    // a copy of its own to hand over: the caller's may be a part of a larger buffer, and stays the caller's
    const bytes = new Uint8Array(input.bytes);
    try {
      const answer = await this.#workers().run(
        { input: { ...input, bytes }, started },
        {
          transferList: [bytes.buffer],
          signal: signal === undefined ? deadline.signal : AbortSignal.any([deadline.signal, signal]),
        },
      );
      if ('error' in answer) throw fromPlainError(answer.error);
      return answer.document;
    } catch (error) {
      throw this.#explain(error, deadline, signal);
    } finally {
      deadline.end();
    }
  }

  #explain(error: unknown, deadline: Deadline, signal: AbortSignal | undefined): unknown {
    const { timeoutMs, memoryMb } = this.#options;
    if (error instanceof ShingledError) return error;
    if (deadline.signal.aborted) {
      return new ShingledError('document-too-complex', `The document took more than ${timeoutMs} ms to process`, {
        limit: { name: 'timeoutMs', value: timeoutMs },
      });
    }
    if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
      return new ShingledError('document-too-complex', `The document took more than ${memoryMb} MB to process`, {
        limit: { name: 'memoryMb', value: memoryMb },
      });
    }
    if (signal?.aborted) return abandoned(signal);
    return this.#closed ? draining() : error;
  }

  #workers(): Piscina<Task, Answer> {
    if (this.#pool !== null) return this.#pool;
    const { identity, limits, threads, timeoutMs, memoryMb } = this.#options;
    this.#pool = new Piscina<Task, Answer>({
      filename: WORKER_FILE.href,
      name: 'processTask',
      // as many at least as at most: with fewer, piscina does not replace an ended worker that tasks wait for
      minThreads: threads,
      maxThreads: threads,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
      workerData: { identity, limits } satisfies WorkerSetup,
      env: {},
      closeTimeout: timeoutMs,
      recordTiming: false,
    });
    // a worker that ends while it is idle is replaced; nobody waits for it, so there is nobody to tell
    this.#pool.on('error', () => {});
    return this.#pool;
  }
}

/** Aborts its signal some time after a worker has begun. */
class Deadline {
  readonly #controller = new AbortController();
  readonly #started: Int32Array;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ended = false;

  constructor(started: Int32Array, timeoutMs: number) {
    this.#started = started;
    void Promise.resolve(Atomics.waitAsync(started, 0, 0).value).then(() => {
      if (!this.#ended) this.#timer = setTimeout(() => this.#controller.abort(), timeoutMs);
    });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    Atomics.notify(this.#started, 0);
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
