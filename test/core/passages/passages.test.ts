import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFingerprintIndex } from '../../../src/core/compare/fingerprint-index.ts';
import { findPassages, type TextPassage } from '../../../src/core/passages/passages.ts';
import { type KeptSample, narrow, narrowBits, wholeSample } from '../../../src/core/sketch/narrow.ts';
import type { ShingleSequence } from '../../../src/core/sketch/sketch.ts';
import { draws } from '../../support/draws.ts';
import { createPrng, type Prng } from '../../support/prng.ts';

/** A sequence of windows with the given fingerprints; where its tokens stand does not matter here. */
function sequenceOf(fingerprints: readonly number[], shingleSize: number): ShingleSequence {
  const tokens = Uint32Array.from({ length: fingerprints.length + shingleSize - 1 }, (_, i) => i);
  return { shingleSize, tokenStarts: tokens, tokenEnds: tokens, fingerprints: Float64Array.from(fingerprints) };
}

/** A match that is known to hold these fingerprints. */
function matchOf(values: Iterable<number>, modulus = 1): KeptSample {
  return wholeSample({ modulus, fingerprints: Float64Array.from(new Set(values)).sort() });
}

/** Where brute force sees a run: every stretch of windows is tried, and kept if all are shared and it cannot be longer. */
function runsByTrying(fingerprints: readonly number[], shared: ReadonlySet<number>): [first: number, last: number][] {
  const runs: [number, number][] = [];
  const isShared = (i: number): boolean => i >= 0 && i < fingerprints.length && shared.has(fingerprints[i]!);
  for (let first = 0; first < fingerprints.length; first++) {
    for (let last = first; last < fingerprints.length; last++) {
      const all = fingerprints.slice(first, last + 1).every((fingerprint) => shared.has(fingerprint));
      if (all && !isShared(first - 1) && !isShared(last + 1)) runs.push([first, last]);
    }
  }
  return runs;
}

function passagesOf(sequence: ShingleSequence, match: KeptSample, modulus: number, most = Number.POSITIVE_INFINITY) {
  return findPassages(sequence, createFingerprintIndex(match), modulus, most);
}

/** Text as random windows: `true` = also in the match. Returns what sampling at `modulus` shows of it. */
function sampledText(prng: Prng, inMatch: readonly boolean[], modulus: number, w: number): TextPassage[] {
  const fingerprints = inMatch.map(() => prng.fingerprint());
  const shared = fingerprints.filter((fingerprint, i) => inMatch[i]! && fingerprint % modulus === 0);
  return passagesOf(sequenceOf(fingerprints, w), matchOf(shared, modulus), modulus);
}

describe('the passages of a pair that is known whole', () => {
  it('are the longest common runs of shingles that brute force finds, in order of place', () => {
    const windows = fc.array(fc.nat({ max: 12 }), { maxLength: 40 });
    fc.assert(
      fc.property(
        windows,
        fc.uniqueArray(fc.nat({ max: 12 })),
        fc.integer({ min: 1, max: 9 }),
        (windowIds, common, w) => {
          const fingerprints = windowIds.map((id) => id * 0x15_0000_0001);
          const shared = new Set(common.map((id) => id * 0x15_0000_0001));
          const expected = runsByTrying(fingerprints, shared)
            .map(([first, last]) => ({
              firstToken: first,
              lastToken: last + w - 1,
              words: last - first + w,
              exact: true,
              headLast: last + w - 1,
              tailFirst: first,
            }))
            .sort((a, b) => a.firstToken - b.firstToken);
          const longest = expected.toSorted((a, b) => b.words - a.words || a.firstToken - b.firstToken).slice(0, 2);
          expect(passagesOf(sequenceOf(fingerprints, w), matchOf(shared), 1)).toEqual(expected);
          expect(passagesOf(sequenceOf(fingerprints, w), matchOf(shared), 1, 2)).toEqual(
            longest.sort((a, b) => a.firstToken - b.firstToken),
          );
        },
      ),
      draws(125, 1997),
    );
  });

  it('are those of the whole match where a narrow record of it is known, but for what agrees by chance', () => {
    const prng = createPrng(7);
    const windows = Array.from({ length: 2000 }, () => prng.fingerprint());
    for (const modulus of [1, 4]) {
      const common = windows.filter((value, i) => value % modulus === 0 && i % 300 < 200);
      const others = Array.from({ length: 500 }, () => prng.fingerprint()).filter((value) => value % modulus === 0);
      const match = matchOf([...common, ...others], modulus);
      const record = narrow({ modulus, fingerprints: match.values }, narrowBits(2000), 8);
      const passages = passagesOf(sequenceOf(windows, 7), match, modulus);
      expect(passages.length).toBeGreaterThan(5);
      const told = passagesOf(sequenceOf(windows, 7), record, modulus);
      // a window beside one may agree by chance, and single ones are not believed
      const seen = passages.filter(({ words }) => words > 7);
      expect(told.length).toBe(seen.length);
      for (const [i, { firstToken, lastToken }] of seen.entries()) {
        expect(firstToken - told[i]!.firstToken).toBeGreaterThanOrEqual(0);
        expect(told[i]!.lastToken - lastToken).toBeGreaterThanOrEqual(0);
        expect(told[i]!.words).toBeLessThanOrEqual(lastToken - firstToken + 1 + 2 * modulus);
      }
    }
  });

  it('of a single window are told where hardly any is expected to agree by chance', () => {
    const prng = createPrng(9);
    for (const [windowCount, isTold] of [
      [20, true],
      [400, false],
    ] as const) {
      const windows = Array.from({ length: windowCount }, () => prng.fingerprint());
      const others = Array.from({ length: 300 }, () => prng.fingerprint());
      const values = Float64Array.from([windows[10]!, ...others]).sort();
      const record = narrow({ modulus: 1, fingerprints: values }, narrowBits(values.length), 8);
      const singles = passagesOf(sequenceOf(windows, 7), record, 1).filter(({ words }) => words === 7);
      expect(singles.some(({ firstToken }) => firstToken === 10)).toBe(isTold);
    }
  });

  it('are none where nothing is shared or there is no text', () => {
    expect(passagesOf(sequenceOf([1, 2, 3], 7), matchOf([]), 1)).toEqual([]);
    expect(passagesOf(sequenceOf([], 1), matchOf([5]), 4)).toEqual([]);
  });
});

describe('the passages of a sampled pair', () => {
  it('begin and end with a shared window, hold no window that is known not to be shared, and bridge no longer gap than shared text would show', () => {
    const window = fc.record({ sampled: fc.boolean(), common: fc.boolean() });
    fc.assert(
      fc.property(fc.array(window, { maxLength: 80 }), fc.constantFrom(2, 4, 8), (windows, modulus) => {
        const fingerprints = windows.map(({ sampled }, i) => (i + 1) * modulus * 1_000_003 + Number(!sampled));
        const shared = fingerprints.filter((_, i) => windows[i]!.sampled && windows[i]!.common);
        const passages = passagesOf(sequenceOf(fingerprints, 3), matchOf(shared, modulus), modulus);
        const longest = { 2: 6, 4: 16, 8: 34 }[modulus]!;
        const covered = new Set<number>();
        for (const { firstToken, lastToken, words, exact, headLast, tailFirst } of passages) {
          const inside = windows.slice(firstToken, lastToken - 1);
          expect(words).toBe(inside.length + 2);
          expect(inside[0]!.sampled && inside[0]!.common && inside.at(-1)!.sampled && inside.at(-1)!.common).toBe(true);
          expect(inside.some(({ sampled, common }) => sampled && !common)).toBe(false);
          expect(exact).toBe(inside.every(({ sampled }) => sampled));
          const known = windows.flatMap(({ sampled, common }, i) =>
            sampled && common && i >= firstToken && i <= lastToken - 2 ? [i] : [],
          );
          const overlaps = (i: number) => known.filter((other) => other > i && other <= i + 2).length > 0;
          expect(headLast).toBe(known.find((i) => !overlaps(i))! + 2);
          expect(tailFirst).toBe(known.findLast((i) => !known.some((other) => other < i && other >= i - 2)));
          const gaps = inside
            .map(({ sampled }) => (sampled ? ' ' : '?'))
            .join('')
            .split(' ');
          for (const gap of gaps) expect(gap.length).toBeLessThanOrEqual(longest);
          for (let i = firstToken; i <= lastToken - 2; i++) covered.add(i);
        }
        windows.forEach(({ sampled, common }, i) => {
          if (sampled && common) expect(covered.has(i)).toBe(true);
        });
        // No two passages could have been one.
        const inOrder = passages.toSorted((a, b) => a.firstToken - b.firstToken);
        inOrder.slice(1).forEach((passage, i) => {
          const between = windows.slice(inOrder[i]!.lastToken - 1, passage.firstToken);
          const parted = between.some(({ sampled, common }) => sampled && !common) || between.length > longest;
          expect(parted).toBe(true);
        });
      }),
      draws(125, 1997),
    );
  });

  it.each([2, 4, 8])('of a whole copy at modulus %i are nearly the whole text, in few pieces', (modulus) => {
    const prng = createPrng(modulus);
    const windows = 2000;
    let words = 0;
    let pieces = 0;
    const texts = 40;
    for (let i = 0; i < texts; i++) {
      const passages = sampledText(prng, new Array<boolean>(windows).fill(true), modulus, 7);
      words += passages.reduce((sum, passage) => sum + passage.words, 0) / texts;
      pieces += passages.length / texts;
      expect(passages.every(({ exact }) => exact)).toBe(false);
    }
    expect(words / (windows + 6)).toBeGreaterThan(0.93);
    // A gap too long comes once in 100 samples at most: windows / m / 100 of them.
    expect(pieces).toBeLessThan(1 + windows / modulus / 100 + 1);
  });

  it.each([
    [2, 1],
    [4, 1],
    [4, 5],
    [8, 1],
    [8, 12],
    [4, 11],
  ])('at modulus %i bridge a change of %i words with the chance that the file states', (modulus, changedWords) => {
    const w = 7;
    const prng = createPrng(modulus * 100 + changedWords);
    const unshared = changedWords + w - 1;
    const inMatch = Array.from({ length: 400 + unshared }, (_, i) => i < 200 || i >= 200 + unshared);
    const longest = Math.floor(Math.log(0.01) / Math.log(1 - 1 / modulus));
    const stated = unshared > longest ? 0 : (1 - 1 / modulus) ** unshared;
    const trials = 1500;
    let bridged = 0;
    for (let trial = 0; trial < trials; trial++) {
      const over = sampledText(prng, inMatch, modulus, w).find(
        ({ firstToken, lastToken }) => firstToken < 200 && lastToken >= 200 + unshared + w - 1,
      );
      bridged += Number(over !== undefined) / trials;
      expect(over?.exact ?? false).toBe(false);
    }
    // The gap around the change must be short enough as well: never more than stated, and most of it.
    const error = Math.sqrt((stated * (1 - stated)) / trials);
    expect(bridged).toBeLessThanOrEqual(stated + 4 * error);
    expect(bridged).toBeGreaterThanOrEqual(0.6 * stated - 4 * error);
  });
});
