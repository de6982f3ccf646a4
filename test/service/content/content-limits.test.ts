import { afterEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../src/store/port.ts';
import { createTextMaker } from '../../support/core/make-documents.ts';
import { article, frame, framedPage } from '../../support/pages/framed-page.ts';
import { collapse } from '../../support/service/collapse-fixture.ts';
import {
  ALL,
  createServiceFixture,
  type FixtureOptions,
  ofUrl,
  type ServiceFixture,
} from '../../support/service/service-fixture.ts';

const make = createTextMaker(79);
const htmlOf = (html: string) => ({ bytes: Buffer.from(html), contentType: 'text/html; charset=utf-8' });
const [frameA, frameB] = [frame(make, 400), frame(make, 500)];
const story = article(make, 160);
const [STORY, COPY] = ['https://a.example/story', 'https://b.example/story'];

describe('what an answer says of contents that it could not tell', () => {
  let fixture: ServiceFixture;
  afterEach(() => fixture.close());

  async function putSites(options: FixtureOptions) {
    fixture = createServiceFixture(options);
    for (let n = 0; n < 4; n++) {
      await fixture.put(`https://a.example/${n}`, '', { body: htmlOf(framedPage(frameA, article(make, 160))) });
    }
    await fixture.put(STORY, '', { body: htmlOf(framedPage(frameA, story)) });
    await fixture.put(COPY, '', { body: htmlOf(framedPage(frameB, story)) });
  }

  /** A store in which a record of a.example cannot be read. */
  const withoutOne = (store: Store): Store =>
    over(store, {
      hostContents: async (host, known) => {
        const found = await store.hostContents(host, known);
        if (host !== 'a.example' || found.contents === null) return found;
        return { ...found, contents: found.contents.slice(1), unreadable: 1 };
      },
    });
  /** A store in which reading what stands for a host never ends. */
  const endless = (store: Store): Store => over(store, { hostContents: () => new Promise(() => {}) });

  it('names the hosts whose templates lack pages that cannot be read, also where they were kept', async () => {
    await putSites({ wrapStore: withoutOne });
    const limits = [{ code: 'template', affected: 1, of: 2 }];
    for (let asked = 0; asked < 2; asked++) {
      expect(await fixture.similar(ofUrl(STORY), { content: 'main' })).toMatchObject({ limits, complete: false });
    }
    // the templates are read for figures that decide nothing here
    const byPage = await fixture.similar(ofUrl(COPY), {
      thresholds: { resemblance: 0.05, queryInMatch: null, matchInQuery: null },
    });
    expect(byPage).toMatchObject({ limits, complete: true });
    const [a, b] = [ofUrl(STORY), ofUrl(COPY)];
    const thresholds = { resemblance: null, aInB: null, bInA: null };
    const compared = await fixture.service.compare(
      { a, b, thresholds, passages: false, fetch: 'never', deadlineMs: null },
      ALL,
    );
    expect(compared.limits).toEqual(limits);
    const results = [{ url: STORY }, { url: COPY }];
    expect(await collapse(fixture, results, { content: 'main' })).toMatchObject({ limits, complete: false });
    expect(await collapse(fixture, results)).toMatchObject({ limits: [], complete: true });
  });

  it('says that the deadline came before contents were told, though no match is missing', async () => {
    await putSites({ wrapStore: endless });
    const { matches, limits, complete } = await fixture.similar(ofUrl(STORY), { deadlineMs: 1000 });
    expect(matches.length).toBeGreaterThan(2);
    for (const match of matches) expect(match).toMatchObject({ content: null, contentUnknown: 'deadline' });
    expect(limits).toEqual([{ code: 'deadline', affected: matches.length, of: matches.length }]);
    expect(complete).toBe(true);
  });
});

function over(store: Store, methods: Partial<Store>): Store {
  return new Proxy(store, {
    get: (target, name) => {
      const value = Reflect.get(name in methods ? methods : target, name);
      return typeof value === 'function' ? value.bind(name in methods ? methods : target) : value;
    },
  });
}
