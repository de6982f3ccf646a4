import { ShingledError } from '../../errors.ts';
import type { PutRequest } from '../../service/api.ts';
import { parseJson } from '../bodies/json.ts';
import type { JsonLimits } from '../bodies/json-bounds.ts';
import { MetaObject, orNull } from '../schemas/common.schema.ts';
import { compileCheck } from '../validation/validation.ts';

const check = compileCheck(orNull(MetaObject), 'meta');

/** `meta` of a query string, a JSON object as text. @throws ShingledError `invalid-json`, `invalid-request` */
export function metaFrom(text: string | undefined, limits: JsonLimits): PutRequest['meta'] {
  return text === undefined ? null : check(parsed(text, limits));
}

function parsed(text: string, limits: JsonLimits): unknown {
  try {
    return parseJson(Buffer.from(text), limits);
  } catch (error) {
    if (!(error instanceof ShingledError)) throw error;
    const detail = `meta must be an object as JSON text, such as {"crawl":"spring"}. ${error.message}`;
    throw new ShingledError(error.code, detail, { field: 'meta' });
  }
}
