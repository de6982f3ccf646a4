import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { roundShare } from '../../../src/core/compare/shares.ts';
import type { ClusterRequest, IndexCluster } from '../../../src/service/clusters/cluster-api.ts';
import { DEFAULT_CLUSTER_OPTIONS } from '../../../src/service/limits.ts';
import { allPairs, allRecords, componentOf } from '../../support/cluster/cluster-oracle.ts';
import { createTextMaker } from '../../support/core/make-documents.ts';
import {
  ALL,
  createServiceFixture,
  type FixtureOptions,
  IDENTITY,
  refused,
  type ServiceFixture,
  SHINGLE_SIZE,
} from '../../support/service/service-fixture.ts';
import { openFolder } from '../../support/store/level-folder.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

const urlOf = (number: number) => `https://a.example/${number}`;

function fixtureFor(options: FixtureOptions = {}): ServiceFixture {
  const fixture = createServiceFixture(options);
  onTestFinished(() => fixture.close());
  return fixture;
}

/** The same over an index on disk. */
async function fixtureOnDisk(): Promise<ServiceFixture> {
  const folder = temporaryFolder();
  const { keyId, fingerprintId, rankKey } = IDENTITY;
  const store = await openFolder(folder, { keyId, fingerprintId, rankKey, shingleSize: SHINGLE_SIZE });
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  return fixtureFor({ wrapStore: () => store });
}

async function clusterOf(
  { service }: ServiceFixture,
  url: string,
  options: Partial<ClusterRequest> = {},
): Promise<IndexCluster> {
  const asked = { ...DEFAULT_CLUSTER_OPTIONS, deadlineMs: 20_000, url, ...options };
  return (await service.clusters(asked, ALL)).index!;
}

/** Holds clusters of some URLs against all pairs of all records. */
async function checkAgainstAll(
  fixture: ServiceFixture,
  thresholds: readonly number[],
  urlsMost: number,
): Promise<void> {
  const known = await allRecords(fixture.store);
  const urls = [...known.contentOf.keys()].slice(0, urlsMost);
  for (const by of ['resemblance', 'containment'] as const) {
    const pairs = allPairs(known, by);
    for (const threshold of thresholds) {
      for (const url of urls) {
        const cluster = await clusterOf(fixture, url, { threshold, by });
        const expected = componentOf(pairs, known.contentOf.get(url)!, threshold);
        expect(cluster.members.map(({ contentId }) => contentId).sort()).toEqual([...expected.members].sort());
        const weights = cluster.members.slice(1).map(({ joinedBy }) => joinedBy!.likeness.estimate);
        expect(weights.toSorted((a, b) => b - a)).toEqual(expected.weights.map(roundShare));
        expect(cluster.weakest?.likeness.estimate).toEqual(
          expected.weights.length === 0 ? undefined : roundShare(expected.weights.at(-1)!),
        );
        expect(cluster).toMatchObject({ complete: true, limits: [], contentCount: expected.members.size });
      }
    }
  }
}

type Step = readonly ['put' | 'delete' | 'gone', url: number, text: number];

const steps = fc.array(
  fc.tuple(fc.constantFrom('put', 'put', 'put', 'gone', 'delete'), fc.nat(15), fc.nat(23)) as fc.Arbitrary<Step>,
  { minLength: 8, maxLength: 40 },
);

/** Two families that drift away from their beginnings, a text that others quote, and the quotes. */
function texts(seed: number): string[] {
  const maker = createTextMaker(seed);
  const drift = (length: number, words: number, share: number) => {
    const all = [maker.text(words)];
    while (all.length < length) all.push(maker.changed(all.at(-1)!, share));
    return all;
  };
  const quoted = maker.text(60);
  return [...drift(9, 80, 0.03), ...drift(9, 300, 0.05), quoted, ...drift(5, 40, 0.2).map((one) => `${one} ${quoted}`)];
}

async function take({ put, service }: ServiceFixture, all: readonly string[], [op, url, text]: Step): Promise<void> {
  try {
    if (op === 'put') await put(urlOf(url), all[text]!);
    if (op === 'gone') await service.gone({ url: urlOf(url), httpStatus: 410, observedAt: null }, ALL);
    if (op === 'delete') await service.forget(urlOf(url), ALL);
  } catch (error) {
    expect(error).toMatchObject({ code: 'unknown-url' });
  }
}

describe('the cluster of a URL', () => {
  it.each([
    ['in memory', async () => fixtureFor()],
    ['on disk', fixtureOnDisk],
  ] as const)('is that of all pairs of all records after any inserts, updates and deletes (%s)', async (_, open) => {
    const fixture = await open();
    let seed = 1;
    await fc.assert(
      fc.asyncProperty(steps, async (operations) => {
        const all = texts(seed++);
        for (const step of operations) await take(fixture, all, step);
        await checkAgainstAll(fixture, [0.2, 0.5, 0.8, 1], 6);
      }),
      { numRuns: 12 },
    );
  });

  it('comes in the order of Prim: each member by the strongest pair that any one outside had with those before it', async () => {
    const fixture = fixtureFor();
    for (const [i, text] of texts(77).entries()) await fixture.put(urlOf(i), text);
    const known = await allRecords(fixture.store);
    const pairs = allPairs(known, 'resemblance');
    const { members } = await clusterOf(fixture, urlOf(4), { threshold: 0.3 });
    expect(members.length).toBeGreaterThan(6);
    for (const [at, { contentId, joinedBy }] of members.entries()) {
      if (at === 0) continue;
      const before = new Set(members.slice(0, at).map((member) => member.contentId));
      const [strongest] = pairs.filter(({ a, b }) => before.has(a) !== before.has(b));
      expect(roundShare(strongest!.weight)).toBe(joinedBy!.likeness.estimate);
      expect(before).toContain(joinedBy!.contentId);
      expect(before).not.toContain(contentId);
    }
  });

  it('parts in two without its weakest pair', async () => {
    const fixture = fixtureFor();
    for (const [i, text] of texts(5).entries()) await fixture.put(urlOf(i), text);
    const whole = await clusterOf(fixture, urlOf(9), { threshold: 0.3 });
    const { a, b, likeness } = whole.weakest!;
    expect(a.contentCount + b.contentCount).toBe(whole.contentCount);
    const threshold = likeness.estimate + 1e-5;
    for (const side of [a, b]) {
      const { sources } = whole.members.find(({ contentId }) => contentId === side.contentId)!;
      const part = await clusterOf(fixture, sources[0]!.url, { threshold });
      expect(part.contentCount).toBe(side.contentCount);
    }
  });

  it('is represented by the source that was first seen, then by the shortest URL, then by the least', async () => {
    const fixture = fixtureFor();
    const text = createTextMaker(3).text(50);
    const representative = async () => (await clusterOf(fixture, 'https://b.example/longer')).representative;
    await fixture.put('https://b.example/longer', text);
    await fixture.put('https://c.example/', `${text} and more`);
    await fixture.put('https://b.example/', `${text} and more`);
    expect(await representative()).toBe('https://b.example/');
    await fixture.put('https://z.example/much/longer', `${text} or less`, { observedAt: fixture.clock.nowMs - 1 });
    expect(await representative()).toBe('https://z.example/much/longer');
  });

  it('has no content that all of its sources have moved on from, nor what hangs on it alone', async () => {
    const fixture = fixtureFor();
    const { text } = createTextMaker(8);
    const [left, middle, right] = [text(60), text(60), text(60)];
    const threshold = 0.3;
    for (const [i, halves] of [`${left} ${middle}`, `${middle} ${right}`, `${right} ${text(60)}`].entries()) {
      await fixture.put(urlOf(i), halves);
    }
    expect((await clusterOf(fixture, urlOf(0), { threshold })).contentCount).toBe(3);
    await fixture.put(urlOf(1), 'it says something else from now on, and nothing that was said here before at all');
    expect((await clusterOf(fixture, urlOf(0), { threshold })).contentCount).toBe(1);
    await fixture.service.gone({ url: urlOf(2), httpStatus: 404, observedAt: null }, ALL);
    const gone = await clusterOf(fixture, urlOf(2), { threshold });
    expect(gone.members[0]!.sources).toMatchObject([{ url: urlOf(2), state: 'gone' }]);
  });

  it('says what limits have left out', async () => {
    const fixture = fixtureFor();
    const maker = createTextMaker(4);
    const threshold = 0.3;
    const base = maker.text(100);
    for (let i = 0; i < 30; i++) await fixture.put(urlOf(i), `${maker.changed(base, 0.02)} copy${i}`);
    const all = await clusterOf(fixture, urlOf(0), { threshold });
    expect(all).toMatchObject({ contentCount: 30, complete: true, limits: [] });
    const some = await clusterOf(fixture, urlOf(0), { threshold, limit: 10 });
    expect(some).toMatchObject({
      contentCount: 10,
      complete: false,
      limits: [{ code: 'members', affected: 20, of: 30 }],
    });
    expect(some.members).toEqual(all.members.slice(0, 10));
    expect(await clusterOf(fixture, urlOf(0), { threshold, limit: 30 })).toMatchObject({ complete: true, limits: [] });
    const few = fixtureFor({ limits: { clusterKnownMax: 12 } });
    for (let i = 0; i < 30; i++) await few.put(urlOf(i), `${maker.changed(base, 0.02)} copy${i}`);
    const cut = await clusterOf(few, urlOf(0), { threshold });
    expect(cut).toMatchObject({ contentCount: 12, complete: false });
    expect(cut.limits.map(({ code }) => code)).toContain('candidates');
  });

  it('is not complete where lists of common shingles were cut', async () => {
    const fixture = fixtureFor({ settings: { listPostingsMax: 8 } });
    const maker = createTextMaker(4);
    const base = maker.text(100);
    for (let i = 0; i < 30; i++) await fixture.put(urlOf(i), `${maker.changed(base, 0.02)} copy${i}`);
    const cluster = await clusterOf(fixture, urlOf(0));
    expect(cluster.complete).toBe(false);
    expect(cluster.limits.map(({ code }) => code)).toContain('capped-lists');
    expect(cluster.recall).toBeLessThan(1);
  });

  it.each([
    [{ threshold: 0 }, refused('invalid-request', { field: 'threshold' })],
    [{ threshold: 1.1 }, refused('invalid-request', { field: 'threshold' })],
    [{ threshold: Number.NaN }, refused('invalid-request', { field: 'threshold' })],
    [{ limit: 0 }, refused('invalid-request', { field: 'limit', limit: { name: 'limitMax', value: 1000 } })],
    [{ limit: 1001 }, refused('invalid-request', { field: 'limit' })],
    [{ sourcesPerMember: 0 }, refused('invalid-request', { field: 'sourcesPerMember' })],
    [{ deadlineMs: 0 }, refused('invalid-request', { field: 'deadlineMs' })],
    [{ url: 'no url' }, refused('invalid-url', { field: 'url' })],
    [{ url: 'https://b.example/' }, refused('unknown-url', { field: 'url' })],
  ])('refuses %j', async (options, error) => {
    const fixture = fixtureFor();
    await fixture.put(urlOf(0), 'a text of some words');
    await expect(clusterOf(fixture, urlOf(0), options)).rejects.toMatchObject(error);
  });
});
