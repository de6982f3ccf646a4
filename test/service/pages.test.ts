import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MatchOptions, SimilarAnswer } from '../../src/service/api.ts';
import { DEFAULT_MATCH_OPTIONS } from '../../src/service/limits.ts';
import { decodePosition, encodePosition, inOrder, type Position } from '../../src/service/similar/cursor.ts';
import type { Store } from '../../src/store/port.ts';
import { createTextMaker } from '../support/core/make-documents.ts';
import { ALL, createServiceFixture, ofText, refused, type ServiceFixture } from '../support/service/service-fixture.ts';

/*
 * 60 near-copies of one text, every third of them at several URLs: of two hosts, with a name among them, some gone. Copies
 * 0 and 1 are the very text, and 2 has the same shingles in another sequence, so that resemblances are equal.
 */
const make = createTextMaker(30);
const period = make.text(60);
const base = `${period} ${period} ${period}`;
const COPIES = 60;
let fixture: ServiceFixture;

const urlsOf = ({ matches }: SimilarAnswer) => matches.flatMap(({ sources }) => sources.map(({ url }) => url));
const similar = (more: Partial<MatchOptions> = {}) =>
  fixture.similar(ofText(base), { limit: 1000, sourcesPerMatch: 1000, ...more });

beforeAll(async () => {
  fixture = createServiceFixture();
  for (let copy = 0; copy < COPIES; copy++) {
    const text = copy < 2 ? base : copy === 2 ? `${base} ${period}` : `${make.changed(base, 0.01)} own${copy}`;
    await fixture.put(`https://a.example/${copy}`, text);
    if (copy % 3 > 0) continue;
    await fixture.put(`https://a.example/${copy}/again`, text);
    await fixture.put(`http://www.b.example/${copy}`, text.toUpperCase());
    await fixture.put(`urn:copy:${copy}`, text);
    await fixture.service.gone({ url: `https://a.example/${copy}`, httpStatus: 410, observedAt: null }, ALL);
  }
});
afterAll(() => fixture.close());

describe('pages of matches', () => {
  it('together are the list without pages, whatever their size and the order', async () => {
    const options = fc.record({
      limit: fc.integer({ min: 1, max: 30 }),
      sort: fc.constantFrom('resemblance' as const, 'queryInMatch' as const, 'matchInQuery' as const),
      include: fc.constantFrom(['live' as const], ['live' as const, 'gone' as const], ['gone' as const]),
      host: fc.constantFrom([], ['a.example'], ['www.b.example']),
      groupBy: fc.constantFrom(null, 'host' as const),
    });
    await fc.assert(
      fc.asyncProperty(options, async ({ limit, sort, include, host, groupBy }) => {
        const query: Partial<MatchOptions> = { sort, include, groupBy, exclude: { hosts: host, urls: [] } };
        const whole = await similar(query);
        expect(whole.cursor).toBeNull();
        const paged: SimilarAnswer['matches'][number][] = [];
        let cursor: string | null = null;
        do {
          const page: SimilarAnswer = await similar({ ...query, limit, cursor });
          // a page is short only where nothing follows, and a cursor is given only where something does
          expect(page.matches.length).toBe(Math.min(limit, whole.matches.length - paged.length));
          paged.push(...page.matches);
          cursor = page.cursor;
          expect(cursor === null).toBe(paged.length === whole.matches.length);
        } while (cursor !== null);
        expect(paged).toEqual(whole.matches);
      }),
      { seed: 4, numRuns: 40 },
    );
  });

  it('may change their size on the way, but not the query nor what decides the order', async () => {
    const { cursor } = await similar({ limit: 5 });
    expect(await similar({ limit: 7, sourcesPerMatch: 1, passages: true, cursor })).toMatchObject({ complete: true });
    const others: Partial<MatchOptions>[] = [
      { sort: 'queryInMatch' },
      { groupBy: 'host' },
      { include: ['live'] },
      { undecided: 'include' },
      { exclude: { hosts: ['x.example'], urls: [] } },
      { thresholds: { resemblance: 0.5, queryInMatch: 0.8, matchInQuery: 0.8 } },
    ];
    for (const other of others) {
      await expect(similar({ ...other, cursor })).rejects.toMatchObject(refused('invalid-cursor', { field: 'cursor' }));
    }
    await expect(fixture.similar(ofText(`${base} x`), { cursor })).rejects.toMatchObject(refused('invalid-cursor'));
  });
});

describe('the order of matches', () => {
  it("is by the first share, the second, then the digest, the query's own before others", () => {
    const position = (first: number, second: number, digit: string): Position => ({
      first,
      second,
      lexicalDigest: digit.repeat(32),
    });
    const inTheirOrder = [
      position(0.9, 0.1, 'f'),
      position(0.8, 0.9, 'e'),
      position(0.8, 0.7, 'b'),
      position(0.8, 0.7, '0'),
      position(0.8, 0.7, 'a'),
      position(0.8, 0.6, '0'),
    ];
    const own = 'b'.repeat(32);
    for (const [at, a] of inTheirOrder.entries()) {
      for (const [place, b] of inTheirOrder.entries()) {
        expect(Math.sign(inOrder(a, b, own))).toBe(Math.sign(at - place));
      }
      expect(decodePosition(encodePosition(a))).toEqual(a);
    }
  });
});

describe('the sources of a match', () => {
  it('are those of the states asked for, in the order of hosts, names first', async () => {
    const [first] = (await similar({ limit: 1 })).matches;
    expect(first?.sources.map(({ url, state }) => [url, state])).toEqual([
      ['urn:copy:0', 'live'],
      ['https://a.example/0', 'gone'],
      ['https://a.example/0/again', 'live'],
      ['https://a.example/1', 'live'],
      ['http://www.b.example/0', 'live'],
    ]);
    expect(first?.sourceCount).toBe(5);
    const [gone] = (await similar({ limit: 1, include: ['gone'] })).matches;
    expect(gone?.sources.map(({ url }) => url)).toEqual(['https://a.example/0']);
    const [some] = (await similar({ limit: 1, sourcesPerMatch: 2 })).matches;
    expect([some?.sources.length, some?.sourceCount]).toEqual([2, 5]);
  });

  it('are one a host where that is asked for; names stand for themselves', async () => {
    const [first] = (await similar({ limit: 1, groupBy: 'host' })).matches;
    expect(first?.sources.map(({ url }) => url)).toEqual([
      'urn:copy:0',
      'https://a.example/0',
      'http://www.b.example/0',
    ]);
    expect(first?.sourceCount).toBe(3);
  });

  it('leave out excluded hosts and URLs, and a match that has no other is passed over', async () => {
    const none = await similar({ exclude: { hosts: ['A.example', 'www.b.example'], urls: ['URN:copy:0'] } });
    expect(urlsOf(none)).toEqual(expect.arrayContaining(['urn:copy:3']));
    expect(urlsOf(none).every((url) => url.startsWith('urn:copy:') && url !== 'urn:copy:0')).toBe(true);
    const one = await similar({ exclude: { hosts: [], urls: ['https://a.example/2#x'] } });
    expect(urlsOf(one)).not.toContain('https://a.example/2');
    expect(one.matches).toHaveLength((await similar()).matches.length - 1);
  });

  it('are all counted, and read within limits, which the answer names where they bite', async () => {
    const limits = { sourcesReadMax: 100, sourcesWantedMax: 70 };
    const many = createServiceFixture({ limits });
    for (const kind of [0, 1]) {
      const text = kind === 0 ? base : make.changed(base, 0.01);
      for (let copy = 0; copy < 90; copy++) await many.put(`https://h${kind}.example/${copy}`, text);
    }
    const answer = await many.similar(ofText(base), { sourcesPerMatch: 3 });
    expect(answer.matches.map(({ sourceCount }) => sourceCount)).toEqual([90, 90]);
    // the first match used the budget up; the second still has its first page
    expect(answer.matches[1]?.sources).toHaveLength(3);
    expect(answer.limits).toEqual([{ code: 'sources', affected: 1, of: 2 }]);
    expect(answer.matches.map(({ moreSources }) => moreSources)).toEqual([undefined, undefined]);
    expect(answer.complete).toBe(false);
    await many.close();
  });
});

describe('the budget of sources', () => {
  it('is spent by sources that are read, not by those that might have been', async () => {
    const many = createServiceFixture({ limits: { sourcesReadMax: 60 } });
    for (let copy = 0; copy < 40; copy++) await many.put(`https://h.example/${copy}`, `${base} own${copy}`);
    const last = make.changed(base, 0.03);
    for (let copy = 0; copy < 18; copy++) await many.put(`https://last.example/${copy}`, last);
    const answer = await many.similar(ofText(base), { limit: 50 });
    expect(answer).toMatchObject({ complete: true, limits: [] });
    expect(answer.matches.at(-1)).toMatchObject({ sourceCount: 18 });
    await many.close();
  });
});

describe('sources that nobody waits for any more', () => {
  it('are read no further, however many are left', async () => {
    const caller = new AbortController();
    let reads = 0;
    const wrapStore = (store: Store): Store =>
      new Proxy(store, {
        get(target, name) {
          const method = Reflect.get(target, name) as unknown;
          if (typeof method !== 'function') return method;
          if (name !== 'holders') return method.bind(target) as unknown;
          return (...asked: Parameters<Store['holders']>) => {
            if (++reads === 2) caller.abort();
            return target.holders(...asked);
          };
        },
      });
    const many = createServiceFixture({ wrapStore });
    for (let copy = 0; copy < 600; copy++) await many.put(`https://h.example/${copy}`, base);
    const only = { ...DEFAULT_MATCH_OPTIONS.only, hosts: ['other.example'] };
    const options = { ...DEFAULT_MATCH_OPTIONS, only };
    await expect(many.service.similar(ofText(base), options, ALL, caller.signal)).rejects.toThrow();
    await many.loop.turnsOf('somebody').next();
    expect(reads).toBe(2);
    await many.close();
  });
});

describe('equivalence', () => {
  it('is identical for the same bytes, lexical for the same words, shingle for the same shingles', async () => {
    const { matches } = await similar({ limit: 1000 });
    const of = (url: string) => matches.find(({ sources }) => sources.some((source) => source.url === url));
    expect(of('https://a.example/0')).toMatchObject({
      equivalence: 'identical',
      resemblance: { estimate: 1, low: 1, high: 1 },
    });
    expect(of('https://a.example/2')).toMatchObject({
      equivalence: 'shingle',
      resemblance: { estimate: 1, low: 1, high: 1 },
    });
    expect(of('https://a.example/50')).toMatchObject({ equivalence: 'none' });
    const sources = of('https://a.example/0')!.sources;
    expect(sources.filter(({ identical }) => !identical).map(({ url }) => url)).toEqual(['http://www.b.example/0']);
    // the sources with the same bytes are filtered out: what is left has the same words
    const lexical = await similar({ limit: 1, exclude: { hosts: ['a.example'], urls: ['urn:copy:0'] } });
    expect(lexical.matches[0]).toMatchObject({ equivalence: 'lexical' });
  });
});
