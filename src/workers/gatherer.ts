import { ShingledError } from '../errors.ts';
import type { DocumentInput, ProcessedDocument } from './port.ts';
import type { Outcome } from './protocol.ts';

/*
 * Documents of bulk requests. Small ones are gathered into batches, since a message to a worker costs the event loop some
 * 40 us, and the sketch of a text of 5 KB 27.
 *
 *   add ─┐                      ┌─ batch ─▶ worker       as many batches at work as there are workers, and as many at hand
 *   add ─┼─ waiting (queueMax) ─┼─ batch ─▶ worker       that are at least a quarter of what a batch may be;
 *   add ─┘                      └─ few bytes in all: on the event loop          meanwhile the next ones gather
 *
 * Nothing waits for company where a worker is free: a batch leaves at the latest when the event loop has done all that is at
 * hand. So a busy loop makes large batches, an idle one small ones. No more are handed over than the workers have at work
 * and at hand, so that the documents of single requests wait behind these and not behind all.
 *
 * A batch is a chance, not a fate: where a worker ends under one, its documents go again one by one, and only the one that
 * ends its worker by itself is refused.
 */

/** Handing over costs the event loop 42 us a text of 5 KB by itself, 5.5 among 16, 3.6 among 64 and 3.5 among 128. */
const BATCH_DOCUMENTS_MAX = 128;
/** What holds a worker for about 3 ms, so that others soon have their turn. */
const BATCH_BYTES_MAX = 512 * 1024;
/** Part of a batch that is worth handing over before a worker is free for it. */
const AT_HAND_PART = 1 / 4;
/** Up to here, the event loop sketches a batch in less time than the way to a worker and back takes, 0.1 ms. */
const HERE_BYTES_MAX = 16 * 1024;

export interface GathererParts {
  /** How many batches can be at work at a time. */
  readonly workers: number;
  /** Documents that wait, at most. */
  readonly queueMax: number;
  readonly processHere: (input: DocumentInput) => Promise<ProcessedDocument>;
  readonly processThere: (inputs: readonly DocumentInput[]) => Promise<readonly Outcome[]>;
  /** What is told of an error. */
  readonly failure: (error: unknown) => ShingledError;
}

interface Waiting {
  readonly input: DocumentInput;
  readonly small: boolean;
  readonly resolve: (document: ProcessedDocument) => void;
  readonly reject: (error: ShingledError) => void;
}

export class Gatherer {
  readonly #parts: GathererParts;
  #waiting: Waiting[] = [];
  #atWork = 0;
  #scheduled = false;

  constructor(parts: GathererParts) {
    this.#parts = parts;
  }

  get queued(): number {
    return this.#waiting.length;
  }

  /**
   * @param small whether the event loop may process it, and others go with it
   * @throws (the promise) `overloaded`, or what `failure` makes of what processing throws
   */
  add(input: DocumentInput, small: boolean): Promise<ProcessedDocument> {
    // one promise a document, as its share of handing over is not much more than that
    return new Promise((resolve, reject) => {
      if (this.#waiting.length >= this.#parts.queueMax) throw this.#overloaded();
      this.#waiting.push({ input, small, resolve, reject });
      if (this.#waiting.length >= BATCH_DOCUMENTS_MAX) this.#send();
      else this.#sendSoon();
    });
  }

  /** Refuses all that wait; what is at work goes on. */
  refuse(error: ShingledError): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }

  #overloaded(): ShingledError {
    const { queueMax } = this.#parts;
    return new ShingledError('overloaded', `${queueMax} documents are waiting to be processed`, {
      limit: { name: 'bulkQueueMax', value: queueMax },
      retryAfterS: 1,
    });
  }

  #sendSoon(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#send();
    });
  }

  #send(): void {
    while (this.#waiting.length > 0 && this.#atWork < 2 * this.#parts.workers) {
      const batch = this.#nextBatch();
      if (this.#atWork >= this.#parts.workers && !batch.isLarge) return;
      this.#atWork++;
      void this.#process(this.#waiting.splice(0, batch.count)).finally(() => {
        this.#atWork--;
        this.#send();
      });
    }
  }

  #nextBatch(): { count: number; isLarge: boolean } {
    let count = 1;
    let bytes = this.#waiting[0]!.input.bytes.length;
    if (!this.#waiting[0]!.small) return { count, isLarge: false };
    const most = Math.min(this.#waiting.length, BATCH_DOCUMENTS_MAX);
    for (; count < most; count++) {
      const { input, small } = this.#waiting[count]!;
      if (!small || bytes + input.bytes.length > BATCH_BYTES_MAX) break;
      bytes += input.bytes.length;
    }
    const part = Math.max(count / BATCH_DOCUMENTS_MAX, bytes / BATCH_BYTES_MAX);
    return { count, isLarge: part >= AT_HAND_PART };
  }

  async #process(batch: readonly Waiting[]): Promise<void> {
    const bytes = batch.reduce((sum, { input }) => sum + input.bytes.length, 0);
    if (!batch[0]!.small || bytes > HERE_BYTES_MAX) return this.#handOver(batch);
    const { processHere, failure } = this.#parts;
    for (const { input, resolve, reject } of batch) {
      await processHere(input).then(resolve, (error: unknown) => reject(failure(error)));
    }
  }

  async #handOver(batch: readonly Waiting[]): Promise<void> {
    try {
      settle(batch, await this.#parts.processThere(batch.map(({ input }) => input)));
    } catch (error) {
      if (batch.length === 1) batch[0]!.reject(this.#parts.failure(error));
      else for (const one of batch) await this.#handOver([one]);
    }
  }
}

function settle(batch: readonly Waiting[], outcomes: readonly Outcome[]): void {
  for (const [index, { resolve, reject }] of batch.entries()) {
    const outcome = outcomes[index]!;
    if (outcome instanceof ShingledError) reject(outcome);
    else resolve(outcome);
  }
}
