import type { Likeness } from '../../../core/cluster/pair-floor.ts';
import type { ClusterProgress } from '../../port.ts';
import type { PairCorpus, Verified } from '../pair-jobs.ts';
import type { PairThreads } from '../pair-threads.ts';
import { newTickets, takenOf } from '../tickets.ts';
import { watched } from '../watched.ts';
import type { OrderedPairs } from './order-pairs.ts';
import { RecoveryPlan } from './recovered-values.ts';

interface VerifyOptions {
  readonly by: Likeness;
  readonly floor: number;
  readonly threads: PairThreads;
  /** Values of nodes without records that are held at a time, more or less. */
  readonly recoveredMax: number;
  progress?(told: ClusterProgress): void;
  found(edges: Verified): void;
}

/**
 * Compares pairs by records, some parts of them at a time: as many as have so many values that must be found in the postings.
 */
export async function verifyPairs(
  { nodes, postings }: PairCorpus,
  { a, b, ends }: OrderedPairs,
  { by, floor, threads, recoveredMax, progress, found }: VerifyOptions,
): Promise<void> {
  const plan = new RecoveryPlan(nodes);
  for (let part = 0, from = 0, i = 0; part < ends.length; part++) {
    for (; i < ends[part]!; i++) {
      plan.add(a[i]!);
      plan.add(b[i]!);
    }
    if (plan.size < recoveredMax && part < ends.length - 1) continue;
    const recovered = plan.memory();
    if (plan.size > 0) {
      const next = newTickets();
      await threads.all<'recover'>(() => ({ kind: 'recover', postings, recovered, next }));
    }
    const parts = { from, to: part + 1 };
    const next = newTickets();
    const verifying = threads.all<'verify'>(() => ({
      ...{ kind: 'verify', a, b, ends, parts, nodes, recovered, by, floor, next },
    }));
    const verified = await watched(verifying, progress, () => {
      const taken = parts.from + takenOf(next, parts.to - parts.from);
      return { phase: 'records', done: taken === 0 ? 0 : ends[taken - 1]!, of: a.length };
    });
    for (const edges of verified) found(edges);
    plan.clear();
    from = part + 1;
  }
}
