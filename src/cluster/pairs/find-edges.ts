import { dirname, join } from 'node:path';
import type { LeftOutPairs } from '../../core/cluster/common/left-out.ts';
import type { Likeness } from '../../core/cluster/pair-floor.ts';
import { addUpEntries, type RangeMemory } from '../../core/cluster/ranges/range-lists.ts';
import { mergedSurvey, type RowRange } from '../../core/cluster/ranges/row-ranges.ts';
import { sharedWords } from '../../core/memory/growing-column.ts';
import { collectLeft } from '../../sharing/collector.ts';
import { TOPS } from '../../spill/posting-spill.ts';
import { LIST_MAX } from '../../core/cluster/shingle-lists.ts';
import { hasRecords, postingMarks } from '../corpus/node-table.ts';
import type { ClusterProgress } from '../port.ts';
import { CommonShingles } from './common/common-shingles.ts';
import { countLeftOut } from './common/left-out-pairs.ts';
import { EdgeParts } from './edge-parts.ts';
import { type Counted, type Grouped, type PairCorpus, TICKET_ROWS, type Verified } from './pair-jobs.ts';
import {
  leastPairBytes,
  listBytes,
  type PairBounds,
  type PairMemory,
  sharePairMemory,
  tooLittle,
} from './pair-memory.ts';
import type { PairThreads } from './pair-threads.ts';
import { orderPairs } from './records/order-pairs.ts';
import { verifyPairs } from './records/verify-pairs.ts';
import { newTickets, takenOf } from './tickets.ts';
import { watched } from './watched.ts';

/*
 * From the postings of a corpus to its edges (Broder 1997, §4.1):
 *
 *   postings ── group ─► lists, in files ── gather, enter ─► in memory ── count ─► pairs ── verify ─► edges
 *               each thread a 256th         those of a range of rows     some rows    by their records: some, family by family
 *               of the shingles
 *
 * Of two nodes that are posted whole the counts say all, so that they become an edge at once.
 *
 * Common shingles are counted as far as that takes some seconds, and as there is room for the pairs (common/). Where more pairs
 * are found than that, counting begins again with fewer of them. What is left out then, a sample says.
 *
 * One range has all rows where the memory admits that. Pairs are compared as soon as there are many.
 */

export interface EdgeOptions {
  readonly by: Likeness;
  /** Pairs below it are no edges. */
  readonly floor: number;
  readonly threads: PairThreads;
  /** For all that is made here; without it no bound. */
  readonly memoryBytes?: number;
  /** For tests. */
  readonly bounds?: PairBounds;
  readonly signal?: AbortSignal;
  progress?(told: ClusterProgress): void;
}

/** Of a pair as it was counted, and ordered, and compared: what is left of it once its edge is kept. */
const PAIR_BYTES = 8 + 8 + 20;

export interface EdgeCounts {
  /** Shingles of several nodes, of more than a thousand, and of one; postings of common ones. */
  readonly lists: number;
  readonly common: number;
  readonly commonPostings: number;
  readonly single: number;
  /** Steps of counting, and pairs that share a posting. */
  readonly increments: number;
  readonly pairs: number;
  /** Pairs compared by their records, and those at the floor or above. */
  readonly candidates: number;
  readonly edges: number;
}

/**
 * Pairs that are compared where common lists are counted whole, at the least, and for each node: no more than a result can hold
 * and a person wait for.
 */
const PAIRS_LEAST = 2 ** 24;
const NODE_PAIRS = 4;
/** What a pair takes of the memory until the forest is found, and in answers. */
const FOREST_PAIR_BYTES = 64;

export interface EdgesFound {
  readonly edges: EdgeParts;
  readonly counts: EdgeCounts;
  readonly ranges: number;
  /** Where lists are too long to count all of their pairs. */
  readonly leftOut?: LeftOutPairs;
}

/** @throws ShingledError `memory-short`, `storage-full`, `result-damaged`; the reason of the signal */
export async function findEdges(corpus: PairCorpus, options: EdgeOptions): Promise<EdgesFound> {
  const commonOf = sharedWords(corpus.nodes.count);
  const grouped = await group(corpus, commonOf, options);
  const common = new CommonShingles(corpus, grouped, commonOf, options);
  await common.findRows();
  const { search, leftOut } = await searched(corpus, grouped, common, options);
  const { edges } = search;
  const sum = (of: (part: Grouped) => number) => grouped.reduce((total, part) => total + of(part), 0);
  return {
    ...(leftOut === null ? {} : { leftOut }),
    edges,
    ranges: search.memory.ranges.length,
    counts: {
      lists: sum(({ counts }) => counts.lists),
      common: sum(({ counts }) => counts.common),
      commonPostings: sum(({ counts }) => counts.commonPostings),
      single: sum(({ counts }) => counts.single),
      ...search.counts,
      edges: edges.count,
    },
  };
}

/** With as many members of common lists as there is time and room for. */
async function searched(
  corpus: PairCorpus,
  grouped: readonly Grouped[],
  common: CommonShingles,
  options: EdgeOptions,
): Promise<{ readonly search: PairSearch; readonly leftOut: LeftOutPairs | null }> {
  for (let membersMax = Number.POSITIVE_INFINITY; ; ) {
    await common.choose(membersMax);
    const search = new PairSearch(corpus, grouped, common, options);
    if (await search.run()) {
      const { recoveredMax } = search.memory;
      const isAll = !common.chosen.isLeaving;
      return {
        search,
        leftOut: isAll ? null : await countLeftOut(corpus, common, search.edges, { ...options, recoveredMax }),
      };
    }
    collectLeft(search.memory.bytes + search.edges.bytes);
    membersMax = Math.floor(common.chosen.membersMost / 2);
  }
}

async function group({ postings, nodes }: PairCorpus, commonOf: Uint32Array, options: EdgeOptions): Promise<Grouped[]> {
  begin('lists', options);
  const { threads, memoryBytes = Number.POSITIVE_INFINITY } = options;
  const needed = listBytes(postings, { nodes: nodes.count, threads: threads.count });
  if (needed > memoryBytes) throw tooLittle('Sorting the shingles', needed, memoryBytes);
  const next = newTickets();
  const listMax = options.bounds?.listMax ?? LIST_MAX;
  const listsPath = (thread: number) => join(dirname(postings.path), `lists-${thread}`);
  const grouping = threads.all<'group'>((thread) => ({
    ...{ kind: 'group', postings, commonOf, listMax, next },
    listsPath: listsPath(thread),
  }));
  return watched(grouping, options.progress, () => ({ phase: 'lists', done: takenOf(next, TOPS), of: TOPS }));
}

/** Range by range of the rows, and of each some pairs at a time. */
class PairSearch {
  readonly memory: PairMemory;
  readonly edges = new EdgeParts();
  readonly counts = { increments: 0, pairs: 0, candidates: 0 };
  private readonly corpus: PairCorpus;
  private readonly grouped: readonly Grouped[];
  private readonly common: CommonShingles;
  private readonly options: EdgeOptions;
  /** With more pairs it ends, and fewer common shingles are counted. */
  private readonly candidatesMax: number;

  /** Memory of one range after another. */
  private readonly members: Uint32Array;
  private readonly entries: Uint32Array;
  private readonly ends: Uint32Array;
  private readonly marks: Uint8Array;

  constructor(corpus: PairCorpus, grouped: readonly Grouped[], common: CommonShingles, options: EdgeOptions) {
    this.corpus = corpus;
    this.grouped = grouped;
    this.common = common;
    this.options = options;
    const { threads, memoryBytes = Number.POSITIVE_INFINITY } = options;
    const { nodes } = corpus;
    const { isLeaving, membersMost, steps } = common.chosen;
    this.marks = postingMarks(nodes);
    const load = {
      ...{ nodes: nodes.count, threads: threads.count, hasRecords: hasRecords(nodes) },
      ...{ rowWords: common.words, hashes: common.state.hashes.length },
    };
    // members may lie in a list and in a star
    const surveys = grouped.flatMap((part) => (isLeaving ? [part.survey, part.commonSurvey] : [part.survey]));
    const survey = mergedSurvey(surveys);
    const memory = sharePairMemory(survey, load, memoryBytes, options.bounds);
    if (memory === null) throw tooLittle('Counting pairs', leastPairBytes(survey, load), memoryBytes);
    this.memory = memory;
    const enough = Math.max(options.bounds?.candidates ?? PAIRS_LEAST, NODE_PAIRS * nodes.count);
    const room = Math.min(enough, memory.edgesMax, memoryBytes / FOREST_PAIR_BYTES);
    // counting fewer common shingles would leave as many, or cannot be
    const isLeast = steps < room / 2 || membersMost <= common.state.listMax;
    this.candidatesMax = isLeast ? Number.POSITIVE_INFINITY : room;
    const most = (of: (range: RowRange) => number) =>
      memory.ranges.reduce((words, range) => Math.max(words, of(range)), 0);
    this.members = sharedWords(most(({ members }) => members));
    this.entries = sharedWords(most(({ entries }) => entries));
    this.ends = sharedWords(most(({ from, to }) => to - from) + 1);
  }

  /** @returns whether it has found all that it was to find, before there were too many */
  async run(): Promise<boolean> {
    for (const range of this.memory.ranges) if (!(await this.findIn(range))) return false;
    return true;
  }

  private async findIn(range: RowRange): Promise<boolean> {
    const memory = await this.gather(range);
    const { nodes } = this.corpus;
    const { marks } = this;
    const common = this.common.state.rows;
    const { by, floor, threads } = this.options;
    const next = newTickets();
    const { pairsMax } = this.memory;
    for (;;) {
      begin('pairs', this.options);
      const counting = threads.all<'count'>(() => ({
        ...{ kind: 'count', memory, marks, nodes, common, by, floor, pairsMax, next },
      }));
      const counted = await watched(counting, this.options.progress, () => {
        const rows = Math.min(range.to, range.from + TICKET_ROWS * takenOf(next, range.to));
        return { phase: 'pairs', done: rows, of: nodes.count };
      });
      let found = 0;
      for (const { increments, pairs, candidates, edges } of counted) {
        found += candidates;
        this.counts.increments += increments;
        this.counts.pairs += pairs;
        this.add(edges);
      }
      this.counts.candidates += found;
      if (this.counts.candidates > this.candidatesMax) return false;
      await this.verify(counted);
      collectLeft(PAIR_BYTES * found);
      // a thread that has enough takes no further rows
      if (!counted.some(({ isFull }) => isFull)) return true;
    }
  }

  /** Lists of a range, and the entries of its rows. */
  private async gather(range: RowRange): Promise<RangeMemory> {
    begin('pairs', this.options);
    const { threads } = this.options;
    const written = this.grouped.flatMap((part) => part.written);
    const { ranks, state } = this.common;
    const ends = this.ends.subarray(0, range.to - range.from + 1).fill(0);
    const { from, to } = range;
    const memory = { from, to, members: this.members, entries: this.entries, ends, cursor: sharedWords(1) };
    const next = newTickets();
    const added = await threads.all<'gather'>(() => ({
      ...{ kind: 'gather', written, ranks, common: state, nodes: this.corpus.nodes, memory, next },
    }));
    const job = { memory, added, slices: 2 ** Math.ceil(Math.log2(threads.count)) };
    const counted = newTickets();
    await threads.all<'tally'>(() => ({ kind: 'tally', ...job, next: counted }));
    addUpEntries(memory);
    const entered = newTickets();
    await threads.all<'enter'>(() => ({ kind: 'enter', ...job, next: entered }));
    return memory;
  }

  private async verify(counted: readonly Counted[]): Promise<void> {
    if (counted.every(({ a }) => a.length === 0)) return;
    begin('records', this.options);
    const { recoveredMax } = this.memory;
    await verifyPairs(this.corpus, orderPairs(counted, this.corpus.nodes.count), {
      ...{ ...this.options, recoveredMax, found: (edges) => this.add(edges) },
    });
  }

  private add(found: Verified): void {
    this.edges.add(found);
    const { memoryBytes = Number.POSITIVE_INFINITY } = this.options;
    if (this.edges.count > this.memory.edgesMax) {
      throw tooLittle(
        `That there are ${this.edges.count} pairs or more`,
        this.memory.bytes + this.edges.bytes,
        memoryBytes,
      );
    }
  }
}

function begin(phase: ClusterProgress['phase'], { signal, progress }: EdgeOptions): void {
  signal?.throwIfAborted();
  progress?.({ phase, done: 0, of: null });
}
