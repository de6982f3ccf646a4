import { ShingledError } from '../errors.ts';
import type { DocumentInput, ProcessedDocument } from './port.ts';
import type { Outcome } from './protocol.ts';

/*
 * Documents of bulk requests. Small ones are gathered into batches, since a message to a worker costs the event loop some
 * 100 us, and the sketch of a text of 5 KB 40.
 *
 *   add ─┐                      ┌─ batch ─▶ worker       as many batches at work as there are workers;
 *   add ─┼─ waiting (queueMax) ─┼─ batch ─▶ worker       meanwhile the next ones gather
 *   add ─┘                      └─ few bytes in all: on the event loop
 *
 * Nothing waits for company: a batch leaves as soon as a worker is free for it, at the latest when the event loop has done
 * all that is at hand. So a busy loop makes large batches, an idle one small ones. No more batches are handed over than
 * there are workers, so that the documents of single requests wait behind these and not behind all.
 *
 * A batch is a chance, not a fate: where a worker ends under one, its documents go again one by one, and only the one that
 * ends its worker by itself is refused.
 */

/** Handing over costs the event loop 105 us a text of 5 KB by itself, 16 among 16, 7 among 64 and 5 among 256. */
const BATCH_DOCUMENTS_MAX = 64;
/** What holds a worker for about 2 ms, so that others soon have their turn. */
const BATCH_BYTES_MAX = 256 * 1024;
/** Up to here, the event loop sketches a batch in the time that handing it over takes. */
const HERE_BYTES_MAX = 16 * 1024;

export interface GathererParts {
  /** Batches at work at a time. */
  readonly batchesMax: number;
  /** Documents that wait, at most. */
  readonly queueMax: number;
  readonly processHere: (input: DocumentInput) => Promise<ProcessedDocument>;
  readonly processThere: (inputs: readonly DocumentInput[]) => Promise<readonly Outcome[]>;
}

interface Waiting {
  readonly input: DocumentInput;
  readonly small: boolean;
  readonly resolve: (document: ProcessedDocument) => void;
  readonly reject: (error: unknown) => void;
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
   * @throws `overloaded`, or what processing throws
   */
  async add(input: DocumentInput, small: boolean): Promise<ProcessedDocument> {
    const { queueMax } = this.#parts;
    if (this.#waiting.length >= queueMax) {
      throw new ShingledError('overloaded', `${queueMax} documents are waiting to be processed`, {
        limit: { name: 'bulkQueueMax', value: queueMax },
        retryAfterS: 1,
      });
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ input, small, resolve, reject });
      if (this.#waiting.length >= BATCH_DOCUMENTS_MAX) this.#send();
      else this.#sendSoon();
    });
  }

  /** Refuses all that wait; what is at work goes on. */
  refuse(error: ShingledError): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error);
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
    while (this.#waiting.length > 0 && this.#atWork < this.#parts.batchesMax) {
      this.#atWork++;
      void this.#process(this.#nextBatch()).finally(() => {
        this.#atWork--;
        this.#send();
      });
    }
  }

  #nextBatch(): Waiting[] {
    let count = 1;
    let bytes = this.#waiting[0]!.input.bytes.length;
    if (this.#waiting[0]!.small) {
      const most = Math.min(this.#waiting.length, BATCH_DOCUMENTS_MAX);
      for (; count < most; count++) {
        const { input, small } = this.#waiting[count]!;
        bytes += input.bytes.length;
        if (!small || bytes > BATCH_BYTES_MAX) break;
      }
    }
    return this.#waiting.splice(0, count);
  }

  async #process(batch: readonly Waiting[]): Promise<void> {
    const bytes = batch.reduce((sum, { input }) => sum + input.bytes.length, 0);
    if (!batch[0]!.small || bytes > HERE_BYTES_MAX) return this.#handOver(batch);
    for (const { input, resolve, reject } of batch) await this.#parts.processHere(input).then(resolve, reject);
  }

  async #handOver(batch: readonly Waiting[]): Promise<void> {
    try {
      settle(batch, await this.#parts.processThere(batch.map(({ input }) => input)));
    } catch (error) {
      if (batch.length === 1) batch[0]!.reject(error);
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
