import type { TSchema } from 'typebox';
import { ShingledError } from '../../errors.ts';

/*
 * Query strings, read strictly. A value has exactly the form its schema asks for: `limit=10`, not `limit=1e1`, `limit=`
 * or `limit=10&limit=20`. Percent-encoding is of UTF-8. A name nobody knows is an error of the caller, not a default.
 */

/** The raw query string of a request; what `query-string` makes of it waits until the schema is at hand. */
export interface RawQuery {
  readonly raw: string;
}

interface Parameters {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: unknown;
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
 * @throws ShingledError `invalid-utf8`, or `invalid-request` for a name that is given twice or that nobody knows
 */
export function readQuery(raw: string, schema: TSchema): Record<string, unknown> {
  const { properties = {}, additionalProperties } = schema as Parameters;
  const values: Record<string, unknown> = Object.create(null);
  for (const part of raw.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = decode(equals < 0 ? part : part.slice(0, equals));
    const text = equals < 0 ? '' : decode(part.slice(equals + 1), name);
    if (name in values) {
      const detail = `${shortened(name)} is given twice; a list is one parameter, with commas.`;
      throw new ShingledError('invalid-request', detail, { field: shortened(name) });
    }
    if (additionalProperties === false && !Object.hasOwn(properties, name)) {
      throw unknownParameter(shortened(name), Object.keys(properties), values);
    }
    values[name] = Object.hasOwn(properties, name) ? typed(text, properties[name]!) : text;
  }
  return values;
}

function unknownParameter(
  name: string,
  known: readonly string[],
  before: Readonly<Record<string, unknown>>,
): ShingledError {
  const url = before['url'];
  const isOfUrl = typeof url === 'string' && url.includes('?');
  const way = isOfUrl ? ' Where it is a part of the url, write & in that as %26.' : '';
  const allowed = known.length === 0 ? 'it takes none' : `allowed are ${known.join(', ')}`;
  return new ShingledError('invalid-request', `${name} is not a parameter of this call: ${allowed}.${way}`, {
    field: name,
  });
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
    const name = field === undefined ? 'A name in the query string' : shortened(field);
    const detail = `${name} is not percent-encoded UTF-8; a % by itself is written %25.`;
    throw new ShingledError('invalid-utf8', detail, field === undefined ? {} : { field: shortened(field) });
  }
}

/** A name that the caller chose, short enough to be repeated. */
export function shortened(name: string): string {
  return name.length <= 64 ? name : `${name.slice(0, 64)}…`;
}
