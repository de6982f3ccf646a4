import { join } from 'node:path';
import type { PostingSpill } from '../../../spill/posting-spill.ts';
import { keptPostings } from '../../list-depth.ts';
import { HostSampleRows } from '../format/host-sample-rows.ts';
import { descriptionKey, pageKey, segmentsKey, Table, totalsKey } from '../format/keys.ts';
import { sealDescription, sealTotals } from '../format/values.ts';
import { nextTurn } from '../next-turn.ts';
import { Disk } from '../outage/disk.ts';
import { type ContentTable, pagesBefore, sealPage } from '../segments/content-table.ts';
import { NO_SEGMENTS, sealSegmentList } from '../segments/rows/segment-list.ts';
import type { GrownMark } from './checkpoint/grown-file.ts';
import type { Intake } from './intake.ts';
import type { LoadRows } from './load-rows.ts';
import type { LoadRun } from './load-run.ts';
import { LoadSegment } from './load-segment.ts';
import type { LoadPlace } from './place.ts';
import { LoadCounts } from './sources/load-counts.ts';

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
  /** That sort postings. */
  readonly threads: number;
}

/** What sorting takes at a time, of the whole. */
const SORT_SHARE = 1 / 8;
/** What a row of a digest and a posting take in the index, about. */
const DIGEST_BYTES = 48;
const POSTING_BYTES = 8;
const ROWS_A_TURN = 2048;

export interface Assembled {
  /** Of temporary files. */
  readonly temporaryBytes: number;
  /** What is still to be written into the tables. */
  readonly last: GrownMark;
}

/** @throws ShingledError `storage-full`, the reason of the signal */
export async function assemble(parts: AssembleParts, run: LoadRun): Promise<Assembled> {
  const { intake, spill, disk, place } = parts;
  const { contents } = intake.totals;
  const { runs } = parts.rows.sources;
  const asideBytes = await Disk.bytesIn(join(place.folders.temporary, 'rows'));
  await disk.checkReserve(asideBytes + runs.bytes + spill.count * POSTING_BYTES + contents * DIGEST_BYTES);
  const segment = await beginSegment(parts);
  try {
    const last = await writeTables(parts, segment, run);
    return { temporaryBytes: asideBytes + runs.fileBytes + spill.bytes, last };
  } finally {
    await segment?.close();
  }
}

async function writeTables(parts: AssembleParts, segment: LoadSegment | null, run: LoadRun): Promise<GrownMark> {
  const { intake, rows, place } = parts;
  const { totals } = intake;
  const { ids, table } = intake.contents;
  let done = 0;
  const step = (count: number) => {
    run.signal?.throwIfAborted();
    done += count;
    run.progress?.({ phase: 'rows', done, of: null });
  };
  await rows.copy(Table.version, step);
  await addInParts(rows, ids.rows(), step);
  const written = segment && (await segment.write(postingSteps(segment.postings, run)));
  const counts = new LoadCounts();
  await rows.copy(Table.overflow, step);
  await rows.copy(Table.holder, step, (key) => counts.addHolder(key));
  const samples = new HostSampleRows(parts.rankKey);
  await rows.copy(Table.source, step, (key, value) => samples.add(key, value));
  await addInParts(rows, samples.rows(), step);
  await rows.readAside(Table.past, (key) => counts.addPast(key));
  await addInParts(rows, counts.rows(), step);
  await rows.copy(Table.past, step);
  const end = totals.nextContent;
  await addInParts(rows, pageRows(table, end), step);
  const list = { ...NO_SEGMENTS, flushedUpTo: end };
  const listed = written === null ? list : { ...list, nextSegment: written.segment + 1, segments: [written] };
  const last = totalsKey(place.seq);
  return rows.finish([
    [segmentsKey, sealSegmentList(listed)],
    [descriptionKey, sealDescription(descriptionKey, place.description)],
    [last, sealTotals(last, totals)],
  ]);
}

function* pageRows(table: ContentTable, end: number): Generator<readonly [string, Buffer], void, undefined> {
  for (let page = 0; page < pagesBefore(end); page++) yield [pageKey(page), sealPage(table, page)];
}

/** Its rows are made while those of tables before it are written. */
async function beginSegment(parts: AssembleParts): Promise<LoadSegment | null> {
  const { intake, rows, spill, place, memoryBytes, rankKey, listPostingsMax, threads } = parts;
  if (spill.count === 0) return null;
  return new LoadSegment({
    ...{ rows, table: intake.contents.table, threads, layout: await spill.seal() },
    limits: { rankKey, listPostingsMax, keptPostingsMax: keptPostings(listPostingsMax) },
    ...{ from: place.totals.nextContent, to: intake.totals.nextContent },
    memoryBytes: memoryBytes * SORT_SHARE,
  });
}

function postingSteps(of: number, { progress, signal }: LoadRun): (postings: number) => void {
  let done = 0;
  return (postings) => {
    signal?.throwIfAborted();
    done += postings;
    progress?.({ phase: 'postings', done, of });
  };
}

/** Adds rows, whose keys lie above all that are there. */
async function addInParts(
  { tables }: LoadRows,
  rows: Iterable<readonly [key: string, value: Buffer]>,
  step: (count: number) => void,
): Promise<void> {
  let count = 0;
  for (const [key, value] of rows) {
    tables.add(key, value);
    if (++count % ROWS_A_TURN !== 0) continue;
    step(ROWS_A_TURN);
    await nextTurn();
  }
  step(count % ROWS_A_TURN);
}
