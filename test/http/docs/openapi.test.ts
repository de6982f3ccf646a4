import { describe, expect, it } from 'vitest';
import { FILE_TYPES } from '../../../src/features/file-types.ts';
import { createHttpFixture, linesOf } from '../../support/http/http-fixture.ts';
import { createHttpOnDisk } from '../../support/http/http-on-disk.ts';
import { breach, type Media, openApi, operations } from '../../support/http/openapi.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

/** Types of which no example can be shown: their bytes are no text. */
const ZIPPED: ReadonlySet<string> = new Set([FILE_TYPES.docx, FILE_TYPES.odt, FILE_TYPES.epub]);

describe('the OpenAPI document', () => {
  it('is what the schemas of the routes say', async () => {
    const fixture = await createHttpFixture();
    const served = (await fixture.app.inject('/openapi.json')).json();
    const { version: _served, ...info } = served.info;
    const { version: _committed, ...committed } = (openApi as unknown as { info: { version: string } }).info;
    expect({ ...served, info }).toEqual({ ...openApi, info: committed });
    await fixture.close();
  });

  it('describes every call', () => {
    expect(operations.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      'DELETE /documents',
      'DELETE /documents/list',
      'GET /admin/backups',
      'GET /clusters',
      'GET /documents',
      'GET /documents/changes',
      'GET /documents/export',
      'GET /documents/hosts',
      'GET /documents/list',
      'GET /documents/versions',
      'GET /health/live',
      'GET /health/ready',
      'GET /metrics',
      'GET /moved',
      'GET /similar',
      'GET /stats',
      'POST /admin/backup',
      'POST /admin/compact',
      'POST /collapse',
      'POST /compare',
      'POST /composition',
      'POST /documents',
      'POST /moved',
      'POST /moved/batch',
      'POST /similar',
      'POST /similar/batch',
      'PUT /documents',
    ]);
  });

  it('names each, explains each parameter and field, and shows an example of each body', () => {
    const bare: string[] = [];
    for (const { operationId, summary, tags, parameters = [], requestBody, responses } of operations) {
      expect([operationId, summary, tags.length].every(Boolean)).toBe(true);
      for (const { name, example } of parameters) {
        if (example === undefined && name !== 'cursor') bare.push(`${operationId} ${name}`);
      }
      for (const [type, { example }] of Object.entries(requestBody?.content ?? {})) {
        if (example === undefined && !ZIPPED.has(type)) bare.push(`${operationId} ${type}`);
      }
      for (const [type, { example }] of Object.entries(responses['200']?.content ?? {})) {
        if (example === undefined) bare.push(`${operationId} 200 ${type}`);
      }
    }
    expect(bare).toEqual([]);
    expect(undescribed(openApi.components.schemas)).toEqual([]);
  });

  it('has examples that fit their schemas', () => {
    const wrong: string[] = [];
    const look = (where: string, { schema, example }: Media) => {
      if (example === undefined) return;
      const problem = breach(schema, example);
      if (problem !== null) wrong.push(`${where}: ${problem}`);
    };
    for (const { operationId, parameters = [], requestBody, responses } of operations) {
      for (const parameter of parameters) look(`${operationId} ${parameter.name}`, parameter);
      for (const [type, media] of Object.entries(requestBody?.content ?? {})) look(`${operationId} ${type}`, media);
      for (const [status, { content = {} }] of Object.entries(responses)) {
        for (const [type, media] of Object.entries(content)) look(`${operationId} ${status} ${type}`, media);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('has examples of requests that the service takes', async () => {
    const fixture = await createHttpOnDisk(temporaryFolder());
    for (const { path, method, operationId, requestBody } of operations) {
      for (const [type, { example }] of Object.entries(requestBody?.content ?? {})) {
        if (ZIPPED.has(type)) continue;
        const payload = typeof example === 'string' ? example : JSON.stringify(example);
        const url = method === 'PUT' ? `${path}?url=https://a.example/x` : path;
        const answer = await fixture.app.inject({
          method: method as 'PUT',
          url,
          payload,
          headers: { 'content-type': type },
        });
        expect([operationId, type, answer.statusCode < 300]).toEqual([operationId, type, true]);
        const response = openApi.paths[path]![method.toLowerCase()]!.responses[answer.statusCode]!;
        const answered = String(answer.headers['content-type']).split(';')[0]!;
        const { schema } = response.content![answered]!;
        const bodies = answered.endsWith('ndjson') ? linesOf(answer.body) : [answer.json()];
        for (const body of bodies) expect(breach(schema, body)).toBe(null);
      }
    }
    await fixture.close();
  });
});

/** Fields of components that say nothing about themselves. */
function undescribed(schemas: Readonly<Record<string, Record<string, unknown>>>): string[] {
  return Object.entries(schemas).flatMap(([name, schema]) =>
    Object.entries((schema['properties'] ?? {}) as Record<string, Record<string, unknown>>)
      .filter(
        ([, field]) => !('description' in field) && !('$ref' in field) && !('const' in field) && !('enum' in field),
      )
      .map(([field]) => `${name}.${field}`),
  );
}
