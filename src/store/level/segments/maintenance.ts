import { clearRange } from '../database/clearing.ts';
import type { Database } from '../database/database.ts';
import { bucketsPrefix, overflowsPrefix } from '../format/keys.ts';
import { Compaction } from './compaction.ts';
import { Deaths } from './content-table.ts';
import type { IndexState } from './index-state.ts';
import { letGo } from './let-go.ts';
import { type Begun, type HasRoom, Merging } from './merge.ts';
import { bucketBits } from './rows/bucket.ts';
import { dueMerge, idleMerge } from './rows/segment-list.ts';
import type { SegmentWorker } from './write/segment-worker.ts';
import type { ListLimits } from './write/segment-writer.ts';

/** Pages of shingle counts in one batch: a millisecond of the event loop. */
const PAGES_A_BATCH = 32;

/** With more segments each query pays for what is not merged, and no merge waits: four levels have no more than twelve. */
const SEGMENTS_MAX = 16;

/**
 * What is to be done beside reading and adding, a bounded step at a time, the most urgent first:
 *
 *   a full tail      -> sorted and written as a segment by the worker; then listed, with its pages of shingle counts
 *   an image lacks   -> that of a slice by the worker: after opening, or where there is room for more
 *   a filter lacks   -> that of a slice by the worker: after opening, of segments that have no room for an image
 *   a merge          -> a slice by the worker; after the last one, listed instead of what it merged. Where segments are
 *                       many, a slice after each flush: a queue of flushes would put merges off for ever
 *   many rows d      -> their pages of shingle counts written anew
 *   compaction asked -> everything merged into one, all pages with rows d written anew: a step after each flush, before the
 *                       rest, so that it ends however much comes
 *
 * Each step may fail and be done again. Who calls sees to it that one runs at a time.
 */
export class Maintenance {
  private readonly state: IndexState;
  private readonly database: Database;
  private readonly worker: SegmentWorker;
  private readonly limits: ListLimits;
  /** Nothing has been added for a while: then merges down to two segments are due as well. */
  idle = false;
  private readonly merges: Merging;
  private compaction: Compaction | undefined;
  private wasFlush = false;

  constructor(state: IndexState, database: Database, worker: SegmentWorker, limits: ListLimits, hasRoom: HasRoom) {
    this.state = state;
    this.database = database;
    this.worker = worker;
    this.limits = limits;
    this.merges = new Merging(state, worker, limits, hasRoom);
  }

  get merging(): boolean {
    return this.merges.current !== undefined;
  }

  /** Whether the next step may wait for those who ask: part of a merge, for which nobody waits. */
  get mayRest(): boolean {
    return this.merging && this.compaction === undefined && this.state.tails.length === 1 && !this.isCrowded;
  }

  /** The next step, or undefined where nothing is to be done. */
  next(): (() => Promise<unknown>) | undefined {
    const { state } = this;
    const pressing = this.nextOfCompaction() ?? (this.isCrowded ? this.nextOfMerges() : undefined);
    // in turns: neither waits for the other for ever
    this.wasFlush = state.tails.length > 1 && (pressing === undefined || !this.wasFlush);
    if (this.wasFlush) return () => this.flush();
    if (pressing !== undefined) return pressing;
    const warming = this.nextOfWarming();
    if (warming !== undefined) return warming;
    const merging = this.nextOfMerges();
    if (merging !== undefined) return merging;
    const pages = () => state.pagesDue(PAGES_A_BATCH, 'heavy');
    return pages().length > 0 ? () => this.writePages(pages) : undefined;
  }

  /** Whether nothing is left to be made in memory. */
  get isWarm(): boolean {
    return this.nextOfWarming() === undefined;
  }

  private nextOfWarming(): (() => Promise<void>) | undefined {
    const { state } = this;
    return state.images.next(state.list.segments, this.worker) ?? state.filters.next(state.unimaged, this.worker);
  }

  /** @throws what has stopped all merges */
  beginCompaction(): void {
    if (this.merges.blockedBy !== undefined) throw this.merges.blockedBy;
    this.compaction = new Compaction(this.state);
  }

  get compacting(): boolean {
    return this.compaction !== undefined;
  }

  /** The disk has refused a write: slices that were written after it may be lost when the database is opened anew. */
  abandonMerge(): void {
    this.merges.abandon();
  }

  /** The last steps: flushes what is to be flushed, where the disk takes it, and ends the worker. */
  async finish(canWrite: boolean): Promise<void> {
    try {
      if (!canWrite) return;
      while (this.state.tails.length > 1) await this.flush();
      // so that the next opening clears nothing a second time
      const { gone, segments } = this.state.list;
      if (gone.length !== this.state.gone.size) await this.state.commitList({ segments });
    } finally {
      await this.worker.close();
    }
  }

  /** Deletes the rows of one segment that is gone, if there is one, and has LevelDB give back the room. */
  async clearOne(): Promise<boolean> {
    const [segment] = this.state.gone;
    if (segment === undefined) return false;
    for (const prefix of [bucketsPrefix(segment), overflowsPrefix(segment)]) {
      await clearRange(this.database, { gte: prefix, lt: `${prefix}\u0080` });
    }
    this.state.gone.delete(segment);
    this.endCompaction();
    return true;
  }

  private async flush(): Promise<void> {
    const { state } = this;
    const tail = state.tails[0]!;
    const { firstContent, lastContent } = tail;
    const output: Begun = {
      ...state.begin(firstContent, lastContent),
      ...{ level: 0, lastContent, bits: bucketBits(tail.count) },
      deadBefore: state.forgottenIn(firstContent, lastContent),
    };
    this.merges.noRoom = false;
    const image = state.images.slicesFor({ ...output, postings: tail.count }, 0) > 0;
    const job = { image, geometry: output, limits: this.limits, contents: state.contents.shared };
    try {
      const product = await this.worker.run({ kind: 'flush', ...job, tail: tail.memory, count: tail.count });
      const { written } = product;
      state.images.add(output, [product.image]);
      if (product.filter !== undefined) state.filters.add(output.segment, [product.filter]);
      const segments = [...state.list.segments, { ...output, ...written }];
      const pages = () => Deaths.pagesOf(state.list.flushedUpTo, lastContent + 1);
      await state.commitList({ segments, flushed: tail, pages });
      letGo(tail.memory, tail.bytes);
    } catch (error) {
      state.giveUp(output.segment);
      throw error;
    }
  }

  private nextOfMerges(): (() => Promise<unknown>) | undefined {
    const { current, noRoom, blockedBy } = this.merges;
    if (current !== undefined) return () => this.merges.step(current);
    if (noRoom || blockedBy !== undefined) return undefined;
    const { segments } = this.state.list;
    const due = dueMerge(segments) ?? (this.idle ? idleMerge(segments) : undefined);
    return due && (() => this.merges.step(this.merges.begin(due)));
  }

  private nextOfCompaction(): (() => Promise<unknown>) | undefined {
    const { merges } = this;
    if (merges.blockedBy !== undefined) this.compaction = undefined;
    const { compaction } = this;
    if (compaction === undefined) return undefined;
    if (compaction.advance() === 'merge') {
      // another one would only be merged once more
      if (merges.current !== compaction.merge) merges.abandon();
      if (merges.current !== undefined || !compaction.isMerged) return () => this.mergeAll(compaction);
      compaction.merged();
    }
    const pages = compaction.pages(PAGES_A_BATCH);
    if (pages.length > 0) return () => this.writePages(() => pages).then(() => compaction.written(pages));
    this.endCompaction();
    return undefined;
  }

  private async mergeAll(compaction: Compaction): Promise<void> {
    compaction.merge = this.merges.current ?? this.merges.begin(this.state.list.segments);
    // it was asked for by somebody who has looked whether there is room
    if (await this.merges.step(compaction.merge, async () => true)) compaction.merged();
  }

  private get isCrowded(): boolean {
    return this.state.list.segments.length > SEGMENTS_MAX;
  }

  private endCompaction(): void {
    if (this.compaction?.advance() === 'done') this.compaction = undefined;
  }

  private writePages(pages: () => readonly number[]): Promise<void> {
    return this.state.commitList({ segments: this.state.list.segments, pages });
  }
}
