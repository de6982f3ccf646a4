import { describe, expect, it, onTestFinished } from 'vitest';
import type { ClusterRequest, IndexCluster } from '../../../src/service/clusters/cluster-api.ts';
import { DEFAULT_CLUSTER_OPTIONS } from '../../../src/service/limits.ts';
import { createTextMaker } from '../../support/core/make-documents.ts';
import { article, frame, framedPage } from '../../support/pages/framed-page.ts';
import { exactFixture, type PlainPage, patchwork, plainPages, putSites } from '../../support/service/plain-contents.ts';
import { ALL, createServiceFixture, type ServiceFixture } from '../../support/service/service-fixture.ts';

const make = createTextMaker(89);

async function clusterOf(
  fixture: ServiceFixture,
  url: string,
  options: Partial<ClusterRequest>,
): Promise<IndexCluster> {
  const asked = { ...DEFAULT_CLUSTER_OPTIONS, deadlineMs: 20_000, url, ...options };
  return (await fixture.service.clusters(asked, ALL)).index!;
}

const urlsOf = ({ members }: IndexCluster) => members.map(({ sources }) => sources[0]!.url);

describe('the cluster of a URL, by content', () => {
  it('has the article on other sites, and no other article of its own', async () => {
    const fixture = createServiceFixture();
    onTestFinished(() => fixture.close());
    const frames = [frame(make, 500), frame(make, 600), frame(make, 700)];
    const story = article(make, 150);
    const sites = frames.flatMap((around, host) =>
      Array.from({ length: 5 }, (_, n) => ({
        url: `https://${'abc'[host]}.example/${n}`,
        html: framedPage(around, n === 0 ? story : article(make, 150)),
      })),
    );
    await putSites(fixture, sites);
    const byPage = await clusterOf(fixture, 'https://a.example/0', {});
    expect(urlsOf(byPage).every((url) => url.startsWith('https://a.example/'))).toBe(true);
    expect(byPage.members).toHaveLength(5);
    for (const { joinedBy } of byPage.members.slice(1)) {
      expect(joinedBy!.likeness.decision).toBe('yes');
      expect(joinedBy!.content!.likeness.estimate).toBeLessThan(0.1);
      expect(joinedBy).not.toHaveProperty('decidedBy');
    }
    for (const content of ['main', 'auto'] as const) {
      const cluster = await clusterOf(fixture, 'https://a.example/0', { content });
      expect(urlsOf(cluster).sort()).toEqual(['a', 'b', 'c'].map((host) => `https://${host}.example/0`));
      for (const member of cluster.members) {
        expect(member.content).toMatchObject({ main: 'read', template: { pages: expect.any(Number) } });
      }
      const [, second] = cluster.members;
      expect(second!.joinedBy).toMatchObject({
        ...{ decidedBy: 'content', likeness: { decision: 'no' }, content: { likeness: { decision: 'yes' } } },
      });
      expect(cluster).toMatchObject({ complete: true, limits: [], weakest: { decidedBy: 'content' } });
    }
  });

  it('has nothing beside a page that says nothing by itself, and says why', async () => {
    const fixture = createServiceFixture();
    onTestFinished(() => fixture.close());
    const around = frame(make, 300);
    const texts = ['Not found.', 'Not here.', ...Array.from({ length: 4 }, () => article(make, 150))];
    await putSites(
      fixture,
      texts.map((text, n) => ({ url: `https://a.example/${n}`, html: framedPage(around, text) })),
    );
    expect(await clusterOf(fixture, 'https://a.example/0', { content: 'main' })).toMatchObject({
      ...{ contentCount: 1, contentUnknown: 'too-little', weakest: null, complete: true, limits: [], recall: 1 },
      members: [{ content: null, contentUnknown: 'too-little', joinedBy: null }],
    });
    const auto = await clusterOf(fixture, 'https://a.example/0', { content: 'auto' });
    expect(auto.contentCount).toBeGreaterThan(1);
    expect(auto.members[1]!.joinedBy).toMatchObject({ content: null, contentUnknown: 'too-little', decidedBy: 'page' });
  });

  it('is a component of plain sets, whatever the order of writes', async () => {
    const sites = patchwork(1, { hosts: 3, pages: 5 });
    const [one, other] = [exactFixture(), exactFixture()];
    onTestFinished(async () => {
      await one.close();
      await other.close();
    });
    await putSites(one, sites);
    await putSites(other, sites.toReversed());
    const urls = sites.map(({ url }) => url);
    const plain = await plainPages(one, urls);
    let joined = 0;
    for (const by of ['resemblance', 'containment'] as const) {
      for (const content of ['page', 'main', 'auto'] as const) {
        for (const url of urls) {
          const request = { by, content, threshold: content === 'page' ? 0.7 : 0.12 };
          const cluster = await clusterOf(one, url, request);
          const expected = component(plain, url, request);
          expect(urlsOf(cluster).sort()).toEqual(expected);
          expect(cluster).toMatchObject({ complete: true, limits: [] });
          if (content !== 'page') joined += expected.length - 1;
          const { asOf: _, ...again } = await clusterOf(other, url, request);
          expect(again).toEqual({ ...cluster, asOf: undefined, representative: again.representative });
        }
      }
    }
    expect(joined).toBeGreaterThan(20);
  });
});

/** All that hangs together with a page by pairs of contents, or of pages where one has none. */
function component(
  plain: Map<string, PlainPage>,
  url: string,
  { by, content, threshold }: Pick<ClusterRequest, 'by' | 'content' | 'threshold'>,
): string[] {
  const likeness = (a: PlainPage, b: PlainPage): number => {
    const isKnown = content !== 'page' && a.unknown === null && b.unknown === null;
    if (content === 'main' && !isKnown) return 0;
    const [setA, setB] = isKnown ? [a.content, b.content] : [a.page, b.page];
    const shared = setA.intersection(setB).size;
    return shared / (by === 'resemblance' ? setA.union(setB).size : Math.min(setA.size, setB.size));
  };
  const found = new Set([url]);
  for (const one of found) {
    for (const other of plain.values()) {
      if (likeness(plain.get(one)!, other) >= threshold) found.add(other.url);
    }
  }
  return [...found].sort();
}
