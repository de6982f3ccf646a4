import { expect, it } from 'vitest';
import { HOST_SOURCES_MAX, hasSampleRow, sourceHash } from '../../../../src/store/host-sample.ts';
import { TEST_RANK_KEY } from '../../../support/store/level-folder.ts';
import { gonePlan } from '../../../support/store/level-plans.ts';
import type { StoreFixture } from '../fixture.ts';

const HOST = 'a.example';
const pages = (count: number, isIt: (url: string) => boolean = () => true) =>
  Array.from({ length: 4000 }, (_, i) => `https://${HOST}/${i}`)
    .filter(isIt)
    .slice(0, count);
const hash = (url: string) => sourceHash(TEST_RANK_KEY, url);
const byHash = (urls: readonly string[]) => urls.toSorted((a, b) => hash(a) - hash(b));

/** Which contents stand for a host, and how they are named. */
export function describeHostContents(fixture: StoreFixture): void {
  const { text, put } = fixture;
  const asked = (host = HOST, known: string | null = null) => fixture.store.hostContents(host, known);
  const ids = async (host = HOST) => (await asked(host)).contents!.map(({ id }) => id);
  const remove = (url: string) => fixture.store.apply({ kind: 'delete', url, receivedAt: 9000 });

  it('has the contents of the live sources of a host, by the hashes of their URLs', async () => {
    expect(await ids()).toEqual([]);
    const urls = pages(6);
    for (const [i, url] of urls.entries()) await put(url, text(i), 1000);
    await put('https://b.a.example/', text(7), 1000);
    await put('https://a.example-b.example/', text(8), 1000);
    await put('urn:a.example', text(9), 1000);
    const expected = (live: readonly string[]) => byHash(live).map((url) => text(urls.indexOf(url)).id);
    expect(await ids()).toEqual(expected(urls));
    await fixture.store.apply(gonePlan(urls[0]!, 2000));
    await remove(urls[1]!);
    expect(await ids()).toEqual(expected(urls.slice(2)));
    await put(urls[0]!, text(0), 3000);
    expect(await ids()).toEqual(expected([urls[0]!, ...urls.slice(2)]));
  });

  it('has each content once, of the source that comes first', async () => {
    const [first, second, third] = byHash(pages(3));
    await put(first!, text(1), 1000);
    await put(second!, text(2), 1000);
    await put(third!, text(1), 1000);
    expect(await ids()).toEqual([text(1).id, text(2).id]);
    await put(first!, text(3), 2000);
    expect(await ids()).toEqual([text(3).id, text(2).id, text(1).id]);
  });

  it('has those of the 64 lowest hashes, whichever have rows of their own', async () => {
    for (const [sampled, others] of [
      [0, 80],
      [30, 50],
      [70, 10],
    ] as const) {
      await fixture.start();
      const urls = [
        ...pages(others, (url) => !hasSampleRow(hash(url))),
        ...pages(sampled, (url) => hasSampleRow(hash(url))),
      ];
      const numbers = new Map(urls.map((url, i) => [url, i]));
      await Promise.all(urls.map((url) => put(url, text(numbers.get(url)!, 12), 1000)));
      const live = [...urls];
      const expected = () =>
        byHash(live)
          .slice(0, HOST_SOURCES_MAX)
          .map((url) => text(numbers.get(url)!, 12).id);
      expect(await ids()).toEqual(expected());
      for (const url of byHash(live).slice(0, 12)) {
        await (hash(url) % 2 === 0 ? remove(url) : fixture.store.apply(gonePlan(url, 2000)));
        live.splice(live.indexOf(url), 1);
      }
      expect(await ids()).toEqual(expected());
    }
  });

  it('names them: while the name is the same they are not given again', async () => {
    const [one, two] = pages(2);
    await put(one!, text(1), 1000);
    const { sample } = await asked();
    expect(await asked(HOST, sample)).toEqual({ sample, contents: null, unreadable: 0 });
    await put(two!, text(1), 1000);
    const renamed = await asked(HOST, sample);
    expect(renamed.contents).toBeNull();
    expect(await asked(HOST, renamed.sample)).toEqual(renamed);
    await put(two!, text(2), 2000);
    expect((await asked(HOST, renamed.sample)).contents).toHaveLength(2);
    await remove(two!);
    expect((await asked(HOST, renamed.sample)).contents).toBeNull();
    await remove(one!);
    expect((await asked(HOST, renamed.sample)).contents).toEqual([]);
  });
}
