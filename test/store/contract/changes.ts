import fc from 'fast-check';
import { expect, it } from 'vitest';
import { contentRecord, evidenceOfVersions, sketchOfContent } from '../../../src/store/contents.ts';
import type { NewContent } from '../../../src/store/port.ts';
import { contentOf, digest, fingerprintsOf, gonePlan } from '../../support/store/level-plans.ts';
import type { StoreFixture } from './fixture.ts';

const A = 'https://a.example/';
const B = 'https://b.example/';

/** Contents that resemble one another the more, the nearer their numbers: neighbours share 93 shingles of 107. */
const chainFrom = (first: number) =>
  Array.from({ length: 8 }, (_, i) => contentOf(first + i, fingerprintsOf(first + 7 * i, 100)));
const CHAIN = chainFrom(0);
const sketchOf = (content: NewContent) => sketchOfContent(contentRecord(content, 8));
/** By what follows from both contents alone. */
const between = (older: NewContent, newer: NewContent) => evidenceOfVersions(sketchOf(older), sketchOf(newer));

/** What was seen at a moment: a content of a chain in one of two spellings, or nothing. */
interface Seen {
  readonly time: number;
  readonly number: number | null;
  readonly spelling: number;
}
const SEEN: fc.Arbitrary<Seen> = fc.record({
  time: fc.integer({ min: 1, max: 20 }),
  number: fc.option(fc.nat({ max: 7 }), { freq: 4 }),
  spelling: fc.nat({ max: 1 }),
});
/** At different times, the first of them live; in order of time, and in the order in which they are told. */
const TOLD = fc
  .tuple(fc.nat({ max: 7 }), fc.uniqueArray(SEEN, { selector: ({ time }) => time, minLength: 2, maxLength: 10 }))
  .map(([number, others]): Seen[] => [{ time: 0, number, spelling: 0 }, ...others.sort((a, b) => a.time - b.time)])
  .chain((all) => fc.record({ all: fc.constant(all), order: fc.shuffledSubarray(all, { minLength: all.length }) }))
  // of a URL that nobody has seen nothing is told
  .filter(({ order }) => order[0]!.number !== null);

/** Runs of what was seen, by definition. */
function runsOf(all: readonly Seen[], contents: readonly NewContent[]) {
  const runs: { from: number; to: number; live: boolean; content: NewContent; spelling: number }[] = [];
  for (const { time, number, spelling } of all) {
    const last = runs.at(-1);
    const live = number !== null;
    const content = live ? contents[number]! : last!.content;
    const isSame = last?.live === live && (!live || (last.content === content && last.spelling === spelling));
    if (isSame) last.to = time;
    else runs.push({ from: time, to: time, live, content, spelling: live ? spelling : last!.spelling });
  }
  return runs;
}

/** What one version of a source shares with the one before it. */
export function describeChanges(fixture: StoreFixture): void {
  const { start, text, put, history } = fixture;
  const versions = (url = A) => fixture.store.versions(url, { limit: 100 });

  it('is known of contents that hardly differ, though the older one is not kept', async () => {
    const [before, after] = [contentOf(1, fingerprintsOf(0, 100)), contentOf(2, fingerprintsOf(4, 100))];
    await put(A, before, 1000);
    expect(await versions()).toMatchObject([{ overlap: null }]);
    await put(A, after, 2000);
    expect(await fixture.store.content(before.id)).toBeUndefined();
    const overlap = between(before, after);
    expect(await versions()).toMatchObject([{ overlap }, { overlap: null }]);
    expect(overlap).toMatchObject({ shinglesA: 100, shinglesB: 100, shared: 96, modulus: 1 });
    // it stays where the version is a past one
    await put(A, text(5), 3000);
    expect(await versions()).toMatchObject([{ overlap: between(after, text(5)) }, { overlap }, { overlap: null }]);
    // of those that were asked for
    expect(await fixture.store.versions(A, { limit: 2 })).toMatchObject([
      { overlap: between(after, text(5)) },
      { overlap: null },
    ]);
  });

  it('is none where only the bytes differ, or the document is gone', async () => {
    await put(A, text(1), 1000);
    await put(A, text(1), 2000, { bytesDigest: digest(9) });
    await fixture.store.apply(gonePlan(A, 3000));
    expect(await versions()).toMatchObject([{ overlap: null }, { overlap: null }, { overlap: null }]);
    await put(A, text(2), 4000);
    expect((await versions())[0]).toMatchObject({ overlap: between(text(1), text(2)) });
  });

  it('is that of a version which is told of late, though all that is beside it is forgotten', async () => {
    await start({ pastContentsMax: 0 });
    for (const i of [0, 4, 5]) await put(A, CHAIN[i]!, 1000 * (i + 1));
    await put(A, CHAIN[2]!, 3000);
    expect((await versions()).map(({ observedAt, overlap }) => [observedAt, overlap])).toEqual([
      [6000, between(CHAIN[4]!, CHAIN[5]!)],
      [5000, between(CHAIN[2]!, CHAIN[4]!)],
      [3000, between(CHAIN[0]!, CHAIN[2]!)],
      [1000, null],
    ]);
    // what was seen at a moment is told anew
    await put(A, CHAIN[1]!, 3000);
    expect((await versions())[1]).toMatchObject({ observedAt: 5000, overlap: between(CHAIN[1]!, CHAIN[4]!) });
  });

  it('is the same in a list as of one source', async () => {
    for (const i of [0, 2, 5]) await put(A, CHAIN[i]!, 1000 * (i + 1));
    await put(B, CHAIN[1]!, 1000);
    await fixture.store.apply(gonePlan(B, 2000));
    const { listed } = await fixture.store.sources({ limit: 9 }, { versionsMax: 100 });
    expect(listed.map(({ url, versions: told }) => [url, told])).toEqual([
      [A, await versions(A)],
      [B, await versions(B)],
    ]);
  });

  it('makes one version of what is seen several times in a row, and two where something else comes between', async () => {
    for (const time of [1000, 5000, 3000]) await put(A, text(1), time);
    expect(await versions()).toMatchObject([{ observedAt: 1000, lastSeen: 5000 }]);
    await put(A, text(2), 2000);
    expect(await history(A)).toEqual([
      [3000, 'live', text(1).id],
      [2000, 'live', text(2).id],
      [1000, 'live', text(1).id],
    ]);
    await put(A, text(1), 2000);
    expect(await versions()).toMatchObject([{ observedAt: 1000, lastSeen: 5000 }]);
    await put(A, text(1), 400);
    expect(await versions()).toMatchObject([{ observedAt: 400, lastSeen: 5000 }]);
  });

  it('knows of 32 times that a version was seen again: where it is parted later, the next of them counts', async () => {
    for (let i = 0; i <= 100; i++) await put(A, text(1), i * 1000);
    await put(A, text(2), 50_500);
    const [after, between_, before] = await versions();
    expect(between_).toMatchObject({ observedAt: 50_500, lastSeen: 50_500 });
    expect(before).toMatchObject({ observedAt: 0 });
    expect(after).toMatchObject({ lastSeen: 100_000 });
    expect(after!.observedAt - 50_500).toBeLessThan(10_000);
    expect(50_500 - before!.lastSeen).toBeLessThan(10_000);
  });

  it('says of a gone source what was there last, whenever that is told', async () => {
    await put(A, text(1), 1000, { title: 'first' });
    await fixture.store.apply(gonePlan(A, 5000));
    const late = { ...{ status: 'history', contentId: text(2).id, contentKept: true } };
    expect(await put(A, text(2), 3000, { title: 'last' })).toMatchObject(late);
    const source = { state: 'gone', contentId: text(2).id, title: 'last', lastSeen: 3000, observedAt: 5000 };
    expect(await fixture.store.source(A)).toMatchObject(source);
    expect(await history(A)).toEqual([
      [5000, 'gone', text(2).id],
      [3000, 'live', text(2).id],
      [1000, 'live', text(1).id],
    ]);
    await put(A, text(2), 4000, { bytesDigest: digest(9), title: 'last' });
    expect(await fixture.store.source(A)).toMatchObject({ ...source, lastSeen: 4000, bytesDigest: digest(9) });
    expect(await versions()).toMatchObject([{ state: 'gone', bytesDigest: digest(9) }, {}, {}, {}]);
  });

  it.each([
    [1, 2],
    [3, 0],
    [4, 2],
    [30, 7],
  ])(
    'does not depend on the order in which sightings are told: %i versions, %i past contents',
    async (versionsMax, pastContentsMax) => {
      await start({ versionsMax, pastContentsMax });
      let [round, compared] = [0, 0];
      await fc.assert(
        fc.asyncProperty(TOLD, async ({ all, order }) => {
          const url = `https://${++round}.example/`;
          const contents = chainFrom(1000 * round);
          for (const { time, number, spelling } of order) {
            if (number === null) await fixture.store.apply(gonePlan(url, time));
            else await put(url, contents[number]!, time, { bytesDigest: digest(2 * number + spelling) });
          }
          const runs = runsOf(all, contents);
          const told = runs.toReversed().slice(0, versionsMax);
          expect(await versions(url)).toMatchObject(
            told.map(({ from, to, live, content, spelling }, i) => {
              const older = told[i + 1];
              const isCompared = older !== undefined && older.content !== content;
              compared += Number(isCompared);
              return {
                ...{ observedAt: from, lastSeen: to, state: live ? 'live' : 'gone', contentId: content.id },
                bytesDigest: digest(2 * contents.indexOf(content) + spelling),
                overlap: isCompared ? between(older.content, content) : null,
              };
            }),
          );
        }),
        { seed: 5, numRuns: 40 },
      );
      if (versionsMax > 1) expect(compared).toBeGreaterThan(40);
    },
  );
}
