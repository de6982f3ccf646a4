import fc from 'fast-check';
import type { Shape } from '../../../src/http/validation/wishes.ts';

/* Random values that fit a schema, and ways to break them. */

const WORDS = ['a', 'https://a.example/x', 'urn:x:1', 'p', '<p>one two</p>', 'é😀', '2026-01-02T03:04:05Z', '{"a":1}'];
const urls = fc.constantFrom('https://a.example/x', 'https://b.example/y', 'urn:x:1', 'https://c.example/');
const text = fc.oneof(fc.constantFrom(...WORDS), fc.string({ minLength: 1, maxLength: 20 }));

/** What no call here takes. */
const DEADLINE_MS = 60_000;

/** Values that fit and mean something for a field or option of this name. */
export function valuesOfField(name: string, schema: Shape): fc.Arbitrary<unknown> {
  const fitting = valuesOf(schema);
  if (name === 'url') return urls;
  if (name === 'at') return times;
  // whether one of milliseconds passes hangs on how busy the machine is: they are chosen seldom
  return name === 'deadlineMs' ? fc.oneof({ weight: 9, arbitrary: fc.constant(DEADLINE_MS) }, fitting) : fitting;
}

/** Values that fit; texts are mostly short words, so that some mean something. */
export function valuesOf(schema: Shape): fc.Arbitrary<unknown> {
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(valuesOf));
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'object':
      return objectsOf(schema);
    case 'array': {
      const { items = {}, minItems = 0, maxItems = 3 } = schema;
      return fc.array(valuesOf(items), { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 3)) });
    }
    case 'string':
      return schema.format === 'date-time' ? times : text;
    case 'integer':
      return fc.integer({
        min: schema.minimum ?? -10,
        max: Math.min(schema.maximum ?? 20, (schema.minimum ?? 0) + 2000),
      });
    case 'number':
      return fc.double({ min: schema.minimum ?? -10, max: schema.maximum ?? 10, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return json;
  }
}

const times = fc
  .date({ min: new Date('1960-01-01T00:00:00Z'), max: new Date('2030-01-01T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString());
const json = fc.jsonValue({ maxDepth: 2 });

function objectsOf({ properties = {}, required = [], additionalProperties }: Shape): fc.Arbitrary<unknown> {
  if (additionalProperties !== false)
    return fc.dictionary(fc.string({ minLength: 1, maxLength: 6 }), json, { maxKeys: 3 });
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, shape]) => [name, valuesOfField(name, shape)]),
  );
  return fc.tuple(fc.record(fields, { requiredKeys: required as never[] }), fc.nat(5)).map(([value, how]) => {
    const { html, select, remove, bytes, contentType, features, at, ...rest } = value as Record<string, unknown>;
    // what fits the schema but makes no sense together (two bodies, a time of a body, a selector without HTML) is made seldom
    if (how === 0) return value;
    const hasBody = 'text' in rest || [html, features, bytes].some((body) => body !== undefined);
    if (at !== undefined && !hasBody) return { ...rest, at };
    if ('text' in rest) return rest;
    if (html !== undefined) return { ...rest, html };
    if (features !== undefined) return { ...rest, features };
    return bytes === undefined ? rest : { ...rest, bytes: Buffer.from(String(bytes)).toString('base64') };
  });
}

/** Mostly values as they are, the rest with something changed, left out or added somewhere within. */
export function breakings(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const odd = fc.oneof(
    fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 2, 1e308, '', 'off', [], {}, [[]], { a: {} }, '\ud800'),
    json,
  );
  const place = fc.array(fc.nat(5), { maxLength: 4 });
  return fc
    .tuple(values, fc.option(fc.tuple(place, odd, fc.constantFrom('replace', 'remove', 'add')), { freq: 2 }))
    .map(([value, change]) => (change === null ? value : changed(value, change[0], change[1], change[2])));
}

function changed(value: unknown, place: readonly number[], odd: unknown, how: string): unknown {
  if (typeof value !== 'object' || value === null) return odd;
  const keys = Object.keys(value);
  const [at, ...rest] = place;
  if (at === undefined || keys.length === 0) return how === 'add' && !Array.isArray(value) ? { ...value, odd } : odd;
  const key = keys[at % keys.length]!;
  const inner = (value as Record<string, unknown>)[key];
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === key ? changed(item, rest, odd, how) : item));
  if (rest.length === 0 && how === 'remove')
    return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
  return { ...value, [key]: changed(inner, rest, odd, how) };
}
