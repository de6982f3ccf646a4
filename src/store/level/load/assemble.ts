import { join } from 'node:path';
import type { PostingSpill } from '../../../spill/posting-spill.ts';
import { descriptionKey, pageKey, segmentsKey, Table, totalsKey } from '../format/keys.ts';
import type { RowChange } from '../format/rows.ts';
import { sealDescription, sealTotals } from '../format/values.ts';
import { Disk } from '../outage/disk.ts';
import { type ContentTable, pagesBefore, sealPage } from '../segments/content-table.ts';
import { keptPostings } from '../segments/posting-index.ts';
import { NO_SEGMENTS, type Segment, sealSegmentList } from '../segments/rows/segment-list.ts';
import type { Intake } from './intake.ts';
import type { LoadRows } from './load-rows.ts';
import type { LoadRun } from './load-run.ts';
import { writeSegment } from './load-segment.ts';
import type { LoadPlace } from './place.ts';

/* The second half of a load: all rows but records, table after table in the order of keys, and last of all what names them. */

export interface AssembleParts {
  readonly intake: Intake;
  readonly rows: LoadRows;
  readonly spill: PostingSpill;
  readonly disk: Disk;
  readonly place: LoadPlace;
  readonly memoryBytes: number;
  readonly rankKey: readonly [number, number];
  readonly listPostingsMax: number;
}

/** What sorting takes at a time, of the whole. */
const SORT_SHARE = 1 / 8;
/** What a row of a digest and a posting take in the index, about. */
const DIGEST_BYTES = 48;
const POSTING_BYTES = 8;
const PAGES_A_WRITE = 64;
const DIGESTS_A_WRITE = 2048;

/** @returns bytes of temporary files @throws ShingledError `storage-full`, the reason of the signal */
export async function assemble(parts: AssembleParts, run: LoadRun): Promise<number> {
  const { intake, rows, spill, disk, place } = parts;
  const { totals, table } = intake;
  const asideBytes = await Disk.bytesIn(join(place.temporary, 'rows'));
  await disk.checkReserve(asideBytes + spill.count * POSTING_BYTES + totals.contents * DIGEST_BYTES);
  let done = 0;
  const step = (count: number) => {
    run.signal?.throwIfAborted();
    done += count;
    run.progress?.({ phase: 'rows', done, of: null });
  };
  await rows.copy(Table.version, step);
  await writeInParts(rows, intake.ids.rows(), DIGESTS_A_WRITE, step);
  const segment = await segmentOf(parts, run);
  for (const sorted of [Table.overflow, Table.holder, Table.source, Table.past]) await rows.copy(sorted, step);
  const end = totals.nextContent;
  await writeInParts(rows, pageRows(table, end), PAGES_A_WRITE, () => undefined);
  const list = { ...NO_SEGMENTS, flushedUpTo: end };
  const listed = segment === null ? list : { ...list, nextSegment: segment.segment + 1, segments: [segment] };
  const last = totalsKey(place.seq);
  await rows.index.write('rows', [
    [segmentsKey, sealSegmentList(listed)],
    [descriptionKey, sealDescription(descriptionKey, place.description)],
    [last, sealTotals(last, totals)],
  ]);
  await rows.index.flush();
  return asideBytes + spill.bytes;
}

function* pageRows(table: ContentTable, end: number): Generator<RowChange, void, undefined> {
  for (let page = 0; page < pagesBefore(end); page++) yield [pageKey(page), sealPage(table, page)];
}

async function segmentOf(parts: AssembleParts, { progress, signal }: LoadRun): Promise<Segment | null> {
  const { intake, rows, spill, place, memoryBytes, rankKey, listPostingsMax } = parts;
  if (spill.count === 0) return null;
  const limits = { rankKey, listPostingsMax, keptPostingsMax: keptPostings(listPostingsMax) };
  let done = 0;
  const step = (postings: number) => {
    signal?.throwIfAborted();
    done += postings;
    progress?.({ phase: 'postings', done, of: spill.count });
  };
  const range = { from: place.totals.nextContent, to: intake.totals.nextContent };
  return writeSegment({
    ...{ rows, spill, table: intake.table, limits, step },
    ...range,
    memoryBytes: memoryBytes * SORT_SHARE,
  });
}

/** Writes rows in their order, while the next ones are made. */
async function writeInParts(
  { index }: LoadRows,
  rows: Iterable<RowChange>,
  size: number,
  step: (count: number) => void,
): Promise<void> {
  let part: RowChange[] = [];
  let writing = Promise.resolve();
  const write = async () => {
    await writing;
    step(part.length);
    writing = index.write('rows', part, false);
    writing.catch(() => undefined);
    part = [];
  };
  for (const row of rows) {
    part.push(row);
    if (part.length >= size) await write();
  }
  await write();
  await writing;
}
