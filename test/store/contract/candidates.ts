import { expect, it } from 'vitest';
import { contentOf, digest, fingerprintsOf } from '../../support/level-plans.ts';
import type { StoreFixture } from './fixture.ts';

/** Which contents share fingerprints with a query. */
export function describeCandidates(fixture: StoreFixture): void {
  const { start, put, lookUp } = fixture;

  it('orders candidates by overlap, then age, and returns as many as asked for', async () => {
    const query = contentOf(0, fingerprintsOf(0, 40));
    const overlaps = [10, 40, 25, 10];
    for (const [i, shift] of overlaps.entries()) {
      await put(`https://${i}.example/`, contentOf(i + 1, fingerprintsOf(40 - shift, 40)), 1000 + i);
    }
    const all = await lookUp(query);
    expect(all.candidates.map(({ overlap, cappedOverlap, record }) => [overlap, cappedOverlap, record.id])).toEqual([
      [40, 0, digest(2, 1)],
      [25, 0, digest(3, 1)],
      [10, 0, digest(1, 1)],
      [10, 0, digest(4, 1)],
    ]);
    expect(await lookUp(query, 2)).toEqual({ ...all, candidates: all.candidates.slice(0, 2) });
    expect((await lookUp(query, 0)).candidates).toEqual([]);
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
    const { candidates, found, cappedShares, unreadable } = await lookUp(contentOf(99, common));
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
    expect(own.cappedShares.length).toBe(3);
  });

  it('does not call a list of exactly K common', async () => {
    await start({}, 4);
    for (let i = 0; i < 4; i++) await put(`https://${i}.example/`, contentOf(i, [7, 100 + i]), 1000);
    expect((await lookUp(contentOf(9, [7]))).cappedShares.length).toBe(0);
    await put('https://5.example/', contentOf(5, [7]), 1000);
    expect((await lookUp(contentOf(9, [7]))).cappedShares.length).toBe(1);
  });

  it('names contents with the same set of shingles, oldest first', async () => {
    const twins = [3, 1, 2].map((i) => contentOf(i, [5, 6, 7], digest(7, 2)));
    for (const [i, twin] of twins.entries()) await put(`https://${i}.example/`, twin, 1000);
    expect(await fixture.store.contentsByShingleDigest(digest(7, 2))).toEqual(twins.map(({ id }) => id));
    const more = Array.from({ length: 1000 }, (_, i) => contentOf(10 + i, [5, 6, 7], digest(7, 2)));
    await Promise.all(more.map((twin, i) => put(`https://more.example/${i}`, twin, 2000)));
    expect((await fixture.store.contentsByShingleDigest(digest(7, 2))).length).toBe(1000);
  });
}
