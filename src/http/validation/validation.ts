import type { FastifySchemaCompiler } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { ShingledError } from '../../errors.ts';
import { faultOf } from './faults.ts';
import { type RawQuery, readQuery, shortened } from './query-string.ts';
import type { Shape } from './wishes.ts';

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
  const { limit } = fault;
  return new ShingledError('invalid-request', `${field} ${fault.what}.`, {
    ...{ field, ...(limit === undefined ? {} : { limit }) },
  });
}
