import { clearRange } from '../database/clearing.ts';
import type { Database } from '../database/database.ts';
import { bucketsPrefix, overflowsPrefix } from '../format/keys.ts';
import { Deaths } from './content-table.ts';
import type { FilterPart } from './filter.ts';
import type { ImagePart } from './images/image-layout.ts';
import type { IndexState } from './index-state.ts';
import { bucketBits } from './rows/bucket.ts';
import { dueMerge, idleMerge, type Segment, sliceBits } from './rows/segment-list.ts';
import { isDamage, type SegmentWorker } from './write/segment-worker.ts';
import { addUp, type ListLimits, type Written } from './write/segment-writer.ts';

/** Pages of shingle counts in one batch: a millisecond of the event loop. */
const PAGES_A_BATCH = 32;

type Begun = Omit<Segment, 'postings' | 'bytes' | 'longest'>;

interface Merge {
  readonly inputs: readonly Segment[];
  readonly output: Begun;
  readonly slice: { readonly bits: number };
  readonly written: Written[];
  /** Of the slices that were written: an image where there is room, and a filter unless there is room for all images. */
  readonly images: (ImagePart | undefined)[];
  readonly filter: FilterPart[];
  /** So many slices have images, from the first one on. */
  readonly imagesMax: number;
  /** Room for the filter of a slice; null where it needs none. */
  readonly filterBytesMax: number | null;
}

/**
 * What is to be done beside reading and adding, a bounded step at a time, the most urgent first:
 *
 *   a full tail      -> sorted and written as a segment by the worker; then listed, with its pages of shingle counts
 *   an image lacks   -> that of a slice by the worker: after opening, or where there is room for more
 *   a filter lacks   -> that of a slice by the worker: after opening, of segments that have no room for an image
 *   a merge          -> a slice by the worker; after the last one, listed instead of what it merged
 *   many rows d      -> their pages of shingle counts written anew
 *   compaction asked -> everything merged into one, all pages with rows d written anew
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
  private merge: Merge | undefined;
  private compaction: 'none' | 'merge' | 'pages' = 'none';
  /** The disk has no room for the next merge: looked at again after the next flush. */
  private noRoom = false;
  private readonly hasRoom: (bytes: number) => Promise<boolean>;
  /** A damaged segment stays as it is, for a repair to find: from then on nothing is merged. */
  private blockedBy: unknown;

  constructor(
    state: IndexState,
    database: Database,
    worker: SegmentWorker,
    limits: ListLimits,
    hasRoom: (bytes: number) => Promise<boolean>,
  ) {
    this.hasRoom = hasRoom;
    this.state = state;
    this.database = database;
    this.worker = worker;
    this.limits = limits;
  }

  get merging(): boolean {
    return this.merge !== undefined;
  }

  /** The next step, or undefined where nothing is to be done. */
  next(): (() => Promise<void>) | undefined {
    const { state, merge } = this;
    if (state.tails.length > 1) return () => this.flush();
    const image = state.images.next(state.list.segments, this.worker);
    if (image !== undefined) return image;
    const filter = state.filters.next(state.unimaged, this.worker);
    if (filter !== undefined) return filter;
    if (merge !== undefined) return () => this.mergeStep(merge);
    const due = this.blockedBy === undefined ? this.dueMerge() : undefined;
    if (due !== undefined) return () => this.mergeStep(this.begin(due));
    if (this.state.pagesDue(1, this.heavyOrAny).length > 0) return () => this.writePages();
    this.compaction = 'none';
    return undefined;
  }

  /** @throws what has stopped all merges */
  beginCompaction(): void {
    if (this.blockedBy !== undefined) throw this.blockedBy;
    this.compaction = 'merge';
  }

  get compacting(): boolean {
    return this.compaction !== 'none';
  }

  /** The disk has refused a write: slices that were written after it may be lost when the database is opened anew. */
  abandonMerge(): void {
    if (this.merge === undefined) return;
    this.giveUpMerge(this.merge.output);
    if (this.compaction === 'pages') this.compaction = 'merge';
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
    this.noRoom = false;
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
    } catch (error) {
      state.giveUp(output.segment);
      throw error;
    }
  }

  private dueMerge(): readonly Segment[] | undefined {
    const { segments } = this.state.list;
    if (this.compaction !== 'merge') {
      if (this.noRoom) return undefined;
      return dueMerge(segments) ?? (this.idle ? idleMerge(segments) : undefined);
    }
    this.compaction = 'pages';
    const isCompact = segments.length < 2 && segments.every(({ segment }) => this.state.deadIn(segment) === 0);
    return isCompact ? undefined : segments;
  }

  private begin(inputs: readonly Segment[]): Merge {
    const [first, last] = [inputs[0]!, inputs[inputs.length - 1]!];
    const postings = inputs.reduce((sum, segment) => sum + segment.postings, 0);
    const bits = bucketBits(postings);
    const level = 1 + Math.max(...inputs.map((segment) => segment.level));
    const output: Begun = {
      ...this.state.begin(first.firstContent, last.lastContent),
      ...{ level, lastContent: last.lastContent, bits },
      deadBefore: inputs.reduce((sum, { segment, deadBefore }) => sum + deadBefore + this.state.deadIn(segment), 0),
    };
    const slice = { bits: sliceBits(inputs, bits) };
    const sized = { ...output, postings };
    const imagesMax = this.state.images.beginMerge(sized, slice.bits);
    const others = this.state.unimaged.filter((segment) => !inputs.includes(segment));
    const filterBytes = this.state.filters.roomFor(sized, [...others, sized]) / 2 ** slice.bits;
    const filterBytesMax = imagesMax === 2 ** slice.bits ? null : filterBytes;
    this.merge = { inputs, output, slice, written: [], images: [], filter: [], imagesMax, filterBytesMax };
    return this.merge;
  }

  private async mergeStep(merge: Merge): Promise<void> {
    const { state } = this;
    const { inputs, output, slice, written, images, filter, imagesMax, filterBytesMax } = merge;
    const index = written.length;
    if (index < 2 ** slice.bits) {
      if (!(await this.hasRoomFor(inputs, index / 2 ** slice.bits))) {
        this.abandonMerge();
        this.noRoom = true;
        return;
      }
      const job = { geometry: output, limits: this.limits, contents: state.contents.shared, inputs };
      const part = { slice: { ...slice, index }, image: index < imagesMax, filterBytesMax };
      try {
        const product = await this.worker.run({ kind: 'merge', ...job, ...part });
        written.push(product.written);
        images.push(product.image);
        if (product.filter !== undefined) filter.push(product.filter);
      } catch (error) {
        if (isDamage(error)) this.blockMerges(output, error);
        throw error;
      }
      return;
    }
    const others = state.list.segments.filter((segment) => !inputs.includes(segment));
    const at = state.list.segments.indexOf(inputs[0]!);
    state.images.endMerge();
    state.images.add(output, images);
    if (filterBytesMax !== null) state.filters.add(output.segment, filter);
    await state.commitList({ segments: others.toSpliced(at, 0, { ...output, ...addUp(written) }) });
    this.merge = undefined;
  }

  /** A compaction was asked for by somebody who has looked. */
  private async hasRoomFor(inputs: readonly Segment[], done: number): Promise<boolean> {
    if (this.compaction !== 'none') return true;
    return this.hasRoom((1 - done) * inputs.reduce((sum, { bytes }) => sum + bytes, 0));
  }

  private blockMerges(output: Begun, error: unknown): void {
    this.blockedBy = error;
    this.compaction = 'none';
    this.giveUpMerge(output);
  }

  private giveUpMerge({ segment }: Begun): void {
    this.merge = undefined;
    this.state.images.endMerge();
    this.state.giveUp(segment);
  }

  private get heavyOrAny(): 'heavy' | 'any' {
    return this.compaction === 'none' ? 'heavy' : 'any';
  }

  private writePages(): Promise<void> {
    const { segments } = this.state.list;
    return this.state.commitList({ segments, pages: () => this.state.pagesDue(PAGES_A_BATCH, this.heavyOrAny) });
  }
}
