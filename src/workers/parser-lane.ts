import { errorOf } from '../errors.ts';
import { fileKindOf } from '../extract/charset/file-kind.ts';
import { withDeadline } from '../sharing/deadline.ts';
import { Places } from '../sharing/places.ts';
import { rest } from '../sharing/waiting.ts';
import { documentsWait, type PipelineLimits, tooComplex } from './limits.ts';
import { type Ending, ParserProcess, type ProcessTask } from './parser-process.ts';
import type { Asking, DocumentInput, ProcessedDocument } from './port.ts';
import type { WorkerSetup } from './protocol.ts';

/*
 * What can be made to cost what it likes is parsed here: pages of which parts are chosen, PDF files,
 * office documents and mail. Each is in a process
 * that only this one document can hurt. They are few, are started when they are needed, and stay warm. After a while without
 * work they are ended, all but the last: to start one takes as long as a page of search results may wait.
 *
 *   a ─┐                    ┌─ process     a caller has half of them; more for as long as nobody else waits, but then only
 *   a ─┼─ lines of callers ─┤              for LENT_MS a page: one that takes longer begins again when its own place comes
 *   b ─┘                    └─ process
 *
 * Where a caller waits who has no process, a page that has had one for KEPT_MS makes way for him. It begins again in its turn,
 * and keeps its process twice as long then: so a long one is done in the end, in at most twice its time.
 */

interface LaneOptions extends Pick<PipelineLimits, 'threads' | 'queueMax' | Timeout | 'memoryMb'> {
  readonly setup: WorkerSetup;
  /** For tests: {@link IDLE_MS} and {@link KEPT_MS} otherwise. */
  readonly idleMs?: number;
  readonly keptMs?: number;
}

/** Another caller waits so long at most; of real pages none takes a tenth of it, of PDF files those of twenty pages all. */
const LENT_MS = 100;
const IDLE_MS = 60_000;
/** How long a page keeps its process though others wait: enough for a manual of hundreds of pages on a machine at rest. */
const KEPT_MS = 2_000;
/** How often it is looked whether somebody waits, once a page has had that. */
const LOOK_MS = 100;

type Timeout = 'timeoutMs' | 'pdfTimeoutMs';

export class ParserLane {
  readonly #options: LaneOptions;
  readonly #places: Places;
  readonly #idle = new Map<ParserProcess, NodeJS.Timeout>();
  readonly #all = new Set<ParserProcess>();
  #closed = false;

  constructor(options: LaneOptions) {
    const { threads, queueMax } = options;
    this.#options = options;
    const refusal = () => documentsWait(queueMax);
    this.#places = new Places({ size: threads, waitingMax: queueMax, refusal });
  }

  /** Documents that wait for a process. */
  get queued(): number {
    return this.#places.waiting;
  }

  /**
   * Processes a document. Where the signal aborts, its caller hears so at once; the page keeps its place until it has ended.
   *
   * @param patient whether to wait however many of the caller's pages do
   * @throws ShingledError as DocumentPipeline.process does; the signal's reason; Error where no process starts
   */
  async process(input: DocumentInput, { caller, signal }: Asking, patient: boolean): Promise<ProcessedDocument> {
    return withDeadline(Number.POSITIVE_INFINITY, signal, async (until) => {
      const attempt = (mayBorrow: boolean, keptMs: number, isPatient = true) =>
        this.#places.run(caller, { until, mayBorrow, patient: isPatient }, ({ isLent }) =>
          this.#run(isLent, input, keptMs),
        );
      const whole = async () => {
        let { keptMs = KEPT_MS } = this.#options;
        let ending = await attempt(true, keptMs, patient);
        while (ending === null || isParted(ending)) {
          if (ending !== null) keptMs *= 2;
          ending = await attempt(false, keptMs);
        }
        return ending;
      };
      return this.#documentOf(await until.race(whole()), timeoutOf(input));
    });
  }

  /** Resolves when a process is ready for a page, or is at work; starts one where there is none. */
  async begun(): Promise<void> {
    const alive = [...this.#all].find((child) => child.isAlive);
    const child = alive ?? this.#start();
    if (alive === undefined) this.#keepIdle(child);
    await child.ready;
  }

  /** Ends all processes, and with them what is at work. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const child of this.#all) child.end();
    await Promise.all([...this.#all].map(({ ended }) => ended));
  }

  /** @returns null where the place is lent, and the page takes longer than that */
  async #run(isLent: boolean, input: DocumentInput, keptMs: number): Promise<Ending | null> {
    const task = { input, timeoutMs: isLent ? LENT_MS : this.#options[timeoutOf(input)] };
    const fresh = () => this.#give(this.#start(), task, keptMs);
    const warm = this.#wake();
    // one that has ended while nobody looked has not begun with the page
    const ending = await (warm === undefined ? fresh() : this.#give(warm, task, keptMs).catch(fresh));
    return isLent && 'ended' in ending && ending.ended === 'late' ? null : ending;
  }

  async #give(child: ParserProcess, task: ProcessTask, keptMs: number): Promise<Ending> {
    const running = child.run(task);
    let isOver = false;
    const lookout = async () => {
      for (let ms = keptMs; !isOver; ms = LOOK_MS) {
        await rest(ms);
        if (!isOver && this.#places.hasEmptyHanded && child.part()) return;
      }
    };
    void lookout();
    const ending = await running.finally(() => {
      isOver = true;
    });
    if (this.#closed) throw new Error('The lane was closed');
    if (child.isAlive) this.#keepIdle(child);
    return ending;
  }

  #keepIdle(child: ParserProcess): void {
    const { idleMs = IDLE_MS } = this.#options;
    this.#idle.set(child, setTimeout(() => this.#endSurplus(child), idleMs).unref());
  }

  /** One that is needed no more, unless it is the last. */
  #endSurplus(child: ParserProcess): void {
    if ([...this.#all].filter(({ isAlive }) => isAlive).length > 1) child.end();
  }

  #wake(): ParserProcess | undefined {
    for (const [child, timer] of this.#idle) {
      clearTimeout(timer);
      this.#idle.delete(child);
      if (child.isAlive) return child;
    }
    return undefined;
  }

  #start(): ParserProcess {
    if (this.#closed) throw new Error('The lane was closed');
    const child = new ParserProcess(this.#options.setup, this.#options.memoryMb);
    this.#all.add(child);
    void child.ended.then(() => this.#all.delete(child));
    return child;
  }

  #documentOf(ending: Ending, timeout: Timeout): ProcessedDocument {
    if ('failed' in ending) throw errorOf(ending.failed);
    if ('document' in ending) return owned(ending.document);
    const limit = ending.ended === 'late' ? timeout : 'memoryMb';
    throw tooComplex(limit, this.#options[limit]);
  }
}

const isParted = (ending: Ending) => 'ended' in ending && ending.ended === 'parted';

const timeoutOf = ({ contentType, bytes }: DocumentInput): Timeout =>
  fileKindOf(contentType, bytes) === null ? 'timeoutMs' : 'pdfTimeoutMs';

/** A result that is not a part of the message it came in. */
function owned(document: ProcessedDocument): ProcessedDocument {
  const { text, sketch } = document;
  const { sample, shingleSum } = sketch;
  return {
    ...document,
    text: text === null ? null : text.slice(),
    sketch: {
      ...sketch,
      sample: { ...sample, fingerprints: sample.fingerprints.slice() },
      shingleSum: shingleSum.slice(),
    },
  };
}
