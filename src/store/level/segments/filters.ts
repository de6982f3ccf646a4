import { SegmentFilter } from './filter.ts';
import { sliceBits } from './merges.ts';
import type { Segment } from './segment-list.ts';
import { isDamage, type SegmentWorker } from './segment-worker.ts';

/** A segment whose filter is being made. */
interface Making {
  readonly segment: number;
  /** Of a slice. */
  readonly bits: number;
  readonly parts: Uint32Array[];
}

/** Which segments have a filter: the smallest ones, as many as may be in memory. */
export class Filters {
  private readonly bytesMax: number;
  private readonly filters = new Map<number, SegmentFilter>();
  /** Segments that could not be read to their end. */
  private readonly damaged = new Set<number>();
  private making: Making | undefined;
  /** From the first query on: opening is not delayed by what nobody may ask for. */
  wanted = false;

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  of(segment: number): SegmentFilter | undefined {
    return this.filters.get(segment);
  }

  get bytes(): number {
    let bytes = 0;
    for (const filter of this.filters.values()) bytes += filter.bytes;
    return bytes;
  }

  /** Whether a segment with so many postings, a byte each, could have one. */
  fits(postings: number): boolean {
    return postings <= this.bytesMax;
  }

  /** @param parts as SegmentFilter takes them */
  add(segment: number, parts: readonly Uint32Array[]): void {
    this.filters.set(segment, new SegmentFilter(parts));
  }

  /** Forgets the filters of all others than the smallest of these. */
  keep(segments: readonly Segment[]): void {
    const kept = new Set(this.smallest(segments).map(({ segment }) => segment));
    for (const segment of this.filters.keys()) if (!kept.has(segment)) this.filters.delete(segment);
  }

  /** The next step towards filters for those of these segments that should have one, or undefined where they do. */
  next(segments: readonly Segment[], worker: SegmentWorker): (() => Promise<void>) | undefined {
    if (!this.wanted) return undefined;
    const bare = ({ segment }: Segment) => !this.filters.has(segment) && !this.damaged.has(segment);
    const segment = this.smallest(segments).find(bare);
    return segment && (() => this.makeSlice(segment, worker));
  }

  private async makeSlice(input: Segment, worker: SegmentWorker): Promise<void> {
    const { segment } = input;
    if (this.making?.segment !== segment) {
      this.making = { segment, bits: sliceBits([input], input.bits), parts: [] };
    }
    const { bits, parts } = this.making;
    try {
      const { filter } = await worker.run({ kind: 'filter', input, slice: { bits, index: parts.length } });
      parts.push(filter!);
    } catch (error) {
      if (isDamage(error)) this.damaged.add(segment);
      throw error;
    }
    if (parts.length < 2 ** bits) return;
    this.add(segment, parts);
    this.making = undefined;
  }

  private smallest(segments: readonly Segment[]): Segment[] {
    const chosen: Segment[] = [];
    let bytes = 0;
    for (const segment of segments.toSorted((a, b) => a.postings - b.postings)) {
      bytes += segment.postings;
      if (bytes > this.bytesMax) break;
      chosen.push(segment);
    }
    return chosen;
  }
}
