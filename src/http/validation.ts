import type { FastifySchemaCompiler } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { ShingledError } from '../errors.ts';
import { type RawQuery, readQuery, shortened } from './query-string.ts';

/** One complaint of the validator, as much of it as is used here. */
interface Complaint {
  readonly keyword: string;
  readonly instancePath: string;
  readonly message: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * Compiles a schema into a function that returns a value as it is, or throws.
 *
 * Nothing is coerced, no field is dropped and no default filled in.
 *
 * @throws (the function) ShingledError `invalid-request`, which names the field at fault and the limit that was met
 */
export function compileCheck<S extends TSchema>(schema: S): (value: unknown) => Static<S> {
  const compiled = Compile(schema);
  return (value) => {
    if (compiled.Check(value)) return value;
    throw faultOf(compiled.Errors(value) as readonly Complaint[]);
  };
}

/** The validator of fastify's routes: query strings are typed by their schema first, raw bodies are left alone. */
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

/** Of all complaints the one that helps: an unknown name before what is wrong with the known ones. */
function faultOf(complaints: readonly Complaint[]): ShingledError {
  const telling = complaints.filter(({ keyword }) => keyword !== 'boolean' && keyword !== 'anyOf');
  const first = telling.find(({ keyword }) => keyword === 'additionalProperties') ?? telling[0];
  if (first === undefined) return new ShingledError('invalid-request', 'The request does not fit its schema.');
  const path = fieldOf(first.instancePath);
  const { keyword, params } = first;
  if (keyword === 'additionalProperties') {
    const field = joined(path, (params['additionalProperties'] as readonly string[])[0] ?? '');
    return refused('There is no such field', field);
  }
  if (keyword === 'required') {
    const field = joined(path, (params['requiredProperties'] as readonly string[])[0] ?? '');
    return refused('This field is missing', field);
  }
  const field = path === '' ? undefined : path;
  const alternatives = telling.filter(({ instancePath }) => instancePath === first.instancePath);
  const limit = params['limit'];
  const details = typeof limit === 'number' ? { limit: { name: keyword, value: limit } } : {};
  return refused(`This ${wish(alternatives)}`, field, details);
}

/** What would have been accepted: `must be number or null`, `must be one of live, gone`. */
function wish(alternatives: readonly Complaint[]): string {
  const wishes = alternatives.map(({ keyword, params, message }) => {
    if (keyword === 'enum') return `must be one of ${(params['allowedValues'] as readonly unknown[]).join(', ')}`;
    if (keyword === 'const') return `must be ${String(params['allowedValue'])}`;
    return message;
  });
  return [...new Set(wishes)].join(' or ').replaceAll(' or must be', ' or');
}

function refused(
  what: string,
  field: string | undefined,
  details: { limit?: { name: string; value: number } } = {},
): ShingledError {
  return new ShingledError('invalid-request', `${what}.`, {
    ...details,
    ...(field === undefined ? {} : { field: shortened(field) }),
  });
}

/** `/results/3/text` -> `results[3].text` */
function fieldOf(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, name) => (/^\d+$/.test(name) && path !== '' ? `${path}[${name}]` : joined(path, name)), '');
}

function joined(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
