import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KnownKeys } from '../../../../src/store/level/database/known-keys.ts';
import type { KeyRange } from '../../../../src/store/level/format/keys.ts';
import { inFolder, openFolder } from '../../../support/store/level-folder.ts';
import { contentOf, fingerprintsOf, putPlan } from '../../../support/store/level-plans.ts';

/** Keys in a database, in order. */
const databaseOf = (keys: readonly string[]) => {
  const sorted = keys.toSorted();
  return {
    keys: ({ gte, lt, limit }: KeyRange) =>
      Promise.resolve(sorted.filter((key) => key >= gte && key < lt).slice(0, limit)),
  };
};

const put = (key: string) => [key, Buffer.alloc(0)] as const;

describe('the keys that are known', () => {
  it('may all be there until what is on disk was seen, and for good what was seen or written', async () => {
    const key = fc
      .tuple(fc.constantFrom('s', 'l'), fc.string({ unit: 'grapheme-ascii' }))
      .map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(key), fc.uniqueArray(key), async (onDisk, written) => {
        const known = new KnownKeys(0);
        expect(known.mayHave('sanything')).toBe(true);
        const scanned = known.scan(databaseOf([...onDisk, 'c', 'm', 'n', 'x']));
        known.note(written.map(put));
        await scanned;
        known.note(onDisk.map((gone) => [gone, null] as const));
        for (const each of [...onDisk, ...written]) expect(known.mayHave(each)).toBe(true);
      }),
      { seed: 11, numRuns: 100 },
    );
  });

  it('count no more once they are seen again, until they were: of two scans the later one counts', async () => {
    const known = new KnownKeys(0);
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const gated = (gate: Promise<void>, keys: readonly string[]) => ({
      keys: async (range: KeyRange) => {
        await gate;
        return databaseOf(keys).keys(range);
      },
    });
    await known.scan(databaseOf(['sa']));
    expect(known.mayHave('sb')).toBe(false);
    const scans = [known.scan(gated(gates[0]!.promise, ['sa'])), known.scan(gated(gates[1]!.promise, ['sa', 'sb']))];
    expect(known.mayHave('sb')).toBe(true);
    gates[0]!.resolve();
    await scans[0];
    expect(known.mayHave('sb')).toBe(true);
    gates[1]!.resolve();
    await scans[1];
    expect([known.mayHave('sb'), known.mayHave('sc')]).toEqual([true, false]);
  });

  it('are seen a page at a time, to the last', async () => {
    const keys = Array.from({ length: 2345 }, (_, i) => (i % 2 === 0 ? `s${i}` : `l${i}`));
    const known = new KnownKeys(keys.length);
    await known.scan(databaseOf(keys));
    expect(keys.filter((key) => !known.mayHave(key))).toEqual([]);
  });

  it('get a further layer when they are more than were expected, and few others are taken for them', async () => {
    const known = new KnownKeys(0);
    await known.scan(databaseOf([]));
    const count = 600_000;
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < count; i++) known.note([put(`scom.example.www\0https://www.example.com/page-${i}`)]);
    }
    let lost = 0;
    let mistaken = 0;
    for (let i = 0; i < 10_000; i++) {
      lost += Number(!known.mayHave(`scom.example.www\0https://www.example.com/page-${i * 59}`));
      mistaken += Number(known.mayHave(`scom.example.www\0https://www.example.com/page-${count + i}`));
    }
    expect(lost).toBe(0);
    expect(mistaken).toBeLessThan(600);
    expect(known.bytes).toBe(3 * 2 ** 19);
  });

  it('of an index that is opened again are those that were written before', () =>
    inFolder(async (folder) => {
      const plan = (i: number) => putPlan(`https://${i}.example/`, contentOf(i, fingerprintsOf(i, 40)), 1000);
      const first = await openFolder(folder);
      await Promise.all(Array.from({ length: 900 }, (_, i) => first.apply(plan(i))));
      await first.close();
      const again = await openFolder(folder);
      const outcomes = await Promise.all(Array.from({ length: 900 }, (_, i) => again.apply(plan(i))));
      // now that all keys were seen
      await new Promise((resolve) => void setTimeout(resolve, 200));
      outcomes.push(...(await Promise.all(Array.from({ length: 900 }, (_, i) => again.apply(plan(i))))));
      expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['unchanged']));
      expect((await again.stats()).sources).toBe(900);
      await again.close();
    }));
});
