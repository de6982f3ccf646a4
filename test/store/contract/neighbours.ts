import { expect, it } from 'vitest';
import type { NeighbourQuery } from '../../../src/store/port.ts';
import { contentOf, deletePlan, digest, fingerprintsOf } from '../../support/store/level-plans.ts';
import type { StoreFixture } from './fixture.ts';

const THRESHOLDS = { resemblance: 0.5, queryInMatch: null, matchInQuery: null };

/** What is near many contents at once. */
export function describeNeighbours(fixture: StoreFixture): void {
  const { put } = fixture;

  /** Contents in a row, each of which shares 30 of its 40 fingerprints with the next one. */
  const row = Array.from({ length: 8 }, (_, i) => contentOf(i, fingerprintsOf(10 * i, 40)));
  const ask = async (numbers: readonly number[], more: Partial<NeighbourQuery> = {}) => {
    const lookUps = numbers.map((number) => {
      const { shingleCount, shingleDigest, sample } = row[number]!;
      return { keys: sample.fingerprints, modulus: 1, shingleCount, shingleDigest };
    });
    const all = { recordsMax: 100, valuesMax: 10_000, thresholds: THRESHOLDS, known: [] };
    const found = await fixture.store.neighbours({ lookUps, ...all, ...more });
    return { ...found, ids: found.contents.map(({ id }) => id).sort() };
  };
  const idsOf = (numbers: readonly number[]) => numbers.map((number) => digest(number, 1)).sort();
  const putRow = async () => {
    for (const [i, content] of row.entries()) await put(`https://${i}.example/`, content, 1000 + i);
  };

  it('names what may be a match of any of several contents, each once, with all that is kept of it', async () => {
    await putRow();
    const found = await ask([1, 2, 6]);
    expect(found.ids).toEqual(idsOf([0, 1, 2, 3, 5, 6, 7]));
    expect(found).toMatchObject({ leftOut: 0, unreadable: 0 });
    expect(found.read.map(({ shares, twinsCut }) => [shares.every((share) => share === 1), twinsCut])).toEqual(
      [1, 2, 6].map(() => [true, false]),
    );
    for (const content of found.contents) expect(content).toEqual(await fixture.store.content(content.id));
  });

  it('reads no records of what is known', async () => {
    await putRow();
    const known = (await ask([2])).contents;
    expect(known.map(({ id }) => id).sort()).toEqual(idsOf([1, 2, 3]));
    expect((await ask([2, 3], { known })).ids).toEqual(idsOf([4]));
    expect((await ask([2], { known })).ids).toEqual([]);
  });

  it('says how many it has left out, by number or by size', async () => {
    await putRow();
    expect(await ask([2], { recordsMax: 2 })).toMatchObject({ leftOut: 1, ids: { length: 2 } });
    expect(await ask([2], { valuesMax: 80 })).toMatchObject({ leftOut: 1, ids: { length: 2 } });
    expect(await ask([2], { recordsMax: 0 })).toMatchObject({ leftOut: 3, ids: [] });
  });

  it('finds nothing that was deleted, and by its digest what has the same shingles', async () => {
    await putRow();
    await fixture.store.apply(deletePlan('https://3.example/', 2000));
    expect((await ask([2])).ids).toEqual(idsOf([1, 2]));
    const twins = row.slice(2, 3).map(({ shingleCount, shingleDigest }) => ({
      ...{ keys: new Float64Array(0), modulus: 1, shingleCount, shingleDigest },
    }));
    expect((await ask([], { lookUps: twins })).ids).toEqual(idsOf([2]));
  });

  it('says which part of a long list was read', async () => {
    await fixture.start({}, 4);
    const shared = fingerprintsOf(0, 39);
    for (let i = 0; i < 8; i++) await put(`https://${i}.example/`, contentOf(i, [...shared, 50_000 + i]), 1000 + i);
    const keys = Float64Array.from([...shared, 50_003]).sort();
    const shingleDigest = digest(3, 2);
    const found = await ask([], { lookUps: [{ keys, modulus: 1, shingleCount: 40, shingleDigest }] });
    expect(Array.from(found.read[0]!.shares).sort()).toEqual([...shared.map(() => 0.5), 1]);
    expect(found.ids).toContain(digest(3, 1));
  });
}
