import { type LeftOutPairs, LikenessBins } from '../../../core/cluster/common/left-out.ts';
import { postingHash } from '../../../core/cluster/common/pivots.ts';
import type { EdgeParts } from '../edge-parts.ts';
import type { PairCorpus, SomePairs, Verified } from '../pair-jobs.ts';
import type { EdgeOptions } from '../pair-search.ts';
import { orderPairs } from '../records/order-pairs.ts';
import { verifyPairs } from '../records/verify-pairs.ts';
import { newTickets } from '../tickets.ts';
import type { CommonShingles } from './common-shingles.ts';

/*
 * How many pairs were left out, by a sample: of some nodes, those with the lowest hashes, all pairs are looked at, and those
 * that were not found are compared. A pair stands for as many as there are nodes for each that was drawn. If it could have
 * been met from its other end, too, it stands for half as many.
 */

/** Nodes that are drawn: between these, as many as {@link STEPS_MAX} and {@link PAIRS_MAX} admit. */
const [SAMPLED_LEAST, SAMPLED_MOST] = [64, 1024];
/** Numbers of rows that are read, and pairs that are compared: a second or two each. */
const STEPS_MAX = 2 ** 30;
const PAIRS_MAX = 2 ** 21;

/** @param recoveredMax as comparing pairs takes it */
export async function countLeftOut(
  corpus: PairCorpus,
  common: CommonShingles,
  edges: EdgeParts,
  { recoveredMax, ...options }: EdgeOptions & { readonly recoveredMax: number },
): Promise<LeftOutPairs> {
  const { by, floor, threads } = options;
  const { nodes } = corpus;
  const { open, sampled } = drawn(common, nodes.count);
  const isSampled = new Set(sampled);
  const [found, missed] = [new LikenessBins(floor), new LikenessBins(floor)];
  const known = new Set<number>();
  const keyOf = (a: number, b: number) => a * nodes.count + b;
  for (const { a, b, weight } of edges.each()) {
    for (let i = 0; i < a.length; i++) {
      found.add(weight[i]!, 1);
      if (isSampled.has(a[i]!) || isSampled.has(b[i]!)) known.add(keyOf(a[i]!, b[i]!));
    }
  }
  const next = newTickets();
  const { state } = common;
  const some = await threads.all<'sample'>(() => ({
    ...{ kind: 'sample', sampled, common: state, nodes, by, floor, next },
  }));
  const unknown = some.map((pairs) => without(pairs, known, keyOf));
  const each = open / Math.max(1, sampled.length);
  const endWeight = (node: number, other: number) =>
    isSampled.has(node) ? each * (common.isOpen(other) ? 0.5 : 1) : 0;
  const addMissed = ({ a, b, weight }: Verified) => {
    for (let i = 0; i < a.length; i++) missed.add(weight[i]!, endWeight(a[i]!, b[i]!) + endWeight(b[i]!, a[i]!));
  };
  await verifyPairs(corpus, orderPairs(unknown, nodes.count), { ...options, recoveredMax, found: addMissed });
  return { nodes: open, sampled: sampled.length, bins: found.with(missed) };
}

type Drawable = Pick<CommonShingles, 'words' | 'longest' | 'isOpen'> & {
  readonly state: Pick<CommonShingles['state'], 'hashes'>;
};

/** How many nodes are open, and which of them are drawn: by what they have, so that their order does not matter. */
export function drawn(common: Drawable, count: number): { open: number; sampled: Uint32Array } {
  const most = Math.min(STEPS_MAX / common.words, PAIRS_MAX / common.longest, SAMPLED_MOST);
  const size = Math.max(SAMPLED_LEAST, Math.floor(most));
  let open = 0;
  for (let node = 0; node < count; node++) open += Number(common.isOpen(node));
  // more than are needed, of which the first are taken
  const limit = (4 * size * 2 ** 32) / open;
  const nodes: { node: number; hash: number }[] = [];
  for (let node = 0; node < count; node++) {
    if (!common.isOpen(node)) continue;
    // not that by which pivots are chosen
    const hash = postingHash(common.state.hashes[node]!);
    if (hash < limit) nodes.push({ node, hash });
  }
  nodes.sort((a, b) => a.hash - b.hash || a.node - b.node);
  return { open, sampled: Uint32Array.from(nodes.slice(0, size), ({ node }) => node) };
}

/** Those that are not known, each once. */
function without({ a, b }: SomePairs, known: Set<number>, keyOf: (a: number, b: number) => number): SomePairs {
  const [as, bs]: [number[], number[]] = [[], []];
  for (let i = 0; i < a.length; i++) {
    const key = keyOf(a[i]!, b[i]!);
    if (known.has(key)) continue;
    known.add(key);
    as.push(a[i]!);
    bs.push(b[i]!);
  }
  return { a: Uint32Array.from(as), b: Uint32Array.from(bs) };
}
