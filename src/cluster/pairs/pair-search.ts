import type { Likeness } from '../../core/cluster/pair-floor.ts';
import { addUpEntries, type RangeMemory } from '../../core/cluster/ranges/range-lists.ts';
import { mergedSurvey, type RowRange } from '../../core/cluster/ranges/row-ranges.ts';
import { sharedWords } from '../../core/memory/growing-column.ts';
import { collectLeft } from '../../sharing/garbage.ts';
import { hasRecords, postingMarks } from '../corpus/node-table.ts';
import type { ClusterProgress } from '../port.ts';
import type { CommonShingles } from './common/common-shingles.ts';
import { EdgeParts } from './edge-parts.ts';
import { type Counted, type Grouped, type PairCorpus, TICKET_ROWS, type Verified } from './pair-jobs.ts';
import { leastPairBytes, type PairBounds, type PairMemory, sharePairMemory, tooLittle } from './pair-memory.ts';
import type { PairThreads } from './pair-threads.ts';
import { orderPairs } from './records/order-pairs.ts';
import { verifyPairs } from './records/verify-pairs.ts';
import { newTickets, takenOf } from './tickets.ts';
import { watched } from './watched.ts';

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

/**
 * Pairs that are compared where common lists are counted whole, at the least, and for each node: no more than a result can hold
 * and a person wait for.
 */
const PAIRS_LEAST = 2 ** 24;
const NODE_PAIRS = 4;
/** What a pair takes of the memory until the forest is found, and in answers. */
const FOREST_PAIR_BYTES = 64;

/** Range by range of the rows, and of each some pairs at a time. */
export class PairSearch {
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

/** Tells that a phase begins. @throws the reason of the signal */
export function begin(phase: ClusterProgress['phase'], { signal, progress }: EdgeOptions): void {
  signal?.throwIfAborted();
  progress?.({ phase, done: 0, of: null });
}
