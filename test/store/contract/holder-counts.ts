import { expect, it } from 'vitest';
import { gonePlan } from '../../support/store/level-plans.ts';
import type { StoreFixture } from './fixture.ts';

const [A, B, C] = ['https://a.example/', 'https://b.example/', 'urn:c'];

/** How many sources hold a content: of each state, whatever they did before. */
export function describeHolderCounts(fixture: StoreFixture): void {
  const { start, text, put } = fixture;
  const counts = (number: number, except: readonly string[] = []) =>
    fixture.store.holderCounts({ id: text(number).id }, except);
  const remove = (url: string) => fixture.store.apply({ kind: 'delete', url, receivedAt: 9000 });

  it('counts who holds a content, one after the other', async () => {
    expect(await counts(1)).toEqual({ live: 0, gone: 0, past: 0 });
    await put(A, text(1), 1000);
    expect(await counts(1)).toEqual({ live: 1, gone: 0, past: 0 });
    await put(B, text(1), 1000);
    await put(C, text(1), 1000);
    await put(B, text(1), 2000);
    expect(await counts(1)).toEqual({ live: 3, gone: 0, past: 0 });
    await fixture.store.apply(gonePlan(B, 3000));
    await put(C, text(2), 3000);
    expect(await counts(1)).toEqual({ live: 1, gone: 1, past: 1 });
    expect(await counts(2)).toEqual({ live: 1, gone: 0, past: 0 });
    await put(B, text(1), 4000);
    await put(C, text(1), 4000);
    expect(await counts(1)).toEqual({ live: 3, gone: 0, past: 0 });
    expect(await counts(2)).toEqual({ live: 0, gone: 0, past: 1 });
    for (const url of [A, B]) await remove(url);
    expect(await counts(1)).toEqual({ live: 1, gone: 0, past: 0 });
    await remove(C);
    for (const number of [1, 2]) expect(await counts(number)).toEqual({ live: 0, gone: 0, past: 0 });
  });

  it('leaves out those that are named, once each, whatever they hold', async () => {
    for (const url of [A, B, C]) await put(url, text(1), 1000);
    await put(B, text(2), 2000);
    await fixture.store.apply(gonePlan(C, 2000));
    expect(await counts(1, [A, A, 'https://unknown.example/'])).toEqual({ live: 0, gone: 1, past: 1 });
    expect(await counts(1, [B])).toEqual({ live: 1, gone: 1, past: 0 });
    expect(await counts(1, [C])).toEqual({ live: 1, gone: 0, past: 1 });
    expect(await counts(2, [A, C])).toEqual({ live: 1, gone: 0, past: 0 });
  });

  it('counts a content that is told late as a past one, and forgets it by its time', async () => {
    await put(A, text(1), 3000);
    await put(A, text(2), 1000);
    await put(B, text(2), 1000);
    expect(await counts(2)).toEqual({ live: 1, gone: 0, past: 1 });
    await put(B, text(3), 2000);
    expect(await counts(2)).toEqual({ live: 0, gone: 0, past: 2 });
    await fixture.store.sweep(Number.MAX_SAFE_INTEGER, 1);
    expect(await counts(2)).toEqual({ live: 0, gone: 0, past: 1 });
    await fixture.store.sweep(Number.MAX_SAFE_INTEGER, 1);
    expect(await counts(2)).toEqual({ live: 0, gone: 0, past: 0 });
  });

  it('counts where the oldest of many past contents go', async () => {
    await start({ pastContentsMax: 1 });
    for (const number of [1, 2, 3]) await put(A, text(number), 1000 * number);
    await put(B, text(1), 1000);
    const all = await Promise.all([1, 2, 3].map((number) => counts(number)));
    expect(all).toEqual([
      { live: 1, gone: 0, past: 0 },
      { live: 0, gone: 0, past: 1 },
      { live: 1, gone: 0, past: 0 },
    ]);
  });

  it('counts plans of one batch, each over those before it', async () => {
    const urls = Array.from({ length: 40 }, (_, i) => `https://h${i % 7}.example/${i}`);
    await Promise.all(urls.map((url) => put(url, text(1), 1000)));
    await Promise.all(urls.slice(0, 30).map((url, i) => (i % 3 === 0 ? remove(url) : put(url, text(2), 2000))));
    expect(await counts(1)).toEqual({ live: 10, gone: 0, past: 20 });
    expect(await counts(2, urls.slice(0, 5))).toEqual({ live: 17, gone: 0, past: 0 });
  });
}
