import Type, { type TSchema } from 'typebox';

/* Bodies that are not JSON, for the OpenAPI description; what they hold is looked at by those who read them. */

const raw = (type: string, description: string, example: string) => ({
  [type]: { schema: Type.Unsafe<Uint8Array>({ contentMediaType: type, description, examples: [example] }) },
});

/** A document as it is. */
export const DOCUMENT_BODY = {
  ...raw('text/html', 'A page; its charset by header, byte order mark, meta element.', '<p>The quick brown fox.</p>'),
  ...raw('text/plain', 'A text.', 'The quick brown fox.'),
};

/** Lines of JSON, one of `line` each. */
export const NDJSON_BODY = (line: TSchema & { readonly title?: string; readonly examples?: unknown[] }) =>
  raw('application/x-ndjson', `One ${line.title ?? 'object'} a line.`, `${JSON.stringify(line.examples?.[0] ?? {})}\n`);
