import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MatchOptions, SimilarAnswer } from '../../../src/service/api.ts';
import { KeptRankings, type Ranking } from '../../../src/service/similar/kept-rankings.ts';
import type { Store } from '../../../src/store/port.ts';
import { createTextMaker } from '../../support/core/make-documents.ts';
import { ALL, createServiceFixture, ofText, type ServiceFixture } from '../../support/service/service-fixture.ts';

const make = createTextMaker(79);
const base = make.text(60);
const ANY = { resemblance: 0.3, queryInMatch: 0.3, matchInQuery: 0.3 };
const TEXTS = Array.from({ length: 48 }, (_, i) => `${make.changed(base, 0.02)} own${i}`);
const urlOf = (i: number) => `https://h${i % 5}.example/${i}`;

/** Counts how often a store is asked for candidates. */
function counting(asked: { times: number }, edition?: () => string) {
  return (store: Store): Store => {
    const candidates = store.candidates.bind(store);
    store.candidates = (query) => {
      asked.times++;
      return candidates(query);
    };
    if (edition !== undefined) store.edition = async () => edition();
    return store;
  };
}

/** One that never keeps a ranking, since every edition is another. */
function forgetful(): ServiceFixture {
  let editions = 0;
  return createServiceFixture({ wrapStore: counting({ times: 0 }, () => String(editions++)) });
}

const plain = ({ elapsedMs: _, ...answer }: SimilarAnswer) => answer;

type Write = readonly [op: 'put' | 'delete' | 'gone', url: number, text: number];

async function write(fixture: ServiceFixture, [op, number, text]: Write): Promise<void> {
  const url = urlOf(number);
  if (op === 'put') await fixture.put(url, TEXTS[text]!);
  const isKnown = (await fixture.store.source(url)) !== undefined;
  if (op === 'delete' && isKnown) await fixture.service.forget(url, ALL);
  if (op === 'gone' && isKnown) await fixture.service.gone({ url, observedAt: null, httpStatus: 410 }, ALL);
}

const writes = (minLength: number, maxLength: number) =>
  fc.array(fc.tuple(fc.constantFrom('put', 'put', 'delete', 'gone'), fc.nat(47), fc.nat(47)) as fc.Arbitrary<Write>, {
    minLength,
    maxLength,
  });

describe('pages that go on from kept matches', () => {
  it('are those of a service that keeps none, whatever is written between them', async () => {
    await fc.assert(
      fc.asyncProperty(
        writes(10, 40),
        fc.array(writes(0, 4), { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 5 }),
        fc.constantFrom(null, 'host' as const),
        async (before, between, limit, groupBy) => {
          const [keeping, other] = [createServiceFixture(), forgetful()];
          const both = async (some: readonly Write[]) => {
            for (const one of some) for (const fixture of [keeping, other]) await write(fixture, one);
          };
          await both(before);
          let cursor: string | null = null;
          for (let page = 0; page === 0 || cursor !== null; page++) {
            const more: Partial<MatchOptions> = { thresholds: ANY, thorough: true, limit, groupBy, cursor };
            const answer: SimilarAnswer = await keeping.similar(ofText(base), more);
            expect(plain(answer)).toEqual(plain(await other.similar(ofText(base), more)));
            ({ cursor } = answer);
            await both(between[page % between.length]!);
          }
          for (const fixture of [keeping, other]) await fixture.close();
        },
      ),
      { numRuns: 25 },
    );
  });

  it('cost one search, until a text comes that is new', async () => {
    const asked = { times: 0 };
    const fixture = createServiceFixture({ wrapStore: counting(asked) });
    for (const [i, text] of TEXTS.slice(0, 24).entries()) await fixture.put(urlOf(i), text);
    asked.times = 0;
    const options = { thresholds: ANY, thorough: true, limit: 5 };
    const page = async (cursor: string | null, more: Partial<MatchOptions> = {}) =>
      (await fixture.similar(ofText(base), { ...options, cursor, ...more })).cursor;
    const cursors = [await page(null)];
    cursors.push(await page(cursors[0]!));
    await fixture.put('https://again.example/', TEXTS[0]!);
    cursors.push(await page(cursors[1]!));
    expect(asked.times).toBe(1);
    await fixture.put('https://new.example/', `${base} news`);
    cursors.push(await page(cursors[2]!));
    expect(asked.times).toBe(2);
    // each first page is of what there is now; the last lets the list go; passages take samples, which are not kept
    await page(null);
    expect(asked.times).toBe(3);
    expect(await page(cursors[3]!)).toBeNull();
    expect(asked.times).toBe(3);
    await page(cursors[3]!);
    expect(asked.times).toBe(4);
    await page(null);
    await page(cursors[0]!, { passages: true });
    expect(asked.times).toBe(6);
    await fixture.close();
  });

  it('are not kept where the deadline left something out, or a value could not be read', async () => {
    const asked = { times: 0, unreadable: 1 };
    const fixture = createServiceFixture({
      wrapStore: (store) => {
        const counted = counting(asked)(store);
        const candidates = counted.candidates.bind(counted);
        counted.candidates = async (query) => ({ ...(await candidates(query)), unreadable: asked.unreadable });
        return counted;
      },
    });
    for (const [i, text] of TEXTS.slice(0, 24).entries()) await fixture.put(urlOf(i), text);
    const options = { thresholds: ANY, thorough: true, limit: 5 };
    const first = await fixture.similar(ofText(base), options);
    expect(first.complete).toBe(false);
    asked.unreadable = 0;
    const second = await fixture.similar(ofText(base), { ...options, cursor: first.cursor });
    expect([second.complete, second.limits]).toEqual([true, []]);
    await fixture.close();
  });
});

describe('kept rankings', () => {
  const rankingOf = (length: number) =>
    ({ ranked: Array.from({ length }, () => ({ record: {} })) }) as never as Ranking;

  it('take no more than they may: those that were used last stay, and one that is longer is not kept', () => {
    const kept = new KeptRankings(600 * 100);
    for (const name of ['a', 'b', 'c', 'd']) kept.keep(name, '1', rankingOf(25));
    expect(kept.bytes).toBe(60_000);
    expect(kept.get('a', '1')?.ranked).toHaveLength(25);
    kept.keep('e', '1', rankingOf(30));
    expect(['a', 'b', 'c', 'd', 'e'].map((name) => kept.get(name, '1') !== undefined)).toEqual([
      ...[true, false, false, true, true],
    ]);
    kept.keep('f', '1', rankingOf(101));
    expect([kept.get('f', '1'), kept.bytes]).toEqual([undefined, 600 * 80]);
    // another edition is another list, in its place
    expect(kept.get('e', '2')).toBeUndefined();
    kept.keep('e', '2', rankingOf(10));
    expect([kept.get('e', '1'), kept.bytes]).toEqual([undefined, 600 * 60]);
    for (const name of ['a', 'd', 'e', 'e', 'nobody']) kept.drop(name);
    expect(kept.bytes).toBe(0);
  });
});
