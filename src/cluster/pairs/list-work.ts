import { closeSync, openSync, readSync } from 'node:fs';
import { addToRow, isCounted, makePivot } from '../../core/cluster/common/common-rows.ts';
import { pivotRank, pivotsOf, postingHash } from '../../core/cluster/common/pivots.ts';
import {
  type AddedLists,
  type CommonChoice,
  countEntries,
  enterLists,
  RangeLists,
} from '../../core/cluster/ranges/range-lists.ts';
import { LAST, ListFinder } from '../../core/cluster/shingle-lists.ts';
import { newPairs, type Pairs, sortSpreadPairs } from '../../core/memory/radix-sort.ts';
import { TOPS } from '../../spill/posting-spill.ts';
import { readChunks, type SpillLayout } from '../../spill/spilled-chunks.ts';
import type { NodeTable } from '../corpus/node-table.ts';
import { refusedBy, unreadable, writeAll } from '../durable-files.ts';
import type { CommonState, RankedList } from './common/common-state.ts';
import type {
  CommonJob,
  EnterJob,
  GatherJob,
  Grouped,
  GroupJob,
  HashJob,
  PivotsJob,
  RecoverJob,
  TallyJob,
  WrittenLists,
} from './pair-jobs.ts';
import { recover as recoverFrom } from './records/recovered-values.ts';
import { tickets } from './tickets.ts';

/* What a thread does of lists: it finds them in the postings, and brings those of a range of rows into memory. */

export function group({ postings, commonOf, listMax, listsPath, next }: GroupJob): Grouped {
  const finder = new ListFinder(commonOf, listMax);
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
      written.push({ path: listsPath, at, words, top, common: finder.common });
      writeLists(lists, listsPath, values.subarray(0, words));
      at += 4 * words;
    }
  } finally {
    closeSync(file);
    closeSync(lists);
  }
  return { written, survey: finder.survey, commonSurvey: finder.commonSurvey, counts: finder.counts };
}

/** In the falling order of their ranks, so that rows ascend. */
export function common({ lists, rows, next }: CommonJob): null {
  for (const _ of tickets(next, 1)) {
    for (let rank = lists.length - 1; rank >= 0; rank--) {
      for (const node of membersOf(lists[rank]!)) addToRow(rows, node, rank);
    }
  }
  return null;
}

function membersOf(list: RankedList): Uint32Array {
  const members = readLists(list, new Uint32Array(list.words));
  members[members.length - 1]! &= LAST - 1;
  return members;
}

export function hash({ postings, hashes, next }: HashJob): null {
  const file = openedTo(postings.path, 'r');
  try {
    for (const top of tickets(next, TOPS)) {
      for (const { low, numbers } of readChunks(file, postings, top)) {
        for (let i = 0; i < low.length; i++) Atomics.add(hashes, numbers[i]!, postingHash(low[i]!));
      }
    }
  } finally {
    closeSync(file);
  }
  return null;
}

export function pivots({ lists, common: state, nodes, next }: PivotsJob): null {
  const choice = choiceOf(state, nodes);
  for (const rank of tickets(next, lists.length)) {
    if (!choice.hasPivots(rank)) continue;
    const members = membersOf(lists[rank]!);
    for (const pivot of pivotsOf(members, (node) => choice.pivotRank(node))) makePivot(state.rows, pivot, rank);
  }
  return null;
}

/** Lists at the first level leave nothing out; the others have pivots. */
function choiceOf(
  { rows, levels, hashes, listMax }: CommonState,
  { shingleCounts, postedLogs }: NodeTable,
): CommonChoice {
  return {
    listMax,
    isCounted: (node, rank) => isCounted(rows, node, rank),
    hasPivots: (rank) => levels[rank] !== 0,
    pivotRank: (node) => {
      const common = rows.starts[node + 1]! - rows.starts[node]!;
      // of a sample, more or less
      return pivotRank(Math.min(1, (common * 2 ** postedLogs[node]!) / shingleCounts[node]!), hashes[node]!);
    },
  };
}

export function gather({ written, ranks, common: state, nodes, memory, next }: GatherJob): AddedLists {
  const added = new RangeLists(memory, choiceOf(state, nodes));
  const most = written.reduce((words, one) => Math.max(words, one.words), 0);
  const words = new Uint32Array(most);
  for (const ticket of tickets(next, written.length)) added.add(readLists(written[ticket]!, words), ranks[ticket]!);
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

function readLists({ path, at, words }: RankedList, into: Uint32Array): Uint32Array {
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
