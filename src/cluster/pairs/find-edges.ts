import { dirname, join } from 'node:path';
import type { LeftOutPairs } from '../../core/cluster/common/left-out.ts';
import { LIST_MAX } from '../../core/cluster/shingle-lists.ts';
import { sharedWords } from '../../core/memory/growing-column.ts';
import { collectLeft } from '../../sharing/garbage.ts';
import { TOPS } from '../../spill/posting-spill.ts';
import { CommonShingles } from './common/common-shingles.ts';
import { countLeftOut } from './common/left-out-pairs.ts';
import type { EdgeParts } from './edge-parts.ts';
import type { Grouped, PairCorpus } from './pair-jobs.ts';
import { listBytes, tooLittle } from './pair-memory.ts';
import { begin, type EdgeOptions, PairSearch } from './pair-search.ts';
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
