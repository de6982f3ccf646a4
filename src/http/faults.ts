import { IsDateTime } from 'typebox/format';

/*
 * What is wrong with a value that does not fit its schema: the first fault, found by walking both. The validator itself
 * could list faults, but goes on to the end of the value to do so: seconds, for a body of millions of wrong items.
 *
 * Knows the keywords that the schemas here are made of; a test holds it against the validator.
 */

/** A schema, as much of it as is read here. */
export interface Shape {
  readonly type?: string;
  readonly anyOf?: readonly Shape[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly items?: Shape;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly format?: string;
}

export interface Fault {
  /** `results[3].text`; empty for the value itself. */
  readonly field: string;
  readonly what: string;
  readonly limit?: { readonly name: string; readonly value: number };
}

/** The first fault of a value, null where there is none. */
export function faultOf(schema: Shape, value: unknown, field = ''): Fault | null {
  if (schema.anyOf !== undefined) return faultOfAny(schema.anyOf, value, field);
  if ('const' in schema) return value === schema.const ? null : { field, what: `must be ${String(schema.const)}` };
  if (schema.enum !== undefined) {
    return schema.enum.includes(value) ? null : { field, what: `must be one of ${schema.enum.join(', ')}` };
  }
  if (schema.type !== undefined && !isOfType(schema.type, value)) return { field, what: wishOf(schema) };
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

function faultOfAny(options: readonly Shape[], value: unknown, field: string): Fault | null {
  let closest: Fault | null = null;
  for (const option of options) {
    const fault = faultOf(option, value, field);
    if (fault === null) return null;
    // an option that is of the right type says more than one that is not
    if (option.type !== undefined && isOfType(option.type, value)) closest ??= fault;
  }
  return closest ?? { field, what: options.map(wishOf).join(' or ').replaceAll(' or must be', ' or') };
}

function faultOfObject(schema: Shape, value: Record<string, unknown>, field: string): Fault | null {
  const { properties = {}, required = [], additionalProperties } = schema;
  for (const name of Object.keys(value)) {
    const known = Object.hasOwn(properties, name);
    if (!known && additionalProperties === false) return { field: below(field, name), what: 'is not a field of this' };
    const fault = known ? faultOf(properties[name]!, value[name], below(field, name)) : null;
    if (fault !== null) return fault;
  }
  const missing = required.find((name) => !Object.hasOwn(value, name));
  return missing === undefined ? null : { field: below(field, missing), what: 'is missing' };
}

function faultOfArray({ items, minItems, maxItems }: Shape, value: readonly unknown[], field: string): Fault | null {
  if (minItems !== undefined && value.length < minItems) return atLeast(field, 'items', 'minItems', minItems);
  if (maxItems !== undefined && value.length > maxItems) return atMost(field, 'items', 'maxItems', maxItems);
  if (items === undefined) return null;
  for (let index = 0; index < value.length; index++) {
    const fault = faultOf(items, value[index], `${field}[${index}]`);
    if (fault !== null) return fault;
  }
  return null;
}

function faultOfString({ minLength, format }: Shape, value: string, field: string): Fault | null {
  if (minLength !== undefined && value.length < minLength) return { field, what: 'must not be empty' };
  if (format !== 'date-time' || IsDateTime(value)) return null;
  return { field, what: 'must be a time with its zone, such as 2026-01-02T03:04:05Z' };
}

function faultOfNumber({ minimum, maximum }: Shape, value: unknown, field: string): Fault | null {
  if (typeof value !== 'number') return null;
  if (minimum !== undefined && value < minimum) return atLeast(field, '', 'minimum', minimum);
  if (maximum !== undefined && value > maximum) return atMost(field, '', 'maximum', maximum);
  return null;
}

const atLeast = (field: string, unit: string, name: string, value: number): Fault => ({
  ...{ field, what: `must be at least ${value} ${unit}`.trim(), limit: { name, value } },
});
const atMost = (field: string, unit: string, name: string, value: number): Fault => ({
  ...{ field, what: `must be at most ${value} ${unit}`.trim(), limit: { name, value } },
});

const WISHES: Readonly<Record<string, string>> = {
  object: 'must be an object',
  array: 'must be a list',
  string: 'must be a text',
  number: 'must be a number',
  integer: 'must be a whole number',
  boolean: 'must be true or false',
  null: 'must be null',
};

function wishOf(schema: Shape): string {
  if ('const' in schema) return `must be ${String(schema.const)}`;
  if (schema.enum !== undefined) return `must be one of ${schema.enum.join(', ')}`;
  return WISHES[schema.type ?? ''] ?? 'does not fit';
}

function isOfType(type: string, value: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'number') return Number.isFinite(value);
  return typeof value === type;
}

function below(field: string, name: string): string {
  return field === '' ? name : `${field}.${name}`;
}
