import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MatchOptions, SimilarAnswer } from '../../../src/service/api.ts';
import { DEFAULT_MATCH_OPTIONS } from '../../../src/service/limits.ts';
import { createTextMaker, exactShares } from '../../support/core/make-documents.ts';
import {
  ALL,
  createServiceFixture,
  ofText,
  refused,
  SHINGLE_SIZE,
  START_MS,
} from '../../support/service/service-fixture.ts';
import { matchesOf, pagesOf, urlsOf } from '../../support/service/thorough-pages.ts';

const make = createTextMaker(71);
// so short that all of it is sampled: figures are exact
const base = make.text(60);
const DAY_MS = 86_400_000;
const ANY = { resemblance: 0.3, queryInMatch: 0.3, matchInQuery: 0.3 };

/** What the oracle knows of a URL. */
interface Known {
  readonly text: string;
  readonly seenAt: number;
}

/** The hosts that brute force tells, by name; texts of all URLs that match. */
function hostsOf(known: ReadonlyMap<string, Known>): unknown[] {
  const hosts = new Map<string, [url: string, Known][]>();
  for (const entry of known) {
    const host = new URL(entry[0]).hostname;
    hosts.set(host, [...(hosts.get(host) ?? []), entry]);
  }
  const told = Array.from(hosts, ([host, sources]) => ({
    host,
    matches: new Set(sources.map(([, { text }]) => text)).size,
    sourceCount: sources.length,
    firstSeen: new Date(Math.min(...sources.map(([, { seenAt }]) => seenAt))).toISOString(),
    lastSeen: new Date(Math.max(...sources.map(([, { seenAt }]) => seenAt))).toISOString(),
  }));
  return told.sort((a, b) => (a.host < b.host ? -1 : 1));
}

const plainHosts = (page: SimilarAnswer) =>
  page
    .hosts!.map(({ host, matches, sourceCount, firstSeen, lastSeen }) => ({
      ...{ host, matches, sourceCount, firstSeen, lastSeen },
    }))
    .sort((a, b) => (a.host! < b.host! ? -1 : 1));

type Step = readonly [op: 'put' | 'delete', url: number, text: number];

const steps = fc.array(
  fc.tuple(fc.constantFrom('put', 'put', 'put', 'delete'), fc.nat(39), fc.nat(23)) as fc.Arbitrary<Step>,
  { minLength: 10, maxLength: 80 },
);
const TEXTS = Array.from({ length: 24 }, (_, i) =>
  i % 6 === 5 ? make.text(60) : i % 6 === 4 ? `${base.slice(0, 200)} part${i}` : `${make.changed(base, 0.02)} own${i}`,
);

describe('a thorough query', () => {
  it('lists what brute force finds, at every threshold, on one page each, after updates and deletes', async () => {
    await fc.assert(
      fc.asyncProperty(
        steps,
        fc.constantFrom(0.2, 0.5, 0.8, 1),
        fc.integer({ min: 1, max: 9 }),
        async (ops, at, limit) => {
          // lists of 2 and 2 candidates: without `thorough` hardly anything is found. No past contents
          const retention = { pastContentsMax: 0, pastMs: 0, versionsMax: 1, pastResemblanceMax: 0.9 };
          const fixture = createServiceFixture({
            settings: { listPostingsMax: 2, retention },
            limits: { candidatesMax: 2 },
          });
          const known = new Map<string, Known>();
          for (const [i, [op, number, text]] of ops.entries()) {
            const url = `https://h${number % 5}.example/${number}`;
            fixture.clock.nowMs = START_MS + i * DAY_MS;
            if (op === 'delete' && known.has(url)) await fixture.service.forget(url, ALL);
            if (op === 'delete') known.delete(url);
            else {
              const isSeenAgain = known.get(url)?.text === TEXTS[text];
              if (isSeenAgain) continue;
              known.set(url, { text: TEXTS[text]!, seenAt: fixture.clock.nowMs });
              await fixture.put(url, TEXTS[text]!);
            }
          }
          const thresholds = { resemblance: at, queryInMatch: at, matchInQuery: at };
          const pages = await pagesOf(fixture, base, { thresholds, limit, sourcesPerMatch: 1000 });
          const expected = new Map(
            [...known].filter(([, { text }]) => {
              const { resemblance, aInB, bInA } = exactShares(base, text, SHINGLE_SIZE);
              return Math.max(resemblance, aInB, bInA) >= at;
            }),
          );
          expect(urlsOf(pages).sort()).toEqual([...expected.keys()].sort());
          expect(plainHosts(pages.at(-1)!)).toEqual(hostsOf(expected));
          expect(pages.at(-1)!.matchCount).toBe(matchesOf(pages).length);
          for (const page of pages) expect(page).toMatchObject({ complete: true, limits: [] });
          for (const page of pages.slice(0, -1)) expect([page.hosts, page.matchCount]).toEqual([undefined, undefined]);
          await fixture.close();
        },
      ),
      { numRuns: 12 },
    );
  });

  it('counts what it leaves out of a family that is larger than it may read, and estimates the whole', async () => {
    const limits = { candidatesMax: 5, copiesMax: 30 };
    const fixture = createServiceFixture({ limits });
    for (let i = 0; i < 50; i++) await fixture.put(`https://h${i}.example/`, `${make.changed(base, 0.01)} own${i}`);
    const pages = await pagesOf(fixture, base, { thresholds: ANY, limit: 7 });
    expect([matchesOf(pages).length, new Set(urlsOf(pages)).size]).toEqual([30, 30]);
    for (const page of pages) {
      expect(page.limits).toEqual([{ code: 'candidates', affected: 20, of: 50 }]);
      expect([page.complete, page.estimatedCopies]).toEqual([false, 50]);
    }
    expect(pages.at(-1)).toMatchObject({ matchCount: 30 });
    expect(pages.at(-1)!.hosts).toHaveLength(30);
    await fixture.close();
  });

  it('reads no more values than have room, and counts what that leaves out', async () => {
    const fixture = createServiceFixture({ limits: { copiesValuesMax: 600 } });
    for (let i = 0; i < 20; i++) await fixture.put(`https://h${i}.example/`, `${make.changed(base, 0.01)} own${i}`);
    const pages = await pagesOf(fixture, base, { thresholds: ANY });
    const affected = pages[0]!.limits[0]!.affected;
    expect(affected).toBeGreaterThan(5);
    expect(matchesOf(pages).length + affected).toBe(20);
    await fixture.close();
  });

  it('ends a page where no more sources can be read, so that each is on one page, and counted', async () => {
    const fixture = createServiceFixture({ limits: { sourcesReadMax: 40, sourcesWantedMax: 10, copiesMax: 40 } });
    const texts = Array.from({ length: 4 }, (_, i) => `${make.changed(base, 0.01)} own${i}`);
    const urls = texts.flatMap((text, i) =>
      Array.from({ length: 25 }, (_, n) => [`https://h${i}.example/${n}`, text] as const),
    );
    for (const [url, text] of urls) await fixture.put(url, text);
    const pages = await pagesOf(fixture, base, { thresholds: ANY, sourcesPerMatch: 40 });
    expect(pages.length).toBeGreaterThan(1);
    expect(urlsOf(pages).sort()).toEqual(urls.map(([url]) => url).sort());
    for (const page of pages) expect(page).toMatchObject({ complete: true, limits: [] });
    expect(pages.at(-1)!.hosts!.map(({ sourceCount }) => sourceCount)).toEqual([25, 25, 25, 25]);
    // one that has more than can be read is counted all the same, and said to be cut
    for (let n = 0; n < 60; n++) await fixture.put(`https://many.example/${n}`, base);
    const cut = await pagesOf(fixture, base, { thresholds: ANY, sourcesPerMatch: 40 });
    expect(cut[0]!.matches.map(({ sourceCount }) => sourceCount)).toEqual([60]);
    expect(cut[0]!.limits).toEqual([{ code: 'sources', affected: 1, of: 1 }]);
    expect([urlsOf(cut).length, new Set(urlsOf(cut)).size]).toEqual([140, 140]);
    await fixture.close();
  });

  it('shows a host once where that is asked for, and counts all that it has', async () => {
    const fixture = createServiceFixture();
    for (let i = 0; i < 12; i++)
      await fixture.put(`https://h${i % 3}.example/${i}`, `${make.changed(base, 0.01)} own${i}`);
    await fixture.put('urn:tale:1', base);
    const pages = await pagesOf(fixture, base, { thresholds: ANY, groupBy: 'host', limit: 1 });
    expect(urlsOf(pages)).toHaveLength(4);
    expect(pages.at(-1)!.matchCount).toBe(13);
    const [first, ...others] = pages.at(-1)!.hosts!;
    // the best match first, and what it shares
    expect(first).toMatchObject({
      host: null,
      matches: 1,
      resemblance: { estimate: 1 },
      queryInMatch: { decision: 'yes' },
    });
    expect(others.map(({ matches, sourceCount }) => [matches, sourceCount])).toEqual([
      [4, 4],
      [4, 4],
      [4, 4],
    ]);
    const only = { ...DEFAULT_MATCH_OPTIONS.only, hosts: ['h1.example'] };
    const [filtered] = await pagesOf(fixture, base, { thresholds: ANY, only });
    expect(filtered!.hosts!.map(({ host, matches }) => [host, matches])).toEqual([['h1.example', 4]]);
    await fixture.close();
  });

  it('says what the sources of earlier pages were too many for', async () => {
    const fixture = createServiceFixture({ limits: { hostSourcesMax: 20 } });
    for (let i = 0; i < 4; i++) {
      const text = `${make.changed(base, 0.01)} own${i}`;
      for (let n = 0; n < 30; n++) await fixture.put(`https://h${i}.example/${n}`, text);
    }
    const pages = await pagesOf(fixture, base, { thresholds: ANY, limit: 2 });
    expect(pages.at(-1)).toMatchObject({ complete: false, limits: [{ code: 'sources', affected: 2, of: 4 }] });
    expect(matchesOf(pages).map(({ sourceCount }) => sourceCount)).toEqual([30, 30, 30, 30]);
    await fixture.close();
  });

  it('may list more sources of a match than another query, and its cursors are its own', async () => {
    const fixture = createServiceFixture();
    for (let i = 0; i < 5; i++) await fixture.put(`https://h${i}.example/`, `${make.changed(base, 0.01)} own${i}`);
    const wide = { thresholds: ANY, limit: 2, sourcesPerMatch: 10_000 };
    const page = await fixture.similar(ofText(base), { ...wide, thorough: true });
    const ask = (more: Partial<MatchOptions>) => expect(fixture.similar(ofText(base), { ...wide, ...more })).rejects;
    await ask({}).toMatchObject(refused('invalid-request', { field: 'sourcesPerMatch' }));
    const limit = { name: 'copiesMax', value: 10_000 };
    await ask({ thorough: true, sourcesPerMatch: 10_001 }).toMatchObject(refused('invalid-request', { limit }));
    await ask({ sourcesPerMatch: 10, cursor: page.cursor }).toMatchObject(
      refused('invalid-cursor', { field: 'cursor' }),
    );
    await fixture.close();
  });
});
