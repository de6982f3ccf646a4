import { expect, it } from 'vitest';
import { digest, gonePlan, samePlan } from '../../support/store/level-plans.ts';
import type { StoreFixture } from './fixture.ts';

const A = 'https://a.example/';
const B = 'https://b.example/';

/** A source that is seen to say what another one said, or itself: its content need not come once more. */
export function describeSame(fixture: StoreFixture): void {
  const { text, put, holders, urlsAndStates, history } = fixture;
  const same = (...plan: Parameters<typeof samePlan>) => fixture.store.apply(samePlan(...plan));
  const UNKNOWN = { status: 'unknown', contentId: null, contentIsNew: false, contentKept: false };

  it('gives a source the content of another one', async () => {
    await put(A, text(1), 1000, { title: 'One', language: 'en', finalUrl: `${A}final`, meta: { of: 'a' } });
    const told = { status: 'created', contentId: text(1).id, contentIsNew: false, contentKept: true };
    expect(await same(B, A, 2000, { spelling: `${B}#x` })).toEqual({ ...told, observedAt: 2000 });
    expect(await urlsAndStates(text(1))).toEqual([
      [A, 'live'],
      [B, 'live'],
    ]);
    expect(await fixture.store.source(B)).toEqual({
      ...(await fixture.store.source(A)),
      ...{ url: B, spelling: `${B}#x`, firstSeen: 2000, lastSeen: 2000, observedAt: 2000, finalUrl: null, meta: null },
    });
    expect(await fixture.counts()).toMatchObject({ sources: 2, contents: 1 });
  });

  it('takes the content that the other one had then, also where it has another since', async () => {
    await put(A, text(1), 1000);
    await put(A, text(2), 3000);
    expect(await same(B, A, 2000)).toMatchObject({ status: 'created', contentId: text(1).id });
    expect(await same(B, A, 5000, { asAt: 1000 })).toMatchObject({ status: 'unchanged', contentId: text(1).id });
    expect(await same(B, A, 6000)).toMatchObject({ status: 'updated', contentId: text(2).id });
    expect(await same(B, A, 500, { asAt: 2999 })).toMatchObject({ status: 'history', contentId: text(2).id });
    expect(await history(B)).toEqual([
      [6000, 'live', text(2).id],
      [500, 'live', text(1).id],
    ]);
  });

  it('sees a source again by itself, and lets it come back', async () => {
    await put(A, text(1), 1000, { bytesDigest: digest(5), finalUrl: `${A}final`, meta: { kept: true } });
    expect(await same(A, A, 2000)).toMatchObject({ status: 'unchanged', observedAt: 2000 });
    const seen = {
      lastSeen: 2000,
      bytesDigest: digest(5),
      httpStatus: 200,
      finalUrl: `${A}final`,
      meta: { kept: true },
    };
    expect(await fixture.store.source(A)).toMatchObject(seen);
    expect(await history(A)).toEqual([[1000, 'live', text(1).id]]);
    await fixture.store.apply(gonePlan(A, 3000));
    expect(await same(A, A, 4000, { httpStatus: 203 })).toMatchObject({ status: 'back' });
    expect(await fixture.store.source(A)).toMatchObject({ state: 'live', httpStatus: 203 });
    await put(A, text(2), 5000);
    expect(await same(A, A, 6000, { asAt: 1000 })).toMatchObject({ status: 'updated', contentId: text(1).id });
    expect(await holders(text(1))).toMatchObject([{ url: A, state: 'live', firstSeen: 1000, lastSeen: 6000 }]);
  });

  it('does not know what it was not told, or has forgotten', async () => {
    expect(await same(B, A, 2000)).toEqual({ ...UNKNOWN, observedAt: 2000 });
    await put(A, text(1), 1000);
    expect(await same(B, A, 999)).toEqual({ ...UNKNOWN, observedAt: 999 });
    expect(await same(B, A, 2000, { asAt: 0 })).toEqual({ ...UNKNOWN, observedAt: 2000 });
    expect(await fixture.store.source(B)).toBeUndefined();
    await fixture.start({ pastMs: 0 });
    await put(A, text(1), 1000);
    await put(A, text(2), 2000);
    expect(await same(B, A, 3000, { asAt: 1000 })).toEqual({ ...UNKNOWN, observedAt: 3000 });
    // before the first version nothing was there, whatever its absence says
    await fixture.store.apply(gonePlan(A, 10));
    expect(await same(B, A, 20)).toEqual({ ...UNKNOWN, observedAt: 20 });
  });

  it('holds a content with the others: it stays until the last of them is gone', async () => {
    await put(A, text(1), 1000);
    await same(B, A, 2000);
    await fixture.store.apply({ kind: 'delete', url: A, receivedAt: 3000 });
    expect(await urlsAndStates(text(1))).toEqual([[B, 'live']]);
    await fixture.store.apply({ kind: 'delete', url: B, receivedAt: 3000 });
    expect(await fixture.counts()).toEqual({ sources: 0, contents: 0, postings: 0 });
  });
}
