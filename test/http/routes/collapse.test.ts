import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createTextMaker } from '../../support/core/make-documents.ts';
import { createHttpFixture, type HttpFixture } from '../../support/http/http-fixture.ts';

const maker = createTextMaker(9);
const page = maker.text(300);
const near = maker.changed(page, 0.05);

let fixture: HttpFixture;
beforeAll(async () => {
  fixture = await createHttpFixture();
  await fixture.parts.put('https://a.example/x', page);
});
afterAll(() => fixture.close());

const post = (payload: object) => fixture.app.inject({ method: 'POST', url: '/collapse', payload });

describe('POST /collapse', () => {
  it('groups results and names what it does not know', async () => {
    const results = [
      { text: maker.text(100), id: 'first', rank: 1.5 },
      { url: 'https://a.example/x', id: 2 },
      { text: near },
      { url: 'https://unknown.example/' },
      { text: page, snippet: 'not looked at' },
    ];
    const answer = (await post({ results, thresholds: { resemblance: 0.5 }, deadlineMs: 5000 })).json();
    expect(answer).toMatchObject({
      groups: [
        { representative: { result: 0, id: 'first', rank: 1.5, from: 'body', short: false }, members: [] },
        {
          representative: { result: 1, id: 2, from: 'index' },
          members: [
            { result: 2, by: 'resemblance' },
            { result: 4, by: 'equal', equivalence: 'identical' },
          ],
          moreOfHost: [],
        },
        { representative: { result: 3, from: null, shingles: null, short: null }, members: [] },
      ],
      shownBefore: [],
      undecided: [],
      unknown: [{ result: 3, reason: 'unknown-url' }],
      taken: 5,
      complete: true,
      limits: [],
    });
    expect(answer.groups[1].representative).not.toHaveProperty('rank');
  });

  it('takes every option', async () => {
    const text = maker.text(60);
    const results = [
      { url: 'http://www.b.example/1?utm_source=x', text, shown: true },
      { url: 'https://b.example/2', text: maker.text(40), observedAt: '2026-01-02T03:04:05Z' },
      { url: 'https://b.example/3', html: `<p>${near}` },
      { url: 'https://c.example/', snippet: page.slice(0, 200) },
      { url: 'https://d.example/', text: maker.text(50) },
    ];
    const options = {
      thresholds: { resemblance: null, resultInRepresentative: 0.8, representativeInResult: null },
      minimumShingles: 5,
      urls: 'exact',
      prefer: ['www.d.example'],
      perHost: 1,
      want: 2,
      fetch: 'never',
      deadlineMs: 5000,
    };
    expect((await post({ results, ...options })).json()).toMatchObject({
      groups: [
        // www. is another host where URLs are exact
        { representative: { result: 1 }, moreOfHost: [{ representative: { result: 2 } }] },
        { representative: { result: 3, from: 'snippet' } },
      ],
      shownBefore: [],
      taken: 4,
    });
  });

  it('fetches only where it is asked to', async () => {
    fixture.parts.web.pages.set('https://web.example/', page);
    const collapse = async (fetch: string) => {
      const results = [{ text: page }, { url: 'https://web.example/' }];
      return (await post({ results, fetch, deadlineMs: 5000 })).json();
    };
    expect(await collapse('never')).toMatchObject({ unknown: [{ result: 1 }] });
    expect(await collapse('auto')).toMatchObject({ unknown: [], groups: [{ members: [{ result: 1 }] }] });
  });

  it('takes null for a URL, a title or a snippet, which folds nothing', async () => {
    const results = [
      { url: null, title: 'A', snippet: null },
      { url: null, title: null, snippet: null },
      { url: null, text: page },
      { url: null },
      { url: 'https://a.example/x', title: null },
    ];
    const answer = (await post({ results, deadlineMs: 5000 })).json();
    expect(answer.groups.map((group: { representative: { result: number } }) => group.representative.result)).toEqual([
      ...[0, 1, 2, 3],
    ]);
    expect(answer.groups[2].members).toMatchObject([{ result: 4, by: 'equal' }]);
    expect(answer.unknown).toEqual([1, 3].map((result) => ({ result, reason: 'invalid-url' })));
  });

  it('folds by titles and snippets, and says so', async () => {
    const shown = 'A backdoor was discovered in versions of the library which most distributions use';
    const results = [
      {
        url: 'https://one.example/',
        title: 'Backdoor found in a <b>library</b> - One',
        snippet: `3 days ago — ${shown} ...`,
      },
      { url: 'https://two.example/x', title: 'Backdoor found in a library', snippet: `${shown} today.` },
      { url: 'https://m.youtube.com/watch?v=jqjtNDtbDNI', title: 'The hack' },
      { url: 'https://youtu.be/jqjtNDtbDNI', title: 'Watch on YouTube' },
    ];
    const { groups } = (await post({ results })).json();
    expect(groups).toMatchObject([
      { representative: { result: 0 }, members: [{ result: 1, by: 'title-and-snippet', urlDiffersBy: null }] },
      { representative: { result: 2 }, members: [{ result: 3, by: 'same-url', urlDiffersBy: ['platform'] }] },
    ]);
  });

  it('takes a page without results', async () => {
    expect((await post({ results: [] })).json()).toMatchObject({ groups: [], unknown: [], taken: 0 });
  });

  it('says in answer, metrics and log that the deadline cut it', async () => {
    const { app, parts, log, close } = await createHttpFixture({ logLevel: 'info' });
    onTestFinished(close);
    await parts.put('https://a.example/', page);
    parts.web.pages.set('https://slow.example/', new Promise<never>(() => {}));
    const payload = {
      results: [{ url: 'https://a.example/' }, { url: 'https://slow.example/' }],
      fetch: 'auto',
      deadlineMs: 20,
    };
    const cut = await app.inject({ method: 'POST', url: '/collapse', payload });
    expect(cut.json()).toMatchObject({ complete: false, limits: [{ code: 'deadline', affected: 1, of: 2 }] });
    const metrics = await app.inject({ method: 'GET', url: '/metrics' });
    expect(metrics.body).toContain('shingled_limits_reached_total{limit="deadline"} 1');
    const lines = log.map((line) => JSON.parse(line)).filter(({ route }) => route === '/collapse');
    expect(lines).toMatchObject([{ status: 200, limits: ['deadline'] }]);
  });

  it.each([
    ['no results', {}, { field: 'results' }],
    ['results that are none', { results: ['https://a.example/x'] }, { field: 'results[0]' }],
    ['an empty result', { results: [{ text: 'a' }, { id: 1, shown: true }] }, { field: 'results[1]' }],
    ['two bodies', { results: [{ text: 'a', html: 'a' }] }, { field: 'results[0].html' }],
    ['an id that is none', { results: [{ text: 'a', id: {} }] }, { field: 'results[0].id' }],
    ['fields of its own', { results: [{ text: 'a', score: 1 }] }, { field: 'results[0].score' }],
    ['a title that is none', { results: [{ text: 'a', title: 7 }] }, { field: 'results[0].title' }],
    [
      'a title of more bytes than a page shows',
      { results: [{ title: 'ü'.repeat(1001) }] },
      { field: 'results[0].title', limit: { name: 'titleBytesMax', value: 2000 } },
    ],
    ['a choice of elements of nothing', { results: [{ url: 'urn:x', select: 'p' }] }, { field: 'results[0].select' }],
    ['a time without zone', { results: [{ text: 'a', observedAt: '2026-01-02' }] }, { field: 'results[0].observedAt' }],
    [
      "another call's thresholds",
      { results: [], thresholds: { queryInMatch: 1 } },
      { field: 'thresholds.queryInMatch' },
    ],
    ['a preference that is none', { results: [], prefer: 'newest' }, { field: 'prefer' }],
    ['a host that is none', { results: [], prefer: ['a b'] }, { field: 'prefer[0]' }],
    ['URLs by another rule', { results: [], urls: 'any' }, { field: 'urls' }],
    ['half a surrogate', { results: [{ snippet: '\ud800' }] }, { field: 'results[0].snippet', code: 'invalid-utf8' }],
    [
      'too many',
      { results: Array.from({ length: 1001 }, () => ({ text: 'a' })) },
      { field: 'results', limit: { name: 'collapseResultsMax', value: 1000 } },
    ],
  ])('refuses %s', async (_what, body, problem) => {
    expect((await post(body)).json()).toMatchObject({ status: 400, ...problem });
  });
});
