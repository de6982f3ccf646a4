import { describe, expect, it } from 'vitest';
import { drawsToPart, SharedValues } from '../../../src/core/compare/shared-values.ts';
import { modulusFor } from '../../../src/core/sketch/modulus.ts';
import { type ComparedSample, narrow, narrowBits, wholeSample } from '../../../src/core/sketch/narrow.ts';
import { createPrng, distinctFingerprints } from '../../support/prng.ts';

const prng = createPrng(1997);

/** A document with these fingerprints: in hand, or from the index by its narrow record. */
function documentOf(fingerprints: Float64Array, modulus: number, inHand: boolean) {
  const sampled = fingerprints.filter((value) => value % modulus === 0).toSorted();
  const sample = { modulus, fingerprints: sampled };
  const { length: shingleCount } = fingerprints;
  return { shingleCount, sample: inHand ? wholeSample(sample) : narrow(sample, narrowBits(shingleCount), 8) };
}

const lowBits = ({ values }: ComparedSample, modulus: number, bits: number) =>
  Array.from(
    values.filter((value) => value % modulus === 0),
    (value) => value % 2 ** bits,
  );

describe('values that documents of a page share', () => {
  it('are counted for each pair at the coarser of their moduli, by the bits that all have', () => {
    const all = distinctFingerprints(prng, 3000);
    const documents = Array.from({ length: 30 }, (_, i) => {
      const from = prng.below(1500);
      const fingerprints = all.slice(from, from + 20 + prng.below(1400));
      return documentOf(fingerprints, [1, 2, 4][i % 3]!, i % 2 === 0);
    });
    const bits = Math.min(...documents.map(({ sample }) => sample.bits));
    const shared = new SharedValues(documents);
    for (const [a, first] of documents.entries()) {
      const counts = shared.countsOf(a);
      for (const [b, second] of documents.entries()) {
        const modulus = Math.max(first.sample.modulus, second.sample.modulus);
        const others = Map.groupBy(lowBits(second.sample, modulus, bits), (value) => value);
        let expected = 0;
        for (const value of lowBits(first.sample, modulus, bits)) expected += others.get(value)?.length ?? 0;
        expect(counts[b]).toBe(a === b ? counts[b] : expected);
      }
    }
  });

  it('are never too few where fingerprints agree in their low bits only', () => {
    const all = distinctFingerprints(prng, 200);
    const alike = all.map((value) => (value + 2 ** 39) % 2 ** 40);
    const shared = new SharedValues([documentOf(all, 1, true), documentOf(alike, 1, true)]);
    expect(shared.countsOf(0)).toEqual(Uint32Array.of(200, 200));
  });

  it('say of a pair that it shares less than asked for only where it does', () => {
    const all = distinctFingerprints(prng, 500);
    const documents = [documentOf(all.slice(0, 300), 1, true), documentOf(all.slice(100), 1, true)];
    const shared = new SharedValues(documents);
    const count = shared.countsOf(0)[1]!;
    expect(count).toBe(200);
    const mayShare = (least: number) => shared.mayShare(0, 1, count, least);
    expect([0, 199, 200, 200.5, 201, 301].map(mayShare)).toEqual([true, true, true, false, false, false]);
  });

  it('part two documents that share none of them, as far as those say', () => {
    const sizes = [20, 60, 90, 130, 200, 400, 900, 2500];
    const documents = sizes.flatMap((size) =>
      [1, 2, 4].map((modulus) => documentOf(distinctFingerprints(prng, size), modulus, true)),
    );
    const shared = new SharedValues(documents);
    let parted = 0;
    for (const share of [0.05, 0.3, 0.5, 0.8, 0.9, 1]) {
      for (const [a, { shingleCount, sample }] of documents.entries()) {
        for (const [b, other] of documents.entries()) {
          const arePartedBy = shared.arePartedBy(drawsToPart(share), a, b);
          const mayShare = shared.mayShare(a, b, 0, share * Math.min(shingleCount, other.shingleCount));
          // what is counted whole is known without a bound
          if (Math.max(sample.modulus, other.sample.modulus) > 1) expect(arePartedBy).toBe(!mayShare);
          else if (arePartedBy) expect(mayShare).toBe(false);
          parted += Number(arePartedBy);
        }
      }
    }
    expect(parted).toBeGreaterThan(1000);
  });

  it('are a part of them on a large page, by which no pair is passed over that shares enough', () => {
    // sizes of pages, and what a threshold asks of them
    const common = distinctFingerprints(prng, 4000);
    const filler = {
      shingleCount: 800_000,
      sample: { modulus: 4, bits: 40, values: new Float64Array(200_000).map(() => 4 * prng.below(2 ** 32)) },
    };
    let passedOver = 0;
    let pairs = 0;
    for (let round = 0; round < 40; round++) {
      const documents = Array.from({ length: 60 }, () => {
        const size = [40, 100, 200, 400, 1500, 4000][prng.below(6)]!;
        const share = [0.9, 0.95, 0.3][prng.below(3)]!;
        const own = distinctFingerprints(prng, size);
        const from = prng.below(4000);
        for (let i = 0; i < Math.round(share * size); i++) own[i] = common[(from + i) % 4000]!;
        const fingerprints = Float64Array.from(new Set(own));
        return documentOf(fingerprints, modulusFor(fingerprints.length, 4, 256), true);
      });
      const shared = new SharedValues([...documents, filler]);
      const counts = shared.countsOf(0);
      const ofFirst = new Set(documents[0]!.sample.values);
      for (let other = 1; other < documents.length; other++) {
        // what the two share at the least is known where both are whole
        if (documents[0]!.sample.modulus > 1 || documents[other]!.sample.modulus > 1) continue;
        const overlap = documents[other]!.sample.values.filter((value) => ofFirst.has(value)).length;
        pairs++;
        expect(shared.mayShare(0, other, counts[other]!, overlap)).toBe(true);
        const nearlyAll = Math.min(documents[0]!.shingleCount, documents[other]!.shingleCount) - 1;
        passedOver += Number(!shared.mayShare(0, other, counts[other]!, nearlyAll));
      }
    }
    expect(pairs).toBeGreaterThan(300);
    expect(passedOver).toBeGreaterThan(50);
  });
});
