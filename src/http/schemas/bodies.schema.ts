import Type, { type TSchema } from 'typebox';

/* Bodies that are not JSON, for the OpenAPI description; what they hold is looked at by those who read them. */

const document = (type: string, description: string, example: string) => ({
  [type]: { schema: Type.String({ contentMediaType: type, description, examples: [example] }) },
});

/** A document as it is. */
export const DOCUMENT_BODY = {
  ...document('text/html', 'A page; its charset by header, mark or meta element.', '<p>The quick brown fox.</p>'),
  ...document('text/plain', 'A text.', 'The quick brown fox.'),
};

/** Lines of JSON, each as the schema says. */
export const NDJSON_BODY = (line: TSchema) => ({ 'application/x-ndjson': { schema: line } });
