import { PairCounter } from '../../core/cluster/pair-counts.ts';
import { isCandidate, sharedLeast } from '../../core/cluster/pair-floor.ts';
import { createSampleComparer, type SampleComparer } from '../../core/compare/sample-comparer.ts';
import { GrowingColumn, sharedDoubles, sharedWords } from '../../core/memory/growing-column.ts';
import { overlapOf, weightOf } from './evidence-of.ts';
import { Records } from './kept-records.ts';
import { enter, gather, group } from './list-work.ts';
import type { Counted, CountJob, Job, Products, Verified, VerifyJob } from './pair-jobs.ts';
import { tickets } from './tickets.ts';

/* What a thread does of each job. */

/** Rows that are counted by one ticket. */
const ROWS = 512;

export function work<K extends Job['kind']>(job: Extract<Job, { kind: K }>): Products[K];
export function work(job: Job): Products[Job['kind']] {
  switch (job.kind) {
    case 'group':
      return group(job);
    case 'gather':
      return gather(job);
    case 'enter':
      return enter(job);
    case 'count':
      return count(job);
    case 'verify':
      return verify(job);
  }
}

function count({ memory, counts, nodes, by, floor, pairsMax, next }: CountJob): Counted {
  const counter = new PairCounter(memory, counts);
  const { shingleCounts, postedLogs } = nodes;
  const [as, bs] = [new GrowingColumn(sharedWords), new GrowingColumn(sharedWords)];
  let pairs = 0;
  for (const ticket of tickets(next, Math.ceil((memory.to - memory.from) / ROWS))) {
    const first = memory.from + ticket * ROWS;
    const end = Math.min(memory.to, first + ROWS);
    for (let a = first; a < end; a++) {
      counter.row(a);
      pairs += counter.size;
      const [nA, logA] = [shingleCounts[a]!, postedLogs[a]!];
      const least = sharedLeast(nA, 2 ** logA, by, floor);
      for (let i = 0; i < counter.size; i++) {
        const b = counter.partners[i]!;
        const shared = counter.take(b);
        if (shared < least) continue;
        const modulus = 2 ** Math.max(logA, postedLogs[b]!);
        if (!isCandidate(shared, modulus, nA, shingleCounts[b]!, by, floor)) continue;
        as.push(a);
        bs.push(b);
      }
    }
    if (as.size >= pairsMax) break;
  }
  return { a: as.values, b: bs.values, increments: counter.increments, pairs };
}

function verify({ a, b, ends, nodes, by, floor, next }: VerifyJob): Verified {
  const records = new Records(nodes);
  const { shingleCounts } = nodes;
  const [as, bs, shared] = [
    new GrowingColumn(sharedWords),
    new GrowingColumn(sharedWords),
    new GrowingColumn(sharedWords),
  ];
  const weights = new GrowingColumn(sharedDoubles);
  try {
    for (const ticket of tickets(next, ends.length)) {
      let comparer: SampleComparer | null = null;
      for (let i = ticket === 0 ? 0 : ends[ticket - 1]!; i < ends[ticket]!; i++) {
        const [one, other] = [a[i]!, b[i]!];
        if (comparer === null || a[i - 1] !== one) comparer = createSampleComparer(records.of(one));
        const overlap = comparer(records.of(other));
        const weight = weightOf(overlapOf(nodes, one, other, overlap), shingleCounts[one]!, shingleCounts[other]!, by);
        if (weight < floor) continue;
        as.push(one);
        bs.push(other);
        shared.push(overlap.shared);
        weights.push(weight);
      }
    }
  } finally {
    records.close();
  }
  return { a: as.values, b: bs.values, shared: shared.values, weight: weights.values };
}
