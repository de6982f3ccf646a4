import { RANK_COUNT } from '../../../../core/query/rank.ts';
import { bucketKey, bucketsPrefix, overflowsPrefix } from '../../format/keys.ts';
import type { ImageBuilder } from '../images/image-builder.ts';
import {
  BucketPacker,
  bucketOf,
  FINGERPRINT_BITS,
  type Geometry,
  type LongList,
  packOverflow,
} from '../rows/bucket.ts';
import { addUpLongest, type ListLength, LongestLists } from '../rows/segment-list.ts';
import { type Columns, fingerprintAt, positionOf, rankAtPosition } from '../rows/sort.ts';

/** How much of a list is kept, and where. */
export interface ListLimits {
  /** Two secret Uint32 that key the rank of a posting. */
  readonly rankKey: readonly [number, number];
  /** K: so many of a list lie in its bucket. */
  readonly listPostingsMax: number;
  /** So many are kept at all; what is beyond K lies in rows q. */
  readonly keptPostingsMax: number;
}

/** What was written of a segment, or of a slice of it. */
export interface Written {
  readonly postings: number;
  /** Of keys and values. */
  readonly bytes: number;
  readonly longest: readonly ListLength[];
}

/** What was written in slices, as one. */
export function addUp(slices: readonly Written[]): Written {
  return {
    postings: slices.reduce((sum, slice) => sum + slice.postings, 0),
    bytes: slices.reduce((sum, slice) => sum + slice.bytes, 0),
    longest: addUpLongest(slices.map(({ longest }) => longest)),
  };
}

/** Takes rows, whose values are the caller's again after put(), and writes them when it is told to. */
export interface RowSink {
  put(key: string, value: Buffer): void;
  /** Whether enough was put to be written. */
  readonly full: boolean;
  write(): Promise<void>;
}

/**
 * From sorted postings to the rows of a segment, those of table p in the order of their keys, then those of table q:
 *
 *   list of df postings   [ 1 … K ][ K+1 … kept ][ kept+1 … df ]
 *                          bucket     rows q        dropped; the position of the first dropped is remembered (cut)
 *
 * That outlives the postings: where all that were kept are forgotten, those that were dropped are not.
 */
export class SegmentWriter {
  private readonly geometry: Geometry;
  private readonly limits: ListLimits;
  private readonly sink: RowSink;
  private readonly image: ImageBuilder | undefined;
  private readonly packer: BucketPacker;
  private readonly longest = new LongestLists();
  private readonly overflows: { fingerprint: number; contents: Uint32Array }[] = [];
  private positions = new Uint32Array(1024);
  private taken = 0;
  private postings = 0;
  private bytes = 0;

  /** @param image of what is written, where there is to be one */
  constructor(geometry: Geometry, limits: ListLimits, sink: RowSink, image?: ImageBuilder) {
    this.geometry = geometry;
    this.limits = limits;
    this.sink = sink;
    this.image = image;
    this.packer = new BucketPacker(geometry);
  }

  /**
   * Writes the buckets from..to, the empty ones too.
   *
   * @param columns sorted (sort.ts), the first `count` in these buckets
   * @param cuts where lists were cut by earlier merges: fingerprint -> position
   */
  async write(
    columns: Columns,
    count: number,
    { from, to }: { readonly from: number; readonly to: number },
    cuts: ReadonlyMap<number, number>,
  ): Promise<Written> {
    const prefix = bucketsPrefix(this.geometry.segment);
    const cutIn = Map.groupBy(cuts.keys(), (fingerprint) => bucketOf(fingerprint, this.geometry.bits));
    let at = 0;
    for (let bucket = from; bucket < to; bucket++) {
      const end = this.bucketEnd(columns, at, count, bucket);
      const long = this.takeLists(columns, at, end, cuts);
      for (const fingerprint of cutIn.get(bucket) ?? []) {
        const remainder = this.remainderOf(fingerprint);
        if (long.some((list) => list.remainder === remainder)) continue;
        long.push({ remainder, beyond: 0, cut: cuts.get(fingerprint)! });
      }
      const value = this.packer.pack(bucket, columns, this.positions, this.taken, long);
      this.image?.add(bucket, value);
      this.put(bucketKey(prefix, bucket), value);
      this.postings += this.taken;
      at = end;
      if (this.sink.full) await this.sink.write();
    }
    await this.writeOverflows();
    await this.sink.write();
    return { postings: this.postings, bytes: this.bytes, longest: this.longest.all };
  }

  private bucketEnd(columns: Columns, from: number, count: number, bucket: number): number {
    const end = 2 ** (FINGERPRINT_BITS - this.geometry.bits) * (bucket + 1);
    let at = from;
    while (at < count && fingerprintAt(columns, at) < end) at++;
    return at;
  }

  /** Notes the positions of all postings that the bucket takes. @returns the lists that go on outside */
  private takeLists(columns: Columns, from: number, end: number, cuts: ReadonlyMap<number, number>): LongList[] {
    const { low, high } = columns;
    const { listPostingsMax } = this.limits;
    if (end - from > this.positions.length) this.positions = new Uint32Array(2 * (end - from));
    const long: LongList[] = [];
    this.taken = 0;
    for (let at = from; at < end; ) {
      let after = at + 1;
      while (after < end && low[after] === low[at] && high[after] === high[at]) after++;
      const size = after - at;
      if (size > listPostingsMax || cuts.size > 0) {
        const list = this.takeLongList(columns, at, size, cuts);
        if (list !== undefined) long.push(list);
      } else {
        for (let i = at; i < after; i++) this.positions[this.taken++] = i;
        if (size > this.longest.least) this.longest.offer(fingerprintAt(columns, at), size);
      }
      at = after;
    }
    return long;
  }

  private takeLongList(
    columns: Columns,
    at: number,
    size: number,
    cuts: ReadonlyMap<number, number>,
  ): LongList | undefined {
    const fingerprint = fingerprintAt(columns, at);
    const position = (i: number) => positionOf(this.limits.rankKey, fingerprint, columns.contents[at + i]!);
    let cut = cuts.get(fingerprint) ?? 0;
    let kept = size;
    if (cut > 0) while (kept > 0 && position(kept - 1) >= cut) kept--;
    if (kept > this.limits.keptPostingsMax) {
      kept = this.limits.keptPostingsMax;
      cut = position(kept);
    }
    const here = Math.min(kept, this.limits.listPostingsMax);
    for (let i = 0; i < here; i++) this.positions[this.taken++] = at + i;
    if (kept > here) this.overflows.push({ fingerprint, contents: columns.contents.slice(at + here, at + kept) });
    const share = cut === 0 ? 1 : (rankAtPosition(cut) + 0.5) / RANK_COUNT;
    this.longest.offer(fingerprint, Math.round(kept / share));
    if (kept === here && cut === 0) return undefined;
    return { remainder: this.remainderOf(fingerprint), beyond: kept - here, cut };
  }

  private remainderOf(fingerprint: number): number {
    return fingerprint % 2 ** (FINGERPRINT_BITS - this.geometry.bits);
  }

  private async writeOverflows(): Promise<void> {
    const prefix = overflowsPrefix(this.geometry.segment);
    for (const { fingerprint, contents } of this.overflows) {
      for (const [key, value] of packOverflow(prefix, fingerprint, contents)) this.put(key, value);
      this.postings += contents.length;
      if (this.sink.full) await this.sink.write();
    }
    this.overflows.length = 0;
  }

  private put(key: string, value: Buffer): void {
    this.bytes += key.length + value.length;
    this.sink.put(key, value);
  }
}
