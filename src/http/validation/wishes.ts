import { IsDateTime } from 'typebox/format';

/* What a schema allows and what came instead, in words for a message. */

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
  readonly 'x-spaces'?: boolean;
}

const KINDS: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  null: 'null',
};

/** What a value may be: `a whole number from 1 to 10`, `404 or 410`, `an object with a, b`. */
export function wishOf(schema: Shape): string {
  if (schema.anyOf !== undefined) {
    const wishes = schema.anyOf.map(wishOf);
    const last = wishes.pop();
    return wishes.length === 0 ? String(last) : `${wishes.join(', ')} or ${last}`;
  }
  if ('const' in schema) return String(schema.const);
  if (schema.enum !== undefined)
    return schema.enum.length === 1 ? String(schema.enum[0]) : `one of ${schema.enum.join(', ')}`;
  switch (schema.type) {
    case 'number':
      return `a number${rangeOf(schema)}`;
    case 'integer':
      return `a whole number${rangeOf(schema)}`;
    case 'array':
      return schema.items?.enum === undefined ? 'a list' : `a list of any of ${schema.items.enum.join(', ')}`;
    case 'object':
      return `an object${fieldsIn(schema)}`;
    case 'string':
      return schema.format === 'date-time' ? 'a time with its zone, such as 2026-01-02T03:04:05Z' : 'a text';
    default:
      return KINDS[schema.type ?? ''] ?? 'something else';
  }
}

function rangeOf({ minimum, maximum }: Shape): string {
  return `${minimum === undefined ? '' : ` from ${minimum}`}${maximum === undefined ? '' : ` to ${maximum}`}`;
}

/** Those that it needs; where it needs none, all. */
function fieldsIn({ properties = {}, required = [] }: Shape): string {
  const names = required.length > 0 ? required : Object.keys(properties);
  return names.length === 0 ? '' : ` with ${names.join(', ')}`;
}

const SHOWN_MAX = 40;

/**
 * What came: `it is "ten"`. Texts are repeated only where a number, a word of a list or a time was asked for, and in part;
 * elsewhere they may be documents.
 */
export function came(schema: Shape, value: unknown): string {
  if (value === undefined) return 'there is none';
  if (Array.isArray(value)) return 'it is a list';
  if (typeof value === 'object' && value !== null) return 'it is an object';
  if (typeof value !== 'string') return `it is ${String(value)}`;
  const isList = (option: Shape) => option.type === 'array';
  if (!isWord(schema)) return `it is a text${(schema.anyOf ?? [schema]).some(isList) ? ': put it into []' : ''}`;
  return `it is ${JSON.stringify(value.length > SHOWN_MAX ? `${value.slice(0, SHOWN_MAX)}…` : value)}${wayOut(schema, value)}`;
}

/** `0,5`, `50%`, `+.5`, `1.` */
const LIKE_A_NUMBER = /^\s*\+?(-?\d{0,15})(?:[.,](\d{0,15}))?\s*(%?)\s*$/;

/** How to write what a text means that is written otherwise than it should be: `: write 0.5`. */
function wayOut(schema: Shape, text: string): string {
  for (const option of schema.anyOf ?? [schema]) {
    if (option.format === 'date-time') return wayOutOfTime(text);
    if (option.type === 'boolean' && (text === 'true' || text === 'false')) return `: write ${text} without quotes`;
    if (option.type !== 'number' && option.type !== 'integer') continue;
    const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = option;
    const [, whole = '', part = '', percent] = LIKE_A_NUMBER.exec(text) ?? [];
    if (whole + part === '' || (percent === '%' && maximum !== 1)) continue;
    const meant = Number(`${whole}.${part}${percent === '%' ? 'e-2' : ''}`);
    const isOne = 'const' in option ? meant === option.const : meant >= minimum && meant <= maximum;
    // 1,000 is one thousand to some
    const fits = isOne && (option.type === 'number' || part === '');
    const written = String(meant);
    if (fits && !written.includes('e')) return `: write ${written}${written === text ? ' without quotes' : ''}`;
  }
  return '';
}

function isWord(schema: Shape): boolean {
  if (schema.anyOf !== undefined) return schema.anyOf.some(isWord);
  if ('const' in schema || schema.enum !== undefined || schema.format === 'date-time') return true;
  return schema.type === 'number' || schema.type === 'integer' || schema.type === 'boolean';
}

/** `Mon, 02 Jan 2026 03:04:05 GMT`, as in Last-Modified. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} [\d:]{8} GMT$/;

function wayOutOfTime(text: string): string {
  if (IsDateTime(text)) return '';
  const spaced = text.replace(' ', 'T');
  if (IsDateTime(spaced)) return `: write ${spaced}`;
  const ms = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? '' : `: write ${new Date(ms).toISOString()}`;
}

/** The name of a field inside of another; of the value itself where that is empty. */
export function below(field: string, name: string): string {
  return field === '' ? name : `${field}.${name}`;
}
