import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Sample } from '../../../src/core/sketch/modulus.ts';
import { contentRecord, evidenceOfContents } from '../../../src/store/contents.ts';
import type { Content } from '../../../src/store/port.ts';
import { contentOf, digest, fingerprintsOf, gonePlan } from '../../support/store/level-plans.ts';
import type { StoreFixture } from './fixture.ts';

const A = 'https://a.example/';
const B = 'https://b.example/';

/** Contents that resemble one another the more, the nearer their numbers: neighbours share 93 shingles of 107. */
const chainFrom = (first: number) =>
  Array.from({ length: 8 }, (_, i) => contentOf(first + i, fingerprintsOf(first + 7 * i, 100)));
const CHAIN = chainFrom(0);
const recordOf = (content: Content<Sample>) => contentRecord(content, 8);
const numberOf = (id: string | null) => CHAIN.findIndex((content) => content.id === id);

/** Sightings of contents of a chain at different times, in order of time and in the order in which they are told. */
const TOLD = fc
  .uniqueArray(fc.record({ time: fc.integer({ min: 0, max: 20 }), number: fc.nat({ max: 7 }) }), {
    ...{ selector: ({ time }) => time, minLength: 2, maxLength: 7 },
  })
  .chain((all) => fc.record({ all: fc.constant(all), order: fc.shuffledSubarray(all, { minLength: all.length }) }));

/** How one version of a source differs from the one before it. */
export function describeChanges(fixture: StoreFixture): void {
  const { start, text, put } = fixture;
  const versions = (url = A) => fixture.store.versions(url, { limit: 100 });
  const changes = async (url = A) =>
    (await versions(url)).map(({ observedAt, change }) => [
      observedAt,
      change && [change.since, numberOf(change.from)],
    ]);
  const between = (older: Content<Sample>, newer: Content<Sample>) =>
    evidenceOfContents(recordOf(older), recordOf(newer));

  it('is known of contents that hardly differ, though the older one is not kept', async () => {
    const [before, after] = [contentOf(1, fingerprintsOf(0, 100)), contentOf(2, fingerprintsOf(4, 100))];
    await put(A, before, 1000);
    expect(await versions()).toMatchObject([{ change: null }]);
    await put(A, after, 2000);
    expect(await fixture.store.content(before.id)).toBeUndefined();
    const change = { since: 1000, from: before.id, evidence: between(before, after) };
    expect(await versions()).toMatchObject([{ change }, { change: null }]);
    expect(change.evidence).toMatchObject({ shinglesA: 100, shinglesB: 100, shared: 96, modulus: 1 });
    // it stays where the version is a past one
    await put(A, text(5), 3000);
    const next = { since: 2000, from: after.id, evidence: between(after, text(5)) };
    expect(await versions()).toMatchObject([{ change: next }, { change }, { change: null }]);
  });

  it('is none where only the bytes differ, or the document is gone', async () => {
    await put(A, text(1), 1000);
    await put(A, text(1), 2000, { bytesDigest: digest(9) });
    await fixture.store.apply(gonePlan(A, 3000));
    expect(await versions()).toMatchObject([{ change: null }, { change: null }, { change: null }]);
    await put(A, text(2), 4000);
    expect((await versions())[0]).toMatchObject({ change: { since: 3000, from: text(1).id } });
  });

  it('is another one once a version between the two is told of', async () => {
    await put(A, CHAIN[0]!, 1000);
    await put(A, CHAIN[4]!, 5000);
    await put(A, CHAIN[2]!, 3000);
    expect(await changes()).toEqual([
      [5000, [3000, 2]],
      [3000, [1000, 0]],
      [1000, null],
    ]);
    await put(A, CHAIN[1]!, 2000);
    expect(await changes()).toEqual([
      [5000, [3000, 2]],
      [3000, [2000, 1]],
      [2000, [1000, 0]],
      [1000, null],
    ]);
    const [newest] = await versions();
    expect(newest!.change!.evidence).toEqual(between(CHAIN[2]!, CHAIN[4]!));
  });

  it('is not known where a version comes between whose neighbour is forgotten', async () => {
    await start({ pastContentsMax: 0 });
    await put(A, CHAIN[0]!, 1000);
    await put(A, CHAIN[4]!, 5000);
    await put(A, CHAIN[5]!, 6000);
    // the content of 5000 is nowhere: what it shares with that of 3000 nobody can say
    await put(A, CHAIN[2]!, 3000);
    expect(await changes()).toEqual([
      [6000, [5000, 4]],
      [5000, null],
      [3000, null],
      [1000, null],
    ]);
    // another URL holds one: then it can
    await put(B, CHAIN[4]!, 1);
    await put(A, CHAIN[3]!, 4000);
    expect((await changes())[1]).toEqual([5000, [4000, 3]]);
  });

  it('follows what was seen at a moment where that is told anew', async () => {
    await put(A, CHAIN[0]!, 1000);
    await put(A, CHAIN[1]!, 2000);
    await put(A, CHAIN[3]!, 2000);
    expect(await changes()).toEqual([
      [2000, [1000, 0]],
      [1000, null],
    ]);
    expect((await versions())[0]!.change!.evidence).toEqual(between(CHAIN[0]!, CHAIN[3]!));
    await put(A, CHAIN[3]!, 2000, { bytesDigest: digest(77) });
    await put(A, CHAIN[2]!, 1000);
    expect((await versions())[0]!.change).toEqual({
      ...{ since: 1000, from: CHAIN[2]!.id, evidence: between(CHAIN[2]!, CHAIN[3]!) },
    });
  });

  it('is that of the new content where another is told of a moment between others', async () => {
    for (const i of [0, 1, 5]) await put(A, CHAIN[i]!, 1000 * (i + 1));
    await put(A, CHAIN[3]!, 2000);
    const [newest, told] = await versions();
    expect(told!.change).toEqual({ since: 1000, from: CHAIN[0]!.id, evidence: between(CHAIN[0]!, CHAIN[3]!) });
    expect(newest!.change).toEqual({ since: 2000, from: CHAIN[3]!.id, evidence: between(CHAIN[3]!, CHAIN[5]!) });
  });

  it('stays what it was where only the bytes of a moment are told anew', async () => {
    await start({ pastContentsMax: 0 });
    for (const i of [0, 1]) await put(A, CHAIN[i]!, 1000 * (i + 1));
    const before = await versions();
    expect(before[0]!.change).not.toBeNull();
    await put(A, CHAIN[1]!, 2000, { bytesDigest: digest(77) });
    expect(await versions()).toEqual([{ ...before[0]!, bytesDigest: digest(77) }, before[1]]);
    await put(A, CHAIN[2]!, 3000);
    await put(A, CHAIN[1]!, 2000, { bytesDigest: digest(78) });
    expect((await versions())[1]!.change).toEqual(before[0]!.change);
  });

  it('stays that from a version which is listed no longer, unless a nearer one is told of', async () => {
    await start({ versionsMax: 2 });
    for (const i of [1, 3, 5]) await put(A, CHAIN[i]!, i * 1000);
    const listed = [
      [5000, [3000, 3]],
      [3000, [1000, 1]],
    ];
    expect(await changes()).toEqual(listed);
    await put(A, CHAIN[0]!, 500);
    expect(await changes()).toEqual(listed);
    await put(A, CHAIN[2]!, 2000);
    expect(await changes()).toEqual([listed[0], [3000, [2000, 2]]]);
  });

  it.each([
    [1, 2],
    [3, 0],
    [4, 2],
    [8, 7],
  ])(
    'does not depend on the order in which sightings are told, wherever it is known: %i versions, %i past contents',
    async (versionsMax, pastContentsMax) => {
      await start({ versionsMax, pastContentsMax, pastResemblanceMax: 1 });
      let [round, known] = [0, 0];
      await fc.assert(
        fc.asyncProperty(TOLD, async ({ all, order }) => {
          const url = `https://${++round}.example/`;
          const contents = chainFrom(1000 * round);
          // other bytes each time: none is only one more sight of what is there
          for (const { time, number } of order) {
            await put(url, contents[number]!, time, { bytesDigest: digest(100 + time) });
          }
          const inTime = all.toSorted((a, b) => b.time - a.time);
          const seen = await versions(url);
          expect(seen.map(({ observedAt, contentId }) => [observedAt, contentId])).toEqual(
            inTime.slice(0, versionsMax).map(({ time, number }) => [time, contents[number]!.id]),
          );
          for (const [i, { change }] of seen.entries()) {
            if (change === null) continue;
            known++;
            const [to, from] = [contents[inTime[i]!.number]!, contents[inTime[i + 1]!.number]!];
            expect(from).not.toBe(to);
            expect(change).toEqual({ since: inTime[i + 1]!.time, from: from.id, evidence: between(from, to) });
          }
        }),
        { seed: 5, numRuns: 60 },
      );
      expect(known).toBeGreaterThan(15);
    },
  );
}
