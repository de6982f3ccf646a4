import { describe, expect, it, onTestFinished } from 'vitest';
import { DEFAULT_CLUSTER_OPTIONS } from '../../../src/service/limits.ts';
import { DEFAULT_MOVED_OPTIONS } from '../../../src/service/moved/moved-options.ts';
import type { Content, Store } from '../../../src/store/port.ts';
import { COMPOSED } from '../../support/service/composition-fixture.ts';
import { exactFixture, patchwork, putSites } from '../../support/service/plain-contents.ts';
import { ALL, ofUrl, type ServiceFixture } from '../../support/service/service-fixture.ts';

/* What holds of all calls that go by contents, or tell of them. */

const SITES = patchwork(7, { hosts: 2, pages: 5 });
const [FIRST] = SITES;
const THRESHOLDS = { resemblance: 0.1, queryInMatch: null, matchInQuery: null };
type Wish = 'page' | 'main' | 'auto';

/** Every call about the first page, without what differs from one answer to the next. */
async function askAll({ service, similar }: ServiceFixture, content: Wish, deadlineMs = 20_000) {
  const url = FIRST!.url;
  const [found, composition, clusters, moved] = await Promise.all([
    similar(ofUrl(url), { thresholds: THRESHOLDS, content, deadlineMs }),
    service.compose(ofUrl(url), { ...COMPOSED, content, deadlineMs }, ALL),
    service.clusters({ ...DEFAULT_CLUSTER_OPTIONS, url, threshold: 0.1, content, deadlineMs }, ALL),
    service.moved({ ...DEFAULT_MOVED_OPTIONS, url, always: true, content, deadlineMs }, ALL),
  ]);
  const answers = { similar: found, composition, clusters, moved };
  return JSON.parse(JSON.stringify(answers, (key, value) => (VARYING.has(key) ? undefined : value))) as typeof answers;
}

const VARYING = new Set(['elapsedMs', 'asOf']);

async function fixtureOf(sites: typeof SITES, wrapStore?: (store: Store) => Store): Promise<ServiceFixture> {
  const fixture = exactFixture(wrapStore === undefined ? {} : { wrapStore });
  onTestFinished(() => fixture.close());
  await putSites(fixture, sites);
  return fixture;
}

function over(store: Store, methods: Partial<Store>): Store {
  return new Proxy(store, {
    get: (target, name) => {
      const from = name in methods ? methods : target;
      const value = Reflect.get(from, name);
      return typeof value === 'function' ? value.bind(from) : value;
    },
  });
}

/** An index of before main texts were read. */
function unread(store: Store): Store {
  const one = <C extends Content>(content: C): C => ({ ...content, main: 'not-read' });
  return over(store, {
    content: async (id) => {
      const content = await store.content(id);
      return content && one(content);
    },
    candidates: async (query) => {
      const set = await store.candidates(query);
      return { ...set, candidates: set.candidates.map((found) => ({ ...found, record: one(found.record) })) };
    },
    neighbours: async (query) => {
      const set = await store.neighbours(query);
      return { ...set, contents: set.contents.map(one) };
    },
    hostContents: async (host, known) => {
      const found = await store.hostContents(host, known);
      return { ...found, contents: found.contents?.map(one) ?? null };
    },
  });
}

describe('every call by content', () => {
  it('answers the same whatever the order of writes', async () => {
    const [one, other] = [await fixtureOf(SITES), await fixtureOf(SITES.toReversed())];
    // of an earlier version of each page nothing is left
    await putSites(other, SITES);
    for (const content of ['page', 'main', 'auto'] as const) {
      const [a, b] = [await askAll(one, content), await askAll(other, content)];
      expect(a).toEqual(b);
      expect(a.similar.matches.length).toBeGreaterThan(0);
      expect(a.composition.parts.length).toBeGreaterThan(0);
      expect(a.clusters.index!.members.length).toBeGreaterThan(1);
    }
  });

  it('says of an index of before that contents were not read, and goes by pages or finds nothing', async () => {
    const fixture = await fixtureOf(SITES, unread);
    const page = await askAll(fixture, 'page');
    const notRead = { content: null, contentUnknown: 'not-read' };
    expect(page.composition).toMatchObject(notRead);
    for (const told of [page.similar.matches, page.composition.parts, page.clusters.index!.members]) {
      expect(told.length).toBeGreaterThan(0);
      for (const one of told) expect(one).toMatchObject(notRead);
    }
    const main = await askAll(fixture, 'main');
    expect(main.similar).toMatchObject({ matches: [], contentUnknown: 'not-read' });
    expect(main.composition).toMatchObject({ parts: [], ...notRead, decidedBy: null });
    expect(main.clusters.index).toMatchObject({ contentCount: 1, contentUnknown: 'not-read' });
    expect(main.moved).toMatchObject({ candidates: [], contentUnknown: 'not-read' });
    const auto = await askAll(fixture, 'auto');
    const without = (answer: unknown) =>
      JSON.parse(JSON.stringify(answer, (key, value) => (key === 'decidedBy' ? undefined : value))) as unknown;
    expect(without(auto)).toEqual(page);
  });

  it('says that there was no time for contents where pages count, and that nothing is missing for that', async () => {
    const endless = (store: Store) => over(store, { hostContents: () => new Promise(() => {}) });
    const fixture = await fixtureOf(SITES, endless);
    const { similar, composition, clusters, moved } = await askAll(fixture, 'page', 1000);
    const untold = { content: null, contentUnknown: 'deadline' };
    for (const told of [similar.matches, composition.parts, clusters.index!.members]) {
      expect(told.length).toBeGreaterThan(0);
      for (const one of told) expect(one).toMatchObject(untold);
    }
    for (const { limits, complete } of [similar, composition, clusters.index!]) {
      expect(limits.filter(({ code }) => code === 'deadline')).toHaveLength(1);
      expect(complete).toBe(true);
    }
    expect(moved.complete).toBe(true);
    await expect(askAll(fixture, 'main', 1000)).rejects.toMatchObject({ code: 'deadline-exceeded' });
  });
});
