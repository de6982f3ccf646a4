import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { readText } from '../tree/tree.ts';

/* The committed OpenAPI document, read for tests. */

export interface Media {
  readonly schema: Record<string, unknown>;
  readonly example?: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'header' | 'path';
  readonly required: boolean;
  readonly schema: Record<string, unknown>;
  readonly example?: unknown;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
}

export interface OpenApi {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Record<string, unknown>>> };
}

export const openApi = JSON.parse(readText('openapi/openapi.json')) as OpenApi;

export interface NamedOperation extends Operation {
  readonly path: string;
  readonly method: string;
}

export const operations: readonly NamedOperation[] = Object.entries(openApi.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
);

const ajv = new Ajv2020({ strict: false, allErrors: false });
(addFormats as unknown as { default: (ajv: Ajv2020) => void }).default(ajv);
ajv.addSchema({ $id: 'openapi', components: openApi.components });

const compiled = new Map<object, (value: unknown) => string | null>();

/** What a value breaks of a schema of the document, null where it fits: by a validator that the service does not use. */
export function breach(schema: object, value: unknown): string | null {
  let check = compiled.get(schema);
  if (check === undefined) {
    const validate = ajv.compile(
      JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components')),
    );
    check = (tried) => (validate(tried) ? null : ajv.errorsText(validate.errors));
    compiled.set(schema, check);
  }
  return check(value);
}
