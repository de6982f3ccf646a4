import { ShingledError } from '../../../errors.ts';
import { type LevelDatabase, type LevelReader, pagesOf } from '../database/level-handle.ts';
import {
  ABOVE,
  bucketsPrefix,
  contentOfDeathKey,
  overflowsPrefix,
  pageKey,
  pageOfKey,
  segmentOfKey,
  segmentsKey,
  Table,
  under,
} from '../format/keys.ts';
import type { RowChange } from '../format/rows.ts';
import { openNothing } from '../format/value-bytes.ts';
import { openPage, pagesBefore } from './content-table.ts';
import type { IndexState } from './index-state.ts';
import { NO_SEGMENTS, openSegmentList, type SegmentList, sealSegmentList } from './rows/segment-list.ts';

/** The row that a new index begins with. */
export const newIndexRow = (): RowChange => [segmentsKey, sealSegmentList(NO_SEGMENTS)];

/**
 * Reads what the last run left: rows g, z and d, and the numbers of segments that it did not finish.
 *
 * @param state is emptied first
 * @throws ShingledError `index-damaged`
 */
export async function restore(reader: LevelReader, state: IndexState): Promise<void> {
  state.empty();
  await reader.read(async (level) => {
    const list = await readList(level);
    await readPages(level, state, list.flushedUpTo);
    await readDeaths(level, state);
    const unfinished = await unfinishedSegments(level, list.nextSegment);
    const next = Math.max(list.nextSegment, ...unfinished.map((segment) => segment + 1));
    state.restore(list, next, [...list.gone, ...unfinished]);
  });
}

async function readList(level: LevelDatabase): Promise<SegmentList> {
  const value = await level.get(segmentsKey);
  if (value === undefined) throw new ShingledError('index-damaged', 'The index has lost the list of its segments.');
  try {
    return openSegmentList(value);
  } catch (cause) {
    throw new ShingledError('index-damaged', 'The list of segments cannot be read.', { cause });
  }
}

async function readPages(level: LevelDatabase, state: IndexState, flushedUpTo: number): Promise<void> {
  const pages = pagesBefore(flushedUpTo);
  let page = 0;
  for await (const rows of pagesOf(level, { gte: pageKey(0), lt: pageKey(pages) })) {
    for (const [key, value] of rows) {
      if (pageOfKey(key) !== page || !openPage(state.contents, page++, value, flushedUpTo)) {
        throw new ShingledError('index-damaged', 'A page of shingle counts is missing or damaged.');
      }
    }
  }
  if (page < pages) {
    throw new ShingledError('index-damaged', 'The last page of shingle counts is missing.');
  }
}

async function readDeaths(level: LevelDatabase, state: IndexState): Promise<void> {
  const { gte, lt } = under(Table.tombstone, 0);
  for await (const rows of pagesOf(level, { gte, lt })) {
    for (const [key, value] of rows) {
      try {
        openNothing(key, value);
      } catch (cause) {
        throw new ShingledError('index-damaged', 'The mark of a forgotten content is damaged.', { cause });
      }
      state.forget(contentOfDeathKey(key));
    }
  }
}

/** Segments from `next` on that have rows. */
async function unfinishedSegments(level: LevelDatabase, next: number): Promise<number[]> {
  const unfinished = new Set<number>();
  for (const prefix of [bucketsPrefix, overflowsPrefix]) {
    for (let from = next; ; ) {
      const [key] = await level.keys({ gte: prefix(from), lt: prefix(0).charAt(0) + ABOVE, limit: 1 }).all();
      if (key === undefined) break;
      unfinished.add(segmentOfKey(key));
      from = segmentOfKey(key) + 1;
    }
  }
  return [...unfinished];
}
