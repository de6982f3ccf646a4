import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PIVOTS, pivotRank, pivotsOf, postingHash } from '../../../../src/core/cluster/common/pivots.ts';

describe('the pivots of a list', () => {
  it('are the members with the lowest ranks, of equal ones the first, in the order of nodes', () => {
    const ranks = fc.array(fc.nat(40), { maxLength: 60 });
    const property = fc.property(ranks, (rankOf) => {
      const nodes = Uint32Array.from(rankOf.keys());
      const lowest = [...nodes].sort((a, b) => rankOf[a]! - rankOf[b]! || a - b).slice(0, PIVOTS);
      expect(pivotsOf(nodes, (node) => rankOf[node]!)).toEqual(lowest.sort((a, b) => a - b));
    });
    fc.assert(property);
  });

  it('consist most of common shingles; of several that do so equally, the hash of what they have decides', () => {
    expect(pivotRank(1, 2 ** 32 - 1)).toBeLessThan(pivotRank(0.9, 0));
    expect(pivotRank(0.9, 2 ** 32 - 1)).toBeLessThan(pivotRank(0.2, 0));
    expect(pivotRank(0.5, 7)).toBeLessThan(pivotRank(0.5, 8));
  });

  it('have hashes whose bits are spread, in 32 bits without a sign', () => {
    const hashes = Array.from({ length: 1000 }, (_, i) => postingHash(i));
    expect(new Set(hashes).size).toBe(1000);
    expect(hashes.every((hash) => hash >= 0 && hash < 2 ** 32)).toBe(true);
    const high = hashes.filter((hash) => hash >= 2 ** 31).length;
    expect(Math.abs(high - 500)).toBeLessThan(80);
  });
});
