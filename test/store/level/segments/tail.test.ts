import { describe, expect, it } from 'vitest';
import { STEP_POSTINGS, Tail, tailSteps } from '../../../../src/store/level/segments/tail.ts';
import { createPrng } from '../../../support/prng.ts';

/** Fingerprints that differ in the low half, the high half, or both. */
const fingerprintOf = (i: number) => (i % 3) * 2 ** 32 + Math.floor(i / 3);

describe('the tail', () => {
  it('finds what was added, as it was at any earlier moment, in short lists and long ones', () => {
    const prng = createPrng(1);
    const tail = Tail.create(100, 20_000);
    const added: { content: number; fingerprints: Float64Array }[] = [];
    const moments: { count: number; contents: number }[] = [{ count: 0, contents: 0 }];
    for (let content = 100; content < 1600; content += 1 + Number(prng.next() < 0.1)) {
      const chosen = new Set(Array.from({ length: 6 }, () => fingerprintOf(Math.floor(prng.next() ** 4 * 400))));
      const fingerprints = Float64Array.from(chosen);
      tail.add(content, fingerprints, 2 ** 40 - content);
      added.push({ content, fingerprints });
      if (prng.next() < 0.9) continue;
      moments.push({ count: tail.count, contents: added.length });
      for (let i = 0; i < 20; i++) {
        const fingerprint = fingerprintOf(Math.floor(prng.next() ** 4 * 400));
        const { count, contents } = moments[moments.length - 1 - prng.below(Math.min(3, moments.length))]!;
        const expected = added.slice(0, contents).filter((one) => one.fingerprints.includes(fingerprint));
        const found = [...tail.list(fingerprint, count)].sort((a, b) => a - b);
        expect(found).toEqual(expected.map((one) => one.content));
      }
    }
    expect(tail.list(fingerprintOf(0), tail.count).length).toBeGreaterThan(256);
    expect([...tail.list(2 ** 40 - 100, tail.count)]).toEqual([100]);
    expect(tail.list(fingerprintOf(500), tail.count)).toHaveLength(0);
    expect([tail.contentCount, tail.lastContent]).toEqual([added.length, added.at(-1)!.content]);
  });

  it('of one content is made in steps, and is as if it had been added at once', () => {
    const fingerprints = Float64Array.from({ length: 2 * STEP_POSTINGS + 1 }, (_, i) => fingerprintOf(i));
    const steps = tailSteps(7, fingerprints, 2 ** 39);
    expect([steps.next().done, steps.next().done]).toEqual([false, false]);
    const { done, value: tail } = steps.next();
    if (done !== true) return expect.fail('three steps at the most');
    expect([tail.firstContent, tail.lastContent, tail.contentCount]).toEqual([7, 7, 1]);
    expect([tail.count, tail.capacity]).toEqual([fingerprints.length + 1, fingerprints.length + 1]);
    for (const fingerprint of [fingerprints[0]!, fingerprints.at(-1)!, 2 ** 39]) {
      expect([...tail.list(fingerprint, tail.count)]).toEqual([7]);
    }
    expect(tail.list(2 ** 38, tail.count)).toHaveLength(0);
  });
});
