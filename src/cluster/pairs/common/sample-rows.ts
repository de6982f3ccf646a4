import { countMarked, markLists } from '../../../core/cluster/common/common-rows.ts';
import { isCandidate } from '../../../core/cluster/pair-floor.ts';
import { GrowingColumn, sharedWords } from '../../../core/memory/growing-column.ts';
import type { SampleJob, SomePairs } from '../pair-jobs.ts';
import { tickets } from '../tickets.ts';

/** Pairs of some nodes, each with any other node: those that share enough common shingles to be compared. */
export function sample({ sampled, common: { rows, levels }, nodes, by, floor, next }: SampleJob): SomePairs {
  const { shingleCounts, postedLogs, count } = nodes;
  const wanted = { by, floor, isThin: nodes.thin !== null };
  const [as, bs] = [new GrowingColumn(sharedWords), new GrowingColumn(sharedWords)];
  const marks = new Uint8Array(levels.length);
  for (const ticket of tickets(next, sampled.length)) {
    const node = sampled[ticket]!;
    markLists(rows, node, marks, 1);
    for (let other = 0; other < count; other++) {
      if (rows.starts[other] === rows.starts[other + 1] || other === node) continue;
      const shared = countMarked(rows, other, marks);
      const modulus = 2 ** Math.max(postedLogs[node]!, postedLogs[other]!);
      if (shared === 0 || !isCandidate(shared, modulus, shingleCounts[node]!, shingleCounts[other]!, wanted)) continue;
      as.push(Math.min(node, other));
      bs.push(Math.max(node, other));
    }
    markLists(rows, node, marks, 0);
  }
  return { a: as.values, b: bs.values };
}
