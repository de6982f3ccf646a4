import { describe, expect, it } from 'vitest';
import { DEFAULT_MATCH_OPTIONS } from '../../src/service/limits.ts';
import { everyPage } from '../../src/service/similar/every-page.ts';
import { behindServer, inFolder, named, put, WORDS, written } from '../support/client/accesses.ts';

describe.each([
  ['a folder', inFolder],
  ['a service', behindServer],
])('a thorough query of %s', (_where, open) => {
  it('lists every copy of a document in hand and of a URL, page by page', async () => {
    const index = await open();
    const words = WORDS.split(' ');
    const textAt = (n: number) => `${[...words, ...words.toReversed()].join(' ')} copy${n}`;
    const urls = Array.from({ length: 7 }, (_, n) => `https://h${n % 2}.example/${n}`);
    await written(
      index,
      urls.map((url, n) => put(url, textAt(n), { observedAt: Date.parse(`2026-01-0${n + 1}`) })),
    );
    const options = { ...DEFAULT_MATCH_OPTIONS, thorough: true, sourcesPerMatch: 10_000, limit: 3 };
    const body = { bytes: Buffer.from(textAt(99)), contentType: 'text/plain' };
    for (const [reference, expected] of [
      [named({ body }), urls],
      [named({ url: urls[0]! }), urls.slice(1)],
    ] as const) {
      const limits: number[] = [];
      const ask = (page: typeof options) => {
        limits.push(page.limit);
        return index.similar(reference, { ...page, limit: Math.min(page.limit, 3) });
      };
      const answer = await everyPage(ask, options);
      expect(answer.matches.flatMap(({ sources }) => sources.map(({ url }) => url)).sort()).toEqual(
        expected.toSorted(),
      );
      expect(answer).toMatchObject({ cursor: null, complete: true, limits: [], matchCount: expected.length });
      expect(answer.hosts!.map(({ host }) => host).sort()).toEqual(['h0.example', 'h1.example']);
      expect(limits.length).toBe(Math.ceil(expected.length / 3));
      const some = await everyPage(ask, options, 2);
      expect([some.matches.length, some.hosts]).toEqual([2, undefined]);
      expect(some.cursor).not.toBeNull();
    }
  });
});
