import { type PostingSpill, TOP_BITS } from '../../../spill/posting-spill.ts';
import type { Database } from '../database/database.ts';
import { Table } from '../format/keys.ts';
import type { RowChange } from '../format/rows.ts';
import type { ContentTable } from '../segments/content-table.ts';
import { bucketBits, contentBytes, type Geometry } from '../segments/rows/bucket.ts';
import { mergedLevel, type Segment } from '../segments/rows/segment-list.ts';
import { sortPostings } from '../segments/rows/sort.ts';
import { addUp, type ListLimits, type RowSink, SegmentWriter, type Written } from '../segments/write/segment-writer.ts';
import type { LoadRows } from './load-rows.ts';
import { readColumns } from './spilled-columns.ts';

/*
 * One segment of all that was loaded, as merges would have come to in the end:
 *
 *   spill ─ postings of 8 top bits ─ without those of forgotten contents ─ sorted ─ buckets (p), in order
 *                                                                                  long lists (q), aside
 */

/** What sorting takes a posting: columns of 9 bytes, as much again, and what is read. */
const SORT_BYTES = 27;
const SINK_BYTES = 1 << 20;
const FIRST_SEGMENT = 1;

export interface SegmentParts {
  readonly rows: LoadRows;
  readonly spill: PostingSpill;
  readonly table: ContentTable;
  readonly limits: ListLimits;
  /** Numbers from..to-1 were given out. */
  readonly from: number;
  readonly to: number;
  readonly memoryBytes: number;
  /** Called between its steps; it may throw. */
  step(postings: number): void;
}

export async function writeSegment(parts: SegmentParts): Promise<Segment> {
  const { rows, spill, table, limits, from, to, memoryBytes, step } = parts;
  const lastContent = to - 1;
  const bits = bucketBits(spill.count);
  const geometry: Geometry = {
    ...{ segment: FIRST_SEGMENT, bits, firstContent: from },
    contentBytes: contentBytes(from, lastContent),
  };
  const sink = new LoadSink(rows);
  const written: Written[] = [];
  for (let top = 0; top < 2 ** TOP_BITS; top++) {
    const more = moreBits((spill.countOf(top) * SORT_BYTES) / memoryBytes, bits - TOP_BITS);
    for (let index = 0; index < 2 ** more; index++) {
      const { columns, count } = await readColumns(spill, { top, bits: more, index });
      const live = keepLive(columns, count, table);
      const sorted = sortPostings(columns, live, limits.rankKey);
      const width = 2 ** (bits - TOP_BITS - more);
      const first = (top * 2 ** more + index) * width;
      const writer = new SegmentWriter(geometry, limits, sink);
      written.push(await writer.write(sorted, live, { from: first, to: first + width }, new Map()));
      step(count);
    }
  }
  await sink.end();
  const deadBefore = deadIn(table, from, to);
  return { ...geometry, level: mergedLevel(to - from), lastContent, deadBefore, ...addUp(written) };
}

/** By how many bits more a part is told apart, so that it is no larger than the memory for it. */
function moreBits(times: number, most: number): number {
  return Math.min(most, Math.max(0, Math.ceil(Math.log2(times))));
}

type Columns = Parameters<typeof sortPostings>[0];

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

function deadIn(table: ContentTable, from: number, to: number): number {
  let dead = 0;
  for (let content = from; content < to; content++) dead += Number(!table.isLive(content));
  return dead;
}

/** Writes rows while the next ones are made. */
class LoadSink implements RowSink {
  private readonly index: Database;
  private readonly aside: Database;
  private buckets: RowChange[] = [];
  private overflows: RowChange[] = [];
  private bytes = Buffer.allocUnsafeSlow(SINK_BYTES);
  private size = 0;
  private writing: Promise<unknown> = Promise.resolve();

  constructor({ index, aside }: LoadRows) {
    this.index = index;
    this.aside = aside;
  }

  put(key: string, value: Buffer): void {
    const rows = key.startsWith(Table.overflow) ? this.overflows : this.buckets;
    rows.push([key, this.copy(value)]);
    this.size += value.length;
  }

  get full(): boolean {
    return this.size >= SINK_BYTES;
  }

  /** At the end of each part: nothing is written until there is enough. */
  async write(): Promise<void> {
    if (this.full) await this.begin();
  }

  async end(): Promise<void> {
    await this.begin();
    await this.writing;
  }

  private async begin(): Promise<void> {
    await this.writing;
    const { index, aside, buckets, overflows } = this;
    this.buckets = [];
    this.overflows = [];
    this.bytes = Buffer.allocUnsafeSlow(SINK_BYTES);
    this.size = 0;
    const written = [buckets.length > 0 && index.write('rows', buckets, false)];
    written.push(overflows.length > 0 && aside.write('rows', overflows, false));
    this.writing = Promise.all(written);
    this.writing.catch(() => undefined);
  }

  private copy(value: Buffer): Buffer {
    const end = this.size + value.length;
    if (end > this.bytes.length) return Buffer.from(value);
    value.copy(this.bytes, this.size);
    return this.bytes.subarray(this.size, end);
  }
}
