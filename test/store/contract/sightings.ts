import { expect, it } from 'vitest';
import { digest, gonePlan, markedContent } from '../../support/store/level-plans.ts';
import type { StoreFixture } from './fixture.ts';

const A = 'https://a.example/';

/** What becomes of a known URL that is seen again: in the same bytes, in others with the same words, or gone. */
export function describeSightings(fixture: StoreFixture): void {
  const { text, put, holders, urlsAndStates, history, lookUp } = fixture;

  it('takes the same bytes again as one more sighting and no new version', async () => {
    await put(A, text(1), 1000, { meta: { kept: true } });
    const again = { status: 'unchanged', contentId: text(1).id, contentIsNew: false, contentKept: true };
    expect(await put(A, text(1), 2000)).toEqual({ ...again, observedAt: 2000 });
    expect(await put(A, text(1), 3000)).toEqual({ ...again, observedAt: 3000 });
    expect(await fixture.store.source(A)).toMatchObject({
      firstSeen: 1000,
      lastSeen: 3000,
      observedAt: 3000,
      meta: { kept: true },
    });
    expect(await history(A)).toEqual([[1000, 'live', text(1).id]]);
    expect(await holders(text(1))).toMatchObject([{ firstSeen: 1000, lastSeen: 3000 }]);
  });

  it('makes a version of other bytes with the same words', async () => {
    await put(A, text(1), 1000);
    expect(await put(A, text(1), 2000, { bytesDigest: digest(9), title: 'new' })).toMatchObject({
      status: 'unchanged',
    });
    expect(await history(A)).toEqual([
      [2000, 'live', text(1).id],
      [1000, 'live', text(1).id],
    ]);
    expect(await fixture.store.source(A)).toMatchObject({ bytesDigest: digest(9), title: 'new' });
  });

  it('takes the same words of which something else is main as another content, and says that nothing has changed', async () => {
    const [menu, article] = [markedContent(101, text(1), 2), markedContent(102, text(1), 3)];
    await put(A, menu, 1000);
    await put('https://b.example/', text(1), 1000);
    expect(await put(A, article, 2000)).toMatchObject({
      status: 'unchanged',
      contentId: article.id,
      contentIsNew: true,
    });
    expect(await urlsAndStates(menu)).toEqual([]);
    expect(await fixture.store.content(menu.id)).toBeUndefined();
    for (const content of [article, text(1)])
      expect((await fixture.store.content(content.id))!.main).toEqual(content.main);
    const { bits: _, ...part } = article.main!;
    expect((await fixture.store.contentHead(article.id))!.main).toEqual(part);
    const [now, before] = await fixture.store.versions(A, { limit: 2 });
    expect([now!.hasSameWords, now!.overlap!.equalSets, before!.hasSameWords]).toEqual([true, true, false]);
    expect(await holders(article)).toMatchObject([{ change: null, contentsBefore: 0 }]);
    await fixture.store.apply(gonePlan(A, 3000));
    expect(await put(A, menu, 4000)).toMatchObject({ status: 'back', contentId: menu.id });
    expect((await lookUp(text(1))).found).toBe(2);
  });

  it('tells gone sources from live ones and finds their content still', async () => {
    expect(await fixture.store.apply(gonePlan(A, 500))).toEqual({
      status: 'unknown',
      contentId: null,
      contentIsNew: false,
      contentKept: false,
      observedAt: 500,
    });
    await put(A, text(1), 1000);
    const gone = { status: 'gone', contentId: text(1).id, contentIsNew: false, contentKept: true };
    expect(await fixture.store.apply(gonePlan(A, 2000, { httpStatus: 410 }))).toEqual({ ...gone, observedAt: 2000 });
    expect(await fixture.store.apply(gonePlan(A, 3000))).toEqual({ ...gone, observedAt: 3000 });
    expect(await fixture.store.source(A)).toMatchObject({
      state: 'gone',
      httpStatus: 404,
      lastSeen: 1000,
      observedAt: 3000,
    });
    expect(await urlsAndStates(text(1))).toEqual([[A, 'gone']]);
    expect((await lookUp(text(1))).found).toBe(1);
    expect(await put(A, text(1), 4000)).toMatchObject({ status: 'back' });
    expect(await history(A)).toEqual([
      [4000, 'live', text(1).id],
      [2000, 'gone', text(1).id],
      [1000, 'live', text(1).id],
    ]);
    expect(await fixture.store.apply(gonePlan(A, 1500))).toMatchObject({ status: 'history' });
    expect(await fixture.store.source(A)).toMatchObject({ state: 'live', lastSeen: 4000 });
  });

  it('tells nothing of what was there before it was gone, where the only sighting of that was taken back', async () => {
    await put(A, text(1), 1000);
    await put(A, text(1), 3000);
    await fixture.store.apply(gonePlan(A, 2000));
    await fixture.store.apply(gonePlan(A, 1000));
    expect(await history(A)).toEqual([
      [3000, 'live', text(1).id],
      [1000, 'gone', null],
    ]);
  });

  it('keeps none of several contents of one moment, where another was seen at that', async () => {
    await put(A, text(1), 2000);
    await fixture.store.apply(gonePlan(A, 3000));
    await put(A, text(2), 2000);
    await put(A, text(3), 4000);
    expect([await urlsAndStates(text(1)), await urlsAndStates(text(2))]).toEqual([[], [[A, 'past']]]);
    await put(A, text(4), 2000);
    expect([await urlsAndStates(text(1)), await urlsAndStates(text(2))]).toEqual([[], []]);
    expect(await urlsAndStates(text(4))).toEqual([[A, 'past']]);
  });
}
