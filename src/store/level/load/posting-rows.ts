import { readChunks, type SpilledChunk, type SpillLayout } from '../../../spill/spilled-chunks.ts';
import { Table } from '../format/keys.ts';
import type { ContentTable } from '../segments/content-table.ts';
import type { Geometry } from '../segments/rows/bucket.ts';
import { type Columns, newColumns, sortPostings } from '../segments/rows/sort.ts';
import { type ListLimits, type RowSink, SegmentWriter, type Written } from '../segments/write/segment-writer.ts';

/*
 * The rows of one part of a segment, made in memory:
 *
 *   spill ─ postings whose fingerprints begin with 8 bits and some more ─ without those of forgotten contents ─ sorted
 *         ─ buckets (p), in order, one behind the other, and what long lists have beyond (q)
 *
 * Cost: 27 bytes of memory a posting while it is sorted, then the rows. Everything is plain data, which goes between threads.
 */

/** What sorting takes a posting: columns of 9 bytes, as much again, and what is read. */
export const SORT_BYTES = 27;
/** Of rows, where a part has hardly any. */
const ROW_BYTES_LEAST = 4096;

/** What is the same for all parts. */
export interface PartsSource {
  readonly layout: SpillLayout;
  /** Of the table of contents (content-table.ts): all are told apart that were forgotten. */
  readonly contents: readonly SharedArrayBuffer[];
  readonly geometry: Geometry;
  readonly limits: ListLimits;
}

/** Postings whose fingerprints begin with these 8 bits, then with these `bits`: the buckets from..to-1. */
export interface SegmentPart {
  readonly top: number;
  readonly bits: number;
  readonly index: number;
  readonly from: number;
  readonly to: number;
}

export interface PartRows {
  /** Postings that were read, those of forgotten contents too. */
  readonly read: number;
  readonly written: Written;
  /** Values of the buckets, one behind the other, and where each ends. */
  readonly buckets: Uint8Array<ArrayBuffer>;
  readonly ends: Uint32Array<ArrayBuffer>;
  readonly overflows: readonly (readonly [key: string, value: Uint8Array<ArrayBuffer>])[];
}

/** @param file of the spill, open to be read @param table of the same contents as the source says */
export async function makePart(
  { layout, geometry, limits }: PartsSource,
  file: number,
  table: ContentTable,
  part: SegmentPart,
): Promise<PartRows> {
  const { columns, count } = readColumns(layout, file, part);
  const live = keepLive(columns, count, table);
  const sorted = sortPostings(columns, live, limits.rankKey);
  const sink = new PartSink(part.to - part.from);
  const written = await new SegmentWriter(geometry, limits, sink).write(sorted, live, part, new Map());
  return { read: count, written, ...sink.rows };
}

/** In the order in which the postings were added. */
function readColumns(layout: SpillLayout, file: number, { top, bits, index }: SegmentPart) {
  const all = layout.counts[top]!;
  const taken = { columns: newColumns(bits === 0 ? all : Math.ceil((1.5 * all) / 2 ** bits) + 1024), count: 0 };
  const shift = 32 - bits;
  const isIn = bits === 0 ? () => true : (low: number) => low >>> shift === index;
  for (const chunk of readChunks(file, layout, top)) take(chunk, top, isIn, taken);
  return taken;
}

function take(
  { low: lowOf, numbers }: SpilledChunk,
  top: number,
  isIn: (low: number) => boolean,
  taken: { columns: Columns; count: number },
): void {
  const most = taken.count + lowOf.length;
  if (most > taken.columns.low.length) taken.columns = grown(taken.columns, most);
  const { low, high, contents } = taken.columns;
  let at = taken.count;
  for (let i = 0; i < lowOf.length; i++) {
    const value = lowOf[i]!;
    if (!isIn(value)) continue;
    low[at] = value;
    high[at] = top;
    contents[at++] = numbers[i]!;
  }
  taken.count = at;
}

function grown(columns: Columns, least: number): Columns {
  const larger = newColumns(Math.max(least, 2 * columns.low.length));
  larger.low.set(columns.low);
  larger.high.set(columns.high);
  larger.contents.set(columns.contents);
  return larger;
}

/** @returns how many are left, at the beginning */
function keepLive({ low, high, contents }: Columns, count: number, table: ContentTable): number {
  let live = 0;
  for (let i = 0; i < count; i++) {
    const content = contents[i]!;
    if (!table.isLive(content)) continue;
    low[live] = low[i]!;
    high[live] = high[i]!;
    contents[live++] = content;
  }
  return live;
}

/** Keeps all rows of a part. */
class PartSink implements RowSink {
  readonly full = false;
  private readonly ends: Uint32Array<ArrayBuffer>;
  private readonly overflows: [string, Uint8Array<ArrayBuffer>][] = [];
  private bytes = new Uint8Array(ROW_BYTES_LEAST);
  private size = 0;
  private count = 0;

  constructor(buckets: number) {
    this.ends = new Uint32Array(buckets);
  }

  get rows(): Pick<PartRows, 'buckets' | 'ends' | 'overflows'> {
    const { bytes, ends, overflows, size } = this;
    return { buckets: bytes.subarray(0, size), ends, overflows };
  }

  put(key: string, value: Buffer): void {
    if (key.startsWith(Table.overflow)) {
      this.overflows.push([key, new Uint8Array(value)]);
      return;
    }
    const end = this.size + value.length;
    if (end > this.bytes.length) {
      const larger = new Uint8Array(2 * end);
      larger.set(this.bytes);
      this.bytes = larger;
    }
    this.bytes.set(value, this.size);
    this.size = end;
    this.ends[this.count++] = end;
  }

  async write(): Promise<void> {}
}
