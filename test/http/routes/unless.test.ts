import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTextMaker } from '../../support/core/make-documents.ts';
import {
  createHttpFixture,
  type HttpFixture,
  JSON_TYPE,
  linesOf,
  NDJSON,
  TEXT,
} from '../../support/http/http-fixture.ts';

const maker = createTextMaker(9);
const page = maker.text(80);
const A = 'https://a.example/x';

let fixture: HttpFixture;
beforeAll(async () => {
  fixture = await createHttpFixture();
});
afterAll(() => fixture.close());

const at = (url: string, more = '') => `/documents?url=${encodeURIComponent(url)}${more}`;
const put = (url: string, payload?: string, headers: Record<string, string> = TEXT) =>
  fixture.app.inject({ method: 'PUT', url, ...(payload === undefined ? {} : { payload, headers }) });
const get = (url: string) => fixture.app.inject(url);
const bulk = (...lines: unknown[]) =>
  fixture.app.inject({
    method: 'POST',
    url: '/documents',
    headers: NDJSON,
    payload: lines.map((line) => JSON.stringify(line)).join('\n'),
  });

describe('unless=similar', () => {
  it.each([
    ['unless without a threshold', at(A, '&unless=similar'), page, { field: 'unless' }],
    ['unless that everything meets', at(A, '&unless=similar&resemblance=0'), page, { field: 'resemblance' }],
    ['unless something else', at(A, '&unless=equal&resemblance=0.9'), page, { field: 'unless' }],
    ['a threshold without unless', at(A, '&resemblance=0.9'), page, { field: 'unless' }],
    ['gone unless similar', at(A, '&status=410&unless=similar&resemblance=0.9'), undefined, { field: 'unless' }],
  ])('refuses %s', async (_what, url, payload, problem) => {
    expect((await put(url, payload)).json()).toMatchObject({ status: 400, code: 'invalid-request', ...problem });
  });

  it('refuses thresholds in the body and in the query string', async () => {
    const thresholds = { resemblance: 0.9 };
    const twice = JSON.stringify({ text: page, unless: 'similar', thresholds });
    expect((await put(at(A, '&queryInMatch=0.9'), twice, JSON_TYPE)).json()).toMatchObject({
      ...{ status: 400, field: 'queryInMatch' },
    });
  });

  it('skips what is like something else, by query string, JSON or a line', async () => {
    const skipped = { status: 'skipped', newContent: false, content: null, similarComplete: true };
    const [words, c] = [maker.text(80), 'https://c.example/'];
    expect((await put(at(`${c}1`, '&unless=similar&resemblance=0.9&queryInMatch=off'), words)).statusCode).toBe(201);
    const answers = [
      await put(at(`${c}2`, '&unless=similar&resemblance=0.9'), words),
      await put(
        at(`${c}2`),
        JSON.stringify({ text: words, unless: 'similar', thresholds: { matchInQuery: 0.9 } }),
        JSON_TYPE,
      ),
      await put(
        at(`${c}2`, '&unless=similar'),
        JSON.stringify({ text: words, thresholds: { resemblance: 1 } }),
        JSON_TYPE,
      ),
      await put(at(`${c}2`, '&queryInMatch=1'), JSON.stringify({ text: words, unless: 'similar' }), JSON_TYPE),
    ];
    for (const answer of answers) {
      expect(answer.statusCode).toBe(200);
      expect(answer.json()).toMatchObject({ ...skipped, similar: [{ sources: [{ url: `${c}1` }] }] });
    }
    const line = { op: 'put', url: `${c}3`, text: words, unless: 'similar', thresholds: { resemblance: 0.9 } };
    const lines = linesOf((await bulk(line, { ...line, unless: undefined, thresholds: undefined, similar: 1 })).body);
    expect(lines).toMatchObject([
      { line: 1, status: 200, result: 'skipped', similar: [{ sources: [{ url: `${c}1` }] }], similarComplete: true },
      { line: 2, status: 201, result: 'created', similar: [{ sources: [{ url: `${c}1` }] }], similarComplete: true },
      { summary: { ok: 2, failed: 0 } },
    ]);
    expect((await get(at(`${c}2`))).statusCode).toBe(404);
  });
});
