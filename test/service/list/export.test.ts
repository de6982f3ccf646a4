import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Selection } from '../../../src/service/api.ts';
import type { Store } from '../../../src/store/port.ts';
import {
  selectedByHand as byHand,
  createListedIndex,
  LISTED,
  pagesOf,
  urlsOf,
} from '../../support/service/listed-index.ts';
import { ALL, createServiceFixture, type ServiceFixture } from '../../support/service/service-fixture.ts';
import { withMethods } from '../../support/store/store-methods.ts';

let fixture: ServiceFixture;
beforeAll(async () => {
  fixture = await createListedIndex();
});
afterAll(() => fixture.close());

describe('documents that cannot be read', () => {
  it('are told by their URLs in lists and exports, and counted elsewhere', async () => {
    const lost = ['https://a.example/docs/03', 'https://a.example/docs/05'];
    const broken = await createListedIndex({ wrapStore: losing(lost) });
    const selection: Selection = { host: 'a.example', state: 'live' };
    const expected = byHand(selection).filter((url) => !lost.includes(url));
    for (const limit of [1, 3, 100]) {
      const pages = await pagesOf(broken, selection, limit);
      expect(urlsOf(pages)).toEqual(expected);
      expect(pages.flatMap(({ unreadable }) => unreadable)).toEqual(lost);
    }
    const lines = [];
    for await (const line of broken.service.export(selection, null, ALL)) lines.push(line);
    expect(lines).toHaveLength(expected.length + 2);
    expect(lines.filter((line) => 'code' in line).map(({ url }) => url)).toEqual(lost);
    const hosts = await broken.service.countByHost(selection, { limit: 10, cursor: null }, ALL);
    expect(hosts).toMatchObject({ hosts: [{ documents: expected.length }], unreadableCount: 2 });
    const counted = await broken.service.forgetSelected(selection, { dryRun: true, confirm: null }, ALL);
    expect(counted).toMatchObject({ matched: expected.length, unreadableCount: 2 });
    await broken.close();
  });
});

describe('an export', () => {
  it('has each document of the selection with its versions, after a URL where one is given', async () => {
    const lines = [];
    const after = LISTED[4]!;
    for await (const line of fixture.service.export({ state: 'gone' }, after, ALL)) lines.push(line);
    const urls = byHand({ state: 'gone' }).filter((url) => LISTED.indexOf(url) > 4);
    expect(lines.map(({ url }) => url)).toEqual(urls);
    const { documents } = await fixture.service.list({}, { limit: 1000, cursor: null }, ALL);
    for (const line of lines) {
      const { versions } = await fixture.service.versions(line.url, { limit: 10, cursor: null }, ALL);
      expect(line).toEqual({ ...documents.find(({ url }) => url === line.url), versions, moreVersions: false });
    }
  });

  it('says where there are more versions than it tells', async () => {
    const many = createServiceFixture({ limits: { limitMax: 3 } });
    for (let i = 0; i < 4; i++)
      await many.put('urn:x', `these are words of version ${i}`, { observedAt: 1000 * (i + 1) });
    for (let i = 0; i < 3; i++)
      await many.put('urn:y', `these are words of version ${i}`, { observedAt: 1000 * (i + 1) });
    const lines = [];
    for await (const line of many.service.export({}, null, ALL)) lines.push(line);
    expect(lines).toMatchObject([
      { url: 'urn:x', moreVersions: true, versions: { length: 3 } },
      { url: 'urn:y', moreVersions: false, versions: { length: 3 } },
    ]);
    await many.close();
  });

  it('ends where nobody waits for it any more', async () => {
    const caller = new AbortController();
    const lines = fixture.service.export({}, null, ALL, caller.signal);
    await lines.next();
    caller.abort();
    await expect(Array.fromAsync(lines)).resolves.toHaveLength(LISTED.length - 1);
    await expect(fixture.service.export({}, null, ALL, caller.signal).next()).rejects.toMatchObject({
      code: 'deadline-exceeded',
    });
  });
});

function losing(urls: readonly string[]): (store: Store) => Store {
  return withMethods((store) => ({
    sources: async (range, options) => {
      const page = await store.sources(range, options);
      const listed = page.listed.map((one) => (urls.includes(one.url) ? { ...one, source: null, versions: [] } : one));
      return { ...page, listed };
    },
  }));
}
