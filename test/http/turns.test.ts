import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTextMaker } from '../support/core/make-documents.ts';
import { createHttpFixture, type HttpFixture } from '../support/http/http-fixture.ts';
import { withMethods } from '../support/store/store-methods.ts';

/* Who holds the event loop for long asks for a turn before each step. Here a turn is spent as soon as it begins. */

let fixture: HttpFixture;
beforeAll(async () => {
  fixture = await createHttpFixture({ limits: { sliceMs: 1e-6 }, wrapStore: smallPages });
});
afterAll(() => fixture.close());

/** A store whose lists come four at a time. */
const smallPages = withMethods((store) => ({
  sources: (range, options) => store.sources({ ...range, limit: Math.min(4, range.limit) }, options),
  sourceUrls: (range) => store.sourceUrls({ ...range, limit: Math.min(4, range.limit) }),
}));

let turns: ReturnType<typeof vi.spyOn>;
beforeEach(() => {
  turns?.mockRestore();
  turns = vi.spyOn(fixture.parts.loop, 'next');
});

async function post(url: string, type: string, payload: string): Promise<number> {
  const { statusCode } = await fixture.app.inject({ method: 'POST', url, headers: { 'content-type': type }, payload });
  return statusCode;
}

const json = (url: string, body: object) => post(url, 'application/json', JSON.stringify(body));
const texts = createTextMaker(5);
const text = texts.text(100);

describe('a turn of the event loop is asked for', () => {
  it.each(['/documents', '/similar'])('for each line of %s', async (path) => {
    expect(await post(path, 'application/x-ndjson', '{}\n'.repeat(200))).toBe(200);
    expect(turns.mock.calls.length).toBeGreaterThanOrEqual(200);
  });

  it('for each step of reading a large body of JSON', async () => {
    expect(await json('/similar', { documents: 'a' })).toBe(400);
    const ofSmall = turns.mock.calls.length;
    turns.mockClear();
    expect(await json('/similar', { documents: 'a'.repeat(100_000) })).toBe(400);
    expect(turns.mock.calls.length).toBeGreaterThan(ofSmall + 3);
  });

  it('for each host and URL that a query leaves out', async () => {
    const many = (of: (i: number) => string) => Array.from({ length: 100 }, (_, i) => of(i));
    const exclude = { hosts: many((i) => `h${i}.example`), urls: many((i) => `https://u.example/${i}`) };
    expect(await json('/similar', { document: { text }, exclude })).toBe(200);
    expect(turns.mock.calls.length).toBeGreaterThanOrEqual(200);
  });

  it('for each URL of a list of results, and each page that is grouped', async () => {
    const results = Array.from({ length: 100 }, (_, i) => ({ url: `https://r.example/${i}` }));
    expect(await json('/collapse', { results })).toBe(200);
    expect(turns.mock.calls.length).toBeGreaterThanOrEqual(200);
  });

  it('before and after each step of a list, of counts, of an export, of a deletion', async () => {
    for (let i = 0; i < 60; i++) await fixture.parts.put(`https://listed.example/${i}`, `words of document ${i}`);
    for (const [method, path] of [
      ['GET', 'list?host=listed.example'],
      ['GET', 'list?host=listed.example&state=gone'],
      ['GET', 'hosts?host=listed.example'],
      ['GET', 'export?host=listed.example'],
      ['DELETE', 'list?host=listed.example&dryRun=true'],
    ] as const) {
      turns.mockClear();
      expect((await fixture.app.inject({ method, url: `/documents/${path}` })).statusCode).toBe(200);
      expect([path, turns.mock.calls.length >= 2 * (60 / 4)]).toEqual([path, true]);
    }
  });

  it('for each step of comparing two large documents', async () => {
    const large = texts.text(70_000);
    expect(await json('/compare', { a: { text: large }, b: { text: `${large} end` }, deadlineMs: 20_000 })).toBe(200);
    const ofLarge = turns.mock.calls.length;
    turns.mockClear();
    expect(await json('/compare', { a: { text }, b: { text: `${text} end` } })).toBe(200);
    expect(ofLarge).toBeGreaterThan(turns.mock.calls.length + 6);
  });
});
