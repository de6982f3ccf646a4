import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Shape } from '../../src/http/validation/wishes.ts';
import { createHttpFixture, type HttpFixture, linesOf } from '../support/http/http-fixture.ts';
import { breach, type NamedOperation, openApi, operations, type Parameter } from '../support/http/openapi.ts';
import { breakings, valuesOf, valuesOfField } from '../support/http/schema-values.ts';

/*
 * Requests made from the OpenAPI document, whole and broken: whatever is sent, the answer is one that the document
 * promises, in its shape, and never a fault of ours.
 */

interface Request {
  readonly operationId: string;
  readonly query: string;
  readonly type: string | null;
  readonly payload: string | Buffer | null;
}

const byId = new Map(operations.map((operation) => [operation.operationId, operation]));

let fixture: HttpFixture;
beforeAll(async () => {
  fixture = await createHttpFixture({
    httpLimits: { bodyBytesMax: 20_000, bulkBytesMax: 50_000, bulkLinesMax: 20, targetBytesMax: 2000 },
  });
  await fixture.parts.put('https://a.example/x', 'the quick brown fox jumps over the lazy dog');
  fixture.parts.web.pages.set('https://b.example/y', '<p>the quick brown fox jumps over the lazy cat</p>');
  fixture.parts.web.pages.set('https://gone.example/', 410);
});
afterAll(() => fixture.close());

/** References into the components, replaced by what they name. */
function resolved(schema: unknown): Shape {
  return JSON.parse(JSON.stringify(schema), (_key, value: unknown) => {
    const reference = typeof value === 'object' && value !== null && '$ref' in value ? String(value.$ref) : null;
    return reference === null ? value : resolved(openApi.components.schemas[reference.split('/').at(-1)!]);
  }) as Shape;
}

const URLS = [
  'https://a.example/x',
  'https://b.example/y',
  'https://gone.example/',
  'https://c.example/',
  'urn:x:1',
  'x',
];
const junk = fc.oneof(
  fc.string({ maxLength: 30 }),
  fc.constantFrom('%', '%ff', 'off', '1e3', '-1', '99999', 'true', ',', '{}'),
);

/** So often there, so often not. */
const maybe = <T>(arbitrary: fc.Arbitrary<T>, there: number, not: number) =>
  fc.oneof({ weight: there, arbitrary }, { weight: not, arbitrary: fc.constant(undefined) });

function queryOf(parameters: readonly Parameter[]): fc.Arbitrary<string> {
  const values = parameters.map(({ name, required, schema }) => {
    const known =
      name === 'url' ? fc.constantFrom(...URLS) : valuesOfField(name, resolved(schema)).map((value) => String(value));
    const value = fc.oneof({ weight: 12, arbitrary: known }, { weight: 1, arbitrary: junk });
    return maybe(value, required ? 20 : 1, required ? 1 : 4).map((text) => [name, text] as const);
  });
  const strange = maybe(fc.tuple(fc.constantFrom('x', 'url', 'Limit', '__proto__'), junk), 1, 20);
  return fc.tuple(fc.tuple(...values), strange, fc.nat(30)).map(([pairs, extra, raw]) => {
    const given = [...pairs, ...(extra === undefined ? [] : [extra])].filter((pair) => pair[1] !== undefined);
    const encode = raw === 0 ? (text: string) => text : encodeURIComponent;
    return given.map(([name, text]) => `${name}=${encode(text!.toWellFormed())}`).join('&');
  });
}

function bodyOf({ requestBody }: NamedOperation): fc.Arbitrary<Pick<Request, 'type' | 'payload'>> {
  if (requestBody === undefined) return fc.constant({ type: null, payload: null });
  const kinds = Object.entries(requestBody.content).map(([type, { schema }]) => {
    const json = (value: unknown) => JSON.stringify(value);
    const fitting = breakings(valuesOf(resolved(schema)));
    if (type.startsWith('text/') || type === 'application/pdf')
      return fitting.map((value) => ({ type, payload: `${String(value)} quick brown fox` }));
    if (type === 'application/json') return fitting.map((value) => ({ type, payload: json(value) ?? '' }));
    const lines = fc.array(fc.oneof({ weight: 9, arbitrary: fitting.map(json) }, { weight: 1, arbitrary: junk }), {
      maxLength: 25,
    });
    return lines.map((texts) => ({ type, payload: texts.join('\n') }));
  });
  const type = fc.constantFrom(
    ...Object.keys(requestBody.content),
    'image/png',
    'application/json; charset=latin1',
    'x',
    '',
  );
  const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));
  const any = fc.record({ type, payload: bytes });
  const none = fc.constant({ type: null, payload: null });
  return fc.oneof(
    ...kinds.map((arbitrary) => ({ weight: 10, arbitrary })),
    { weight: 2, arbitrary: any },
    { weight: 1, arbitrary: none },
  );
}

/** Calls whose tests are their own: they act on the whole index, or answer no JSON. */
const isForOperators = (path: string) => path === '/metrics' || path.startsWith('/admin/');

const asked = operations.filter(({ path }) => !isForOperators(path));
// in a body, or in many options, more can be wrong
const weightOf = ({ requestBody, parameters = [] }: NamedOperation) =>
  requestBody === undefined && parameters.length <= OPTIONS_FEW ? 1 : 2;
const OPTIONS_FEW = 6;
/** Enough that of each call all comes to pass that is looked for. */
const RUNS = 80 * asked.reduce((sum, operation) => sum + weightOf(operation), 0);

const requests: fc.Arbitrary<Request> = fc.oneof(
  ...asked.map((operation) => ({
    weight: weightOf(operation),
    arbitrary: fc
      .tuple(queryOf(operation.parameters ?? []), bodyOf(operation))
      .map(([query, { type, payload }]) => ({ operationId: operation.operationId, query, type, payload })),
  })),
);

function send({ operationId, query, type, payload }: Request) {
  const { method, path } = byId.get(operationId)!;
  return fixture.app.inject({
    method: method as 'POST',
    url: query === '' ? path : `${path}?${query}`,
    ...(payload === null ? {} : { payload }),
    ...(type === null ? {} : { headers: { 'content-type': type } }),
  });
}

describe('generated requests', () => {
  it(`get the answers that the document promises, ${RUNS} of them`, async () => {
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        const operation = byId.get(request.operationId)!;
        const answer = await send(request);
        const status = answer.statusCode;
        const name = `${operation.operationId} ${status}`;
        seen.set(name, (seen.get(name) ?? 0) + 1);
        expect(status).not.toBe(500);
        const promised = operation.responses[status] ?? operation.responses[`${String(status)[0]}XX`];
        expect(promised, `${name} is not promised: ${answer.body}`).toBeDefined();
        const type = String(answer.headers['content-type']).split(';')[0]!;
        const media = promised!.content?.[type];
        expect(media, `${name} promises no ${type}`).toBeDefined();
        const bodies = type.endsWith('ndjson') ? linesOf(answer.body) : [answer.json()];
        for (const body of bodies) expect(breach(media!.schema, body)).toBe(null);
        expect(type.endsWith('problem+json')).toBe(status >= 400);
      }),
      { numRuns: RUNS, seed: 20_261_128 },
    );
    // of every call both what it is for and what it refuses were met
    for (const { operationId, path } of asked) {
      const met = [...seen.keys()]
        .filter((name) => name.startsWith(`${operationId} `))
        .map((name) => Number(name.split(' ')[1]));
      expect([operationId, met.some((status) => status < 300)]).toEqual([operationId, true]);
      if (!path.startsWith('/health'))
        expect([operationId, met.some((status) => status >= 400)]).toEqual([operationId, true]);
    }
    expect([...seen.values()].reduce((sum, count) => sum + count)).toBe(RUNS);
    const done = [...seen].filter(([name]) => / 20[01]$/.test(name)).reduce((sum, [, count]) => sum + count, 0);
    expect(done).toBeGreaterThan(RUNS / 4);
  }, 240_000);
});
