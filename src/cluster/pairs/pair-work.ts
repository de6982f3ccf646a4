import { uncounted } from '../../core/cluster/common/common-rows.ts';
import { PairCounter } from '../../core/cluster/pair-counts.ts';
import { isCandidate, sharedLeast } from '../../core/cluster/pair-floor.ts';
import { createSampleComparer, type SampleComparer } from '../../core/compare/sample-comparer.ts';
import { GrowingColumn, sharedWords } from '../../core/memory/growing-column.ts';
import { POSTED } from '../corpus/node-table.ts';
import { sample } from './common/sample-rows.ts';
import { evidenceOf } from './evidence-of.ts';
import { FoundPairs } from './found-pairs.ts';
import { common, enter, gather, group, hash, pivots, recover } from './list-work.ts';
import {
  type Counted,
  type CountJob,
  type Job,
  type Products,
  TICKET_ROWS,
  type Verified,
  type VerifyJob,
} from './pair-jobs.ts';
import { Records } from './records/kept-records.ts';
import { tickets } from './tickets.ts';

/* What a thread does of each job. */

export function work<K extends Job['kind']>(job: Extract<Job, { kind: K }>): Products[K];
export function work(job: Job): Products[Job['kind']] {
  switch (job.kind) {
    case 'group':
      return group(job);
    case 'common':
      return common(job);
    case 'hash':
      return hash(job);
    case 'pivots':
      return pivots(job);
    case 'gather':
      return gather(job);
    case 'tally':
    case 'enter':
      return enter(job);
    case 'count':
      return count(job);
    case 'recover':
      return recover(job);
    case 'verify':
      return verify(job);
    case 'sample':
      return sample(job);
  }
}

function count({ memory, marks, nodes, common: commonRows, by, floor, pairsMax, next }: CountJob): Counted {
  const counter = new PairCounter(memory);
  const { shingleCounts, thin } = nodes;
  const wanted = { by, floor, isThin: thin !== null };
  const [as, bs] = [new GrowingColumn(sharedWords), new GrowingColumn(sharedWords)];
  const edges = new FoundPairs(nodes, by, floor);
  let [told, isFull, touched] = [0, false, 0];
  for (const ticket of tickets(next, Math.ceil((memory.to - memory.from) / TICKET_ROWS))) {
    const first = memory.from + ticket * TICKET_ROWS;
    const end = Math.min(memory.to, first + TICKET_ROWS);
    for (let a = first; a < end; a++) {
      const [nA, markA] = [shingleCounts[a]!, marks[a]!];
      const logA = markA & (POSTED - 1);
      const commonA = commonRows.starts[a + 1]! - commonRows.starts[a]!;
      counter.row(a, thin === null ? Math.max(1, sharedLeast(nA, 2 ** logA, by, floor) - commonA) : 1);
      const { size, partners, shared: sharedWith } = counter;
      // partners lie anywhere: what is known of all of them comes from the memory at once
      for (let i = 0; i < size; i++) touched ^= marks[partners[i]!]! ^ shingleCounts[partners[i]!]!;
      for (let i = 0; i < size; i++) {
        const [b, shared] = [partners[i]!, sharedWith[i]!];
        const markB = marks[b]!;
        const modulus = 2 ** Math.max(logA, markB & (POSTED - 1));
        const all = commonA === 0 ? shared : shared + uncounted(commonRows, a, b);
        if (!isCandidate(all, modulus, nA, shingleCounts[b]!, wanted)) continue;
        if ((markA & markB) >= POSTED) {
          told++;
          if (modulus === 1) edges.addWhole(a, b, all);
          else edges.add(a, b, evidenceOf(nodes, a, b, all));
          continue;
        }
        as.push(a);
        bs.push(b);
      }
    }
    counter.touched ^= touched;
    isFull = as.size + edges.size >= pairsMax;
    if (isFull) break;
  }
  const [counted, candidates] = [{ a: as.values, b: bs.values }, as.size + told];
  return { ...counted, edges: edges.found, candidates, isFull, pairs: counter.pairs, increments: counter.increments };
}

function verify({ a, b, ends, parts, nodes, recovered, by, floor, next }: VerifyJob): Verified {
  const records = new Records(nodes, recovered);
  const edges = new FoundPairs(nodes, by, floor);
  try {
    for (const ticket of tickets(next, parts.to - parts.from)) {
      const part = parts.from + ticket;
      let comparer: SampleComparer | null = null;
      for (let i = part === 0 ? 0 : ends[part - 1]!; i < ends[part]!; i++) {
        const [one, other] = [a[i]!, b[i]!];
        if (comparer === null || a[i - 1] !== one) comparer = createSampleComparer(records.of(one));
        edges.add(one, other, comparer(records.of(other)));
      }
    }
  } finally {
    records.close();
  }
  return edges.found;
}
