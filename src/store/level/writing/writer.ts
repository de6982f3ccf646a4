import { ShingledError } from '../../../errors.ts';
import { shingleDigestKey } from '../../contents.ts';
import type { Database } from '../database/database.ts';
import type { HostMarks } from '../database/host-marks.ts';
import type { KnownKeys } from '../database/known-keys.ts';
import type { HighWater } from '../folder/high-water.ts';
import type { RowChange } from '../format/rows.ts';
import type { Totals } from '../format/values.ts';
import { inSteps } from '../next-turn.ts';
import type { Disk } from '../outage/disk.ts';
import type { Outage, WriteKind } from '../outage/outage.ts';
import { presenceOfCount } from '../segments/content-table.ts';
import type { PostingIndex } from '../segments/posting-index.ts';
import { STEP_POSTINGS, type Tail, tailSteps } from '../segments/tail.ts';
import { BatchLog, type Trail } from './batch-log.ts';
import type { BatchRows } from './batch-rows.ts';
import type { Draft } from './draft.ts';
import { type PendingWrite, Resolver, type ResolverParts } from './resolver.ts';

/*
 * The way of plans onto the disk. One committer hands them in, so nothing else ever writes but the posting index, whose
 * rows take their turn among the batches.
 *
 *   batch k      resolve ─ wait ─ write and sync ─ postings into the tail ─ acknowledge
 *   batch k+1                     resolve over k ─────────── wait ─ write and sync ─ …
 *
 * A batch is resolved while the one before is synced, over what that one comes to; should that one be refused, this one is
 * too (outage/). An acknowledged plan is on disk and found by the next query.
 *
 * A batch of nothing but relaxed plans is not synced. The next one that is to be waits until all logs before are: what is
 * acknowledged then never stands after a hole. The high-water mark passes no unsynced batch.
 */

export interface WriterParts extends ResolverParts {
  readonly database: Database;
  readonly known: KnownKeys;
  readonly marks: HostMarks;
  readonly highWater: HighWater;
  readonly disk: Disk;
  readonly outage: Outage;
}

export class Writer {
  private readonly parts: WriterParts;
  private readonly resolver: Resolver;
  private index: PostingIndex | undefined;
  private readonly log: BatchLog;
  /** What holds after the batches under way. */
  private coming: Totals;
  /** The batch under way, its deletions, and the end of it and of all before: it never rejects. */
  private before: BatchRows | undefined;
  private dying: ReadonlyMap<number, true> = new Map();
  private writes: Promise<void> = Promise.resolve();
  /** Batches that were refused, for whatever reason. */
  private failures = 0;
  private losses = 0;

  constructor(parts: WriterParts, trail: Trail) {
    this.parts = parts;
    this.log = new BatchLog(parts.database, parts.highWater, trail);
    this.resolver = new Resolver(parts);
    this.coming = trail.totals;
  }

  get totals(): Totals {
    return this.log.totals;
  }

  /** How often batches were lost that had been acknowledged before they were synced. */
  get relaxedLosses(): number {
    return this.losses;
  }

  /** Must be called before the first commit: the posting index needs a writer itself. */
  feed(index: PostingIndex): void {
    this.index = index;
  }

  /**
   * See {@link Committer}: takes requests for the next batch, settles them when it is on disk, and returns those for
   * which it has no room. It resolves as soon as the batch after can be begun.
   */
  async commit(requests: readonly PendingWrite[]): Promise<readonly PendingWrite[]> {
    const { outage } = this.parts;
    try {
      const { stops } = outage;
      const { failures } = this;
      await this.checkDisk();
      if (this.index !== undefined) await outage.unlessStopped(this.index.room());
      const { draft, settle, left } = await this.resolver.resolve(requests, this.coming, this.before);
      const changes = draft.rows.sealed();
      await this.turn();
      // it was resolved over the one before
      if (outage.stops > stops || this.failures > failures) throw outage.refusal();
      this.before = draft.rows;
      this.coming = draft.totals;
      const taken = requests.slice(0, requests.length - left.length);
      const sync = taken.some(({ request }) => request.kind !== 'relaxed');
      this.writes = this.finish(draft, changes, sync).then(
        () => {
          for (const acknowledge of settle) acknowledge();
        },
        (error: unknown) => {
          this.failures++;
          this.forgetComing();
          rejectAll(taken, error);
        },
      );
      return left;
    } catch (error) {
      rejectAll(requests, error);
      return [];
    }
  }

  /** Resolves when what is being written is on disk, or writing has stopped, which the next commit says. */
  idle(): Promise<void> {
    return this.parts.outage.unlessStopped(this.writes).catch(() => undefined);
  }

  /** Writes rows of the posting index as a batch of their own. `rows` is asked when its turn has come. */
  async commitRows(rows: () => readonly RowChange[], kind: WriteKind = 'rows'): Promise<void> {
    this.parts.outage.check();
    const written = this.writes.then(() => this.write(kind, rows(), this.totals, true));
    this.writes = written.catch(() => undefined);
    return written;
  }

  /** Runs `work` while nothing is being written: batches wait until it has ended. It is told the number of the last batch. */
  async alone<T>(work: (seq: number) => Promise<T>): Promise<T> {
    // before it takes its turn: whoever opens everything anew waits for that
    await this.parts.outage.settled();
    const done = this.writes.then(() => work(this.log.lastSeq));
    this.writes = done.then(
      () => undefined,
      () => undefined,
    );
    return done;
  }

  /** Resolves when all that was acknowledged is on disk. */
  async sync(): Promise<void> {
    await this.turn();
    if (!this.log.isSynced) await this.commitRows(() => [], 'flush');
  }

  /** Whether the deletion of a content is under way: it may or may not be on disk. */
  isBeingForgotten(content: number): boolean {
    return this.dying.has(content);
  }

  /** Waits until nothing is under way: also of what has come after it meanwhile. */
  async turn(): Promise<void> {
    for (let last: Promise<void> | undefined; last !== this.writes; ) {
      last = this.writes;
      await last;
    }
  }

  /** Everything was opened anew: goes on from there. Nothing may be under way. */
  goBackTo(trail: Trail): void {
    this.dying = new Map();
    this.parts.marks.allChanged();
    if (this.log.goBackTo(trail)) this.losses++;
    this.forgetComing();
  }

  /** The first batch after everything was opened anew: it says that the disk takes it. */
  prove(): Promise<void> {
    return this.log.write('rows', [], this.totals, true);
  }

  private forgetComing(): void {
    this.before = undefined;
    this.coming = this.totals;
  }

  private async finish(draft: Draft, changes: readonly RowChange[], sync: boolean): Promise<void> {
    if (changes.length === 0) return;
    this.dying = draft.forgotten;
    const tails = await this.tailsOf(draft);
    await this.write('documents', changes, draft.totals, sync);
    this.parts.marks.changed(draft.rows.samples?.changedHosts ?? []);
    for (const [number, { shingleCount, shingleDigest, posted }] of draft.newContents) {
      const digest = shingleDigestKey(shingleDigest);
      this.index?.add(number, presenceOfCount(shingleCount), posted, digest, tails.get(number));
    }
    for (const number of draft.forgotten.keys()) this.index?.remove(number);
    if (this.before === draft.rows) this.before = undefined;
  }

  /** By content, of those of so many postings that to add them at once would hold up everything else. */
  private async tailsOf({ newContents }: Draft): Promise<ReadonlyMap<number, Tail>> {
    const tails = new Map<number, Tail>();
    for (const [number, { shingleDigest, posted }] of newContents) {
      if (posted.length <= STEP_POSTINGS) continue;
      tails.set(number, await inSteps(tailSteps(number, posted, shingleDigestKey(shingleDigest))));
    }
    return tails;
  }

  private async write(kind: WriteKind, changes: readonly RowChange[], totals: Totals, sync: boolean): Promise<void> {
    this.parts.outage.check();
    this.parts.known.note(changes);
    await this.log.write(kind, changes, totals, sync);
    this.parts.known.noteWritten(changes);
  }

  private async checkDisk(): Promise<void> {
    const { disk, outage } = this.parts;
    outage.check();
    try {
      await disk.checkReserve();
    } catch (error) {
      if (error instanceof ShingledError) outage.short(error);
      throw error;
    }
  }
}

/** Rejecting a request twice has no effect. */
function rejectAll(requests: readonly PendingWrite[], error: unknown): void {
  for (const { reject } of requests) reject(error);
}
