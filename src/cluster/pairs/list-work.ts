import { closeSync, openSync, readSync } from 'node:fs';
import { addToRow } from '../../core/cluster/common-rows.ts';
import { pivotRank, pivotsOf } from '../../core/cluster/pivots.ts';
import { type AddedLists, countEntries, enterLists, RangeLists } from '../../core/cluster/ranges/range-lists.ts';
import { LAST, ListFinder } from '../../core/cluster/shingle-lists.ts';
import { newPairs, type Pairs, sortSpreadPairs } from '../../core/memory/radix-sort.ts';
import { TOPS } from '../../spill/posting-spill.ts';
import { readChunks, type SpillLayout } from '../../spill/spilled-chunks.ts';
import { isPosted, type NodeTable } from '../corpus/node-table.ts';
import { refusedBy, unreadable, writeAll } from '../durable-files.ts';
import type {
  CommonJob,
  EnterJob,
  GatherJob,
  Grouped,
  GroupJob,
  RecoverJob,
  TallyJob,
  WrittenLists,
} from './pair-jobs.ts';
import { recover as recoverFrom } from './records/recovered-values.ts';
import { tickets } from './tickets.ts';

/* What a thread does of lists: it finds them in the postings, and brings those of a range of rows into memory. */

export function group({ postings, commonOf, listsPath, next }: GroupJob): Grouped {
  const finder = new ListFinder(commonOf);
  const most = Math.max(...postings.counts);
  const [pairs, other] = [newPairs(most), newPairs(most)];
  const file = openedTo(postings.path, 'r');
  const lists = openedTo(listsPath, 'w');
  const written: WrittenLists[] = [];
  let at = 0;
  try {
    for (const top of tickets(next, TOPS)) {
      const size = readTop(file, postings, top, pairs);
      sortSpreadPairs(pairs, other, size);
      const { keys, values } = pairs;
      const words = finder.find(keys, values, size);
      written.push({ path: listsPath, at, words, common: finder.common });
      writeLists(lists, listsPath, values.subarray(0, words));
      at += 4 * words;
    }
  } finally {
    closeSync(file);
    closeSync(lists);
  }
  return { written, survey: finder.survey, counts: finder.counts };
}

/** In the falling order of their numbers, so that rows ascend. */
export function common({ written, commonOf, nodes, common: rows, next }: CommonJob): null {
  const rank = rankOf(nodes, commonOf);
  let list = written.reduce((sum, part) => sum + part.common.length / 2, 0);
  for (const _ of tickets(next, 1)) {
    for (const { path, at, common: places } of written.toReversed()) {
      for (let i = places.length - 2; i >= 0; i -= 2) {
        const [from, words] = [places[i]!, places[i + 1]!];
        const members = readLists({ path, at: at + 4 * from, words }, new Uint32Array(words));
        members[words - 1]! &= LAST - 1;
        const pivots = new Set(pivotsOf(members, rank));
        list--;
        for (const node of members) if (isPosted(nodes, node)) addToRow(rows, node, list, pivots.has(node));
      }
    }
  }
  return null;
}

/** Which members of a common list are pivots: those with the lowest ranks. */
function rankOf({ shingleCounts, postedLogs }: NodeTable, commonOf: Uint32Array): (node: number) => number {
  // of a sample, more or less
  return (node) => pivotRank(node, Math.min(1, (commonOf[node]! * 2 ** postedLogs[node]!) / shingleCounts[node]!));
}

export function gather({ written, commonOf, nodes, memory, next }: GatherJob): AddedLists {
  const added = new RangeLists(memory, rankOf(nodes, commonOf));
  const most = written.reduce((words, one) => Math.max(words, one.words), 0);
  const words = new Uint32Array(most);
  for (const ticket of tickets(next, written.length)) added.add(readLists(written[ticket]!, words));
  return { runs: added.runs, stars: added.stars };
}

export function enter({ kind, memory, added, slices, next }: TallyJob | EnterJob): null {
  const work = kind === 'tally' ? countEntries : enterLists;
  for (const slice of tickets(next, slices)) work(memory, added, { slice, slices });
  return null;
}

export function recover({ postings, recovered, next }: RecoverJob): null {
  const file = openedTo(postings.path, 'r');
  try {
    for (const top of tickets(next, TOPS)) {
      for (const chunk of readChunks(file, postings, top)) recoverFrom(recovered, chunk, top);
    }
  } finally {
    closeSync(file);
  }
  return null;
}

function readTop(file: number, postings: SpillLayout, top: number, { keys, values }: Pairs): number {
  let size = 0;
  for (const { low, numbers } of readChunks(file, postings, top)) {
    keys.set(low, size);
    values.set(numbers, size);
    size += low.length;
  }
  return size;
}

function openedTo(path: string, flags: 'r' | 'w'): number {
  try {
    return openSync(path, flags, 0o600);
  } catch (cause) {
    throw flags === 'r' ? unreadable(path, cause) : refusedBy(path, cause);
  }
}

function writeLists(file: number, path: string, lists: Uint32Array): void {
  try {
    writeAll(file, new Uint8Array(lists.buffer, lists.byteOffset, lists.byteLength));
  } catch (cause) {
    throw refusedBy(path, cause);
  }
}

function readLists({ path, at, words }: Omit<WrittenLists, 'common'>, into: Uint32Array): Uint32Array {
  const lists = into.subarray(0, words);
  const file = openedTo(path, 'r');
  try {
    for (let read = 0; read < lists.byteLength; ) {
      const more = readSync(file, lists, read, lists.byteLength - read, at + read);
      if (more === 0) throw new Error(`it ends at ${at + read}`);
      read += more;
    }
  } catch (cause) {
    throw unreadable(path, cause);
  } finally {
    closeSync(file);
  }
  return lists;
}
