import type { TSchema } from 'typebox';
import { ShingledError } from '../errors.ts';

/*
 * Query strings, read strictly: a value has exactly the form its schema asks for (`limit=10`, not `limit=1e1`, `limit=`
 * or `limit=10&limit=20`), percent-encoding is of UTF-8, and a name nobody knows is an error of the caller, not a default.
 */

/** The raw query string of a request; what `query-string` makes of it waits until the schema is at hand. */
export interface RawQuery {
  readonly raw: string;
}

interface Shape {
  readonly type?: string;
  readonly const?: unknown;
  readonly anyOf?: readonly Shape[];
  readonly items?: Shape;
}

const NUMBER = /^-?(?:0|[1-9]\d{0,15})(?:\.\d{1,20})?$/;

/**
 * The values of a query string as its schema types them. A text that has not the form of its type stays a text, for the
 * validator to refuse by name; `+` is a space, as in forms.
 *
 * @throws ShingledError `invalid-utf8`, or `invalid-request` for a name given twice
 */
export function readQuery(raw: string, schema: TSchema): Record<string, unknown> {
  const properties = (schema as { readonly properties?: Readonly<Record<string, Shape>> }).properties ?? {};
  const values: Record<string, unknown> = Object.create(null);
  for (const part of raw.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = decode(equals < 0 ? part : part.slice(0, equals));
    const text = equals < 0 ? '' : decode(part.slice(equals + 1), name);
    if (name in values) {
      throw new ShingledError('invalid-request', 'A parameter is given twice.', { field: shortened(name) });
    }
    values[name] = Object.hasOwn(properties, name) ? typed(text, properties[name]!) : text;
  }
  return values;
}

function typed(text: string, shape: Shape): unknown {
  if (shape.anyOf !== undefined) {
    const exact = shape.anyOf.find((option) => option.const === text);
    return exact === undefined ? typed(text, shape.anyOf[0]!) : text;
  }
  switch (shape.type) {
    case 'integer':
    case 'number':
      return NUMBER.test(text) ? Number(text) : text;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'array':
      return text === '' ? [] : text.split(',').map((item) => typed(item, shape.items!));
    default:
      return text;
  }
}

function decode(text: string, field?: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    const detail = 'The query string is not percent-encoded UTF-8.';
    throw new ShingledError('invalid-utf8', detail, field === undefined ? {} : { field: shortened(field) });
  }
}

/** A name that the caller chose, short enough to be repeated. */
export function shortened(name: string): string {
  return name.length <= 64 ? name : `${name.slice(0, 64)}…`;
}
