import type { TSchema } from 'typebox';
import { ShingledError } from '../../errors.ts';
import type { Shape } from './wishes.ts';

/*
 * Query strings, read strictly. A value has exactly the form its schema asks for: `limit=10`, not `limit=1e1`, `limit=`
 * or `limit=10&limit=20`. Percent-encoding is of UTF-8. A name nobody knows is an error of the caller, not a default.
 */

/** The raw query string of a request; what `query-string` makes of it waits until the schema is at hand. */
export interface RawQuery {
  readonly raw: string;
}

const NUMBER = /^-?(?:(?:0|[1-9]\d{0,15})(?:\.\d{1,20})?|\.\d{1,20})$/;

const NUMBERS: ReadonlySet<string | undefined> = new Set(['integer', 'number']);
const LONE_PERCENT = /^[\d.,]*%$/;

const HAS_QUERY = /^[a-z][a-z0-9+.-]*:.*\?/i;

/** Whether it has no space in it, and a + means itself: forms make a space of that, and it would be another URL or no time. */
const isWithoutSpaces = (shape: Shape) => shape.format === 'date-time' || shape['x-spaces'] === false;

/**
 * The values of a query string as its schema types them. A text that has not the form of its type stays a text, for the
 * validator to refuse by name. `+` is a space, as in forms; in URLs and times it is refused.
 *
 * @throws ShingledError `invalid-utf8`, or `invalid-request` for a name that is given twice or that nobody knows, and for
 *   a `+` in what has no space
 */
export function readQuery(raw: string, schema: TSchema): Record<string, unknown> {
  const { properties = {}, additionalProperties } = schema as Shape;
  const values: Record<string, unknown> = Object.create(null);
  for (const part of raw.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = decode(equals < 0 ? part : part.slice(0, equals));
    const text = equals < 0 ? '' : part.slice(equals + 1);
    if (name in values) {
      const detail = `${shortened(name)} is given twice; a list is one parameter, with commas.${wayOfUrl(values)}`;
      throw new ShingledError('invalid-request', detail, { field: shortened(name) });
    }
    if (additionalProperties === false && !Object.hasOwn(properties, name)) {
      throw unknownParameter(shortened(name), Object.keys(properties), values);
    }
    values[name] = Object.hasOwn(properties, name) ? valueFrom(text, properties[name]!, name) : decode(text, name);
  }
  return values;
}

function valueFrom(text: string, shape: Shape, name: string): unknown {
  if (text.includes('+') && isWithoutSpaces(shape.items ?? shape)) {
    const detail = `${name} has a + in it, which stands for a space in a query string: write + as %2B, and a space as %20.`;
    throw new ShingledError('invalid-request', detail, { field: name });
  }
  // 50% is no number, whichever way it is encoded: that is said of it then
  const isNumber = NUMBERS.has((shape.anyOf?.[0] ?? shape).type);
  return typed(isNumber && LONE_PERCENT.test(text) ? text : decode(text, name), shape);
}

function unknownParameter(
  name: string,
  known: readonly string[],
  before: Readonly<Record<string, unknown>>,
): ShingledError {
  const allowed = known.length === 0 ? 'it takes none in the query string' : `allowed are ${known.join(', ')}`;
  const way = name.startsWith('amp;') ? ' Outside of HTML &amp; is written &.' : wayOfUrl(before);
  const detail = `${name} is not a parameter of this call: ${allowed}.${way}`;
  return new ShingledError('invalid-request', detail, { field: name });
}

/** What to do where an & has ended a URL. */
function wayOfUrl(before: Readonly<Record<string, unknown>>): string {
  const cut = Object.keys(before).find((name) => HAS_QUERY.test(String(before[name])));
  return cut === undefined ? '' : ` Where it is a part of ${cut}, write & in that as %26.`;
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
    const name = field && shortened(field);
    const detail = `${name ?? 'A name in the query string'} is not percent-encoded UTF-8; a % by itself is written %25.`;
    throw new ShingledError('invalid-utf8', detail, { field: name });
  }
}

/** A name that the caller chose, short enough to be repeated. */
export function shortened(name: string): string {
  return name.length <= 64 ? name : `${name.slice(0, 64)}…`;
}
