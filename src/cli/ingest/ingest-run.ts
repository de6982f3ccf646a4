import type { FillAccess, WantedLine } from '../../client/port.ts';
import { LISTS_DEEP_MAX } from '../../ingest/limits.ts';
import type { IngestItem, ItemRuns, Position } from '../../ingest/port.ts';
import type { OpenedInput } from '../../ingest/sources.ts';
import type { BulkLineAnswer } from '../../service/api.ts';
import { Bell, Races, rest } from '../../sharing/waiting.ts';
import { FirstInLine } from './first-in-line.ts';
import { Ledger, type Ticket } from './ledger.ts';
import type { LoadParts, LoadView } from './load-parts.ts';
import { type Phases, type Tally, timed } from './tally.ts';
import { type Outcome, type Seen, seenOf } from './teller.ts';
import { fetchWanted, type Wanted } from './wanted-url.ts';

/*
 * A load: records are read, written many at a time, and told of in their order.
 *
 *   inputs ── items ──┬── operations ── index.bulk ──┐
 *                     ├── wanted URLs ─ index.put ───┤── ledger ── teller: counts, files of lines
 *                     └── refused ───────────────────┘       ├──── each second: sync, then the state
 *                                                            └──── of a first load: what its checkpoints keep
 */

/** URLs that are fetched at a time; the fetcher keeps its distance to each host by itself. */
const FETCHES_MAX = 64;
/** Items under way: a fetch may take a minute, while lines are written by the thousand. */
const UNDER_WAY_MAX = 50_000;
const TICK_MS = 200;
const CHECKPOINT_TICKS = 5;

export class Load implements LoadView {
  readonly #parts: LoadParts;
  readonly #ledger: Ledger<Outcome>;
  readonly #races = new Races();
  readonly #settled = new Bell();
  /** Those that the bulk write has, in their order. */
  readonly #lines = new FirstInLine<{ readonly ticket: Ticket<Outcome>; readonly seen: Seen }>();
  #fetching = 0;
  #hasEnded = false;
  #isAtEnd = false;
  #checkpointing: Promise<void> = Promise.resolve();
  #fault: { readonly error: unknown } | null = null;
  readonly phases: Phases = { reading: 0, sorting: 0, writing: 0, fetching: 0, syncing: 0 };
  #bytesAhead: OpenedInput['bytesAhead'] = () => null;

  constructor(parts: LoadParts) {
    this.#parts = parts;
    this.#ledger = new Ledger(parts.from, (outcome) => this.#tell(outcome));
  }

  get tally(): Readonly<Tally> {
    return this.#parts.teller.tally;
  }

  /** On disk, of the input that is read and all behind it; null where that is not known. */
  get bytesLeft(): ReturnType<OpenedInput['bytesAhead']> {
    const bytesAhead = this.#bytesAhead();
    return typeof bytesAhead !== 'number' ? bytesAhead : Math.max(0, bytesAhead - (this.#ledger.position?.byte ?? 0));
  }

  /**
   * Runs to the end of the inputs, or until it is interrupted. Whatever it was told of is on disk then.
   *
   * @returns whether it came to the end
   * @throws ShingledError `storage-full` and what else is no fault of a record; what was done before is kept
   */
  async run(): Promise<boolean> {
    const { index, until } = this.#parts;
    const stop = () => this.#races.stop(new Interrupted());
    until.addEventListener('abort', stop, { once: true });
    void this.#tick();
    if (this.#parts.note !== null) index?.keepFirstLoad?.(() => this.#noteNow());
    try {
      const lines = this.#readAll();
      // without an index no line is given out
      for await (const answer of index?.bulk(lines) ?? (lines as AsyncIterable<never>)) this.#settleLine(answer);
      while (this.#fetching > 0) await this.#settled.next();
    } catch (error) {
      this.#fault ??= { error };
    } finally {
      this.#hasEnded = true;
      until.removeEventListener('abort', stop);
    }
    if (!this.#isFirstLoad) await this.#checkpoint().catch((error: unknown) => this.#stopFor(error));
    if (this.#fault !== null) throw (this.#fault as { readonly error: unknown }).error;
    return !until.aborted;
  }

  async *#readAll(): AsyncGenerator<WantedLine, void, undefined> {
    try {
      for await (const { items, bytesAhead } of this.#parts.inputs) {
        if (this.#mustStop) return;
        this.#bytesAhead = bytesAhead;
        for await (const lines of this.#read(items, 0)) {
          const startedAt = performance.now();
          for (const line of lines) yield line;
          const elapsedMs = performance.now() - startedAt;
          this.phases.writing += elapsedMs;
        }
      }
      this.#isAtEnd = !this.#mustStop;
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
    }
    // a first load must not take it for the end of what there is
    if (this.#fault !== null && this.#isFirstLoad) throw this.#fault.error;
  }

  get #isFirstLoad(): boolean {
    return this.#parts.index?.firstLoad?.isKept === false;
  }

  get #mustStop(): boolean {
    return this.#parts.until.aborted || this.#fault !== null;
  }

  /** What is to be written of these items, some lines at a time. @param depth of lists around them */
  async *#read(runs: ItemRuns, depth: number): AsyncGenerator<readonly WantedLine[], void, undefined> {
    let isAtEnd = false;
    try {
      for (;;) {
        const next = await timed(this.phases, 'reading', () => this.#races.run(runs.next()));
        isAtEnd = next.done === true;
        if (next.done === true || this.#mustStop) return;
        while (this.#ledger.length >= UNDER_WAY_MAX && !this.#mustStop) await this.#settled.next();
        if (this.#mustStop) return;
        yield* this.#take(next.value, depth);
      }
    } finally {
      // not waited for: what waits for its next byte ends only then
      if (!isAtEnd) void runs.return().catch(() => {});
    }
  }

  async *#take(items: readonly IngestItem[], depth: number): AsyncGenerator<readonly WantedLine[], void, undefined> {
    const { index, openList } = this.#parts;
    let lines: WantedLine[] = [];
    for (const item of items) {
      const next = depth === 0 ? item.next : null;
      const isList = 'list' in item && depth < LISTS_DEEP_MAX;
      const isFetched = 'wanted' in item && index !== null;
      if (!(isList || isFetched)) {
        const line = this.#lineOf(item, next);
        if (line !== null) lines.push(line);
        continue;
      }
      // what waits keeps no line waiting that comes before it
      yield lines;
      lines = [];
      if (isList) yield* this.#read(openList(item.list), depth + 1);
      if (this.#mustStop) return;
      const ticket = this.#ledger.add(next);
      if (isFetched) await this.#startFetch(ticket, item, index);
      else this.#settle(ticket, { kind: 'done', seen: seenOf(item) });
    }
    yield lines;
  }

  /** The line that writes an item; null where it needs none, and is settled. */
  #lineOf(item: IngestItem, next: Position | null): WantedLine | null {
    const ticket = this.#ledger.add(next);
    const seen = seenOf(item);
    const { index, wish } = this.#parts;
    if ('refused' in item) {
      this.#settle(ticket, { kind: 'refused', seen, reason: item.refused, detail: item.detail });
    } else if ('list' in item) {
      this.#settle(ticket, { kind: 'refused', seen, reason: 'malformed', detail: 'Lists in lists go on without end.' });
    } else if (index === null || 'wanted' in item || 'asBefore' in item) {
      this.#settle(ticket, { kind: 'asBefore' in item ? 'not-modified' : 'done', seen });
    } else {
      this.#lines.push({ ticket, seen });
      const { operation } = item;
      return { line: 0, operation: operation.op === 'put' ? { ...operation, ...wish } : operation };
    }
    return null;
  }

  async #startFetch(ticket: Ticket<Outcome>, item: Wanted, index: FillAccess): Promise<void> {
    await timed(this.phases, 'fetching', async () => {
      while (this.#fetching >= FETCHES_MAX) await this.#settled.next();
    });
    this.#fetching++;
    const seen = seenOf(item);
    const { wish, until } = this.#parts;
    void fetchWanted(item, index, wish, until)
      .catch((error: unknown): Outcome => ({ kind: 'failed', seen, error }))
      .then((outcome) => {
        this.#fetching--;
        if (outcome === null) this.#settled.ring();
        else this.#settle(ticket, outcome);
      });
  }

  #settleLine(answer: BulkLineAnswer): void {
    const { ticket, seen } = this.#lines.take();
    this.#settle(ticket, { kind: 'line', seen, answer });
  }

  #settle(ticket: Ticket<Outcome>, outcome: Outcome): void {
    this.#ledger.settle(ticket, outcome);
    this.#settled.ring();
  }

  /** False where it is no fault of the record: nothing behind it is sure. */
  #tell(outcome: Outcome): boolean {
    const fault = this.#parts.teller.tell(outcome);
    if (fault === null) return true;
    this.#stopFor(fault);
    return false;
  }

  #stopFor(error: unknown): void {
    this.#fault ??= { error };
    this.#races.stop(new Interrupted());
  }

  async #tick(): Promise<void> {
    for (let tick = 1; ; tick++) {
      await rest(TICK_MS);
      if (this.#hasEnded) return;
      this.#parts.onTick(this);
      if (!this.#isFirstLoad && tick % CHECKPOINT_TICKS === 0)
        this.#checkpoint().catch((error: unknown) => this.#stopFor(error));
    }
  }

  #checkpoint(): Promise<void> {
    this.#checkpointing = this.#checkpointing.catch(() => {}).then(() => this.#keepState());
    return this.#checkpointing;
  }

  /** What a checkpoint may state; null: nothing yet. It is at the end only if all is settled: the rest is read again. */
  #noteNow(): string | null {
    const { position, isSure, isFrozen, length } = this.#ledger;
    if (position === null || !isSure || isFrozen || this.#fault !== null) return null;
    const isAtEnd = this.#isAtEnd && length === 0;
    return this.#parts.note!({ position, ...this.#parts.teller.sure(), isAtEnd });
  }

  async #keepState(): Promise<void> {
    const { index, teller, keep } = this.#parts;
    const { position, isSure } = this.#ledger;
    if (!isSure) return;
    const told = teller.sure();
    if (index !== null) await timed(this.phases, 'syncing', () => index.durable());
    if (position !== null) keep({ position, ...told });
  }
}

/** Reading was told to end. */
class Interrupted extends Error {}
