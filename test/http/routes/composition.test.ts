import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTextMaker } from '../../support/core/make-documents.ts';
import { createHttpFixture, type HttpFixture, JSON_TYPE, TEXT } from '../../support/http/http-fixture.ts';
import { makePdf } from '../../support/pdf/make-pdf.ts';

const maker = createTextMaker(19);
const [page, second, own] = [maker.text(300), maker.text(200), maker.text(100)];
const text = `${own} ${page} ${second}`;

let fixture: HttpFixture;
beforeAll(async () => {
  fixture = await createHttpFixture();
  await fixture.parts.put('https://a.example/page', page, { meta: { crawl: 'spring' } });
  await fixture.parts.put('https://b.example/second', second);
});
afterAll(() => fixture.close());

/** Pages of lines that they have room for. */
const pagesOf = (words: string) => words.match(/\S+(?: \S+){0,119}/g)!.map((page) => page.match(/\S+(?: \S+){0,7}/g)!);

const post = (payload: string | Buffer, headers: Record<string, string>, query = '') =>
  fixture.app.inject({ method: 'POST', url: `/composition${query}`, payload, headers });
const ask = (body: object) => post(JSON.stringify(body), JSON_TYPE);
const urlsOf = (answer: { parts: { sources: { url: string }[] }[] }) =>
  answer.parts.map(({ sources }) => sources[0]!.url);
const BOTH = ['https://a.example/page', 'https://b.example/second'];

describe('POST /composition', () => {
  it('says the same of a text in JSON, as it is, in HTML and in PDF', async () => {
    const answers = [
      await ask({ document: { text } }),
      await ask({ document: { html: `<h1>Words</h1><p>${text}</p>` } }),
      await ask({ document: { bytes: Buffer.from(text).toString('base64'), contentType: 'text/plain' } }),
      await post(text, TEXT),
      await post(`<p>${text}</p>`, { 'content-type': 'text/html' }),
      await post(makePdf(pagesOf(text)), { 'content-type': 'application/pdf' }),
    ];
    for (const answer of answers) {
      expect(answer.statusCode).toBe(200);
      expect(urlsOf(answer.json())).toEqual(BOTH);
      expect(answer.json().unexplained.estimate).toBeCloseTo(1 / 6, 1);
    }
  });

  it('says it of a URL that is known, and of one that is fetched', async () => {
    fixture.parts.web.pages.set('https://web.example/', `<p>${text}</p>`);
    expect((await ask({ document: { url: 'https://web.example/' } })).json()).toMatchObject({
      query: { from: 'fetch' },
    });
    const known = (await ask({ document: { url: BOTH[0] } })).json();
    expect(known).toMatchObject({ query: { from: 'index' }, parts: [], unexplained: { estimate: 1 } });
    const never = await ask({ document: { url: 'https://nobody.example/' }, fetch: 'never' });
    expect(never.json()).toMatchObject({ status: 404, code: 'unknown-url', field: 'document.url' });
  });

  it('goes by contents where that is asked for, and refuses other wishes', async () => {
    expect((await ask({ document: { text } })).json()).not.toHaveProperty('decidedBy');
    const auto = (await ask({ document: { text }, content: 'auto' })).json();
    expect(auto).toMatchObject({ decidedBy: 'page', content: null, contentUnknown: 'whole' });
    for (const url of ['/clusters?url=https://a.example/page&content=', '/moved?url=https://a.example/page&content=']) {
      expect((await fixture.app.inject(`${url}main`)).statusCode).toBe(200);
      expect((await fixture.app.inject(`${url}text`)).json()).toMatchObject({
        code: 'invalid-request',
        field: 'content',
      });
    }
    const refused = (await ask({ document: { text }, content: 'text' })).json();
    expect(refused).toMatchObject({ code: 'invalid-request', field: 'content' });
  });

  it('takes its options in JSON and in the query string', async () => {
    for (const [body, query, urls] of [
      [{ limit: 1 }, 'limit=1', [BOTH[0]]],
      [{ content: 'main' }, 'content=main', BOTH],
      [{ minimumShare: 0.45 }, 'minimumShare=0.45', [BOTH[0]]],
      [{ find: 'quotations', minimumWords: 250 }, 'find=quotations&minimumWords=250', [BOTH[0]]],
      [{ exclude: { hosts: ['a.example'] } }, 'excludeHosts=a.example', [BOTH[1]]],
      [{ exclude: { urls: [BOTH[1]] } }, `excludeUrls=${BOTH[1]}`, [BOTH[0]]],
      [{ hosts: ['b.example'] }, 'hosts=b.example', [BOTH[1]]],
      [{ meta: { crawl: 'spring' } }, `meta=${encodeURIComponent('{"crawl":"spring"}')}`, [BOTH[0]]],
      [{ urlPrefix: 'https://b.example/' }, `urlPrefix=${encodeURIComponent('https://b.example/')}`, [BOTH[1]]],
    ] as const) {
      expect(urlsOf((await ask({ document: { text }, ...body })).json())).toEqual(urls);
      expect(urlsOf((await post(text, TEXT, `?${query}`)).json())).toEqual(urls);
    }
    expect((await post(text, TEXT, '?passages=false')).json()).not.toHaveProperty('passages');
  });

  it.each([
    ['no document', {}, 'document'],
    ['an empty one', { document: {} }, 'document'],
    ['another way to look', { document: { text }, find: 'meaning' }, 'find'],
    ['a share of nothing', { document: { text }, minimumShare: 0 }, 'minimumShare'],
    ['a quotation of a word', { document: { text }, minimumWords: 1 }, 'minimumWords'],
    ['too many parts', { document: { text }, limit: 101 }, 'limit'],
    ['thresholds', { document: { text }, thresholds: {} }, 'thresholds'],
  ])('refuses %s', async (_what, body, field) => {
    expect((await ask(body)).json()).toMatchObject({ status: 400, code: 'invalid-request', field });
  });

  it('refuses options in two places, lines, and a text without words', async () => {
    const twice = await post(JSON.stringify({ document: { text } }), JSON_TYPE, '?limit=1');
    expect(twice.json()).toMatchObject({ status: 400, field: 'limit' });
    const lines = await post('{}\n', { 'content-type': 'application/x-ndjson' });
    expect(lines.json()).toMatchObject({ status: 415, code: 'unsupported-media-type' });
    expect((await ask({ document: { text: '…' } })).json()).toMatchObject({ status: 422, code: 'empty-document' });
  });
});
