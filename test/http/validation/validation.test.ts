import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { ShingledError } from '../../../src/errors.ts';
import { CollapseRequest } from '../../../src/http/schemas/collapse.schema.ts';
import { DocumentReference } from '../../../src/http/schemas/common.schema.ts';
import { CompareRequest } from '../../../src/http/schemas/compare.schema.ts';
import { BulkLine, PutBody, PutQuery } from '../../../src/http/schemas/documents.schema.ts';
import { SimilarAnswer, SimilarQuery, SimilarRequest } from '../../../src/http/schemas/similar.schema.ts';
import { compileCheck, faultOf } from '../../../src/http/validation/validation.ts';
import type { Shape } from '../../../src/http/validation/wishes.ts';
import { breakings, valuesOf } from '../../support/http/schema-values.ts';

const SCHEMAS: readonly (readonly [string, TSchema])[] = [
  ['SimilarRequest', SimilarRequest],
  ['SimilarQuery', SimilarQuery],
  ['SimilarAnswer', SimilarAnswer],
  ['PutBody', PutBody],
  ['PutQuery', PutQuery],
  ['BulkLine', BulkLine],
  ['CompareRequest', CompareRequest],
  ['CollapseRequest', CollapseRequest],
];

describe('validation', () => {
  it.each(SCHEMAS)('finds a fault exactly where the validator finds %s wrong', (_name, schema) => {
    const compiled = Compile(schema);
    let refused = 0;
    fc.assert(
      fc.property(breakings(valuesOf(schema as Shape)), (value) => {
        const fault = faultOf(schema as Shape, value);
        expect(fault === null).toBe(compiled.Check(value));
        if (fault !== null) refused++;
      }),
      { numRuns: 400, seed: 11 },
    );
    expect(refused).toBeGreaterThan(40);
  });

  it('returns a value that fits as it is', () => {
    const value = { document: { text: 'a' } };
    expect(compileCheck(SimilarRequest)(value)).toBe(value);
  });

  const refusal = (schema: TSchema, value: unknown): ShingledError => {
    try {
      compileCheck(schema)(value);
    } catch (error) {
      if (error instanceof ShingledError) return error;
    }
    throw new Error('it was not refused');
  };

  const namesIn = (schema: { readonly properties: object }) => Object.keys(schema.properties).join(', ');
  const FIELDS = namesIn(SimilarRequest);
  const REFERENCE = namesIn(DocumentReference);
  const DOCUMENT = `an object with ${REFERENCE}`;

  it.each([
    [undefined, 'body must be an object with document; there is none.'],
    [[], 'body must be an object with document; it is a list.'],
    [{}, `document is missing; it must be ${DOCUMENT}.`],
    [{ document: 'some text' }, `document must be ${DOCUMENT}; it is a text.`],
    [{ document: { txt: 'a' } }, `document.txt is not a field here: allowed are ${REFERENCE}.`],
    [{ text: 'a' }, `text is not a field here: it belongs into document; allowed are ${FIELDS}.`],
    [{ document: {}, limit: 0 }, 'limit must be a whole number from 1; it is 0.'],
    [{ document: {}, limit: 1.5 }, 'limit must be a whole number from 1; it is 1.5.'],
    [{ document: {}, limit: null }, 'limit must be a whole number from 1; it is null: leave it out.'],
    [{ document: {}, limit: 'x'.repeat(99) }, `limit must be a whole number from 1; it is "${'x'.repeat(40)}…".`],
    [
      { document: {}, thresholds: { resemblance: 2 } },
      'thresholds.resemblance must be a number from 0 to 1 or null; it is 2.',
    ],
    [
      { document: {}, thresholds: { resemblance: '.5' } },
      'thresholds.resemblance must be a number from 0 to 1 or null; it is ".5": write 0.5.',
    ],
    [
      { document: {}, thresholds: { resemblance: '30 %' } },
      'thresholds.resemblance must be a number from 0 to 1 or null; it is "30 %": write 0.3.',
    ],
    [
      { document: {}, thresholds: { resemblance: '130%' } },
      'thresholds.resemblance must be a number from 0 to 1 or null; it is "130%".',
    ],
    [{ document: {}, limit: '10' }, 'limit must be a whole number from 1; it is "10": write 10 without quotes.'],
    [{ document: {}, limit: '1,5' }, 'limit must be a whole number from 1; it is "1,5".'],
    [{ document: {}, limit: '1,000' }, 'limit must be a whole number from 1; it is "1,000".'],
    [{ document: {}, limit: '-' }, 'limit must be a whole number from 1; it is "-".'],
    [{ document: {}, limit: '' }, 'limit must be a whole number from 1; it is "".'],
    [{ document: {}, passages: 'true' }, 'passages must be true or false; it is "true": write true without quotes.'],
    [
      { document: {}, seenAfter: '2026-01-02 03:04:05Z' },
      'seenAfter must be a time with its zone, such as 2026-01-02T03:04:05Z; it is "2026-01-02 03:04:05Z": write 2026-01-02T03:04:05Z.',
    ],
    [
      { document: {}, seenAfter: 'Fri, 02 Jan 2026 03:04:05 GMT' },
      'seenAfter must be a time with its zone, such as 2026-01-02T03:04:05Z; it is "Fri, 02 Jan 2026 03:04:05 GMT": write 2026-01-02T03:04:05.000Z.',
    ],
    [{ document: {}, hosts: 'a.example' }, 'hosts must be a list or null; it is a text: put it into [].'],
    [{ document: { url: 'x', text: null } }, 'document.text must be a text; it is null: leave it out.'],
    [{ document: {}, sort: 'size' }, 'sort must be one of resemblance, queryInMatch, matchInQuery; it is "size".'],
    [{ document: {}, include: [] }, 'include must have at least 1 entry; it has 0.'],
    [
      { document: {}, include: 'live' },
      'include must be a list of any of live, gone, past; it is a text: put it into [].',
    ],
    [{ document: {}, include: ['live', 'dead'] }, 'include[1] must be one of live, gone, past; it is "dead".'],
    [{ document: {}, passages: 'yes' }, 'passages must be true or false; it is "yes".'],
    [{ document: { url: '' } }, 'document.url must not be empty.'],
    [{ document: {}, [`x${'y'.repeat(1000)}`]: 1 }, `x${'y'.repeat(63)}… is not a field here: allowed are ${FIELDS}.`],
  ])('explains %j in words', (value, detail) => {
    expect(refusal(SimilarRequest, value)).toMatchObject({ code: 'invalid-request', message: detail });
  });

  it('stops at the first fault, however many there are', () => {
    const many = { results: new Array(1_000_000).fill(0) };
    let looked = 0;
    const get = (list: object, key: string | symbol) => {
      looked++;
      return Reflect.get(list, key) as unknown;
    };
    const counted = { ...many, results: new Proxy(many.results, { get }) };
    expect(faultOf(CollapseRequest as TSchema as Shape, counted)).toMatchObject({ field: 'results[0]' });
    expect(looked).toBeLessThan(20);
  });
});
