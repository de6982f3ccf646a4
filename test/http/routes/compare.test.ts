import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTextMaker, exactShares } from '../../support/core/make-documents.ts';
import { createHttpFixture, type HttpFixture } from '../../support/http/http-fixture.ts';
import { SHINGLE_SIZE } from '../../support/service/service-fixture.ts';

const maker = createTextMaker(9);
const page = maker.text(300);
const near = maker.changed(page, 0.05);

let fixture: HttpFixture;
beforeAll(async () => {
  fixture = await createHttpFixture();
  await fixture.parts.put('https://a.example/x', page);
});
afterAll(() => fixture.close());

const post = (url: string, payload: object) => fixture.app.inject({ method: 'POST', url, payload });

describe('POST /compare', () => {
  it('is exact where both bodies are given', async () => {
    const answer = (await post('/compare', { a: { text: page }, b: { text: near }, passages: true })).json();
    const { resemblance, aInB, bInA } = exactShares(page, near, SHINGLE_SIZE);
    expect(answer.resemblance.exact).toBeCloseTo(resemblance, 2);
    expect(answer.aInB.exact).toBeCloseTo(aInB, 2);
    expect(answer.bInA.exact).toBeCloseTo(bInA, 2);
    expect(answer.passages.length).toBeGreaterThan(0);
  });

  it.each([
    ['a text', (text: string) => ({ text: `\ufeff\u{1f339} ${text}` })],
    [
      'a page',
      (text: string) => ({ html: `<title>&#127801;</title><p>&rarr; ${text.replace(' ', ' <b>\u{1f339}</b> ')}` }),
    ],
    ['bytes', (text: string) => ({ bytes: Buffer.from(`\ufeff\u{1f339} ${text}`).toString('base64') })],
  ])('has passages where its own text of a has them: %s', async (_what, documentOf) => {
    const asked = { a: documentOf(page), b: { text: near }, passages: true, differences: true, texts: true };
    const { passages, differences } = (await post('/compare', asked)).json();
    expect(passages.length).toBeGreaterThan(1);
    for (const { from, to, text } of passages) {
      const there = differences.a.text.slice(from, to);
      expect(text.split(' … ').map((part: string) => there.includes(part))).not.toContain(false);
      if (!text.includes(' … ')) expect(there).toBe(text);
      else expect([there.slice(0, 9), there.slice(-9)]).toEqual([text.slice(0, 9), text.slice(-9)]);
    }
  });

  it('compares with what is known of a URL, and says why two are not the same', async () => {
    const answer = await post('/compare', { a: { url: 'https://a.example/x' }, b: { html: `<p>${page}</p>` } });
    expect(answer.json()).toMatchObject({ a: { from: 'index' }, equivalence: 'lexical', whyNot: { step: 'bytes' } });
  });

  it('decides each direction against its own threshold', async () => {
    const half = page.split(' ').slice(0, 150).join(' ');
    const decisions = async (thresholds: object) => {
      const answer = (await post('/compare', { a: { text: half }, b: { text: page }, thresholds })).json();
      return [answer.resemblance, answer.aInB, answer.bInA].map(({ decision }) => decision);
    };
    expect(await decisions({})).toEqual(['no', 'yes', 'no']);
    expect(await decisions({ resemblance: null, aInB: null, bInA: 0.4 })).toEqual([null, null, 'yes']);
  });

  it('takes URLs from where fetch says', async () => {
    const url = 'https://web.example/';
    fixture.parts.web.pages.set(url, 'one two three four five six');
    const ask = (fetch?: string) => post('/compare', { a: { text: 'a' }, b: { url }, fetch });
    expect((await ask()).json()).toMatchObject({ b: { from: 'fetch', url } });
    expect((await ask('never')).json()).toMatchObject({ status: 404, code: 'unknown-url', field: 'b.url' });
    expect((await ask('sometimes')).json()).toMatchObject({ status: 400, field: 'fetch' });
  });

  it('tells differences and explains them, as its schema says', async () => {
    const body = { a: { text: page }, b: { text: `${near} more` }, differences: true, texts: true, explain: true };
    const answer = (await post('/compare', body)).json();
    expect(answer.limits).toEqual([]);
    expect(answer.differences).toMatchObject({ complete: true, a: { characters: page.length, text: page } });
    const { spans, text } = answer.differences.b;
    expect(spans.at(-1)).toMatchObject({ kind: 'only', to: text.length, partner: null });
    expect(spans[0]).toEqual({ kind: expect.any(String), from: 0, to: expect.any(Number), partner: expect.anything() });
    expect(answer.explanation).toMatchObject({
      partAt: 'bytes',
      lostAt: 'lists',
      byDefault: { found: false, rank: null },
    });
    expect(answer.explanation.steps).toHaveLength(9);
    const byUrl = { a: { url: 'https://a.example/x' }, b: { text: near }, differences: true };
    const stored = (await post('/compare', byUrl)).json();
    expect(stored).toMatchObject({
      differences: null,
      limits: [{ code: 'differences-need-text', affected: 1, of: 2 }],
    });
    expect(stored).not.toHaveProperty('explanation');
  });

  it.each([
    [{ differences: 'yes' }, 'differences'],
    [{ explain: 1 }, 'explain'],
    [{ texts: true }, 'texts'],
  ])('refuses %j, naming the field', async (options, field) => {
    const answer = await post('/compare', { a: { text: page }, b: { text: near }, ...options });
    expect(answer.json()).toMatchObject({ status: 400, code: 'invalid-request', field });
  });

  it('says that passages of what only the index knows need its text', async () => {
    const body = { a: { url: 'https://a.example/x' }, b: { url: 'https://a.example/x' }, passages: true };
    const answer = (await post('/compare', body)).json<object>();
    expect(answer).toMatchObject({ limits: [{ code: 'passages-need-text', affected: 1, of: 1 }] });
    expect(answer).not.toHaveProperty('passages');
  });

  it.each([
    ['one document', { a: { text: 'a' } }, 'b'],
    ['an empty one', { a: { text: 'a' }, b: {} }, 'b'],
    ['two bodies in one', { a: { text: 'a', html: 'a' }, b: { text: 'a' } }, 'a.html'],
    [
      "another call's thresholds",
      { a: { text: 'a' }, b: { text: 'a' }, thresholds: { queryInMatch: 1 } },
      'thresholds.queryInMatch',
    ],
  ])('refuses %s', async (_what, body, field) => {
    expect((await post('/compare', body)).json()).toMatchObject({ status: 400, field });
  });
});
