import { SegmentImage } from './images/image.ts';
import { type ImagePart, imageBytes } from './images/image-layout.ts';
import { letGo } from './let-go.ts';
import type { Geometry } from './rows/bucket.ts';
import { type Segment, sliceBits } from './rows/segment-list.ts';
import { isDamage, type SegmentWorker } from './write/segment-worker.ts';

/*
 * The images of all segments, in so many bytes. The smallest segments come first, whole. The first that has no room for all
 * of its slices has as many as there is room for, and those larger still have none.
 *
 *   flush, merge   make the image of what they write, where there is room beside all others: 25 ns a posting, a fourth of what
 *                  it takes to make it from rows
 *   afterwards     what was merged is let go; and from the first query on, the worker makes images from rows until there is
 *                  no more room: opening is not delayed by what nobody may ask for
 */

/** A segment whose slices are to have images: so many, from the first one on. */
interface Planned {
  readonly segment: Segment;
  readonly bits: number;
  readonly slices: number;
}

export class Images {
  private readonly bytesMax: number;
  private readonly held = new Map<number, SegmentImage>();
  /** Segments of which a slice could not be read to its end, or has no image: they are not tried again. */
  private readonly without = new Set<number>();
  /** Bytes for the merge under way. */
  private reserved = 0;
  wanted = false;
  /** How often there was another one, or one less. */
  changes = 0;

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  of(segment: number): SegmentImage | undefined {
    return this.held.get(segment);
  }

  /** Whether a segment has images of all of its slices. */
  isWhole(segment: number): boolean {
    return this.of(segment)?.isWhole === true;
  }

  get bytes(): number {
    let bytes = 0;
    for (const image of this.held.values()) bytes += image.bytes;
    return bytes;
  }

  /** Of images that are still to be made. @param segments those that are listed */
  bytesLeft(segments: readonly Segment[]): number {
    let bytes = 0;
    for (const { segment, bits, slices } of this.plan(segments)) {
      if (this.without.has(segment.segment)) continue;
      const parts = this.of(segment.segment)?.slices ?? [];
      const made = parts.slice(0, slices).filter((part) => part !== undefined).length;
      bytes += Math.ceil((slices - made) * sliceBytes(segment, bits));
    }
    return bytes;
  }

  /** Of how many slices of a new segment there are to be images: those that there is room for, beside all others. */
  slicesFor(segment: Pick<Segment, 'postings' | 'contentBytes'>, bits: number): number {
    return Math.min(2 ** bits, Math.floor(this.free / sliceBytes(segment, bits)));
  }

  /** As {@link slicesFor}, of a segment that is being merged: keeps their room until {@link endMerge}. */
  beginMerge(segment: Pick<Segment, 'postings' | 'contentBytes'>, bits: number): number {
    const slices = this.slicesFor(segment, bits);
    this.reserved = slices * sliceBytes(segment, bits);
    return slices;
  }

  endMerge(): void {
    this.reserved = 0;
  }

  /** @param parts 2^s of them, as SegmentImage takes them */
  add(geometry: Geometry, parts: readonly (ImagePart | undefined)[]): void {
    this.changes++;
    if (parts.every((part) => part === undefined)) this.held.delete(geometry.segment);
    else this.held.set(geometry.segment, new SegmentImage(geometry, parts));
  }

  /** Lets go of the images of all other segments than these, and of what has no room beside those of smaller ones. */
  keep(segments: readonly Segment[]): void {
    const listed = new Set(segments.map(({ segment }) => segment));
    for (const [segment, image] of this.held) {
      if (listed.has(segment)) continue;
      this.held.delete(segment);
      letGo(image, image.bytes);
    }
    for (const { segment, slices } of this.plan(segments)) {
      const parts = this.of(segment.segment)?.slices ?? [];
      if (parts.every((part, i) => part === undefined || i < slices)) continue;
      const fitting = parts.map((part, i) => (i < slices ? part : undefined));
      this.add(segment, fitting);
    }
  }

  /** The next step towards all images that there is room for, or undefined where there are. */
  next(segments: readonly Segment[], worker: SegmentWorker): (() => Promise<void>) | undefined {
    if (!this.wanted || this.bytesMax === 0) return undefined;
    for (const planned of this.plan(segments)) {
      const { segment, bits, slices } = planned;
      const index = firstWithout(this.of(segment.segment)?.slices ?? [], slices);
      if (index === slices || this.without.has(segment.segment) || this.free < sliceBytes(segment, bits)) continue;
      return () => this.makeSlice(planned, index, worker);
    }
    return undefined;
  }

  private async makeSlice({ segment, bits }: Planned, index: number, worker: SegmentWorker): Promise<void> {
    try {
      const { image } = await worker.run({ kind: 'image', input: segment, slice: { bits, index } });
      if (image === undefined) {
        this.without.add(segment.segment);
        return;
      }
      const none = new Array<undefined>(2 ** bits).fill(undefined);
      const held = this.of(segment.segment) ?? new SegmentImage(segment, none);
      held.set(index, image);
      this.changes++;
      this.held.set(segment.segment, held);
    } catch (error) {
      if (isDamage(error)) this.without.add(segment.segment);
      throw error;
    }
  }

  private get free(): number {
    return this.bytesMax - this.reserved - this.bytes;
  }

  private plan(segments: readonly Segment[]): Planned[] {
    let left = this.bytesMax - this.reserved;
    const planned: Planned[] = [];
    for (const segment of segments.toSorted((a, b) => a.postings - b.postings)) {
      const held = this.of(segment.segment);
      const bits = held === undefined ? sliceBits([segment], segment.bits) : Math.log2(held.slices.length);
      const bytes = sliceBytes(segment, bits);
      const slices = Math.min(2 ** bits, Math.max(0, Math.floor(left / bytes)));
      planned.push({ segment, bits, slices });
      left -= slices * bytes;
      if (slices < 2 ** bits) left = 0;
    }
    return planned;
  }
}

const sliceBytes = ({ postings, contentBytes }: Pick<Segment, 'postings' | 'contentBytes'>, bits: number) =>
  imageBytes(postings / 2 ** bits, bits, contentBytes);

/** The first of so many that is not there. */
function firstWithout(parts: readonly (ImagePart | undefined)[], slices: number): number {
  for (let i = 0; i < slices; i++) if (parts[i] === undefined) return i;
  return slices;
}
