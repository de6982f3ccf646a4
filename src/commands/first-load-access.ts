import type { FillAccess, FirstLoadState, WantedLine } from '../client/port.ts';
import type { BulkLineAnswer, PutAnswer, PutRequest } from '../service/api.ts';
import { Bell, Latch, Races } from '../sharing/waiting.ts';
import type { LoadProgress } from '../store/level/load/load-run.ts';
import type { FirstLoad } from './first-load.ts';

/*
 * An index that is empty still: the lines that are written to it go by a first load, as long as they can.
 *
 *   lines ── first load ──┤ a line of another kind, or something is asked of the index ├── the index, as everybody opens it
 *
 * Answers come at once, but nothing is kept before the first load has ended.
 */

export class FirstLoadAccess implements FillAccess {
  readonly #load: FirstLoad;
  readonly #openIndex: () => Promise<FillAccess>;
  readonly #until: AbortSignal;
  readonly #races = new Races();
  /** The first load has ended, well or not. */
  readonly #over = new Latch();
  readonly #state = { isKept: false, phase: 'documents', done: 0, of: null as number | null };
  readonly #phasesMs = { sorting: 0, writing: 0 };
  #phaseSince = 0;
  #stage: 'begun' | 'loading' | 'over' = 'begun';
  #isAsked = false;
  #failure: { readonly error: unknown } | null = null;
  #index: Promise<FillAccess> | null = null;

  /** @param openIndex called once the load has given the folder up @param until where it aborts, nothing is left of the load */
  constructor(load: FirstLoad, openIndex: () => Promise<FillAccess>, until: AbortSignal) {
    this.#load = load;
    this.#openIndex = openIndex;
    this.#until = until;
  }

  get firstLoad(): FirstLoadState {
    return { ...this.#state, phase: this.#state.phase as FirstLoadState['phase'], phasesMs: this.#phasesMs };
  }

  async *bulk(lines: AsyncIterable<WantedLine>): AsyncGenerator<BulkLineAnswer, void, undefined> {
    const iterator = lines[Symbol.asyncIterator]();
    const taken = new Taken(iterator, this.#races, () => this.#isAsked);
    try {
      // an index is made even of no lines at all, and it is the usual one where nothing can be loaded
      if (this.#stage !== 'begun' || !(await taken.hasMore())) {
        if (this.#until.aborted) throw this.#until.reason;
        yield* (await this.#opened()).bulk(taken.rest(null));
        return;
      }
      const answers: BulkLineAnswer[] = [];
      const told = new Bell();
      const load = { isOver: false, rest: null as AsyncIterable<WantedLine> | null };
      const onAnswer = (answer: BulkLineAnswer) => {
        answers.push(answer);
        told.ring();
      };
      void this.#run(taken, onAnswer).then((rest) => {
        Object.assign(load, { isOver: true, rest });
        told.ring();
      });
      while (!load.isOver || answers.length > 0) {
        if (answers.length === 0) await told.next();
        yield* answers.splice(0);
      }
      if (this.#failure !== null) throw this.#failure.error;
      if (load.rest === null && !taken.isLeft) return;
      yield* (await this.#opened()).bulk(taken.rest(load.rest));
    } finally {
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
    if (this.#stage === 'begun') await this.#giveUp();
    return this.#openIndex();
  }

  /** Before anything was loaded. */
  async #giveUp(): Promise<void> {
    this.#end(true);
    await this.#load.abandon();
  }

  async #run(taken: Taken, onAnswer: (answer: BulkLineAnswer) => void): Promise<AsyncIterable<WantedLine> | null> {
    this.#stage = 'loading';
    this.#phaseSince = performance.now();
    try {
      const progress = (told: LoadProgress) => this.#follow(told);
      const { rest } = await this.#load.run(taken.lines(), { onAnswer, progress, signal: this.#until });
      this.#end(true);
      // a line that comes from lines that could be read
      return rest as AsyncIterable<WantedLine> | null;
    } catch (error) {
      this.#failure = { error };
      this.#end(false);
      return null;
    }
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
  }
}

/** Something is asked of the index. */
class Asked extends Error {}

/** Lines of which the load takes some, and somebody else the rest. */
class Taken {
  readonly #iterator: AsyncIterator<WantedLine>;
  readonly #races: Races;
  readonly #isAsked: () => boolean;
  /** Read, or being read, and taken by nobody yet. */
  #next: Promise<IteratorResult<WantedLine>> | null = null;
  #isAtEnd = false;

  constructor(iterator: AsyncIterator<WantedLine>, races: Races, isAsked: () => boolean) {
    this.#iterator = iterator;
    this.#races = races;
    this.#isAsked = isAsked;
  }

  /** Whether there may be lines that nobody has taken. */
  get isLeft(): boolean {
    return !this.#isAtEnd;
  }

  /** Whether there is a line to load. */
  async hasMore(): Promise<boolean> {
    try {
      if (this.#isAsked()) return false;
      this.#isAtEnd = (await this.#races.run(this.#ahead())).done === true;
      return !this.#isAtEnd && !this.#isAsked();
    } catch (error) {
      if (error instanceof Asked) return false;
      throw error;
    }
  }

  /** Lines, until something is asked of the index. */
  async *lines(): AsyncGenerator<WantedLine, void, undefined> {
    while (await this.hasMore()) yield (await this.#take())!;
  }

  /** All others. @param first those that the load has read, but not taken in */
  async *rest(first: AsyncIterable<WantedLine> | null): AsyncGenerator<WantedLine, void, undefined> {
    if (first !== null) yield* first;
    for (let line = await this.#take(); line !== null; line = await this.#take()) yield line;
  }

  #ahead(): Promise<IteratorResult<WantedLine>> {
    this.#next ??= this.#iterator.next();
    return this.#next;
  }

  async #take(): Promise<WantedLine | null> {
    const { done, value } = await this.#ahead();
    this.#next = null;
    this.#isAtEnd = done === true;
    return done === true ? null : value;
  }
}
