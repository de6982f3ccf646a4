import { ShingledError } from '../../errors.ts';
import { shingleDigestKey } from '../contents.ts';
import type { IndexDescription } from '../port.ts';
import type { StoreSettings } from '../settings.ts';
import { BatchLog } from './batch-log.ts';
import type { BatchRows } from './batch-rows.ts';
import { presenceOfCount } from './candidates.ts';
import type { Database } from './database.ts';
import { type Disk, storageFull } from './disk.ts';
import type { Draft } from './draft.ts';
import type { FurtherHolders } from './further-holders.ts';
import type { HighWater } from './high-water.ts';
import type { KnownKeys } from './known-keys.ts';
import { Resolver } from './resolver.ts';
import type { RowChange } from './rows.ts';
import type { PostingIndex } from './segments/posting-index.ts';
import { catchUp } from './tail.ts';
import type { Trail } from './trail.ts';
import type { Totals } from './values.ts';
import type { PendingWrite } from './write-requests.ts';

/*
 * The way of plans onto the disk. One committer hands them in, so nothing else ever writes but the posting index, whose
 * rows take their turn among the batches.
 *
 *   batch k      resolve ─ wait ─ write and sync ─ postings into the tail ─ acknowledge
 *   batch k+1                     resolve over k ─────────── wait ─ write and sync ─ …
 *
 * A batch is resolved while the one before is synced, over what that one comes to; should that one be refused, this one is
 * too. An acknowledged plan is on disk and found by the next query.
 *
 * A batch of nothing but relaxed plans is not synced. The next one that is to be waits until LevelDB has brought all before
 * into synced tables: what is acknowledged then never stands after a hole. The high-water mark passes no unsynced batch.
 */

export interface WriterParts {
  readonly database: Database;
  readonly highWater: HighWater;
  readonly further: FurtherHolders;
  readonly known: KnownKeys;
  readonly disk: Disk;
  readonly description: IndexDescription;
  readonly settings: StoreSettings;
  readonly retryMs: number;
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
  /** Counts refused writes: what was resolved before one must not be written after it. */
  private refusals = 0;
  private refusedBy: unknown;
  private onRefusal: (() => void) | undefined;
  private retry: NodeJS.Timeout | undefined;
  private retrying: Promise<void> | undefined;
  private closed = false;

  constructor(parts: WriterParts, trail: Trail) {
    this.parts = parts;
    this.log = new BatchLog(parts.database, parts.highWater, trail);
    this.resolver = new Resolver(parts);
    this.coming = trail.totals;
  }

  /** False from a refused write until one has succeeded again. */
  get writable(): boolean {
    return this.refusedBy === undefined;
  }

  get totals(): Totals {
    return this.log.totals;
  }

  /** Must be called before the first commit: the posting index needs a writer itself. */
  feed(index: PostingIndex): void {
    this.index = index;
  }

  /**
   * See {@link Committer}: takes requests for the next batch, settles them when it is on disk, and returns those for which
   * it has no room; it resolves as soon as the batch after can be begun.
   */
  async commit(requests: readonly PendingWrite[]): Promise<readonly PendingWrite[]> {
    const { refusals } = this;
    try {
      await this.checkDisk();
      await this.room();
      const { draft, settle, left } = await this.resolver.resolve(requests, this.coming, this.before);
      const changes = draft.rows.sealed();
      await this.turn();
      if (this.refusals > refusals) throw this.refusal();
      this.before = draft.rows;
      this.coming = draft.totals;
      const taken = requests.slice(0, requests.length - left.length);
      const sync = taken.some(({ request }) => request.kind !== 'relaxed');
      this.writes = this.finish(draft, changes, sync).then(
        () => {
          for (const acknowledge of settle) acknowledge();
        },
        (error: unknown) => this.refuse(taken, error),
      );
      return left;
    } catch (error) {
      this.refuse(requests, error);
      return [];
    }
  }

  /** Writes rows of the posting index as a batch of their own. `rows` is asked when its turn has come. */
  commitRows(rows: () => readonly RowChange[]): Promise<void> {
    const written = this.writes.then(() => this.write(rows(), this.totals, true));
    this.writes = written.catch((error: unknown) => this.refuse([], error));
    return written;
  }

  /** Runs `work` while nothing is being written: batches wait until it has ended. It is told the number of the last batch. */
  alone<T>(work: (seq: number) => Promise<T>): Promise<T> {
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
    if (!this.log.isSynced) await this.commitRows(() => []);
  }

  /** The posting index could not write: the disk, most likely. */
  indexFailed(cause: unknown): void {
    this.refuse([], storageFull('The disk refused a segment.', { cause }));
  }

  /** Whether the deletion of a content is under way: it may or may not be on disk. */
  isBeingForgotten(content: number): boolean {
    return this.dying.has(content);
  }

  /** Tries a disk that has refused no more; resolves when nothing is under way. The posting index may still commit rows. */
  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.retry);
    await this.retrying;
    await this.turn();
  }

  private async finish(draft: Draft, changes: readonly RowChange[], sync: boolean): Promise<void> {
    if (changes.length === 0) return;
    this.dying = draft.forgotten;
    await this.write(changes, draft.totals, sync);
    for (const [number, { shingleCount, shingleDigest, posted }] of draft.newContents) {
      this.index?.add(number, presenceOfCount(shingleCount), posted, shingleDigestKey(shingleDigest));
    }
    for (const number of draft.forgotten.keys()) this.index?.remove(number);
    if (this.before === draft.rows) this.before = undefined;
  }

  /** Waits until nothing is under way: also of what has taken its place in the row meanwhile. */
  private async turn(): Promise<void> {
    for (let last: Promise<void> | undefined; last !== this.writes; ) {
      last = this.writes;
      await last;
    }
  }

  /** Waits until the posting index can take more, or the disk has refused. */
  private async room(): Promise<void> {
    const { index } = this;
    if (index === undefined) return;
    await new Promise<void>((resolve, reject) => {
      this.onRefusal = resolve;
      index.room().then(resolve, reject);
    });
    if (!this.writable) throw this.refusal();
  }

  private async write(changes: readonly RowChange[], totals: Totals, sync: boolean): Promise<void> {
    if (!this.writable) throw this.refusal();
    this.parts.further.note(changes);
    this.parts.known.note(changes);
    await this.log.write(changes, totals, sync);
  }

  private async checkDisk(): Promise<void> {
    if (!this.writable) throw this.refusal();
    await this.parts.disk.checkReserve();
  }

  private refusal(): ShingledError {
    return storageFull('The disk has refused a write.', { cause: this.refusedBy });
  }

  /** Rejects requests; from a refused write on, nothing is written until the disk takes it again. */
  private refuse(requests: readonly PendingWrite[], error: unknown): void {
    if (this.writable && error instanceof ShingledError && error.code === 'storage-full') {
      this.refusedBy = error;
      this.refusals++;
      this.before = undefined;
      this.coming = this.totals;
      this.onRefusal?.();
      this.retryLater();
    }
    // settling a request twice has no effect
    for (const { reject } of requests) reject(error);
  }

  private retryLater(): void {
    clearTimeout(this.retry);
    if (this.closed) return;
    this.retry = setTimeout(() => {
      this.retrying = this.recover().catch(() => this.retryLater());
    }, this.parts.retryMs);
    this.retry.unref();
  }

  /**
   * Once the disk takes a file again, and what opening writes: new handles, the state as it is there, and a batch of nothing
   * but its own row. The posting index keeps in memory what no segment has. Reads would fail while the database is closed and
   * cannot be opened.
   */
  private async recover(): Promise<void> {
    const { database, disk, description } = this.parts;
    await disk.checkReserve(await database.openingBytes());
    await disk.probe();
    await this.turn();
    await this.index?.suspend(this);
    await database.reopen();
    const { nextContent } = this.totals;
    const isFurther = await this.log.readAgain();
    if (isFurther && this.index !== undefined) await catchUp(database, this.index, description, nextContent);
    this.coming = this.totals;
    this.refusedBy = undefined;
    // a refusal begins all this anew
    await this.commitRows(() => []);
    this.index?.resume(this);
  }
}
