import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HostPages, NO_HOST } from '../../../src/commands/contents/host-pages.ts';
import { HOST_SOURCES_MAX, sourceHash } from '../../../src/store/host-sample.ts';
import { sourceKey } from '../../../src/store/source-key.ts';

const KEY = [7, 11] as const;
const before = (one: number, other: number) => one < other;

interface Seen {
  readonly url: string;
  readonly content: number;
  readonly date: number | null;
}

function pagesOf(all: readonly Seen[]): HostPages {
  const pages = new HostPages(KEY);
  for (const [record, one] of all.entries()) pages.add({ ...one, record });
  pages.end();
  return pages;
}

/** By host, what stands for it; by content, its host. */
function told(all: readonly Seen[]) {
  const pages = pagesOf(all);
  const contents = [...new Set(all.map(({ content }) => content))].sort((a, b) => a - b);
  const standing = Array.from({ length: pages.count - 1 }, (_, i) => pages.standingFor(i + 1, before).join());
  // hosts are numbered as they come
  const hosts = contents.map((content) => {
    const host = pages.hostOfContent(content);
    return host === NO_HOST ? null : pages.standingFor(host, before).join();
  });
  return { standing: standing.sort(), hosts };
}

describe('pages of hosts', () => {
  it('stand for them by the hashes of their URLs, the latest of each', () => {
    const all = Array.from({ length: 3 * HOST_SOURCES_MAX }, (_, content) => ({
      ...{ url: `https://a.example/${content % (2 * HOST_SOURCES_MAX)}`, content, date: content },
    }));
    const lowest = all
      .slice(HOST_SOURCES_MAX)
      .sort((a, b) => sourceHash(KEY, a.url) - sourceHash(KEY, b.url))
      .slice(0, HOST_SOURCES_MAX);
    const pages = pagesOf(all);
    expect(pages.count).toBe(2);
    expect(pages.standingFor(1, before)).toEqual(lowest.map(({ content }) => content));
    expect(pagesOf(all.toReversed()).standingFor(1, before)).toEqual(lowest.map(({ content }) => content));
  });

  it('have the first of their hosts in the order of an index, and none where one of them is a name', () => {
    const seen = (...urls: string[]) => pagesOf(urls.map((url) => ({ url, content: 0, date: null })));
    const pages = seen('https://b.example/', 'https://a.example/x', 'https://c.a.example/');
    expect(sourceKey('https://a.example/x') < sourceKey('https://c.a.example/')).toBe(true);
    expect(pages.hostOfContent(0)).toBe(2);
    expect(seen('https://b.example/', 'urn:x').hostOfContent(0)).toBe(NO_HOST);
  });

  it('are the same whatever the order in which they come', () => {
    const url = fc
      .tuple(fc.constantFrom('https://a.example', 'https://b.a.example', 'http://10.0.0.1'), fc.nat(9))
      .map(([host, path]) => `${host}/${path}`);
    const one = fc.record({
      url: fc.oneof(url, fc.constant('urn:x')),
      content: fc.nat(12),
      date: fc.constantFrom(null, 1, 2),
    });
    fc.assert(
      fc.property(
        fc
          .array(one, { minLength: 1, maxLength: 40 })
          .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([all, shuffled]) => {
          expect(told(shuffled)).toEqual(told(all));
        },
      ),
    );
  });
});
