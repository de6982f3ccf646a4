import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FEATURE_BYTES_MAX, FEATURES_TYPE } from '../../../src/features/feature-list.ts';
import { createHttpFixture, type HttpFixture, linesOf, NDJSON } from '../../support/http/http-fixture.ts';

const SET = ['brand:acme', 'color:red', 'size:42', 'sole:gum'];
const NEAR = ['brand:acme', 'color:red', 'size:42', 'sole:foam'];
const A = 'https://shop.example/a';

let fixture: HttpFixture;
beforeAll(async () => {
  fixture = await createHttpFixture();
  const answer = await put(A, { features: SET });
  expect(answer).toMatchObject({ statusCode: 201 });
});
afterAll(() => fixture.close());

const put = (url: string, payload: object | string, type = 'application/json') =>
  fixture.app.inject({ method: 'PUT', url: '/documents', query: { url }, payload, headers: { 'content-type': type } });
const post = (url: string, payload: object | string, type = 'application/json') =>
  fixture.app.inject({ method: 'POST', url, payload, headers: { 'content-type': type } });

const MATCH = { resemblance: { estimate: 0.6 }, sources: [{ url: A }] };

describe('features over HTTP', () => {
  it('are put as JSON, as they are, and by a line, and are told as what they are', async () => {
    const raw = await put('https://shop.example/raw', JSON.stringify([...SET, ...SET]), FEATURES_TYPE);
    expect(raw.json()).toMatchObject({ newContent: false, content: { kind: 'features', tokens: 0, shingles: 4 } });
    const line = { op: 'put', url: 'https://shop.example/line', features: SET, meta: { n: 1 }, similar: 1 };
    expect(linesOf((await post('/documents', JSON.stringify(line), NDJSON['content-type'])).body)).toMatchObject([
      { status: 201, result: 'created' },
      { summary: { ok: 1 } },
    ]);
    const known = await fixture.app.inject({ url: '/documents', query: { url: A } });
    expect(known.json()).toMatchObject({ title: null, content: { kind: 'features', shingles: 4 }, sourceCount: 3 });
    for (const url of ['https://shop.example/raw', 'https://shop.example/line'])
      await fixture.app.inject({ method: 'DELETE', url: '/documents', query: { url } });
  });

  it('are asked for as JSON, as they are, by a line, and by their URL', async () => {
    const document = { features: NEAR };
    const asked = await post('/similar', { document });
    expect(asked.json()).toMatchObject({ query: { from: 'body', kind: 'features', tokens: 0 }, matches: [MATCH] });
    const bytes = { bytes: Buffer.from(JSON.stringify(NEAR)).toString('base64'), contentType: FEATURES_TYPE };
    expect((await post('/similar', { document: bytes })).json()).toMatchObject({ matches: [MATCH] });
    expect((await post('/similar', JSON.stringify(NEAR), FEATURES_TYPE)).json()).toMatchObject({ matches: [MATCH] });
    const lines = await post('/similar', `${JSON.stringify({ document })}\n`, NDJSON['content-type']);
    expect(linesOf(lines.body)[0]).toMatchObject({ answer: { matches: [MATCH] } });
    const stored = await fixture.app.inject({ url: '/similar', query: { url: A } });
    expect(stored.json()).toMatchObject({ query: { from: 'index', kind: 'features' }, matches: [] });
    const text = await post('/similar', { document: { text: SET.join(' ') } });
    expect(text.json()).toMatchObject({ matches: [] });
    expect(text.json().query).not.toHaveProperty('kind');
  });

  it('are compared, composed and collapsed', async () => {
    const compared = await post('/compare', { a: { features: SET }, b: { url: A } });
    expect(compared.json()).toMatchObject({ equivalence: 'identical', resemblance: { exact: 1 }, whyNot: null });
    const composed = await post('/composition', { document: { features: [...SET, ...NEAR] } });
    expect(composed.json()).toMatchObject({ parts: [{ unique: { estimate: 0.8 } }], unexplained: { estimate: 0.2 } });
    expect((await post('/composition', JSON.stringify(SET), FEATURES_TYPE)).json()).toMatchObject({ parts: [{}] });
    const results = [{ features: SET, id: 1 }, { text: SET.join(' ') }, { features: NEAR }, { url: A }];
    const collapsed = await post('/collapse', { results, thresholds: { resemblance: 0.5 } });
    expect(collapsed.json()).toMatchObject({
      groups: [
        {
          representative: { result: 0, from: 'body' },
          members: [
            { result: 2, by: 'resemblance', resemblance: { exact: 0.6 } },
            { result: 3, by: 'equal', equivalence: 'identical' },
          ],
        },
        { representative: { result: 1 }, members: [] },
      ],
    });
  });

  it('are written unless something similar is there', async () => {
    const thresholds = { resemblance: 0.5 };
    const answer = await put('https://shop.example/near', { features: NEAR, unless: 'similar', thresholds });
    expect(answer.json()).toMatchObject({ status: 'skipped', similar: [MATCH] });
  });

  const long = ['x'.repeat(FEATURE_BYTES_MAX + 1)];
  it.each([
    ['/similar', { document: { features: 'a' } }, 'invalid-request', 'document.features'],
    ['/similar', { document: { features: ['a', 1] } }, 'invalid-request', 'document.features[1]'],
    ['/similar', { document: { features: ['a', '\ud800'] } }, 'invalid-utf8', 'document.features[1]'],
    ['/similar', { document: { features: long } }, 'invalid-request', 'document.features[0]'],
    ['/similar', { document: { features: ['a'], text: 'a' } }, 'invalid-request', 'document.features'],
    ['/similar', { document: { features: ['a'], html: 'a' } }, 'invalid-request', 'document.features'],
    ['/similar', { document: { features: ['a'], bytes: 'YQ==' } }, 'invalid-request', 'document.bytes'],
    ['/similar', { document: { features: ['a'], contentType: 'a/b' } }, 'invalid-request', 'document.contentType'],
    ['/similar', { document: { features: ['a'], select: 'p' } }, 'invalid-selector', 'select'],
    ['/similar', { document: { features: ['a'] }, passages: true }, 'invalid-request', 'passages'],
    ['/similar', { document: { features: [] } }, 'empty-document', undefined],
    ['/compare', { a: { features: ['\udc00'] }, b: { text: 'a' } }, 'invalid-utf8', 'a.features[0]'],
    ['/compare', { a: { text: 'a' }, b: { features: long } }, 'invalid-request', 'b.features[0]'],
    ['/compare', { a: { text: 'a' }, b: { features: ['a'] }, differences: true }, 'invalid-request', 'differences'],
    ['/compare', { a: { features: ['a'] }, b: { text: 'a' }, passages: true }, 'invalid-request', 'passages'],
    ['/composition', { document: { features: ['a'] }, find: 'quotations' }, 'invalid-request', 'find'],
    ['/composition', { document: { features: [7] } }, 'invalid-request', 'document.features[0]'],
    ['/collapse', { results: [{ text: 'a' }, { features: long }] }, 'invalid-request', 'results[1].features[0]'],
    ['/collapse', { results: [{ features: ['\ud800'] }] }, 'invalid-utf8', 'results[0].features[0]'],
    ['/similar', { document: { features: Array.from({ length: 20_001 }, String) } }, 'invalid-json', undefined],
  ])('are refused by %s with the field: %j', async (url, payload, code, field) => {
    const answer = (await post(url, payload)).json();
    expect([answer.code, answer.field]).toEqual([code, field]);
  });

  it('are refused as lines that are wrong, and beside what brings no document', async () => {
    const lines = [
      { op: 'put', url: A, features: ['\ud800'] },
      { op: 'put', url: A, features: ['a'], text: 'a' },
      { op: 'gone', url: A, features: ['a'] },
      { op: 'same', url: A, as: A, features: ['a'] },
    ];
    const answer = await post(
      '/documents',
      lines.map((line) => JSON.stringify(line)).join('\n'),
      NDJSON['content-type'],
    );
    expect(linesOf(answer.body)).toMatchObject([
      { code: 'invalid-utf8', field: 'features[0]' },
      { code: 'invalid-request', field: 'features' },
      { code: 'invalid-request', field: 'features' },
      { code: 'invalid-request', field: 'features' },
      {},
    ]);
    expect((await put(A, { features: ['a'], status: 410 })).json()).toMatchObject({
      code: 'invalid-request',
      field: 'status',
    });
  });

  it('are refused where a body of their type is none', async () => {
    for (const body of ['{"a":1}', '["a"', '[1]'])
      expect((await put(A, body, FEATURES_TYPE)).json()).toMatchObject({ code: 'unreadable-document' });
    expect((await post('/compare', '["a"]', FEATURES_TYPE)).json()).toMatchObject({ code: 'unsupported-media-type' });
  });
});
