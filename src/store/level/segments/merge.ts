import type { FilterPart } from './filter.ts';
import type { ImagePart } from './images/image-layout.ts';
import type { IndexState } from './index-state.ts';
import { bucketBits } from './rows/bucket.ts';
import { type Segment, sliceBits } from './rows/segment-list.ts';
import { isDamage, type SegmentWorker } from './write/segment-worker.ts';
import { addUp, type ListLimits, type Written } from './write/segment-writer.ts';

/** A segment that is being written. */
export type Begun = Omit<Segment, 'postings' | 'bytes' | 'longest'>;

/** A merge under way: slice after slice, each a step. */
export interface Merge {
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

/** Whether the disk has room for so many bytes more. */
export type HasRoom = (bytes: number) => Promise<boolean>;

/** Merges of one index, one at a time. */
export class Merging {
  /** The one under way. */
  current: Merge | undefined;
  /** The disk had no room for the last one: worth another look after the next flush. */
  noRoom = false;
  /** A damaged segment stays as it is, for a repair to find: from then on nothing is merged. */
  blockedBy: unknown;
  private readonly state: IndexState;
  private readonly worker: SegmentWorker;
  private readonly limits: ListLimits;
  private readonly hasRoom: HasRoom;

  constructor(state: IndexState, worker: SegmentWorker, limits: ListLimits, hasRoom: HasRoom) {
    this.state = state;
    this.worker = worker;
    this.limits = limits;
    this.hasRoom = hasRoom;
  }

  /** Another one must not be under way. */
  begin(inputs: readonly Segment[]): Merge {
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
    this.current = { inputs, output, slice, written: [], images: [], filter: [], imagesMax, filterBytesMax };
    return this.current;
  }

  /**
   * Its next slice; after the last one, lists the output in place of the inputs. Where the disk has no room for the rest,
   * it is given up.
   *
   * @returns whether it is listed
   */
  async step(merge: Merge, hasRoom = this.hasRoom): Promise<boolean> {
    const { inputs, slice, written } = merge;
    const left = 1 - written.length / 2 ** slice.bits;
    if (left === 0) return this.list(merge);
    if (await hasRoom(left * inputs.reduce((sum, { bytes }) => sum + bytes, 0))) {
      await this.write(merge);
    } else {
      this.abandon();
      this.noRoom = true;
    }
    return false;
  }

  /** Its slices are cleared. */
  abandon(): void {
    if (this.current === undefined) return;
    const { segment } = this.current.output;
    this.current = undefined;
    this.state.images.endMerge();
    this.state.giveUp(segment);
  }

  private async write({ inputs, output, slice, written, images, filter, imagesMax, filterBytesMax }: Merge) {
    const index = written.length;
    const job = { geometry: output, limits: this.limits, contents: this.state.contents.shared, inputs };
    const part = { slice: { ...slice, index }, image: index < imagesMax, filterBytesMax };
    try {
      const product = await this.worker.run({ kind: 'merge', ...job, ...part });
      written.push(product.written);
      images.push(product.image);
      if (product.filter !== undefined) filter.push(product.filter);
    } catch (error) {
      if (isDamage(error)) {
        this.blockedBy = error;
        this.abandon();
      }
      throw error;
    }
  }

  private async list({ inputs, output, written, images, filter, filterBytesMax }: Merge): Promise<true> {
    const { state } = this;
    const others = state.list.segments.filter((segment) => !inputs.includes(segment));
    const at = state.list.segments.indexOf(inputs[0]!);
    state.images.endMerge();
    state.images.add(output, images);
    if (filterBytesMax !== null) state.filters.add(output.segment, filter);
    await state.commitList({ segments: others.toSpliced(at, 0, { ...output, ...addUp(written) }) });
    this.current = undefined;
    return true;
  }
}
