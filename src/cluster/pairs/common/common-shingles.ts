import {
  type CommonLevels,
  dropsOf,
  LevelCounts,
  NO_LEVEL,
  unitsOf,
} from '../../../core/cluster/common/common-levels.ts';
import { isLeftOut, leaveOut, placeRows } from '../../../core/cluster/common/common-rows.ts';
import type { Likeness } from '../../../core/cluster/pair-floor.ts';
import { LIST_MAX } from '../../../core/cluster/shingle-lists.ts';
import { sharedBytes, sharedWords } from '../../../core/memory/growing-column.ts';
import type { Grouped, PairCorpus, WrittenLists } from '../pair-jobs.ts';
import type { PairBounds } from '../pair-memory.ts';
import type { PairThreads } from '../pair-threads.ts';
import { newTickets } from '../tickets.ts';
import type { CommonState, RankedList } from './common-state.ts';

/*
 * The common shingles of a corpus, and how far their lists are counted (core/cluster/common/):
 *
 *   lists of all threads ── ranked by length ── rows of all nodes ── levels ── where lists have pivots: which nodes
 *
 * A rank follows from the lists alone, and a pivot from what it has: neither from the order of the input, nor of the threads.
 */

/** Steps that counting them takes: some seconds, whatever the corpus, and as much again as counting all others. */
const STEPS_LEAST = 2 ** 31;
const NODE_STEPS = 64;

interface CommonOptions {
  readonly bounds?: PairBounds;
  readonly by: Likeness;
  readonly floor: number;
  readonly threads: PairThreads;
}

export class CommonShingles {
  /** By the lists that were written: ranks of the common ones among them. */
  readonly ranks: readonly Uint32Array[];
  readonly state: { -readonly [K in keyof CommonState]: CommonState[K] };
  chosen: CommonLevels = { levels: new Uint8Array(0), membersMost: 0, steps: 0, isLeaving: false };
  private readonly lists: readonly RankedList[];
  private readonly corpus: PairCorpus;
  private readonly options: CommonOptions;
  private readonly drops: readonly Uint8Array[];
  private readonly counts: LevelCounts;

  constructor(corpus: PairCorpus, grouped: readonly Grouped[], commonOf: Uint32Array, options: CommonOptions) {
    this.corpus = corpus;
    this.options = options;
    const { lists, ranks } = ranked(grouped.flatMap((part) => part.written));
    this.lists = lists;
    this.ranks = ranks;
    const starts = sharedWords(corpus.nodes.count + 1);
    const words = placeRows(starts, (node) => commonOf[node]!);
    const rows = { starts, rows: sharedWords(words) };
    const listMax = options.bounds?.listMax ?? LIST_MAX;
    this.state = { listMax, rows, levels: sharedBytes(lists.length), hashes: sharedWords(0) };
    // where postings are thin, two nodes may share one alone, as by containment
    this.drops = dropsOf(corpus.nodes.thin === null ? options.by : 'containment', options.floor);
    this.counts = new LevelCounts(lists.length, this.drops.length);
  }

  /** Postings of common shingles. */
  get words(): number {
    return this.state.rows.rows.length;
  }

  /** Members of the longest list. */
  get longest(): number {
    return this.lists.at(-1)?.words ?? 0;
  }

  /** Finds the rows of all nodes. Once. */
  async findRows(): Promise<void> {
    if (this.words === 0) return;
    const { state, drops, counts, lists } = this;
    const next = newTickets();
    await this.options.threads.all<'common'>(() => ({ kind: 'common', lists, rows: state.rows, next }));
    const { starts, rows } = state.rows;
    for (let node = 0; node < starts.length - 1; node++) {
      const [start, end] = [starts[node]!, starts[node + 1]!];
      if (start === end) continue;
      const units = this.unitsOf(node);
      for (let at = start; at < end; at++) counts.add(rows[at]!, end - 1 - at, (level) => drops[level]![units]!);
    }
  }

  /** Chooses the levels of lists, of which none counts more members. */
  async choose(membersMax: number): Promise<void> {
    if (this.words === 0) return;
    const { drops, corpus, options } = this;
    const stepsMax = STEPS_LEAST + NODE_STEPS * corpus.nodes.count;
    this.chosen = this.counts.choose(membersMax, stepsMax, this.state.listMax);
    const { levels, isLeaving } = this.chosen;
    this.state.levels.set(levels);
    leaveOut(this.state.rows, (node, rank, behind) => {
      const level = levels[rank]!;
      return level === NO_LEVEL || behind < drops[level]![this.unitsOf(node)]!;
    });
    if (!isLeaving) return;
    if (this.state.hashes.length === 0) await this.hash();
    const next = newTickets();
    const { lists, state } = this;
    const { nodes } = corpus;
    await options.threads.all<'pivots'>(() => ({ kind: 'pivots', lists, common: state, nodes, next }));
  }

  /** Whether pairs of a node may have been left out that are no lower than the floor. */
  isOpen(node: number): boolean {
    // what is left out is the end of the row
    return isLeftOut(this.state.rows, node, this.drops[0]![this.unitsOf(node)]!);
  }

  private async hash(): Promise<void> {
    const { postings, nodes } = this.corpus;
    const hashes = sharedWords(nodes.count);
    const next = newTickets();
    await this.options.threads.all<'hash'>(() => ({ kind: 'hash', postings, hashes, next }));
    this.state.hashes = hashes;
  }

  private unitsOf(node: number): number {
    const { shingleCounts, postedLogs } = this.corpus.nodes;
    return unitsOf(shingleCounts[node]!, 2 ** postedLogs[node]!);
  }
}

/** Lists by rising length, of one length by their shingles. */
function ranked(written: readonly WrittenLists[]) {
  const ranks = written.map(({ common }) => new Uint32Array(common.length));
  const all = written.flatMap(({ path, at, top, common }, part) =>
    common.map(({ key, from, size }, i) => ({ path, at: at + 4 * from, words: size, top, key, part, i })),
  );
  all.sort((one, other) => one.words - other.words || one.top - other.top || one.key - other.key);
  for (const [rank, { part, i }] of all.entries()) ranks[part]![i] = rank;
  return { lists: all.map(({ path, at, words }): RankedList => ({ path, at, words })), ranks };
}
