import { ShingledError } from '../errors.ts';
import { Accounts } from '../sharing/accounts.ts';
import { letGo } from '../sharing/garbage.ts';
import { FairLine } from '../sharing/line.ts';
import { createWaiter } from '../sharing/waiting.ts';
import { documentsWait } from './limits.ts';
import { isForWorker } from './not-here.ts';
import type { Asking, DocumentInput, Outcome, ProcessedDocument } from './port.ts';

/*
 * Documents on their way to worker threads: those of single requests one by one, those of bulk requests in batches. For
 * a message to a worker costs the event loop some 40 us, and the sketch of a text of 5 KB 27.
 *
 *   single ──────────────────┐   line of callers   ┌─ a document ─▶ worker     as many at work as there are workers
 *   bulk ─ waiting, of each ─┴─ one job at a time ─┼─ batch ──────▶ worker     … and as many batches at hand, if they are
 *          caller by himself                       └─ few bytes: on the event loop     large and no document is about
 *
 * Of the callers the one goes next whose documents had fewest bytes. His bulk documents are one job in that line, which
 * takes what there is when its turn comes. So his own single ones wait behind one batch, those of others behind nothing
 * of his.
 *
 * Nothing waits for company where a worker is free: a batch leaves at the latest when the event loop has done all that
 * is at hand. So a busy loop makes large batches, an idle one small ones. A batch is a chance, not a fate. Where a
 * worker ends under one, its documents go again one by one, and only the one that ends its worker by itself is refused.
 */

/** Handing over costs the event loop 42 us a text of 5 KB by itself, 5.5 among 16, 3.6 among 64 and 3.5 among 128. */
const BATCH_DOCUMENTS_MAX = 128;
/** What holds a worker for about 3 ms, so that others soon have their turn. */
const BATCH_BYTES_MAX = 512 * 1024;
/** Part of a batch that is worth handing over before a worker is free for it. */
const AT_HAND_PART = 1 / 4;
/** Up to here, the event loop sketches a batch in less time than the way to a worker and back takes, 0.1 ms. */
const HERE_BYTES_MAX = 16 * 1024;
/** What a document costs beside its bytes, in bytes. */
const BYTES_BESIDE = 4 * 1024;

export interface DispatcherParts {
  /** How many tasks can be at work at a time. */
  readonly workers: number;
  /** Documents of single requests that wait, of each caller. */
  readonly queueMax: number;
  readonly processHere: (input: DocumentInput) => Promise<ProcessedDocument>;
  /** What it gives is the dispatcher's own. */
  readonly processThere: (inputs: readonly DocumentInput[]) => Promise<Outcome[]>;
  /** What is told of an error. */
  readonly failure: (error: unknown) => ShingledError;
  /** Told how long a worker was at work for a caller, about. */
  readonly worked: (caller: string, ms: number) => void;
}

interface Waiting {
  readonly input: DocumentInput;
  readonly small: boolean;
  readonly resolve: (document: ProcessedDocument) => void;
  readonly reject: (error: ShingledError) => void;
}

/** What stands in the line: one document, or all bulk documents of a caller. */
interface Job {
  readonly caller: string;
  readonly isBulk: boolean;
  readonly documents: Waiting[];
}

export class Dispatcher {
  readonly #parts: DispatcherParts;
  readonly #accounts = new Accounts();
  readonly #line = new FairLine<Job>((caller) => this.#accounts.of(caller));
  /** The bulk job of each caller who has documents in it. */
  readonly #bulk = new Map<string, Job>();
  #atWork = 0;
  /** Of them, single documents. */
  #singlesAtWork = 0;
  #bulkQueued = 0;
  #scheduled = false;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
  }

  get queued(): number {
    return this.#line.length - this.#bulk.size + this.#bulkQueued;
  }

  /**
   * One document. Where the signal aborts it is not begun any more; what is at work goes on unheard, for it ends soon.
   *
   * @throws (the promise) `overloaded`, the signal's reason, or what `failure` makes of what processing throws
   */
  add(input: DocumentInput, { caller, signal }: Asking): Promise<ProcessedDocument> {
    const { queueMax } = this.#parts;
    const singles = this.#line.lengthOf(caller) - (this.#bulk.has(caller) ? 1 : 0);
    if (singles >= queueMax) return Promise.reject(documentsWait(queueMax));
    const { promise, resolve, reject } = createWaiter<ProcessedDocument>(signal, () => this.#line.delete(job));
    const job: Job = { caller, isBulk: false, documents: [{ input, small: false, resolve, reject }] };
    this.#line.push(job);
    this.#send();
    return promise;
  }

  /**
   * One document of many, whose caller bounds how many there are.
   *
   * @param small whether the event loop may process it, and others go with it
   * @throws (the promise) what `failure` makes of what processing throws
   */
  addInBulk(input: DocumentInput, small: boolean, caller: string): Promise<ProcessedDocument> {
    const { promise, resolve, reject } = createWaiter<ProcessedDocument>();
    this.#addToBulk({ input, small, resolve, reject }, caller);
    return promise;
  }

  /**
   * Documents of many, for whose outcomes, in their order, somebody waits together.
   *
   * @param isSmall as `small` of {@link addInBulk}
   */
  addAllInBulk(
    inputs: readonly DocumentInput[],
    isSmall: (input: DocumentInput) => boolean,
    caller: string,
  ): Promise<Outcome[]> {
    const { promise, resolve } = createWaiter<Outcome[]>();
    const outcomes: Outcome[] = [];
    let left = inputs.length;
    if (left === 0) resolve(outcomes);
    for (const [at, input] of inputs.entries()) {
      const settle = (outcome: Outcome) => {
        outcomes[at] = outcome;
        if (--left === 0) resolve(outcomes);
      };
      this.#addToBulk({ input, small: isSmall(input), resolve: settle, reject: settle }, caller);
    }
    return promise;
  }

  /** Refuses all that wait; what is at work goes on. */
  refuse(error: ShingledError): void {
    for (const { documents } of this.#line.takeAll()) for (const { reject } of documents) reject(error);
    this.#bulk.clear();
    this.#bulkQueued = 0;
  }

  #addToBulk(waiting: Waiting, caller: string): void {
    let job = this.#bulk.get(caller);
    if (job === undefined) {
      job = { caller, isBulk: true, documents: [] };
      this.#bulk.set(caller, job);
      this.#line.push(job);
    }
    job.documents.push(waiting);
    this.#bulkQueued++;
    if (job.documents.length >= BATCH_DOCUMENTS_MAX) this.#send();
    else this.#sendSoon();
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
    for (let job = this.#line.first(); job !== undefined; job = this.#line.first()) {
      const count = job.isBulk ? batchOf(job.documents) : 1;
      if (!this.#mayGo(job, count)) return;
      this.#line.shift(job);
      const batch = job.documents.splice(0, count);
      this.#accounts.serve(job.caller, bytesOf(batch) + batch.length * BYTES_BESIDE);
      if (job.isBulk) {
        this.#bulkQueued -= count;
        if (job.documents.length > 0) this.#line.push(job);
        else this.#bulk.delete(job.caller);
      }
      void this.#work(batch, job);
    }
  }

  #mayGo({ isBulk, documents }: Job, count: number): boolean {
    const { workers } = this.#parts;
    if (this.#atWork < workers) return true;
    if (!isBulk || this.#singlesAtWork > 0 || this.#atWork >= 2 * workers) return false;
    const batch = documents.slice(0, count);
    return Math.max(count / BATCH_DOCUMENTS_MAX, bytesOf(batch) / BATCH_BYTES_MAX) >= AT_HAND_PART;
  }

  async #work(batch: readonly Waiting[], { caller, isBulk }: Job): Promise<void> {
    this.#atWork++;
    if (!isBulk) this.#singlesAtWork++;
    const isHere = isBulk && batch[0]!.small && bytesOf(batch) <= HERE_BYTES_MAX;
    if (isHere) await this.#processHere(batch);
    else {
      const { workers, worked } = this.#parts;
      // a batch at hand waits as long for its worker as it has it
      const share = Math.min(1, workers / this.#atWork);
      const since = performance.now();
      await this.#handOver(batch);
      worked(caller, share * (performance.now() - since));
    }
    this.#atWork--;
    if (!isBulk) this.#singlesAtWork--;
    this.#send();
  }

  async #processHere(batch: readonly Waiting[]): Promise<void> {
    const { processHere, failure } = this.#parts;
    for (const waiting of batch) {
      await processHere(waiting.input).then(waiting.resolve, (error: unknown) =>
        isForWorker(error) ? this.#handOver([waiting]) : waiting.reject(failure(error)),
      );
    }
  }

  async #handOver(batch: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await this.#parts.processThere(batch.map(({ input }) => input));
      for (const [index, outcome] of outcomes.entries()) {
        if (outcome instanceof ShingledError) batch[index]!.reject(outcome);
        else batch[index]!.resolve(outcome);
      }
      letGo(outcomes);
    } catch (error) {
      if (batch.length === 1) batch[0]!.reject(this.#parts.failure(error));
      else for (const one of batch) await this.#handOver([one]);
    }
  }
}

/** How many of these documents go together: one where it is not small. */
function batchOf(documents: readonly Waiting[]): number {
  let bytes = documents[0]!.input.bytes.length;
  if (!documents[0]!.small) return 1;
  const most = Math.min(documents.length, BATCH_DOCUMENTS_MAX);
  let count = 1;
  for (; count < most; count++) {
    const { input, small } = documents[count]!;
    if (!small || bytes + input.bytes.length > BATCH_BYTES_MAX) break;
    bytes += input.bytes.length;
  }
  return count;
}

function bytesOf(batch: readonly Waiting[]): number {
  return batch.reduce((sum, { input }) => sum + input.bytes.length, 0);
}
