import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { CODINGS } from '../bodies/decoded-body.ts';
import { addDocsPage, serveConstant } from './docs-page.ts';
import { type Json, type JsonObject, prefilled } from './docs-prefill.ts';

/* The OpenAPI document, made from the schemas of the routes, and the page that shows it. */

/** Said of every body. */
const CODED = `As it is, or with a Content-Encoding of ${CODINGS.join(', ')}.`;

export async function addOpenApi(app: FastifyInstance, version: string, basePath: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'shingled',
        version,
        summary: 'Which known URLs say the same as this document, contain it, or are contained in it?',
        description:
          'Resemblance and containment of documents (Broder, Glassman, Manasse & Zweig 1997), estimated with intervals, from an index of shingles.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: basePath === '' ? '/' : basePath, description: 'This service.' }],
      tags: [
        { name: 'similar', description: 'Which known documents are like this one?' },
        { name: 'documents', description: 'What the index knows, and teaching it.' },
        { name: 'compare', description: 'Documents against each other.' },
        { name: 'moved', description: 'Where documents of dead URLs live now.' },
        { name: 'operation', description: 'For those who run the service.' },
      ],
      components: {
        securitySchemes: {
          key: { type: 'http', scheme: 'bearer', description: 'A key of API_KEYS. Needed where any are configured.' },
        },
      },
      security: [{ key: [] }],
    },
    transformObject: (document) =>
      ('openapiObject' in document
        ? tidy(document.openapiObject as unknown as JsonObject)
        : document.swaggerObject) as never,
  });
  const served = async (document: object) => ({
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: Buffer.from(JSON.stringify(document)),
  });
  serveConstant(app, '/openapi.json', () => served(app.swagger()));
  addDocsPage(app, () => {
    const servers = [{ url: '../', description: 'This service, wherever a proxy has put it.' }];
    return served({ ...prefilled(app.swagger() as unknown as JsonObject), servers });
  });
}

/** What the generator cannot be told: titled schemas become components, lists are comma-separated, bodies optional. */
function tidy(document: JsonObject): JsonObject {
  const components: JsonObject = {};
  const paths = hoist(document['paths'] as JsonObject, components) as JsonObject;
  for (const path of Object.values(paths) as JsonObject[]) {
    for (const operation of Object.values(path) as JsonObject[]) {
      for (const parameter of (operation['parameters'] ?? []) as JsonObject[]) {
        if ((parameter['schema'] as JsonObject | undefined)?.['type'] === 'array') {
          Object.assign(parameter, { style: 'form', explode: false });
        }
      }
      const body = operation['requestBody'] as JsonObject | undefined;
      if (body !== undefined) body['description'] = CODED;
      if (operation['x-body-optional'] === true) {
        delete operation['x-body-optional'];
        (operation['requestBody'] as JsonObject)['required'] = false;
      }
    }
  }
  const schemas = Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { ...document, paths, components: { ...(document['components'] as JsonObject), schemas } };
}

/** Moves every schema with a title to the components; equal titles are one schema. */
function hoist(value: Json, components: JsonObject): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => hoist(item, components));
  const copy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, hoist(inner, components)]));
  const { title } = copy;
  const isSchema = typeof title === 'string' && ('type' in copy || 'anyOf' in copy);
  if (!isSchema) return copy;
  const { title: _title, examples: _examples, example: _example, ...schema } = copy;
  const known = components[title];
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
    throw new Error(`two schemas are called ${title}`);
  }
  components[title] = schema;
  return { $ref: `#/components/schemas/${title}` };
}
