import { expect, it } from 'vitest';
import { tieOrderFor } from '../../../src/store/contents.ts';
import type { CandidateSet } from '../../../src/store/port.ts';
import { TEST_RANK_KEY } from '../../support/store/level-folder.ts';
import { contentOf, deletePlan, digest, fingerprintsOf } from '../../support/store/level-plans.ts';
import type { StoreFixture } from './fixture.ts';

/** Numbers of contents that share as much as one another, in the order in which a query with this digest gets them. */
const inTieOrder = (numbers: Iterable<number>, shingleDigest: string | null) => {
  const orderOf = tieOrderFor(TEST_RANK_KEY, shingleDigest);
  return [...numbers].sort((a, b) => orderOf(a) - orderOf(b));
};

const cutLists = ({ shares }: CandidateSet) => shares.filter((share) => share < 1).length;

/** Which contents share fingerprints with a query. */
export function describeCandidates(fixture: StoreFixture): void {
  const { start, put, lookUp } = fixture;

  it('orders candidates by overlap, then by a keyed hash, and returns as many as asked for', async () => {
    const query = contentOf(0, fingerprintsOf(0, 40));
    const overlaps = [10, 40, 25, 10];
    for (const [i, shift] of overlaps.entries()) {
      await put(`https://${i}.example/`, contentOf(i + 1, fingerprintsOf(40 - shift, 40)), 1000 + i);
    }
    const all = await lookUp(query);
    expect(all.candidates.map(({ overlap, cappedOverlap, record }) => [overlap, cappedOverlap, record.id])).toEqual([
      [40, 0, digest(2, 1)],
      [25, 0, digest(3, 1)],
      ...inTieOrder([0, 3], null).map((number) => [10, 0, digest(number + 1, 1)]),
    ]);
    expect(all.cut).toBeNull();
    const cut = {
      leftOut: 2,
      overlap: 25,
      cappedOverlap: 0,
      ties: 1,
      tiesReturned: 1,
      likely: [{ isBelow: true, keysLeast: 0 }],
    };
    expect(await lookUp(query, 2)).toEqual({ ...all, candidates: all.candidates.slice(0, 2), cut });
    expect((await lookUp(query, 3)).cut).toMatchObject({ leftOut: 1, overlap: 10, ties: 2, tiesReturned: 1 });
    expect((await lookUp(query, 0)).candidates).toEqual([]);
  });

  it('takes others first for every query among those that share as much: the newest as often as the oldest', async () => {
    const family = 12;
    for (let i = 0; i < family; i++) {
      await put(`https://${i}.example/`, contentOf(i, [...fingerprintsOf(0, 30), 90_000 + 8 * i]), 1000);
    }
    const seen = new Array<number>(family).fill(0);
    const asked = 60;
    for (let query = 0; query < asked; query++) {
      const shingleDigest = digest(1000 + query, 2);
      const ask = async () => (await lookUp(contentOf(99, fingerprintsOf(0, 30)), 4, { shingleDigest })).candidates;
      const ids = (await ask()).map(({ record }) => record.id);
      expect((await ask()).map(({ record }) => record.id)).toEqual(ids);
      expect(ids).toEqual(
        inTieOrder(seen.keys(), shingleDigest)
          .slice(0, 4)
          .map((number) => digest(number, 1)),
      );
      for (const [i] of seen.entries()) seen[i]! += Number(ids.includes(digest(i, 1)));
    }
    // 20 each in the mean, with a standard deviation of 3.7
    for (const times of seen) expect(Math.abs(times - asked / 3)).toBeLessThan(15);
  });

  it('reads the first of common lists by rank, so that each member of a family is found', async () => {
    await start({}, 8);
    const members = 40;
    const common = fingerprintsOf(0, 30);
    await Promise.all(
      Array.from({ length: members }, (_, i) =>
        put(`https://${i}.example/`, contentOf(i, [...common, ...fingerprintsOf(50_000 + i * 10, 5)]), 1000),
      ),
    );
    const { candidates, found, shares, unreadable } = await lookUp(contentOf(99, common));
    const cappedShares = shares.filter((share) => share < 1);
    expect(found).toBe(members);
    expect(candidates.every(({ overlap, cappedOverlap }) => overlap === 0 && cappedOverlap > 0)).toBe(true);
    expect(cappedShares.length).toBe(30);
    // 8 of 40 in the mean, each list on its own
    const mean = cappedShares.reduce((sum, share) => sum + share, 0) / 30;
    expect(mean).toBeGreaterThan(0.14);
    expect(mean).toBeLessThan(0.26);
    expect(unreadable).toBe(0);
    const own = await lookUp(contentOf(98, [...common.slice(0, 3), ...fingerprintsOf(50_000, 5)]));
    expect(own.candidates[0]).toMatchObject({ overlap: 5, record: { id: digest(0, 1) } });
    expect(cutLists(own)).toBe(3);
  });

  it('reads lists of up to K to their end, and the first K of longer ones', async () => {
    await start({}, 128);
    const add = (i: number) => put(`https://${i}.example/`, contentOf(i, [7, 1000 + i]), 1000);
    for (const [from, to] of [
      [0, 15],
      [15, 16],
      [16, 17],
      [17, 128],
    ] as const) {
      await Promise.all(Array.from({ length: to - from }, (_, i) => add(from + i)));
      expect(await lookUp(contentOf(999, [7]), 0)).toMatchObject({ found: to, shares: Float64Array.of(1) });
    }
    await add(128);
    const cut = await lookUp(contentOf(999, [7]), 0);
    expect([cut.found, cutLists(cut)]).toEqual([128, 1]);
  });

  it('finds the sources of what a query met by its locator, as by its id, also when they have changed since', async () => {
    for (const name of ['b', 'a', 'c']) await put(`https://${name}.example/`, contentOf(1, [5, 6, 7]), 1000);
    const { candidates } = await lookUp(contentOf(9, [5]));
    const { id, locator } = candidates[0]!.record;
    const urls = async () => {
      const [near, far] = await Promise.all(
        [{ id, locator }, { id }].map((of) => fixture.store.holders(of, { limit: 2 })),
      );
      expect(near).toEqual(far);
      return near!.map(({ url }) => url);
    };
    expect(await urls()).toEqual(['https://a.example/', 'https://b.example/']);
    await fixture.store.apply(deletePlan('https://b.example/', 2000));
    expect(await urls()).toEqual(['https://a.example/', 'https://c.example/']);
  });

  it('does not call a list of exactly K common', async () => {
    await start({}, 4);
    for (let i = 0; i < 4; i++) await put(`https://${i}.example/`, contentOf(i, [7, 100 + i]), 1000);
    expect(cutLists(await lookUp(contentOf(9, [7])))).toBe(0);
    await put('https://5.example/', contentOf(5, [7]), 1000);
    expect(cutLists(await lookUp(contentOf(9, [7])))).toBe(1);
  });

  it('passes over what has less overlap than its size needs, by the shares of the lists', async () => {
    await start({}, 5);
    const query = contentOf(0, fingerprintsOf(0, 30));
    const sharing = (from: number, count: number, i: number, size: number) =>
      contentOf(i, [...fingerprintsOf(from, count), ...fingerprintsOf(10_000 + 100 * i, size - count)]);
    // of which 0.4 are 24, 24, 20, 20 and 12: all of them but one where the list of the first fingerprint is cut
    const shared = [sharing(20, 10, 1, 60), sharing(0, 30, 2, 60), sharing(0, 20, 3, 50), sharing(0, 19, 10, 50)];
    for (const content of [...shared, sharing(10, 11, 11, 30)]) await put(`https://${content.id}/`, content, 1000);
    const common = fingerprintsOf(0, 1);
    for (const i of [4, 5, 6, 7, 8, 9]) {
      await put(`https://${i}.example/`, contentOf(i, [...common, ...fingerprintsOf(1000 * i, i)]), 1000);
    }
    const thresholds = { resemblance: null, queryInMatch: null, matchInQuery: 0.4 };
    const { candidates, found, passedOver, shares } = await lookUp(query, 100, { shingleCount: 30, thresholds });
    expect(candidates.map(({ record, overlap }) => [record.id, overlap])).toEqual([
      [digest(2, 1), 29],
      [digest(3, 1), 19],
      [digest(11, 1), 11],
    ]);
    expect([found - passedOver, passedOver >= 4]).toEqual([3, true]);
    expect(shares.length).toBe(30);
    expect(shares.filter((share) => share < 1)).toHaveLength(1);
    expect(shares[query.sample.fingerprints.indexOf(common[0]!)]).toBeLessThan(1);
  });

  it('reads lists as far as they are kept for a deep query, so that none of a family is in no list', async () => {
    await start({}, 2);
    const family = Array.from({ length: 30 }, (_, i) => contentOf(i, [1, 2, 3, 1000 + i]));
    for (const [i, member] of family.entries()) await put(`https://${i}.example/`, member, 1000);
    const query = contentOf(99, [1, 2, 3]);
    expect((await lookUp(query)).found).toBeLessThanOrEqual(6);
    const deep = await lookUp(query, 100, { isDeep: true });
    expect(deep).toMatchObject({ found: 30, passedOver: 0, cut: null });
    expect([...deep.shares]).toEqual([1, 1, 1]);
    expect(deep.candidates.map(({ overlap, cappedOverlap }) => [overlap, cappedOverlap])).toEqual(
      family.map(() => [3, 0]),
    );
    // 32 of each are kept
    for (let i = 30; i < 40; i++) await put(`https://${i}.example/`, contentOf(i, [1, 2, 3, 1000 + i]), 1000);
    const more = await lookUp(query, 100, { isDeep: true });
    expect([...more.shares]).toEqual([0.8, 0.8, 0.8]);
    expect(more.found).toBeGreaterThan(32);
    expect((await lookUp(query, 5, { isDeep: true })).cut).toMatchObject({ leftOut: more.found - 5 });
  });

  it('returns no more once samples have so many values together, and says how many it left out', async () => {
    const family = Array.from({ length: 9 }, (_, i) => contentOf(i, [1, 2, 3, 1000 + i]));
    for (const [i, member] of family.entries()) await put(`https://${i}.example/`, member, 1000);
    const query = contentOf(99, [1, 2, 3], digest(7, 2));
    const all = await lookUp(query, 100, { valuesMax: 36 });
    expect([all.candidates.length, all.cut]).toEqual([9, null]);
    const some = await lookUp(query, 100, { valuesMax: 13 });
    expect(some.candidates).toEqual(all.candidates.slice(0, 4));
    expect([some.found, some.cut]).toMatchObject([9, { leftOut: 5, ties: 9, tiesReturned: 4 }]);
    expect(await lookUp(query, 3, { valuesMax: 13 })).toEqual(await lookUp(query, 3));
  });

  it('draws as many as are asked for of those that it leaves out', async () => {
    const family = Array.from({ length: 9 }, (_, i) => contentOf(i, [1, 2, 3, 1000 + i]));
    for (const [i, member] of family.entries()) await put(`https://${i}.example/`, member, 1000);
    const query = contentOf(99, [1, 2, 3], digest(7, 2));
    const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
    const left = (await lookUp(query, 100)).candidates.slice(4).map(({ record }) => record);
    for (const bound of [{ candidatesMax: 4 }, { candidatesMax: 100, valuesMax: 13 }]) {
      const wish = { ...bound, drawnMax: 20 };
      const { drawn, candidates } = await lookUp(query, bound.candidatesMax, wish);
      expect(candidates).toHaveLength(4);
      expect([...drawn].sort(byId)).toEqual(left.sort(byId));
      const first = await lookUp(query, bound.candidatesMax, { ...wish, drawnValuesMax: 9 });
      expect(first.drawn).toEqual(drawn.slice(0, 3));
      const some = await lookUp(query, bound.candidatesMax, { ...bound, drawnMax: 2 });
      expect(some.drawn).toHaveLength(2);
      for (const record of some.drawn) expect(left).toContainEqual(record);
      expect(await lookUp(query, bound.candidatesMax, bound)).toEqual({ ...some, drawn: [] });
    }
    expect((await lookUp(query, 100, { drawnMax: 20 })).drawn).toEqual([]);
  });

  it('brings contents with the same set of shingles first, whatever they share of the look-ups', async () => {
    const twins = [3, 1, 2].map((i) => contentOf(i, [5, 6, 7], digest(7, 2)));
    for (const [i, twin] of twins.entries()) await put(`https://${i}.example/`, twin, 1000);
    const other = contentOf(4, [5, 6, 7, 8]);
    await put('https://other.example/', other, 1000);
    const ids = inTieOrder([0, 1, 2], digest(7, 2)).map((number) => twins[number]!.id);
    expect(await fixture.twins(twins[0]!)).toEqual({ ids, twinsCut: false });
    expect(await fixture.twins(twins[0]!, 2)).toEqual({ ids: ids.slice(0, 2), twinsCut: true });
    const thresholds = { resemblance: null, queryInMatch: 1, matchInQuery: null };
    const more = { shingleDigest: digest(7, 2), shingleCount: 2, thresholds };
    const nearly = await lookUp(contentOf(9, [5, 9]), 100, more);
    expect(nearly).toMatchObject({ found: 4, passedOver: 1, twinsCut: false });
    expect(nearly.candidates.map(({ record, overlap }) => [record.id, overlap])).toEqual(ids.map((id) => [id, 1]));
    const all = await lookUp(contentOf(9, [5, 7, 8, 9]), 3, { shingleDigest: digest(7, 2) });
    expect(all.candidates.map(({ record }) => record.id)).toEqual(ids);
    expect(all).toMatchObject({ found: 4, passedOver: 0, cut: { leftOut: 1, ties: 3, tiesReturned: 3 } });
    expect((await lookUp(other, 100, { shingleDigest: digest(8, 2) })).candidates[0]?.record.id).toBe(other.id);
  });

  it('brings the first twins by rank where there are more than a list keeps', async () => {
    await start({}, 8);
    const twins = Array.from({ length: 20 }, (_, i) => contentOf(i, [5, 6, 7], digest(7, 2)));
    for (const [i, twin] of twins.slice(0, 8).entries()) await put(`https://${i}.example/`, twin, 1000);
    const firstEight = inTieOrder([0, 1, 2, 3, 4, 5, 6, 7], digest(7, 2)).map((number) => twins[number]!.id);
    expect(await fixture.twins(twins[0]!)).toEqual({ ids: firstEight, twinsCut: false });
    for (const [i, twin] of twins.slice(8).entries()) await put(`https://more.example/${i}`, twin, 1000);
    const { ids, twinsCut } = await fixture.twins(twins[0]!);
    expect([ids.length, twinsCut]).toEqual([8, true]);
    // by rank, not by age
    expect(ids.toSorted()).not.toEqual(firstEight.toSorted());
    const numbers = ids.map((id) => twins.findIndex((twin) => twin.id === id));
    expect(numbers).toEqual(inTieOrder(numbers, digest(7, 2)));
  });
}
