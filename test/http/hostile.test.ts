import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpFixture, type HttpFixture, JSON_TYPE, linesOf, NDJSON } from '../support/http/http-fixture.ts';
import { hostileDocuments } from '../support/pages/hostile.ts';

/* Documents made to hurt whoever reads them, by every way in: each is indexed or refused by name, and nothing is broken. */

const REFUSALS = ['empty-document', 'document-too-complex', 'unsupported-media-type', 'body-too-large'];

let fixture: HttpFixture;
beforeAll(async () => {
  fixture = await createHttpFixture();
});
afterAll(() => fixture.close());

type Send = [method: 'PUT' | 'POST', path: string, payload: Buffer | string, headers: Record<string, string>];

/** The code of the error in which each way in ends, null where it does not. */
async function outcomes(bytes: Uint8Array, contentType: string): Promise<(string | null)[]> {
  const url = 'https://h.example/x';
  const raw = { 'content-type': contentType };
  const document = { [contentType === 'text/html' ? 'html' : 'text']: Buffer.from(bytes).toString('utf8') };
  const deadlineMs = 20_000;
  const outcome = async (...[method, path, payload, headers]: Send) => {
    const answer = await fixture.app.inject({ method, url: path, payload, headers });
    const { code = null } = linesOf(answer.body)[0] as { code?: string };
    expect(answer.statusCode >= 400 || headers === NDJSON).toBe(code !== null || headers === NDJSON);
    return code;
  };
  return [
    await outcome('PUT', `/documents?url=${url}`, Buffer.from(bytes), raw),
    await outcome('POST', `/similar?passages=true&deadlineMs=${deadlineMs}`, Buffer.from(bytes), raw),
    await outcome('POST', '/similar', JSON.stringify({ document, deadlineMs }), JSON_TYPE),
    await outcome('POST', '/compare', JSON.stringify({ a: document, b: document, deadlineMs }), JSON_TYPE),
    await outcome('POST', '/documents', JSON.stringify({ op: 'put', url, ...document }), NDJSON),
  ];
}

describe('hostile documents', () => {
  it.each(hostileDocuments(3000))('$name', async ({ bytes, contentType }) => {
    const [first, ...others] = await outcomes(bytes, contentType);
    expect([null, ...REFUSALS]).toContain(first);
    // what one way in refuses no other takes
    expect(others).toEqual(others.map(() => first));
    expect((await fixture.app.inject('/stats')).statusCode).toBe(200);
  });

  it('leave no fault in the log', () => {
    expect(fixture.log.filter((line) => line.includes('"level":50'))).toEqual([]);
  });
});
