import { describe, expect, it } from 'vitest';
import { drawn } from '../../../src/cluster/pairs/common/left-out-pairs.ts';
import { postingHash } from '../../../src/core/cluster/common/pivots.ts';
import { createPrng } from '../../support/prng.ts';

const NODES = 3000;
const prng = createPrng(11);
const HASHES = Uint32Array.from({ length: NODES }, () => prng.below(2 ** 32));
const isOpen = (hash: number) => hash % 3 > 0;

/** Nodes with these hashes and rows so wide that as few are drawn as can be. */
const drawnOf = (hashes: Uint32Array) =>
  drawn({ words: 2 ** 30, longest: 1, isOpen: (node) => isOpen(hashes[node]!), state: { hashes } }, hashes.length);

describe('the nodes that are drawn to tell how many pairs were left out', () => {
  it('are the open ones with the lowest hashes, from the lowest on', () => {
    const { open, sampled } = drawnOf(HASHES);
    const lowest = [...HASHES].filter(isOpen).sort((a, b) => postingHash(a) - postingHash(b));
    expect(open).toBe(lowest.length);
    expect(sampled.length).toBe(64);
    expect(Array.from(sampled, (node) => HASHES[node])).toEqual(lowest.slice(0, 64));
  });

  it('are the same in whichever order nodes have their numbers', () => {
    const turned = HASHES.toReversed();
    const hashesOf = (hashes: Uint32Array) => Array.from(drawnOf(hashes).sampled, (node) => hashes[node]);
    expect(hashesOf(turned)).toEqual(hashesOf(HASHES));
  });
});
