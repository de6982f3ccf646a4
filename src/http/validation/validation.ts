import type { FastifySchemaCompiler } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { IsDateTime } from 'typebox/format';
import { ShingledError } from '../../errors.ts';
import { type RawQuery, readQuery, shortened } from './query-string.ts';
import { below, came, type Shape, wishOf } from './wishes.ts';

/**
 * Compiles a schema into a function that returns a value as it is, or throws.
 *
 * Nothing is coerced, no field is dropped and no default filled in.
 *
 * @param name of the value itself, in errors
 * @throws (the function) ShingledError `invalid-request`, which names the first field at fault, what it may be and what came
 */
export function compileCheck<S extends TSchema>(schema: S, name = 'body'): (value: unknown) => Static<S> {
  const compiled = Compile(schema);
  return (value) => {
    if (compiled.Check(value)) return value;
    throw refusalOf(schema as Shape, value, name);
  };
}

/** The validator of fastify's routes: query strings are typed by their schema first; only JSON bodies are looked at. */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart, contentType }) => {
  if (contentType !== undefined && contentType !== 'application/json') return (value: unknown) => ({ value });
  const check = compileCheck(schema);
  const read = httpPart === 'querystring' ? (query: RawQuery) => check(readQuery(query.raw, schema)) : check;
  return (value: unknown) => {
    try {
      return { value: read(value as RawQuery) };
    } catch (error) {
      return { error: error as Error };
    }
  };
};

function refusalOf(schema: Shape, value: unknown, name: string): ShingledError {
  const fault = faultOf(schema, value);
  if (fault === null) return new ShingledError('invalid-request', 'The request does not fit its schema.');
  const field = fault.field === '' ? name : shortened(fault.field);
  return new ShingledError('invalid-request', `${field} ${fault.what}.`, { field, limit: fault.limit });
}

/*
 * What is wrong with a value that does not fit its schema: the first fault, found by walking both. The validator itself
 * could list faults, but goes on to the end of the value to do so: seconds, for a body of millions of wrong items.
 *
 * Knows the keywords that the schemas here are made of; a test holds it against the validator.
 */

interface Fault {
  /** `results[3].text`; empty for the value itself. */
  readonly field: string;
  /** What is allowed there and what came, to be read behind the name of the field. */
  readonly what: string;
  readonly limit?: { readonly name: string; readonly value: number };
}

/** The first fault of a value, null where there is none. */
export function faultOf(schema: Shape, value: unknown, field = ''): Fault | null {
  if (schema.anyOf !== undefined) return faultOfAny(schema, schema.anyOf, value, field);
  if ('const' in schema) return value === schema.const ? null : unfit(schema, value, field);
  if (schema.enum !== undefined) return schema.enum.includes(value) ? null : unfit(schema, value, field);
  if (schema.type !== undefined && !isOfType(schema.type, value)) return unfit(schema, value, field);
  switch (schema.type) {
    case 'object':
      return faultOfObject(schema, value as Record<string, unknown>, field);
    case 'array':
      return faultOfArray(schema, value as readonly unknown[], field);
    case 'string':
      return faultOfString(schema, value as string, field);
    default:
      return faultOfNumber(schema, value, field);
  }
}

const unfit = (schema: Shape, value: unknown, field: string): Fault => ({
  ...{ field, what: `must be ${wishOf(schema)}; ${came(schema, value)}` },
});

function faultOfAny(schema: Shape, options: readonly Shape[], value: unknown, field: string): Fault | null {
  let closest: Fault | null = null;
  for (const option of options) {
    const fault = faultOf(option, value, field);
    if (fault === null) return null;
    // an option that is of the right type says more than one that is not
    const isWord = 'const' in option || option.enum !== undefined;
    if (!isWord && option.type !== undefined && isOfType(option.type, value)) closest ??= fault;
  }
  if (closest === null) return unfit(schema, value, field);
  return typeof value === 'number' ? { ...closest, ...unfit(schema, value, field) } : closest;
}

function faultOfObject(schema: Shape, value: Record<string, unknown>, field: string): Fault | null {
  const { properties = {}, required = [], additionalProperties } = schema;
  for (const name of Object.keys(value)) {
    const known = Object.hasOwn(properties, name);
    if (!known && additionalProperties === false) return unknown(properties, field, name);
    const fault = known ? faultOf(properties[name]!, value[name], below(field, name)) : null;
    if (fault !== null) return value[name] !== null || required.includes(name) ? fault : withoutNull(fault);
  }
  const missing = required.find((name) => !Object.hasOwn(value, name));
  if (missing === undefined) return null;
  const wish = wishOf(properties[missing] ?? {});
  return { field: below(field, missing), what: wish === 'a text' ? 'is missing' : `is missing; it must be ${wish}` };
}

/** Programs write null for what they do not have. */
const withoutNull = (fault: Fault): Fault => ({ ...fault, what: `${fault.what}: leave it out` });

function unknown(properties: Readonly<Record<string, Shape>>, field: string, name: string): Fault {
  const parent = Object.keys(properties).find((other) => Object.hasOwn(fieldsOf(properties[other]!), name));
  const way = parent === undefined ? '' : `it belongs into ${below(field, parent)}; `;
  return {
    field: below(field, name),
    what: `is not a field here: ${way}allowed are ${Object.keys(properties).join(', ')}`,
  };
}

/** Of a schema or of what it may be. */
function fieldsOf({ properties, anyOf = [] }: Shape): Readonly<Record<string, Shape>> {
  return properties ?? Object.assign({}, ...anyOf.map(fieldsOf));
}

function faultOfArray({ items, minItems, maxItems }: Shape, value: readonly unknown[], field: string): Fault | null {
  const { length } = value;
  if (minItems !== undefined && length < minItems) {
    const what = `must have at least ${minItems} ${minItems === 1 ? 'entry' : 'entries'}; it has ${length}`;
    return { field, what, limit: { name: 'minItems', value: minItems } };
  }
  if (maxItems !== undefined && length > maxItems) {
    const what = `must have at most ${maxItems} entries; it has ${length}`;
    return { field, what, limit: { name: 'maxItems', value: maxItems } };
  }
  if (items === undefined) return null;
  for (let index = 0; index < length; index++) {
    const fault = faultOf(items, value[index], `${field}[${index}]`);
    if (fault !== null) return fault;
  }
  return null;
}

function faultOfString(schema: Shape, value: string, field: string): Fault | null {
  const { minLength, format } = schema;
  if (minLength !== undefined && value.length < minLength) return { field, what: 'must not be empty' };
  return format === 'date-time' && !IsDateTime(value) ? unfit(schema, value, field) : null;
}

function faultOfNumber(schema: Shape, value: unknown, field: string): Fault | null {
  if (typeof value !== 'number') return null;
  const { minimum } = schema;
  const name = minimum !== undefined && value < minimum ? 'minimum' : 'maximum';
  const bound = schema[name];
  if (bound === undefined || (name === 'maximum' && value <= bound)) return null;
  return { ...unfit(schema, value, field), limit: { name, value: bound } };
}

/** Whether a value is of a type of JSON Schema. */
function isOfType(type: string, value: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'number') return Number.isFinite(value);
  return typeof value === type;
}
