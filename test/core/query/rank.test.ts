import { describe, expect, it } from 'vitest';
import { postingRank, RANK_COUNT, TIE_COUNT, tieOrder } from '../../../src/core/query/rank.ts';
import { createPrng } from '../../support/prng.ts';

const KEY = [0x1234_5678, 0x9abc_def0] as const;
const BINS = 64;

/** Pearson's statistic of counts that should be alike, as standard deviations from its mean: about normal for 64 bins. */
function deviation(counts: readonly number[], expected: number): number {
  const statistic = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  const degrees = counts.length - 1;
  return (statistic - degrees) / Math.sqrt(2 * degrees);
}

function bin(rank: number, bins: number): number {
  return Math.floor((rank * bins) / RANK_COUNT);
}

describe('the rank of a posting', () => {
  it('is uniform over content numbers that are given in order, for any one fingerprint', () => {
    const prng = createPrng(11);
    const contents = 6400;
    const fingerprints = [0, 1, 2 ** 39, 2 ** 40 - 1, ...Array.from({ length: 60 }, () => prng.fingerprint())];
    for (const fingerprint of fingerprints) {
      const counts = new Array<number>(BINS).fill(0);
      for (let content = 0; content < contents; content++) counts[bin(postingRank(KEY, fingerprint, content), BINS)]!++;
      expect(Math.abs(deviation(counts, contents / BINS))).toBeLessThan(5);
    }
  });

  it('changes in every second bit with any bit of the fingerprint, of the content or of the first half of the key', () => {
    const prng = createPrng(12);
    const trials = 2000;
    for (let bit = 0; bit < 136; bit++) {
      const of = (from: number): number => (bit >= from && bit < from + 32 ? 1 << (bit - from) : 0);
      const otherKey = [KEY[0] ^ of(72), KEY[1] ^ of(104)] as const;
      const changes = new Array<number>(16).fill(0);
      let same = 0;
      for (let trial = 0; trial < trials; trial++) {
        const fingerprint = prng.fingerprint();
        const content = prng.uint32();
        const other = bit < 40 ? Number(BigInt(fingerprint) ^ (1n << BigInt(bit))) : fingerprint;
        const change = postingRank(KEY, fingerprint, content) ^ postingRank(otherKey, other, (content ^ of(40)) >>> 0);
        for (let i = 0; i < 16; i++) changes[i]! += (change >>> i) & 1;
        same += Number(change === 0);
      }
      expect(same / trials).toBeLessThan(0.01);
      // A standard error of .011. The last key is mixed in late, so its high bits move fewer: it never changes in an index.
      if (bit < 104) for (const count of changes) expect(Math.abs(count / trials - 0.5)).toBeLessThan(0.06);
    }
  });

  it('is independent for two fingerprints, neighbours and powers of two included', () => {
    const contents = 25_600;
    const pairs = [
      [1000, 1008],
      [2 ** 32, 2 ** 33],
      [8, 2 ** 39],
      [123_456_789_000, 987_654_321_000],
    ] as const;
    for (const [one, other] of pairs) {
      const counts = new Array<number>(256).fill(0);
      for (let content = 0; content < contents; content++) {
        const row = bin(postingRank(KEY, one, content), 16);
        counts[row * 16 + bin(postingRank(KEY, other, content), 16)]!++;
      }
      expect(Math.abs(deviation(counts, contents / 256))).toBeLessThan(5);
    }
  });

  it('keeps as many of a family as independence promises: being first in one list says nothing of the next', () => {
    const prng = createPrng(13);
    const [family, lists, kept] = [2000, 48, 64];
    const hits = new Uint32Array(family);
    for (let list = 0; list < lists; list++) {
      const fingerprint = prng.fingerprint();
      const ranked = Array.from({ length: family }, (_, content) => content).sort(
        (a, b) => postingRank(KEY, fingerprint, a) - postingRank(KEY, fingerprint, b) || a - b,
      );
      for (const content of ranked.slice(0, kept)) hits[content]!++;
    }
    const found = hits.reduce((sum, count) => sum + Number(count > 0), 0) / family;
    const expected = 1 - (1 - kept / family) ** lists;
    // The standard error of the share found is at most sqrt(.25 / 2,000) = .011.
    expect(Math.abs(found - expected)).toBeLessThan(0.045);
  });
});

describe('the order of contents that share as much as one another', () => {
  const CONTENTS = 6400;
  const bins = (query: number, shift: number) => {
    const counts = new Array<number>(BINS).fill(0);
    for (let content = 0; content < CONTENTS; content++) {
      const order = tieOrder(KEY, query, content) / TIE_COUNT;
      const other = tieOrder(KEY, query + shift, content) / TIE_COUNT;
      counts[Math.floor(8 * order) * 8 + Math.floor(8 * other)]!++;
    }
    return counts;
  };

  it('is uniform, and another for each query, neighbours included', () => {
    for (const query of [0, 1, 77, 2 ** 31, 2 ** 32 - 100]) {
      for (const shift of [1, 2, 64]) expect(Math.abs(deviation(bins(query, shift), CONTENTS / BINS))).toBeLessThan(5);
    }
  });

  it('is another under each half of the key', () => {
    const orders = (key: readonly [number, number]) =>
      Array.from({ length: 50 }, (_, content) => tieOrder(key, 5, content)).join();
    const seen = [KEY, [KEY[0] ^ 1, KEY[1]], [KEY[0], KEY[1] ^ 1]] as const;
    expect(new Set(seen.map(orders)).size).toBe(3);
  });
});
