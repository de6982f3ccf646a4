import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CollapseAnswer } from '../../../src/service/api.ts';
import { createTextMaker, shingleSet } from '../../support/core/make-documents.ts';
import { collapse, positions, requestOf, type TestResult } from '../../support/service/collapse-fixture.ts';
import { collapseExactly, type OracleResult } from '../../support/service/collapse-oracle.ts';
import {
  ALL,
  createServiceFixture,
  READ_ONLY,
  refused,
  type ServiceFixture,
  SHINGLE_SIZE,
} from '../../support/service/service-fixture.ts';

const make = createTextMaker(90);
let fixture: ServiceFixture;
beforeAll(() => {
  fixture = createServiceFixture();
});
afterAll(() => fixture.close());

const ask = (results: readonly TestResult[], options = {}) => collapse(fixture, results, options);
const words = (text: string, count: number) => text.split(' ').slice(0, count).join(' ');

describe('collapse', () => {
  it('groups as brute force does, whatever the thresholds, the sizes and what is preferred', async () => {
    // drafts of drafts: chains in which neighbours meet and ends do not, texts within texts, stubs, URLs that come again
    const threshold = fc.constantFrom(null, 0, 0.3, 0.6, 0.9, 1);
    const thresholds = fc.record({
      resemblance: threshold,
      resultInRepresentative: threshold,
      representativeInResult: threshold,
    });
    const options = fc.record({
      thresholds,
      minimumShingles: fc.constantFrom(0, 10, 20, 50),
      prefer: fc.constantFrom('first', 'longest', 'oldest', ['h1.example', 'h0.example']),
    });
    await fc.assert(
      fc.asyncProperty(options, fc.nat(), async (asked, seed) => {
        const maker = createTextMaker(seed);
        const { prng } = maker;
        const texts = [maker.text(60)];
        for (let result = 1; result < 14; result++) {
          const earlier = texts[prng.below(texts.length)]!;
          const kind = prng.below(5);
          if (kind === 0) texts.push(maker.text(40));
          else if (kind === 1) texts.push(`${maker.text(20)} ${earlier}`);
          else if (kind === 2) texts.push(earlier);
          else if (kind === 3) texts.push(words(earlier, 5 + prng.below(20)));
          else texts.push(maker.changed(earlier, 0.05));
        }
        const results = texts.map((text) => ({
          url: `https://h${prng.below(3)}.example/${prng.below(40)}`,
          text,
          shown: prng.below(8) === 0,
          observedAt: 1000 + prng.below(5),
        }));
        const answer = await ask(results, asked as object);
        const oracle = results.map((result): OracleResult => {
          const { url, observedAt, shown, text: words } = result;
          const shingles = shingleSet(words, SHINGLE_SIZE);
          const preferences = {
            first: 0,
            longest: -shingles.size,
            oldest: observedAt,
          };
          const host = ['h1.example', 'h0.example'].indexOf(new URL(url).hostname);
          const wished = typeof asked.prefer === 'string' ? preferences[asked.prefer as 'first'] : host < 0 ? 9 : host;
          const preference = shown ? Number.NEGATIVE_INFINITY : wished;
          return { shingles, words, key: url, preference };
        });
        const expected = collapseExactly(oracle, asked);
        const isShown = (result: number) => results[result]!.shown;
        const fresh = expected.filter(([representative]) => !isShown(representative!));
        const old = expected.filter(([representative]) => isShown(representative!));
        expect(positions(answer)).toEqual(fresh);
        expect(positions({ ...answer, groups: answer.shownBefore }).toSorted()).toEqual(
          old
            .map(([representative, ...others]) => [representative, ...others.filter((result) => !isShown(result))])
            .filter((group) => group.length > 1)
            .toSorted(),
        );
        expect(answer).toMatchObject({ unknown: [], undecided: [], complete: true, limits: [], taken: 14 });
      }),
      { seed: 5, numRuns: 120 },
    );
  });

  it('says of each member by what it joined and how it compares with its representative', async () => {
    const text = make.text(100);
    const other = make.text(30);
    const answer = await ask([
      { text, id: 'a', rank: 0.5 },
      { text: words(text, 60), id: 7 },
      { text, url: 'https://a.example/' },
      { text: `${text}!` },
      { text: make.changed(text, 0.05), url: 'http://www.a.example' },
      { text: other },
    ]);
    const exact = (share: unknown, decision: string | null = 'yes') => ({ exact: share, decision });
    expect(answer.groups).toEqual([
      {
        representative: { result: 0, id: 'a', rank: 0.5, from: 'body', shingles: 96, short: false },
        members: [
          {
            result: 1,
            id: 7,
            from: 'body',
            shingles: 56,
            short: false,
            by: 'resultInRepresentative',
            urlDiffersBy: null,
            equivalence: 'none',
            resemblance: exact(expect.closeTo(56 / 96, 2), 'no'),
            resultInRepresentative: exact(1),
            representativeInResult: exact(expect.closeTo(56 / 96, 2), 'no'),
          },
          expect.objectContaining({ result: 2, by: 'equal', equivalence: 'identical' }),
          expect.objectContaining({ result: 3, by: 'equal', equivalence: 'lexical' }),
          expect.objectContaining({
            ...{ result: 4, by: 'same-url', urlDiffersBy: ['scheme', 'www'], equivalence: 'none' },
          }),
        ],
        moreOfHost: [],
      },
      { representative: { result: 5, from: 'body', shingles: 26, short: false }, members: [], moreOfHost: [] },
    ]);
  });

  it('compares two bodies of a request exactly, so that /compare says the same', async () => {
    // near the threshold an estimate of one shingle in four is off by more than a hundredth
    const long = make.text(2500).split(' ');
    for (let round = 0; round < 20; round++) {
      const changed = [...long];
      for (let at = 0; at < 54; at++) changed[20 + 45 * at + make.prng.below(20)] = `new${round}x${at}`;
      const [a, b] = [long.join(' '), changed.join(' ')];
      const exact = shingleSet(a, SHINGLE_SIZE).intersection(shingleSet(b, SHINGLE_SIZE)).size;
      const resemblance = exact / shingleSet(a, SHINGLE_SIZE).union(shingleSet(b, SHINGLE_SIZE)).size;
      const thresholds = { resemblance: 0.805, resultInRepresentative: null, representativeInResult: null };
      const answer = await ask([{ text: a }, { text: b }], { thresholds });
      expect(answer.groups).toHaveLength(resemblance >= 0.805 ? 1 : 2);
      expect(answer.undecided).toEqual([]);
    }
  });

  it('compares what is given with what is indexed, long and short, by estimates', async () => {
    const long = make.text(3000);
    await fixture.put('urn:long', long);
    await fixture.put('urn:part', words(long, 300));
    const near = { text: make.changed(long, 0.003) };
    const answer = await ask([{ url: 'urn:part' }, near, { url: 'urn:long' }]);
    // the container represents, and of near-copies the first
    expect(positions(answer)).toEqual([[1, 0, 2]]);
    const [part, whole] = answer.groups[0]!.members;
    expect(part).toMatchObject({ by: 'resultInRepresentative', representativeInResult: { decision: 'no' } });
    expect(whole).toMatchObject({ by: 'resemblance', resemblance: { low: expect.any(Number), decision: 'yes' } });
    expect(answer.groups[0]!.representative).toMatchObject({ from: 'body' });
  });

  it('marks what an estimate decides that might be otherwise', async () => {
    const long = make.text(4000);
    await fixture.put('urn:a', long);
    const seen = { joined: 0, apart: 0 };
    for (let round = 0; round < 30; round++) {
      await fixture.put('urn:b', make.changed(long, 0.0205 + 0.0001 * round));
      const thresholds = { resemblance: 0.8, resultInRepresentative: null, representativeInResult: null };
      const answer = await ask([{ url: 'urn:a' }, { url: 'urn:b' }], { thresholds });
      const member = answer.groups[0]!.members[0];
      if (member !== undefined) {
        expect(answer.undecided).toEqual([]);
        seen.joined += Number(member.resemblance?.decision === 'undecided');
      } else if (answer.undecided.length > 0) {
        expect(answer.undecided).toEqual([{ result: 1, representative: 0 }]);
        seen.apart++;
      }
    }
    expect(seen.joined).toBeGreaterThan(3);
    expect(seen.apart).toBeGreaterThan(3);
  });

  it('takes a thousand results, and refuses more, or fetching without the scope', async () => {
    const family = Array.from({ length: 10 }, () => make.text(80));
    const results = Array.from({ length: 1000 }, (_, at) => ({ text: make.changed(family[at % 10]!, 0.002) }));
    const answer = await ask(results);
    const all = positions(answer).flat();
    expect(all.toSorted((a, b) => a - b)).toEqual([...results.keys()]);
    expect(answer.groups.length).toBeLessThan(100);
    await expect(ask([...results, { text: 'x' }])).rejects.toMatchObject(
      refused('invalid-request', { field: 'results', limit: { name: 'collapseResultsMax', value: 1000 } }),
    );
    const forbidden = fixture.service.collapse(requestOf([], { fetch: 'auto' }), READ_ONLY);
    await expect(forbidden).rejects.toMatchObject(refused('forbidden', { field: 'fetch' }));
    const nothing: Partial<CollapseAnswer> = { groups: [], shownBefore: [], unknown: [], taken: 0, complete: true };
    expect(await ask([])).toMatchObject(nothing);
  });

  it.each([
    [
      'a threshold',
      { thresholds: { resemblance: 2, resultInRepresentative: 1, representativeInResult: 1 } },
      'thresholds.resemblance',
    ],
    ['a minimum', { minimumShingles: -1 }, 'minimumShingles'],
    ['a number of groups', { want: 0 }, 'want'],
    ['a number of groups of a host', { perHost: 1.5 }, 'perHost'],
    ['a deadline', { deadlineMs: 0 }, 'deadlineMs'],
    ['a preferred host', { prefer: ['a.example', 'https://b.example/'] }, 'prefer[1]'],
  ])('refuses %s that is none', async (_what, options, field) => {
    const asked = fixture.service.collapse(requestOf([{ text: 'a' }], options), ALL);
    await expect(asked).rejects.toMatchObject(refused('invalid-request', { field }));
  });
});
