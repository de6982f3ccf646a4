import { type Shape, wishOf } from '../../../src/http/validation/wishes.ts';
import { readText } from '../tree/tree.ts';

/* docs/options.md, from the OpenAPI document. */

interface Schema extends Shape {
  readonly $ref?: string;
  readonly description?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly { name: string; required?: boolean; description?: string; schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: Schema }>> };
}

const document = JSON.parse(readText('openapi/openapi.json')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

/** A schema with those that it refers to in their places; what it says of itself comes first. */
function resolved(schema: Schema): Schema {
  const { $ref, ...own } = schema;
  const whole = $ref === undefined ? own : { ...document.components.schemas[$ref.split('/').at(-1)!], ...own };
  return {
    ...whole,
    ...(whole.anyOf === undefined ? {} : { anyOf: whole.anyOf.map(resolved) }),
    ...(whole.items === undefined ? {} : { items: resolved(whole.items) }),
    ...(whole.properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(Object.entries(whole.properties).map(([name, one]) => [name, resolved(one)])),
        }),
  };
}

type Row = readonly [name: string, wish: string, description: string];

/** Every field of a body, those of objects in it below their names. */
function rowsOf(schema: Schema, prefix: string, required = false): Row[] {
  const object = [schema, ...(schema.anyOf ?? [])].find(({ properties }) => properties !== undefined);
  const item = schema.items?.properties === undefined ? null : schema.items;
  const wish = wishOf(object === undefined ? schema : { type: 'object' });
  const own: Row[] = prefix === '' ? [] : [[prefix, required ? `${wish}; needed` : wish, schema.description ?? '']];
  const inner = item ?? object;
  const place = item !== null ? `${prefix}[].` : prefix === '' ? '' : `${prefix}.`;
  const fields = Object.entries(inner?.properties ?? {}).flatMap(([name, one]) =>
    rowsOf(one, `${place}${name}`, inner?.required?.includes(name)),
  );
  return [...own, ...fields];
}

function tableOf(title: string, rows: readonly Row[]): string {
  if (rows.length === 0) return '';
  const cells = rows.map(
    ([name, ...rest]) => `| \`${name}\` | ${rest.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`,
  );
  return `\n| ${title} | may be | what |\n|---|---|---|\n${cells.join('')}`;
}

const HEAD = `# Every option

Each parameter and each field of each call, in the order of the OpenAPI document. What they are for is told in
[the HTTP API](api.md), with a request and an answer for every call.

This page is written from the schemas by its test: change them in \`src/http/\`, run \`npm run openapi\`, then
\`npx vitest run test/docs/options-page.test.ts -u\`.
`;

/** Whether a call has anything to choose: the others are named at the end. */
const hasOptions = ({ parameters = [], requestBody }: Operation) => parameters.length > 0 || requestBody !== undefined;

export function optionsPage(): string {
  const calls = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  );
  const parts = calls
    .filter(([, operation]) => hasOptions(operation))
    .map(([name, operation]) => {
      const { parameters = [], requestBody, summary } = operation;
      const query = parameters.map(({ name: parameter, required, description = '', schema }): Row => {
        const wish = wishOf(resolved(schema));
        return [parameter, required === true ? `${wish}; needed` : wish, description];
      });
      // lines have the fields of the JSON where a call takes both
      const body = Object.entries(requestBody?.content ?? {}).find(([type]) => type.includes('json'));
      const title = body?.[0].includes('ndjson') === true ? 'in a line' : 'in the JSON';
      const fields = body === undefined ? '' : tableOf(title, rowsOf(resolved(body[1].schema), ''));
      return `\n## \`${name}\`\n\n${summary}.\n${tableOf('in the query string', query)}${fields}`;
    });
  const none = calls.filter(([, operation]) => !hasOptions(operation)).map(([name]) => `\`${name}\``);
  return `${HEAD}${parts.join('')}\n## Without options\n\n${none.join(', ')}.\n`;
}
