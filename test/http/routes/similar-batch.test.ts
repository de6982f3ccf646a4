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

const page = createTextMaker(7).text(200);

let fixture: HttpFixture;
beforeAll(async () => {
  fixture = await createHttpFixture();
  await fixture.parts.put('https://a.example/x', page);
});
afterAll(() => fixture.close());

const post = (url: string, payload: string, headers: Record<string, string>) =>
  fixture.app.inject({ method: 'POST', url, payload, headers });

describe('a batch', () => {
  // the former is how it was asked for before it had a path
  it.each(['/similar', '/similar/batch'])(
    'at %s answers each line by itself, in order, then a summary',
    async (path) => {
      const lines = [
        JSON.stringify({ document: { text: page } }),
        'not json',
        '',
        JSON.stringify({ document: { text: 'a' }, nonsense: 1 }),
        JSON.stringify({ document: { url: 'https://a.example/x' }, limit: 5 }),
      ];
      const answer = await post(path, lines.join('\n'), NDJSON);
      expect(answer).toMatchObject({ statusCode: 200, headers: { 'content-type': 'application/x-ndjson' } });
      expect(linesOf(answer.body)).toEqual([
        { line: 1, status: 200, answer: expect.objectContaining({ complete: true }) },
        expect.objectContaining({ line: 2, status: 400, code: 'invalid-json' }),
        expect.objectContaining({ line: 4, status: 400, code: 'invalid-request', field: 'nonsense' }),
        {
          line: 5,
          status: 200,
          answer: expect.objectContaining({ query: expect.objectContaining({ from: 'index' }) }),
        },
        { summary: { lines: 4, ok: 2, failed: 2, complete: true } },
      ]);
    },
  );

  it('at its path takes nothing but lines', async () => {
    expect(await post('/similar/batch', JSON.stringify({ document: { text: page } }), JSON_TYPE)).toMatchObject({
      statusCode: 415,
    });
    expect(await post('/similar/batch', page, TEXT)).toMatchObject({ statusCode: 415 });
    const withOptions = await post('/similar/batch?limit=3', '', NDJSON);
    expect([withOptions.statusCode, withOptions.json().field]).toEqual([400, 'limit']);
  });
});
