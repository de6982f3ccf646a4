import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BulkOperation, SameRequest } from '../../../src/service/api.ts';
import { createTextMaker } from '../../support/core/make-documents.ts';
import { bulkOf, putUnless, resultOf, standing } from '../../support/service/put-unless.ts';
import { createServiceFixture, putOf, type ServiceFixture, START_MS } from '../../support/service/service-fixture.ts';

const make = createTextMaker(61);
const TEXTS = Array.from({ length: 4 }, () => make.text(60));
const A = 'https://a.example/';
const B = 'https://b.example/';
const C = 'https://c.example/';

const put = (url: string, text: number, observedAt: number | null = null): BulkOperation => ({
  op: 'put',
  ...putOf(url, TEXTS[text]!),
  observedAt,
});
const gone = (url: string, observedAt: number | null = null): BulkOperation => ({
  op: 'gone',
  url,
  httpStatus: 404,
  observedAt,
});
const same = (url: string, as: string, more: Partial<SameRequest> = {}): BulkOperation => ({
  op: 'same',
  url,
  as,
  asAt: null,
  observedAt: null,
  httpStatus: null,
  ...more,
});

let fixture: ServiceFixture;
beforeEach(() => {
  fixture = createServiceFixture();
});
afterEach(() => fixture.close());

const bulk = (operations: readonly BulkOperation[]) => bulkOf(fixture, operations);
const idOf = async (url: string) => (await fixture.store.source(url))?.contentId;

describe('a line that says that a URL is the same as another', () => {
  it('takes what the other one says by the lines before it, and not by those after it', async () => {
    const lines = [put(A, 0), same(B, A), put(A, 1), same('HTTPS://C.example/#part', A), gone(A)];
    const answers = await bulk(lines);
    expect(answers.map(resultOf)).toEqual(['created', 'created', 'updated', 'created', 'gone']);
    expect(answers[3]).toMatchObject({ url: C, status: 201 });
    await fixture.put('urn:0', TEXTS[0]!);
    await fixture.put('urn:1', TEXTS[1]!);
    expect(await Promise.all([B, C].map(idOf))).toEqual([await idOf('urn:0'), await idOf('urn:1')]);
    expect(await fixture.store.source(C)).toMatchObject({ spelling: 'HTTPS://C.example/#part', state: 'live' });
  });

  it('is refused where what the other one said is not known, and says which URL that is', async () => {
    await bulk([put(A, 0, 5000)]);
    const answers = await bulk([same(B, C), same(C, C), same(B, A, { asAt: 4999 }), same(A, A, { observedAt: 1 })]);
    expect(answers).toMatchObject([
      { code: 'unknown-url', status: 404, field: 'as' },
      { code: 'unknown-url', field: 'url' },
      { code: 'unknown-version', status: 404, field: 'as' },
      { code: 'unknown-version', field: 'url' },
    ]);
  });

  it.each([
    ['url', 'invalid-url', { url: '/x' }],
    ['as', 'invalid-url', { as: 'javascript:1' }],
    ['asAt', 'invalid-request', { asAt: -1 }],
    ['asAt', 'observed-in-future', { asAt: START_MS * 2 }],
    ['observedAt', 'observed-in-future', { observedAt: START_MS * 2 }],
  ])('is refused for its %s: %s', async (field, code, more) => {
    expect(await bulk([put(A, 0), same(B, A, more)])).toMatchObject([{ result: 'created' }, { code, field }]);
  });

  it('stands against lines after it as a document does', async () => {
    await bulk([put(A, 0), gone(A)]);
    const answers = await bulk([same(B, A), putUnless('urn:x', TEXTS[0]!), putUnless('urn:y', TEXTS[1]!)]);
    expect(answers.map(resultOf)).toEqual(['created', 'skipped', 'created']);
    expect(standing(answers[1]!)).toEqual([B]);
  });

  it('keeps of a put what is known of the answer that brought it', async () => {
    const put = { op: 'put', ...putOf(A, TEXTS[0]!), httpStatus: 203, finalUrl: `${A}final` } as const;
    await bulk([put, same(B, A, { httpStatus: 200 }), same(C, A)]);
    expect(await fixture.store.source(A)).toMatchObject({ httpStatus: 203, finalUrl: `${A}final` });
    expect(await fixture.store.source(B)).toMatchObject({ httpStatus: 200, finalUrl: null });
    expect(await fixture.store.source(C)).toMatchObject({ httpStatus: 203, finalUrl: null });
  });

  it('comes to the same in one request as line by line', async () => {
    const url = fc.constantFrom(A, B, C);
    const time = fc.constantFrom(null, 1000, 2000, 3000);
    const line = fc.oneof(
      fc.tuple(url, fc.nat({ max: 3 }), time).map((parts) => put(...parts)),
      fc.tuple(url, url, time, time).map(([of, as, observedAt, asAt]) => same(of, as, { observedAt, asAt })),
      fc.tuple(url, time).map((parts) => gone(...parts)),
      url.map((of): BulkOperation => ({ op: 'delete', url: of })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 2, maxLength: 14 }), async (lines) => {
        const [together, alone] = [createServiceFixture(), createServiceFixture()];
        try {
          const answers = await bulkOf(together, lines);
          const should: unknown[] = [];
          for (const one of lines) should.push(...(await bulkOf(alone, [one])));
          expect(answers.map(resultOf)).toEqual((should as typeof answers).map(resultOf));
          for (const name of [A, B, C]) {
            expect(await together.store.source(name)).toEqual(await alone.store.source(name));
          }
        } finally {
          await Promise.all([together.close(), alone.close()]);
        }
      }),
      { numRuns: 40 },
    );
  });
});
