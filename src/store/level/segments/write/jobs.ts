import type { LevelDatabase } from '../../database/level-handle.ts';
import type { LogGuard } from '../../outage/log-guard.ts';
import { ContentTable } from '../content-table.ts';
import { type FilterPart, filterPart } from '../filter.ts';
import { ImageBuilder } from '../images/image-builder.ts';
import type { ImagePart } from '../images/image-layout.ts';
import type { Geometry, Slice } from '../rows/bucket.ts';
import type { Segment } from '../rows/segment-list.ts';
import { type Columns, Postings, sortPostings } from '../rows/sort.ts';
import type { TailMemory } from '../tail.ts';
import { type LiveContents, readBuckets, readSlice } from './merge-reader.ts';
import { type ListLimits, type RowSink, SegmentWriter, type Written } from './segment-writer.ts';

/* The work of the worker thread: a piece at a time, each bounded and each to be repeated from its beginning if it fails. */

/** Sorts a full tail and writes it as a segment. */
export interface FlushJob {
  readonly kind: 'flush';
  /** Whether it is to have an image, or a filter. */
  readonly image: boolean;
  readonly geometry: Geometry;
  readonly limits: ListLimits;
  readonly contents: readonly SharedArrayBuffer[];
  readonly tail: TailMemory;
  /** Postings of the tail. */
  readonly count: number;
}

/** Writes one slice of a merged segment: the fingerprints whose top `bits` bits are `index`. */
export interface MergeJob {
  readonly kind: 'merge';
  readonly inputs: readonly Geometry[];
  readonly geometry: Geometry;
  readonly limits: ListLimits;
  readonly contents: readonly SharedArrayBuffer[];
  readonly slice: Slice;
  /** Whether the slice is to have an image. */
  readonly image: boolean;
  /** Room for its filter; null where it needs none. */
  readonly filterBytesMax: number | null;
}

/** Makes the image of one slice of a segment from its buckets. */
export interface ImageJob {
  readonly kind: 'image';
  readonly input: Segment;
  readonly slice: Slice;
}

/** Makes the filter of one slice of a segment anew. */
export interface FilterJob {
  readonly kind: 'filter';
  readonly input: Geometry;
  readonly slice: Slice;
  readonly filterBytesMax: number;
}

export type Job = FlushJob | MergeJob | ImageJob | FilterJob;

export interface Product {
  readonly written: Written;
  readonly image?: ImagePart | undefined;
  readonly filter?: FilterPart | undefined;
}

export function work(level: LevelDatabase, job: Job, log: LogGuard): Promise<Product> {
  if (job.kind === 'filter') return filterSlice(level, job);
  if (job.kind === 'image') return imageSlice(level, job);
  const sink = new BatchSink(level, log);
  return job.kind === 'flush' ? flush(sink, job) : mergeSlice(level, sink, job);
}

const WHOLE: Slice = { bits: 0, index: 0 };

async function flush(sink: RowSink, { image, geometry, limits, contents, tail, count }: FlushJob): Promise<Product> {
  const table = new ContentTable(contents);
  const all = new Postings(count);
  const { columns } = all;
  for (let i = 0; i < count; i++) {
    const content = tail.contents[i]!;
    if (!table.isLive(content)) continue;
    columns.low[all.count] = tail.low[i]!;
    columns.high[all.count] = tail.high[i]!;
    columns.contents[all.count++] = content;
  }
  const builder = image ? new ImageBuilder(geometry, WHOLE, all.count) : undefined;
  const writer = new SegmentWriter(geometry, limits, sink, builder);
  const sorted = sortPostings(columns, all.count, limits.rankKey);
  const written = await writer.write(sorted, all.count, { from: 0, to: 2 ** geometry.bits }, new Map());
  if (builder !== undefined) return { written, image: builder.part() };
  return { written, filter: filterPart(sorted, all.count, 0, all.count) };
}

async function mergeSlice(level: LevelDatabase, sink: RowSink, job: MergeJob): Promise<Product> {
  const { geometry, limits, slice, filterBytesMax } = job;
  const table = new ContentTable(job.contents);
  const all = new Postings(1 << 16);
  const cuts = new Map<number, number>();
  for (const input of job.inputs) await readSlice(level, input, slice, table, all, cuts);
  const builder = job.image ? new ImageBuilder(geometry, slice, all.count) : undefined;
  const writer = new SegmentWriter(geometry, limits, sink, builder);
  const width = 2 ** (geometry.bits - slice.bits);
  const buckets = { from: slice.index * width, to: (slice.index + 1) * width };
  const sorted = sortPostings(all.columns, all.count, limits.rankKey);
  const written = await writer.write(sorted, all.count, buckets, cuts);
  const filter = filterBytesMax === null ? undefined : filterOf(sorted, all.count, cuts, slice, filterBytesMax);
  return { written, image: builder?.part(), filter };
}

/** A list that was cut is one of the segment's, though nothing of it be left. */
function filterOf(
  columns: Columns,
  count: number,
  cuts: ReadonlyMap<number, number>,
  { bits }: Slice,
  bytesMax: number,
): FilterPart {
  if (cuts.size === 0) return filterPart(columns, count, bits, bytesMax);
  const all = { low: new Uint32Array(count + cuts.size), high: new Uint8Array(count + cuts.size) };
  all.low.set(columns.low.subarray(0, count));
  all.high.set(columns.high.subarray(0, count));
  let at = count;
  for (const fingerprint of cuts.keys()) {
    all.low[at] = fingerprint;
    all.high[at++] = fingerprint / 0x1_0000_0000;
  }
  return filterPart(all, at, bits, bytesMax);
}

/** All it has, also of forgotten contents: their lists may have been cut. */
const ALL: LiveContents = { isLive: () => true };
const NOTHING_WRITTEN: Written = { postings: 0, bytes: 0, longest: [] };

async function filterSlice(level: LevelDatabase, { input, slice, filterBytesMax }: FilterJob): Promise<Product> {
  const all = new Postings(1 << 16);
  const cuts = new Map<number, number>();
  await readSlice(level, input, slice, ALL, all, cuts);
  return { written: NOTHING_WRITTEN, filter: filterOf(all.columns, all.count, cuts, slice, filterBytesMax) };
}

async function imageSlice(level: LevelDatabase, { input, slice }: ImageJob): Promise<Product> {
  const builder = new ImageBuilder(input, slice, Math.ceil(input.postings / 2 ** slice.bits));
  await readBuckets(level, input, slice, (_, bucket, value) => void builder.add(bucket, value));
  return { written: NOTHING_WRITTEN, image: builder.part() };
}
const BATCH_BYTES = 1 << 20;

/**
 * Writes rows in batches, every one synced. LevelDB begins a new log whenever its write buffer is full and never syncs
 * the old one. So a sync at the end alone could leave a hole in the middle after a power cut.
 *
 * Not in chained batches, whose native memory waits for the collector: it would have no reason to come.
 */
class BatchSink implements RowSink {
  private readonly level: LevelDatabase;
  private readonly log: LogGuard;
  private rows: { readonly type: 'put'; readonly key: string; readonly value: Buffer }[] = [];
  private bytes = Buffer.allocUnsafeSlow(BATCH_BYTES + BATCH_BYTES / 4);
  private size = 0;

  constructor(level: LevelDatabase, log: LogGuard) {
    this.level = level;
    this.log = log;
  }

  put(key: string, value: Buffer): void {
    this.rows.push({ type: 'put', key, value: this.copy(value) });
    this.size += value.length;
  }

  get full(): boolean {
    return this.size >= BATCH_BYTES;
  }

  async write(): Promise<void> {
    const { level, rows } = this;
    if (rows.length > 0) await this.log.announced('segment', () => this.writeSynced(level, rows));
    this.rows = [];
    this.size = 0;
  }

  private async writeSynced(level: LevelDatabase, rows: BatchSink['rows']): Promise<void> {
    const sync = this.log.maySync;
    await level.batch(rows, { sync });
    if (!sync) await level.syncLogs();
  }

  private copy(value: Buffer): Buffer {
    const end = this.size + value.length;
    if (end > this.bytes.length) return Buffer.from(value);
    value.copy(this.bytes, this.size);
    return this.bytes.subarray(this.size, end);
  }
}
