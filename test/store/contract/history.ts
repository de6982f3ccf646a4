import { expect, it } from 'vitest';
import { contentOf, digest, fingerprintsOf, gonePlan } from '../../support/store/level-plans.ts';
import type { StoreFixture } from './fixture.ts';

const A = 'https://a.example/';
const B = 'https://b.example/';
const DAY = 24 * 3_600_000;

/** What becomes of old contents and old versions. */
export function describeHistory(fixture: StoreFixture): void {
  const { start, text, put, holders, urlsAndStates, history, lookUp, counts } = fixture;

  it('keeps the old content of an updated source as past, and finds it', async () => {
    await put(A, text(1), 1000, { title: 'old' });
    const outcome = await put(A, text(2), 5000, { title: 'new' });
    expect(outcome).toEqual({
      ...{ status: 'updated', contentId: text(2).id, contentIsNew: true, contentKept: true, observedAt: 5000 },
    });
    expect(await holders(text(1))).toMatchObject([
      { url: A, state: 'past', firstSeen: 1000, lastSeen: 1000, title: 'old' },
    ]);
    expect(await holders(text(2))).toMatchObject([{ url: A, state: 'live', firstSeen: 5000, title: 'new' }]);
    expect((await lookUp(text(1))).candidates.map(({ record }) => record.id)).toEqual([text(1).id]);
    expect(await fixture.store.source(A)).toMatchObject({ firstSeen: 1000, lastSeen: 5000, contentId: text(2).id });
  });

  it('drops an old content at once where the new one hardly differs, and says so in its versions', async () => {
    const [before, after] = [contentOf(1, fingerprintsOf(0, 100)), contentOf(2, fingerprintsOf(4, 100))];
    await put(A, before, 1000);
    await put(A, after, 2000);
    expect(await fixture.store.content(before.id)).toBeUndefined();
    expect(await counts()).toMatchObject({ contents: 1 });
    expect(
      (await fixture.store.versions(A, { limit: 9 })).map(({ contentId, contentKept }) => [contentId, contentKept]),
    ).toEqual([
      [after.id, true],
      [before.id, false],
    ]);
    // a content that comes again is a new one, but the version knows its name
    await put(B, before, 3000);
    expect((await fixture.store.versions(A, { limit: 9 })).map(({ contentKept }) => contentKept)).toEqual([true, true]);
  });

  it('keeps so many past contents a source, those seen last', async () => {
    for (let i = 1; i <= 6; i++) await put(A, text(i), i * 1000);
    expect(await counts()).toMatchObject({ contents: 4 });
    for (const gone of [1, 2]) expect(await fixture.store.content(text(gone).id)).toBeUndefined();
    for (const past of [3, 4, 5]) expect(await urlsAndStates(text(past))).toEqual([[A, 'past']]);
    await start({ pastContentsMax: 0 });
    for (let i = 1; i <= 3; i++) await put(A, text(i), i * 1000);
    expect(await counts()).toMatchObject({ contents: 1 });
  });

  it('lets a content come back from the past', async () => {
    await put(A, text(1), 1000);
    await put(A, text(2), 2000);
    expect(await put(A, text(1), 3000)).toMatchObject({
      status: 'updated',
      contentId: text(1).id,
      contentIsNew: false,
    });
    expect(await holders(text(1))).toMatchObject([{ state: 'live', firstSeen: 1000, lastSeen: 3000 }]);
    expect(await urlsAndStates(text(2))).toEqual([[A, 'past']]);
    expect(await counts()).toMatchObject({ contents: 2 });
  });

  it('enters an older sighting into the history and leaves the present alone', async () => {
    await put(A, text(1), 5000, { meta: { mine: 1 } });
    const outcome = await put(A, text(2), 1000, { receivedAt: 6000, meta: { older: 1 } });
    expect(outcome).toEqual({
      ...{ status: 'history', contentId: text(1).id, contentIsNew: true, contentKept: true, observedAt: 1000 },
    });
    expect(await fixture.store.source(A)).toMatchObject({
      contentId: text(1).id,
      firstSeen: 1000,
      lastSeen: 5000,
      observedAt: 5000,
      meta: { mine: 1 },
    });
    expect(await history(A)).toEqual([
      [5000, 'live', text(1).id],
      [1000, 'live', text(2).id],
    ]);
    expect(await urlsAndStates(text(2))).toEqual([[A, 'past']]);
  });

  it('keeps contents of years ago as long as any others from when it is told of them', async () => {
    const receivedAt = 5000 * DAY;
    for (const years of [10, 11, 12]) {
      const outcome = await put(A, text(years), years * 365 * DAY, { receivedAt });
      expect(outcome).toMatchObject({ contentIsNew: true, contentKept: true });
    }
    expect(await put(A, text(9), 9 * 365 * DAY, { receivedAt: receivedAt + DAY })).toMatchObject({
      ...{ status: 'history', contentIsNew: true, contentKept: true },
    });
    for (const years of [9, 10, 11]) expect(await urlsAndStates(text(years))).toEqual([[A, 'past']]);
    expect(await fixture.store.sweep(receivedAt + 364 * DAY, 9)).toEqual({ examined: 0, forgotten: 0 });
    expect(await fixture.store.sweep(receivedAt + 365 * DAY, 9)).toEqual({ examined: 2, forgotten: 2 });
    // told of once more it stays for as long again
    await put(A, text(9), 9 * 365 * DAY, { receivedAt: receivedAt + 300 * DAY });
    expect(await fixture.store.sweep(receivedAt + 600 * DAY, 9)).toEqual({ examined: 0, forgotten: 0 });
  });

  it('counts retention from the last sight where a clock was set back since', async () => {
    await put(A, text(1), 1000 * DAY);
    await put(A, text(2), 1001 * DAY, { receivedAt: 5 * DAY });
    expect(await fixture.store.sweep(1364 * DAY, 9)).toEqual({ examined: 0, forgotten: 0 });
    expect(await fixture.store.sweep(1365 * DAY, 9)).toEqual({ examined: 1, forgotten: 1 });
  });

  it('says so where an older content is not kept, since there are enough or it hardly differs', async () => {
    await put(A, contentOf(1, fingerprintsOf(0, 100)), 1000 * DAY);
    const near = contentOf(3, fingerprintsOf(4, 100));
    const notKept = { status: 'history', contentIsNew: false, contentKept: false };
    expect(await put(A, near, 999 * DAY, { receivedAt: 1000 * DAY })).toMatchObject(notKept);
    expect(await counts()).toMatchObject({ contents: 1 });
    expect((await fixture.store.versions(A, { limit: 9 })).map(({ contentKept }) => contentKept)).toEqual([
      true,
      false,
    ]);
    for (const day of [998, 997, 996]) {
      expect(await put(A, text(day), day * DAY)).toMatchObject({ contentKept: true });
    }
    expect(await put(A, text(995), 995 * DAY)).toMatchObject(notKept);
    // another source holds it: this one does not
    await put(B, text(995), 1000 * DAY);
    expect(await put(A, text(995), 994 * DAY)).toMatchObject(notKept);
    expect(await urlsAndStates(text(995))).toEqual([[B, 'live']]);
    await start({ pastMs: 0 });
    await put(A, text(1), 5000);
    expect(await put(A, text(2), 4000)).toMatchObject(notKept);
  });

  it('keeps no content that no version names, where another was seen at that moment', async () => {
    await put(A, text(1), 3000);
    await put(A, text(2), 2000);
    await put(A, text(3), 3000);
    expect(await urlsAndStates(text(1))).toEqual([]);
    await put(A, text(4), 2000);
    expect(await urlsAndStates(text(2))).toEqual([]);
    expect(await history(A)).toEqual([
      [3000, 'live', text(3).id],
      [2000, 'live', text(4).id],
    ]);
    expect(await counts()).toMatchObject({ contents: 2 });
    // one that was seen at another time, too, stays
    await put(B, text(5), 1000);
    await put(B, text(5), 2000, { bytesDigest: digest(77) });
    await put(B, text(6), 2000);
    expect(await urlsAndStates(text(5))).toEqual([[B, 'past']]);
  });

  it('takes what is seen now as later than all that is known, whatever the clock says', async () => {
    const now = { observedAt: null, receivedAt: 5000 };
    expect(await put(A, text(1), 0, now)).toMatchObject({ status: 'created', observedAt: 5000 });
    // within the same millisecond, too
    expect(await put(A, text(4), 0, now)).toMatchObject({ status: 'updated', observedAt: 5001 });
    await put(A, text(2), 900_000);
    expect(await put(A, text(3), 0, now)).toMatchObject({ status: 'updated', observedAt: 900_001 });
    expect(await fixture.store.apply(gonePlan(A, 0, now))).toMatchObject({ status: 'gone', observedAt: 900_002 });
    expect(await put(A, text(3), 0, now)).toMatchObject({ status: 'back', observedAt: 900_003 });
    expect((await history(A)).map(([time, state]) => [time, state])).toEqual([
      [900_003, 'live'],
      [900_002, 'gone'],
      [900_001, 'live'],
      [900_000, 'live'],
      [5001, 'live'],
      [5000, 'live'],
    ]);
    for (const past of [1, 2, 4]) expect(await urlsAndStates(text(past))).toEqual([[A, 'past']]);
  });

  it('knows nothing of what a source was that is said to be gone before it was first seen', async () => {
    await put(A, text(1), 5000);
    expect(await fixture.store.apply(gonePlan(A, 1000))).toMatchObject({ status: 'history' });
    expect(await fixture.store.versions(A, { limit: 9 })).toMatchObject([
      { observedAt: 5000, contentId: text(1).id, contentKept: true },
      { observedAt: 1000, state: 'gone', contentId: null, bytesDigest: null, contentKept: false },
    ]);
    expect(await fixture.store.source(A)).toMatchObject({ state: 'live', firstSeen: 5000 });
  });

  it('keeps the present version the newest, whatever is said later of the time between', async () => {
    await put(A, text(1), 1000);
    await put(A, text(1), 5000);
    await put(A, text(2), 3000, { receivedAt: 6000 });
    expect(await history(A)).toEqual([
      [5000, 'live', text(1).id],
      [3000, 'live', text(2).id],
      [1000, 'live', text(1).id],
    ]);
  });

  it('lets the later plan win where two speak of the same moment', async () => {
    await put(A, text(1), 1000);
    await put(A, text(1), 5000);
    await put(A, text(2), 1000, { receivedAt: 6000, title: 'first' });
    expect(await history(A)).toEqual([
      [5000, 'live', text(1).id],
      [1000, 'live', text(2).id],
    ]);
    await put(A, text(2), 1000, { receivedAt: 7000, title: 'second' });
    expect(await holders(text(2))).toMatchObject([{ state: 'past', title: 'second' }]);
    expect(await put(A, text(3), 5000)).toMatchObject({ status: 'updated' });
    expect(await history(A)).toEqual([
      [5000, 'live', text(3).id],
      [1000, 'live', text(2).id],
    ]);
  });

  it('keeps so many versions, the newest', async () => {
    await start({ versionsMax: 3 });
    for (let i = 1; i <= 5; i++) await put(A, text(1), i * 1000, { bytesDigest: digest(i) });
    expect((await history(A)).map(([time]) => time)).toEqual([5000, 4000, 3000]);
    expect((await fixture.store.versions(A, { limit: 1, before: 5000 })).map(({ observedAt }) => observedAt)).toEqual([
      4000,
    ]);
    expect(await fixture.store.versions(A, { limit: 9, before: 3000 })).toEqual([]);
    await put(A, text(1), 100, { bytesDigest: digest(9) });
    expect((await history(A)).map(([time]) => time)).toEqual([5000, 4000, 3000]);
  });

  it('forgets past contents when their time is up, and only when it is swept', async () => {
    await put(A, text(1), 1 * DAY);
    await put(A, text(2), 2 * DAY);
    await put(A, text(3), 3 * DAY);
    await put(B, text(2), 3 * DAY);
    expect(await fixture.store.sweep(365 * DAY, 10)).toEqual({ examined: 0, forgotten: 0 });
    expect(await fixture.store.sweep(400 * DAY, 1)).toEqual({ examined: 1, forgotten: 1 });
    expect(await fixture.store.content(text(1).id)).toBeUndefined();
    expect(await fixture.store.sweep(400 * DAY, 10)).toEqual({ examined: 1, forgotten: 0 });
    expect(await urlsAndStates(text(2))).toEqual([[B, 'live']]);
    expect(await fixture.store.sweep(900 * DAY, 10)).toEqual({ examined: 0, forgotten: 0 });
  });

  it('sweeps as many as it is told to, however many there are', async () => {
    const urls = Array.from({ length: 50 }, (_, i) => `https://${i}.example/`);
    await Promise.all(urls.map((url, i) => put(url, contentOf(i, [i]), 1000)));
    await Promise.all(urls.map((url, i) => put(url, contentOf(100 + i, [100 + i]), 2000)));
    expect(await fixture.store.sweep(900 * DAY, 33)).toEqual({ examined: 33, forgotten: 33 });
    expect(await fixture.store.sweep(900 * DAY, 1000)).toEqual({ examined: 17, forgotten: 17 });
    expect(await counts()).toEqual({ sources: 50, contents: 50, postings: 50 });
  });
}
