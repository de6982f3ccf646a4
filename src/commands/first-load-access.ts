import type { FillAccess, FirstLoadState, WantedLine } from '../client/port.ts';
import type { BulkLineAnswer, PutAnswer, PutRequest } from '../service/api.ts';
import { Bell, Latch, Races } from '../sharing/waiting.ts';
import type { LoadProgress } from '../store/level/load/load-run.ts';
import type { FirstLoad } from './first-load.ts';
import { Asked, TakenLines } from './taken-lines.ts';

/*
 * An index that is empty still: the lines that are written to it go by a first load, as long as they can.
 *
 *   lines ── first load ──┤ a line of another kind, or something is asked of the index ├── the index, as everybody opens it
 *
 * Answers come at once, but there is no index before the first load has ended. A later process goes on from its checkpoints.
 * One is set once the writer of the lines has taken all answers and has given its own note for it.
 */

export class FirstLoadAccess implements FillAccess {
  readonly #load: FirstLoad;
  readonly #openIndex: () => Promise<FillAccess>;
  readonly #until: AbortSignal;
  readonly #races = new Races();
  /** The first load has ended, well or not. */
  readonly #over = new Latch();
  readonly #state;
  readonly #phasesMs = { sorting: 0, writing: 0 };
  #phaseSince = 0;
  #stage: 'begun' | 'loading' | 'over' = 'begun';
  /** Told of the load, and taken by nobody yet. */
  readonly #answers: BulkLineAnswer[] = [];
  readonly #told = new Bell();
  readonly #drained = new Bell();
  /** Nobody waits for answers. */
  #isIdle = true;
  /** Nobody takes them any more. */
  #isCut = false;
  #note: (() => string | null) | null = null;
  #isAsked = false;
  #failure: { readonly error: unknown } | null = null;
  #index: Promise<FillAccess> | null = null;

  /**
   * @param openIndex called once the load has given the folder up
   * @param until where it aborts, the load ends
   * @param place where it is made, and what is free there
   */
  constructor(
    load: FirstLoad,
    openIndex: () => Promise<FillAccess>,
    until: AbortSignal,
    place: Pick<FirstLoadState, 'folder' | 'freeBytesAtBegin'>,
  ) {
    this.#load = load;
    this.#openIndex = openIndex;
    this.#until = until;
    const phase = 'documents' as FirstLoadState['phase'];
    const { freeBytesAtBegin: freeBytes } = place;
    this.#state = { ...place, freeBytes, isKept: false, phase, done: 0, of: null as number | null };
  }

  get firstLoad(): FirstLoadState {
    return { ...this.#state, note: this.#load.note, phasesMs: this.#phasesMs };
  }

  keepFirstLoad(note: () => string | null): void {
    this.#note = note;
  }

  async *bulk(lines: AsyncIterable<WantedLine>): AsyncGenerator<BulkLineAnswer, void, undefined> {
    const iterator = lines[Symbol.asyncIterator]();
    const taken = new TakenLines(iterator, this.#races, () => this.#isAsked || this.#until.aborted);
    try {
      // an index is made even of no lines at all, and it is the usual one where nothing can be loaded
      if (!(await this.#isToRun(taken))) {
        if (this.#until.aborted) throw this.#until.reason;
        yield* (await this.#opened()).bulk(taken.rest(null));
        return;
      }
      const load = { isOver: false, rest: null as AsyncIterable<WantedLine> | null };
      void this.#run(taken).then((rest) => {
        Object.assign(load, { isOver: true, rest });
        this.#told.ring();
      });
      while (!load.isOver || this.#answers.length > 0) {
        if (this.#answers.length === 0) await this.#toldNext();
        yield* this.#answers.splice(0);
      }
      if (this.#failure !== null) throw this.#failure.error;
      if (load.rest === null && !taken.isLeft) return;
      yield* (await this.#opened()).bulk(taken.rest(load.rest));
    } finally {
      this.#cut();
      // not waited for: what waits for its next byte ends only then
      void Promise.resolve(iterator.return?.()).catch(() => undefined);
    }
  }

  async durable(): Promise<void> {
    if (this.#stage === 'loading') await this.#over.ahead;
    if (this.#failure !== null) throw this.#failure.error;
    await (await this.#index)?.durable();
  }

  async put(request: PutRequest): Promise<PutAnswer> {
    return (await this.#asked()).put(request);
  }

  async lastSeen(url: string): Promise<number | null> {
    return (await this.#asked()).lastSeen(url);
  }

  async close(): Promise<void> {
    this.#cut();
    this.#races.stop(new Error('The index is closed.'));
    if (this.#stage === 'begun') await this.#giveUp();
    await this.#over.ahead;
    await (await this.#index?.catch(() => undefined))?.close();
  }

  /** The index, which ends the load. Says so before it waits: no line is taken after that. */
  async #asked(): Promise<FillAccess> {
    this.#isAsked = true;
    this.#races.stop(new Asked());
    if (this.#stage === 'loading') await this.#over.ahead;
    if (this.#failure !== null) throw this.#failure.error;
    return this.#opened();
  }

  #opened(): Promise<FillAccess> {
    this.#index ??= this.#openNow();
    return this.#index;
  }

  async #openNow(): Promise<FillAccess> {
    if (this.#stage === 'begun' && this.#load.note !== null) {
      // what an earlier process has taken in comes first
      await this.#run(null);
      if (this.#failure !== null) throw (this.#failure as { readonly error: unknown }).error;
    }
    if (this.#stage === 'begun') await this.#giveUp();
    return this.#openIndex();
  }

  /** Whether lines are loaded, or those of an earlier process that are there. */
  async #isToRun(taken: TakenLines): Promise<boolean> {
    if (this.#stage !== 'begun') return false;
    const isMore = await taken.hasMore();
    return this.#stage === 'begun' && !this.#isAsked && (isMore || this.#load.note !== null);
  }

  async #toldNext(): Promise<void> {
    this.#isIdle = true;
    this.#drained.ring();
    await this.#told.next();
    this.#isIdle = false;
  }

  #cut(): void {
    this.#isCut = true;
    this.#drained.ring();
  }

  async #noteNow(): Promise<string | null> {
    while (!this.#isCut && !(this.#isIdle && this.#answers.length === 0)) await this.#drained.next();
    return this.#isCut ? null : this.#note!();
  }

  /** Before anything was loaded. */
  async #giveUp(): Promise<void> {
    this.#end(true);
    await this.#load.abandon();
  }

  /** @param taken lines to load; null: none beside those that are there */
  async #run(taken: TakenLines | null): Promise<AsyncIterable<WantedLine> | null> {
    this.#stage = 'loading';
    this.#phaseSince = performance.now();
    const note = this.#note === null ? undefined : () => this.#noteNow();
    const onAnswer = (answer: BulkLineAnswer) => {
      this.#answers.push(answer);
      this.#told.ring();
    };
    try {
      const progress = (told: LoadProgress) => this.#follow(told);
      const lines = taken === null ? noLines() : this.#linesOf(taken);
      const { rest } = await this.#load.run(lines, { onAnswer, progress, signal: this.#until, note });
      this.#end(true);
      // a line that comes from lines that could be read
      return rest as AsyncIterable<WantedLine> | null;
    } catch (error) {
      this.#failure = { error };
      this.#end(false);
      return null;
    }
  }

  async *#linesOf(taken: TakenLines): AsyncGenerator<WantedLine, void, undefined> {
    yield* taken.lines();
    // then it is not known what is missing, and a later command may go on
    if (this.#isCut && this.#note !== null) throw new Error('Nobody takes the answers of a first load.');
  }

  #end(isKept: boolean): void {
    if (this.#stage === 'loading') this.#follow({ phase: 'documents', done: 0, of: null });
    this.#stage = 'over';
    this.#state.isKept = isKept;
    this.#over.happen();
  }

  #follow({ phase, done, of }: LoadProgress): void {
    const [before, now] = [this.#state.phase, performance.now()];
    if (before === 'rows') this.#phasesMs.writing += now - this.#phaseSince;
    if (before === 'postings') this.#phasesMs.sorting += now - this.#phaseSince;
    this.#phaseSince = now;
    Object.assign(this.#state, { phase, done, of });
    // this asks the disk a few times a second
    if (phase === 'documents' && this.#stage === 'loading') {
      void this.#load.freeBytes().then((freeBytes) => Object.assign(this.#state, { freeBytes }));
    }
  }
}

async function* noLines(): AsyncGenerator<WantedLine, void, undefined> {}
