import type { Likeness } from '../../../src/core/cluster/pair-floor.ts';
import { compareSamples } from '../../../src/core/compare/sample-comparer.ts';
import type { KeptSample } from '../../../src/core/sketch/narrow.ts';
import { sampledPair } from '../../../src/service/document/pair.ts';
import type { Content, Store } from '../../../src/store/port.ts';

/* Clusters by brute force: every record against every other one. */

export interface WeightedPair {
  readonly a: string;
  readonly b: string;
  readonly weight: number;
}

export interface KnownRecords {
  /** By id. */
  readonly records: ReadonlyMap<string, Content<KeptSample>>;
  /** What each URL says now, or said before it was gone. */
  readonly contentOf: ReadonlyMap<string, string>;
}

/** Everything that sources of a store say. */
export async function allRecords(store: Store): Promise<KnownRecords> {
  const records = new Map<string, Content<KeptSample>>();
  const contentOf = new Map<string, string>();
  for (let after: string | undefined; ; ) {
    const page = await store.sources({ limit: 1000, after }, { versionsMax: 0 });
    for (const { url, source } of page.listed) {
      const id = source!.contentId;
      contentOf.set(url, id);
      if (!records.has(id)) records.set(id, (await store.content(id))!);
    }
    if (page.after === null) return { records, contentOf };
    after = page.after;
  }
}

/** All pairs that are alike at all. */
export function allPairs({ records }: KnownRecords, by: Likeness): WeightedPair[] {
  const all = [...records.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
  const pairs: WeightedPair[] = [];
  for (const [i, a] of all.entries()) {
    for (const b of all.slice(i + 1)) {
      const { resemblance, aInB, bInA } = sampledPair(a, b, compareSamples(a.sample, b.sample));
      const weight = by === 'resemblance' ? resemblance : Math.max(aInB, bInA);
      if (weight > 0) pairs.push({ a: a.id, b: b.id, weight });
    }
  }
  return pairs.sort((one, other) => other.weight - one.weight);
}

/** The component of a content at a threshold, and the weights of its maximum spanning tree, the greatest first (Kruskal). */
export function componentOf(pairs: readonly WeightedPair[], id: string, threshold: number) {
  const groups = new Map<string, { readonly members: Set<string>; readonly weights: number[] }>();
  const groupOf = (one: string) => groups.get(one) ?? { members: new Set([one]), weights: [] };
  for (const { a, b, weight } of pairs) {
    if (weight < threshold) break;
    const [one, other] = [groupOf(a), groupOf(b)];
    if (one.members.has(b)) continue;
    const joined = {
      members: one.members.union(other.members),
      weights: [...one.weights, ...other.weights, weight].sort((x, y) => y - x),
    };
    for (const member of joined.members) groups.set(member, joined);
  }
  return groupOf(id);
}
