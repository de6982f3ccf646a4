import { type FilterPart, SegmentFilter } from './filter.ts';
import { type Segment, sliceBits } from './rows/segment-list.ts';
import { isDamage, type SegmentWorker } from './write/segment-worker.ts';

interface Making {
  readonly segment: number;
  /** Of a slice. */
  readonly bits: number;
  readonly parts: FilterPart[];
}

type Sized = Pick<Segment, 'postings'>;

/**
 * The filters of all segments, in so many bytes. Where there is room for all postings, every segment has a whole
 * filter. Where not, the smallest segments have whole ones, in half of the room. The others share the other half by
 * their size, and their filters leave out a part of the fingerprints.
 */
export class Filters {
  private readonly bytesMax: number;
  private readonly filters = new Map<number, SegmentFilter>();
  /** Segments that could not be read to their end. */
  private readonly damaged = new Set<number>();
  private making: Making | undefined;
  /** From the first query on: opening is not delayed by what nobody may ask for. */
  wanted = false;
  /** How often there was another one. */
  changes = 0;

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

  /** Bytes for the filter of one of these segments. */
  roomFor<T extends Sized>(segment: T, among: readonly T[]): number {
    const all = sum(among);
    if (all <= this.bytesMax) return segment.postings;
    let whole = 0;
    for (const each of among.toSorted((a, b) => a.postings - b.postings)) {
      if (whole + each.postings > this.bytesMax / 2) break;
      if (each === segment) return segment.postings;
      whole += each.postings;
    }
    return (this.bytesMax / 2) * (segment.postings / (all - whole));
  }

  /** @param parts as SegmentFilter takes them */
  add(segment: number, parts: readonly FilterPart[]): void {
    this.filters.set(segment, new SegmentFilter(parts));
    this.changes++;
  }

  /**
   * Makes room for the filters that are still to be made. The filters of all other segments than these are forgotten.
   * Where the rest and those to come do not fit, those go that are furthest beyond their room, as few as it takes. All
   * fit in the end, since the rooms of all together are no more than there is.
   */
  keep(segments: readonly Segment[]): void {
    const listed = new Set(segments.map(({ segment }) => segment));
    for (const segment of this.filters.keys()) if (!listed.has(segment)) this.filters.delete(segment);
    const held = segments.map((each) => {
      const room = this.roomFor(each, segments);
      const bytes = this.of(each.segment)?.bytes ?? room;
      return { segment: each.segment, bytes, beyond: bytes - room };
    });
    let over = held.reduce((total, { bytes }) => total + bytes, 0) - this.bytesMax;
    for (const { segment, beyond } of held.sort((a, b) => b.beyond - a.beyond)) {
      if (over <= 0 || beyond <= 0) break;
      this.filters.delete(segment);
      over -= beyond;
    }
  }

  /** The next step towards filters for those of these segments that should have one, or undefined where they do. */
  next(segments: readonly Segment[], worker: SegmentWorker): (() => Promise<void>) | undefined {
    if (!this.wanted || this.bytesMax === 0) return undefined;
    const bare = segments.filter(({ segment }) => !this.filters.has(segment) && !this.damaged.has(segment));
    if (bare.length === 0) return undefined;
    const smallest = bare.reduce((least, each) => (each.postings < least.postings ? each : least));
    return () => this.makeSlice(smallest, this.roomFor(smallest, segments), worker);
  }

  private async makeSlice(input: Segment, room: number, worker: SegmentWorker): Promise<void> {
    const { segment } = input;
    if (this.making?.segment !== segment) {
      this.making = { segment, bits: sliceBits([input], input.bits), parts: [] };
    }
    const { bits, parts } = this.making;
    try {
      const slice = { bits, index: parts.length };
      const { filter } = await worker.run({ kind: 'filter', input, slice, filterBytesMax: room / 2 ** bits });
      parts.push(filter!);
    } catch (error) {
      if (isDamage(error)) this.damaged.add(segment);
      throw error;
    }
    if (parts.length < 2 ** bits) return;
    this.add(segment, parts);
    this.making = undefined;
  }
}

const sum = (segments: readonly Sized[]) => segments.reduce((total, { postings }) => total + postings, 0);
