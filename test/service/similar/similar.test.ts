import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Match, SimilarAnswer } from '../../../src/service/api.ts';
import { createTextMaker, exactShares } from '../../support/core/make-documents.ts';
import {
  ALL,
  createServiceFixture,
  OPTIONS,
  ofText,
  ofUrl,
  plain,
  READ_ONLY,
  refused,
  type ServiceFixture,
  SHINGLE_SIZE,
} from '../../support/service/service-fixture.ts';

/** Short documents are known whole, long ones by a sample: both kinds, near-copies of every degree, and strangers. */
const make = createTextMaker(20);
const bases = [80, 200, 600, 1500].map((words) => make.text(words));
const corpus = new Map<string, string>();
for (const [base, text] of bases.entries()) {
  corpus.set(`https://base.example/${base}`, text);
  for (const [degree, share] of [0.005, 0.01, 0.03, 0.06, 0.1].entries()) {
    corpus.set(`https://copy${degree}.example/${base}`, make.changed(text, share));
  }
  corpus.set(`https://part.example/${base}`, text.split(' ').slice(0, 50).join(' '));
  corpus.set(`https://whole.example/${base}`, `${make.text(300)} ${text} ${make.text(300)}`);
}
for (let stranger = 0; stranger < 40; stranger++) corpus.set(`https://far.example/${stranger}`, make.text(150));

let fixture: ServiceFixture;
beforeAll(async () => {
  fixture = createServiceFixture();
  for (const [url, text] of corpus) await fixture.put(url, text);
});
afterAll(() => fixture.close());

const urlsOf = ({ matches }: SimilarAnswer) => matches.flatMap(({ sources }) => sources.map(({ url }) => url));
const textOf = (match: Match) => corpus.get(match.sources[0]!.url)!;

describe('similar', () => {
  it('finds by brute force what it finds by look-ups, with shares that lie in their intervals', async () => {
    const thresholds = { resemblance: 0.3, queryInMatch: 0.7, matchInQuery: 0.7 };
    let intervals = 0;
    let covered = 0;
    for (const query of [...bases, ...bases.map((text) => make.changed(text, 0.02))]) {
      const answer = await fixture.similar(ofText(query), { thresholds, limit: 100, undecided: 'include' });
      expect(answer.complete).toBe(true);
      const found = new Set(urlsOf(answer));
      for (const [url, text] of corpus) {
        const { resemblance, aInB, bInA } = exactShares(query, text, SHINGLE_SIZE);
        const clear = resemblance >= 0.4 || aInB >= 0.8 || bInA >= 0.8;
        const far = resemblance < 0.2 && aInB < 0.6 && bInA < 0.6;
        if (clear) expect(found).toContain(url);
        if (far) expect(found).not.toContain(url);
      }
      for (const match of answer.matches) {
        const exact = exactShares(query, textOf(match), SHINGLE_SIZE);
        const shares = [
          [match.resemblance, exact.resemblance],
          [match.queryInMatch, exact.aInB],
          [match.matchInQuery, exact.bInA],
        ] as const;
        for (const [{ estimate, low, high }, truth] of shares) {
          expect(low).toBeLessThanOrEqual(estimate);
          expect(high).toBeGreaterThanOrEqual(estimate);
          intervals++;
          if (low <= truth && truth <= high) covered++;
          if (match.shingles < 512) expect(Math.abs(estimate - truth)).toBeLessThanOrEqual(0.0005);
        }
      }
    }
    expect(intervals).toBeGreaterThan(100);
    expect(covered / intervals).toBeGreaterThan(0.93);
  });

  it('orders by resemblance, then containment; or as asked', async () => {
    const thresholds = { resemblance: 0.1, queryInMatch: 0.1, matchInQuery: 0.1 };
    let ties = 0;
    for (const sort of ['resemblance', 'queryInMatch', 'matchInQuery'] as const) {
      const { matches } = await fixture.similar(ofText(bases[2]!), { thresholds, sort, limit: 50 });
      const estimates = matches.map((match) => match[sort].estimate);
      expect(estimates.length).toBeGreaterThan(5);
      expect(estimates).toEqual(estimates.toSorted((a, b) => b - a));
      for (const [at, match] of matches.entries()) {
        const before = matches[at - 1];
        if (sort === 'resemblance' || before?.[sort].estimate !== match[sort].estimate || match[sort].estimate < 1)
          continue;
        ties++;
        expect(before.resemblance.estimate).toBeGreaterThanOrEqual(match.resemblance.estimate);
      }
    }
    // the text itself and the one that has all of it have the same share of the query
    expect(ties).toBeGreaterThan(0);
  });

  it('decides by the interval, and shows what is undecided only when asked', async () => {
    const query = bases[3]!;
    const degrees = await fixture.similar(ofText(query), { thresholds: { ...OPTIONS.thresholds, resemblance: 0.05 } });
    const middle = degrees.matches.find(({ resemblance }) => resemblance.low < resemblance.estimate - 0.005)!;
    // a threshold that this match misses by its estimate and reaches by its interval
    const thresholds = {
      resemblance: middle.resemblance.estimate + 0.002,
      queryInMatch: null,
      matchInQuery: null,
    };
    const has = ({ matches }: SimilarAnswer) =>
      matches.find(({ sources }) => sources[0]!.url === middle.sources[0]!.url);
    expect(has(await fixture.similar(ofText(query), { thresholds }))).toBeUndefined();
    const included = has(await fixture.similar(ofText(query), { thresholds, undecided: 'include' }));
    expect(included?.resemblance.decision).toBe('undecided');
    expect(included?.queryInMatch.decision).toBeNull();
  });

  it('never lists the URL of the query, given by body or from the index', async () => {
    const [url, text] = [...corpus][0]!;
    const thresholds = { resemblance: 0, queryInMatch: null, matchInQuery: null };
    for (const reference of [
      ofUrl(url),
      ofText(text, url),
      ofText(text, `${url}#fragment`),
      ofUrl(url.toUpperCase().replace('BASE', 'base')),
    ]) {
      const answer = await fixture.similar(reference, { thresholds, limit: 1000, include: ['live', 'gone', 'past'] });
      expect(answer.matches.length).toBeGreaterThan(3);
      expect(urlsOf(answer)).not.toContain(url);
      expect(answer.query.url).toBe(url);
    }
    expect(urlsOf(await fixture.similar(ofText(text)))).toContain(url);
  });

  it('describes the query, and stores nothing', async () => {
    const before = await fixture.service.stats();
    const answer = await fixture.similar(ofText('One two three, one two.'));
    expect(answer.query).toEqual({
      from: 'body',
      url: null,
      tokens: 5,
      shingles: 1,
      short: true,
      fingerprintId: before.fingerprintId,
    });
    expect(answer).toMatchObject({ matches: [], cursor: null, complete: true, limits: [] });
    expect(answer.recall).toEqual({ resemblance: 1, queryInMatch: expect.any(Number), matchInQuery: null });
    expect((await fixture.similar(ofUrl('https://base.example/3'))).query).toMatchObject({
      from: 'index',
      tokens: 1500,
    });
    expect(await fixture.service.stats()).toEqual(before);
  });

  it('refuses a URL that it neither knows nor may fetch, and a document without words', async () => {
    const unknown = fixture.service.similar(ofUrl('https://new.example/'), OPTIONS, READ_ONLY);
    await expect(unknown).rejects.toMatchObject(refused('unknown-url', { field: 'url' }));
    const name = fixture.similar(ofUrl('urn:new'));
    await expect(name).rejects.toMatchObject(refused('unknown-url', { field: 'url' }));
    const nothing = fixture.similar({ url: null, body: null, select: null, remove: null, at: null });
    await expect(nothing).rejects.toMatchObject(refused('invalid-request', { field: 'url' }));
    await expect(fixture.similar(ofText(' … '))).rejects.toMatchObject(refused('empty-document'));
    await expect(fixture.similar(ofText('a', 'no/url'))).rejects.toMatchObject(
      refused('invalid-url', { field: 'url' }),
    );
  });

  it.each([
    ['thresholds', { thresholds: { resemblance: null, queryInMatch: null, matchInQuery: null } }],
    ['thresholds.queryInMatch', { thresholds: { resemblance: 0.5, queryInMatch: 1.01, matchInQuery: null } }],
    ['thresholds.matchInQuery', { thresholds: { resemblance: 0.5, queryInMatch: null, matchInQuery: Number.NaN } }],
    ['limit', { limit: 0 }],
    ['limit', { limit: 1001 }],
    ['sourcesPerMatch', { sourcesPerMatch: 1.5 }],
    ['deadlineMs', { deadlineMs: 0 }],
    ['deadlineMs', { deadlineMs: 2 ** 32 }],
    ['include', { include: [] }],
    ['exclude.hosts', { exclude: { hosts: new Array<string>(1001).fill('a'), urls: [] } }],
    ['exclude.hosts[1]', { exclude: { hosts: ['a', 'a/b'], urls: [] } }],
    ['exclude.urls[0]', { exclude: { hosts: [], urls: ['a/b'] } }],
    ['exclude.urls[0]', { exclude: { hosts: [], urls: ['https://a.example/*'] } }],
  ])('refuses %s out of its range: %o', async (field, options) => {
    const answer = fixture.similar(ofText(bases[0]!), options);
    await expect(answer).rejects.toMatchObject({ name: 'ShingledError', status: 400, field });
  });
});

describe('similar by fetching', () => {
  const html = `<title>New</title><p>${bases[1]}`;

  it('reads what is not indexed, as a look-up, and indexes it not', async () => {
    fixture.web.pages.set('https://new.example/', html);
    const answer = await fixture.similar(ofUrl('https://new.example/'));
    expect(answer.query).toMatchObject({ from: 'fetch', url: 'https://new.example/' });
    expect(urlsOf(answer)).toContain('https://base.example/1');
    expect(fixture.web.asked.at(-1)).toEqual({ url: 'https://new.example/', purpose: 'look-up' });
    await expect(
      fixture.service.document('https://new.example/', { limit: 1, cursor: null }, ALL),
    ).rejects.toMatchObject(refused('unknown-url'));
  });

  it('gives its options to the reader of the body', async () => {
    const body = { bytes: plain(`<nav>${bases[0]}</nav><main>${bases[1]}</main>`).bytes, contentType: 'text/html' };
    const answer = await fixture.similar({ url: null, body, select: 'main', remove: null, at: null });
    expect(answer.matches[0]).toMatchObject({ equivalence: 'lexical' });
    expect(answer.query.tokens).toBe(200);
  });
});
