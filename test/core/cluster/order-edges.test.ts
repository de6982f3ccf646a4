import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Edges } from '../../../src/core/cluster/edges.ts';
import { orderEdges } from '../../../src/core/cluster/order-edges.ts';
import { draws } from '../../support/draws.ts';
import { createPrng, type Prng } from '../../support/prng.ts';

type Pair = readonly [a: number, b: number, weight: number];

const edgesOf = (pairs: readonly Pair[]): Edges => ({
  count: pairs.length,
  a: Uint32Array.from(pairs, ([a]) => a),
  b: Uint32Array.from(pairs, ([, b]) => b),
  weight: Float64Array.from(pairs, ([, , weight]) => weight),
});

const inOrder = (pairs: readonly Pair[]) => Array.from(orderEdges(edgesOf(pairs)), (i) => pairs[i]!);

/** By a plain sort. */
const sorted = (pairs: readonly Pair[]) =>
  pairs.toSorted((one, two) => two[2] - one[2] || one[0] - two[0] || one[1] - two[1]);

/** Weights that follow each other without a gap, those at both ends, and some that differ in a few bits only. */
const NEAR = [
  1,
  1 - 2 ** -53,
  1 - 2 ** -52,
  0.5,
  0.5 + 2 ** -53,
  0.5 - 2 ** -54,
  0.25,
  1 / 3,
  1 / 3 + 2 ** -54,
  2e-308,
];

/** Pairs of nodes over all of 32 bits, each once. */
function pairsOf(prng: Prng, count: number, weights: readonly number[]): Pair[] {
  const pairs = new Map<string, Pair>();
  while (pairs.size < count) {
    const a = prng.below(3) === 0 ? prng.below(2 ** 31) : prng.below(300);
    const b = a + 1 + (prng.below(3) === 0 ? prng.below(2 ** 31) : prng.below(300));
    pairs.set(`${a} ${b}`, [a, b, weights[prng.below(weights.length)]!]);
  }
  return [...pairs.values()];
}

describe('the order of edges', () => {
  it('is that of a plain sort, by falling weight and then by rising nodes, of any weights', () => {
    const weight = fc.oneof(fc.constantFrom(...NEAR), fc.double({ min: 0, max: 1, minExcluded: true, noNaN: true }));
    const pair = fc.tuple(fc.nat(40), fc.integer({ min: 41, max: 60 }), weight);
    fc.assert(
      fc.property(fc.uniqueArray(pair, { maxLength: 120, selector: ([a, b]) => 100 * a + b }), (pairs) => {
        expect(inOrder(pairs)).toEqual(sorted(pairs));
        expect(inOrder(pairs.toReversed())).toEqual(sorted(pairs));
      }),
      draws(75, 1997),
    );
  });

  it.each([
    ['one weight, in a bucket as large as small ones are', 4096, [1]],
    ['one weight, in a larger bucket', 4097, [1]],
    ['one weight that is no power of two', 9000, [0.7]],
    [
      'weights of one bucket that differ in their last bits',
      9000,
      [0.7, 0.7 + 2 ** -53, 0.7 - 2 ** -52, 0.7 + 2 ** -30],
    ],
    ['weights below a 65,536th', 9000, [2e-308, 1e-9, 1e-6, 5e-324]],
    ['weights of all kinds', 30_000, NEAR],
    ['as many weights as edges', 9000, Array.from({ length: 9000 }, (_, i) => (i + 1) / 9000)],
  ])('is that of a plain sort for thousands of edges of %s', (_, count, weights) => {
    const pairs = pairsOf(createPrng(count), count, weights);
    const [found, expected] = [inOrder(pairs), sorted(pairs)];
    expect(found).toHaveLength(count);
    // to show how thousands of pairs differ would take a minute
    expect(found.findIndex((pair, i) => pair !== expected[i])).toBe(-1);
    // as they come where each thread finds them by rising nodes, and with two that do not
    const rising = pairs.toSorted(([a, b], [c, d]) => a - c || b - d);
    expect(inOrder(rising).findIndex((pair, i) => pair !== expected[i])).toBe(-1);
    const last = rising.splice(count / 2, 1);
    expect(inOrder([...rising, ...last]).findIndex((pair, i) => pair !== expected[i])).toBe(-1);
  });
});
