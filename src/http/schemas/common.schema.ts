import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { FEATURE_BYTES_MAX, FEATURES_MAX, FEATURES_TYPE } from '../../features/feature-list.ts';
import { FILE_TYPES } from '../../features/file-types.ts';
import type { DocumentAnswer } from '../../service/api.ts';
import { SERVICE_LIMITS as LIMITS } from '../../service/limits.ts';

/*
 * What requests and answers are made of, each said once: the same schema validates, gives the TypeScript type and is
 * printed in the OpenAPI document. A schema with a title becomes a component there.
 *
 * Bounds stand in the descriptions, those that are settings with their names and defaults; the service holds them.
 */

export interface Annotations {
  readonly title?: string;
  readonly description?: string;
  readonly examples?: unknown[];
}

type Fields = Readonly<Record<string, unknown>>;

/** An object without any other field. */
export const closed = <P extends TProperties>(properties: P, options: Annotations = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

/** The same for an answer as a whole, with an example; see {@link exampleOf}. */
export const answer = <P extends TProperties>(properties: P, options: Annotations, given: Fields = {}) =>
  closed(properties, { ...options, examples: [exampleOf(Type.Object(properties), given)] });

/**
 * The example that a schema has, or else one made of those of its fields; a list without one is empty.
 *
 * @param given what fields have instead where theirs do not go together; of those that may be left out, only these are shown
 */
export function exampleOf(schema: TSchema, given: Fields = {}): unknown {
  const {
    examples,
    anyOf,
    properties,
    required = [],
  } = schema as Annotations & {
    readonly anyOf?: readonly TSchema[];
    readonly properties?: TProperties;
    readonly required?: readonly string[];
  };
  if (examples !== undefined) return examples[0];
  if (anyOf !== undefined) return exampleOf(anyOf[0]!);
  if (properties === undefined) return 'const' in schema ? schema.const : [];
  const shown = Object.entries(properties).filter(([name]) => name in given || required.includes(name));
  return Object.fromEntries(shown.map(([name, field]) => [name, name in given ? given[name] : exampleOf(field)]));
}

/** The schema, or null; what it says about itself it says about both unless told otherwise. */
export const orNull = <S extends TSchema>(schema: S, options: Annotations = {}) => {
  const { description, examples } = schema as Annotations;
  const own = {
    ...(description === undefined ? {} : { description }),
    ...(examples === undefined ? {} : { examples }),
  };
  return Type.Union([schema, Type.Null()], { ...own, ...options });
};

/** The spelling of a URL: where it stands in a query string, a + in it is refused (query-string.ts). */
export const SOURCE_URL = { 'x-spaces': false } as const;

export const Url = (description: string, example = 'https://a.example/x') =>
  Type.String({
    ...SOURCE_URL,
    minLength: 1,
    description: `${description} At most ${LIMITS.urlBytesMax} bytes (URL_BYTES_MAX).`,
    examples: [example],
  });

export const Share = (options: Annotations = {}) => Type.Number({ minimum: 0, maximum: 1, ...options });

export const Time = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-01-02T03:04:05.000Z'] });

/** A count: a whole number. */
export const Count = (description: string, example: number, minimum = 0) =>
  Type.Integer({ minimum, description, examples: [example] });

export const Text = (description: string, example: string) => Type.String({ description, examples: [example] });

export const Flag = (description: string, example: boolean) => Type.Boolean({ description, examples: [example] });

export const ElapsedMs = Type.Number({ minimum: 0, description: 'Time taken here, in ms.', examples: [1.4] });

/** What a set of features says of itself; a text says nothing. */
export const Kind = Type.Optional(
  Type.Enum(['features'], {
    description: 'Of a set of features: then its shingles are its features, and it has no words. Absent of a text.',
    examples: ['features'],
  }),
);

/** JSON that the caller keeps beside a document. */
export const MetaObject = Type.Unsafe<NonNullable<DocumentAnswer['meta']>>({
  type: 'object',
  additionalProperties: true,
  description: `Any JSON object, kept beside the document; at most ${LIMITS.metaBytesMax} bytes as JSON (META_BYTES_MAX).`,
  examples: [{ crawl: 'spring' }],
});

export const Cursor = Type.String({
  minLength: 1,
  description: 'Where the next page begins: `cursor` of the page before, sent with the same question.',
});

export const NextPage = orNull(Cursor, { description: 'Where the next page begins; null where this is the last.' });

export const PageLimit = (what: string, example: number) =>
  Count(`${what} on one page; at most ${LIMITS.limitMax}.`, example, 1);

/** What becomes of a URL without a body. */
export const Fetch = Type.Enum(['auto', 'never', 'always'], {
  description:
    'Whether a URL without a body is fetched: `auto` (where not given) where it is not in the index, `never`, or `always`, though it is known. Fetching needs the scope `fetch`.',
  examples: ['auto'],
});

export const DeadlineMs = Type.Integer({
  minimum: 1,
  description: `After so many ms the answer is what was found by then, fetching counted. Where not given 1000 from when the documents are at hand, fetching not counted; at most ${LIMITS.deadlineMsMax}.`,
  examples: [1000],
});

export const Selector = (what: string, example: string) =>
  Type.String({ minLength: 1, description: `${what}: a CSS selector, for HTML only.`, examples: [example] });

export const SELECTORS = {
  select: Type.Optional(Selector('Only what matches counts', 'article')),
  remove: Type.Optional(Selector('Nothing that matches counts', 'nav, footer')),
};

export const Features = (description: string) =>
  Type.Array(Type.String(), {
    description: `${description} At most ${FEATURES_MAX} of ${FEATURE_BYTES_MAX} bytes each, and of all values of a JSON body no more than 20,000.`,
    examples: [['brand:acme', 'color:red', 'size:42']],
  });

export const BODIES = {
  text: Type.Optional(Text('Its plain text.', 'The quick brown fox jumps.')),
  html: Type.Optional(Text('Its HTML.', '<p>The quick brown fox jumps.</p>')),
  features: Type.Optional(Features('It as a set of strings instead of a text: order and repetition do not matter.')),
  bytes: Type.Optional(
    Type.String({
      contentEncoding: 'base64',
      description: 'It as it is, in base64: a page in any charset, a PDF file, an office document, a mail.',
      examples: ['VGhlIHF1aWNrIGJyb3duIGZveCBqdW1wcy4='],
    }),
  ),
  contentType: Type.Optional(
    Text('With `bytes`: their Content-Type; where not given they say it themselves.', 'application/pdf'),
  ),
};

/** Which version of a URL: a time, or a content's id. */
export const At = Type.String({
  'x-spaces': false,
  description: 'A version of the URL: a time (RFC 3339), or the id of a content that it had.',
  examples: ['2026-01-02T03:04:05Z'],
});

/** A document as a caller names it in JSON. */
export const DocumentReference = closed(
  {
    url: Type.Optional(Url('URL of the document; without a body, what is known of it or can be fetched.')),
    ...BODIES,
    ...SELECTORS,
    at: Type.Optional(At),
  },
  {
    title: 'Document',
    description:
      'A document: by one of `text`, `html`, `features` and `bytes`, by `url`, of which `at` names a past version, or by both a body and the URL it belongs to.',
  },
);

export type DocumentReferenceJson = Static<typeof DocumentReference>;

/** Thresholds by their names: what each asks for, and what it is where it is not given, null = not looked for. */
type Told<N extends string> = { readonly [name in N]: string };
type Standard<N extends string> = { readonly [name in N]: number | null };

/**
 * Thresholds in JSON by their names.
 *
 * @param told what each asks for
 * @param standard what it is where it is not given; null = not looked for
 */
export const thresholds = <N extends string>(told: Told<N>, standard: Standard<N>, description: string) =>
  Type.Optional(closed(each(told, standard, threshold), { description }));

/** The same in the query string. */
export const thresholdsInQuery = <N extends string>(told: Told<N>, standard: Standard<N>) =>
  each(told, standard, thresholdInQuery);

const threshold = (description: string, standard: number | null) =>
  Type.Optional(
    orNull(Share(), {
      description: `${description} null = not looked for; ${standard ?? 'null'} where not given.`,
      examples: [standard ?? 0.8],
    }),
  );

const thresholdInQuery = (description: string, standard: number | null) =>
  Type.Optional(
    Type.Union([Share(), Type.Literal('off')], {
      description: `${description} \`off\` = not looked for; ${standard ?? 'off'} where not given.`,
      examples: [standard ?? 0.8],
    }),
  );

function each<N extends string, S extends TSchema>(
  told: Told<N>,
  standard: Standard<N>,
  make: (description: string, standard: number | null) => S,
) {
  const entries = Object.entries<string>(told).map(([name, text]) => [name, make(text, standard[name as N])]);
  return Object.fromEntries(entries) as { readonly [name in N]: S };
}

const document = (type: string, description: string, ...examples: string[]) => ({
  [type]: { schema: Type.String({ contentMediaType: type, description, ...(examples.length > 0 && { examples }) }) },
});

/** A page of four words, in ASCII: readers find its objects without a table of them. */
const SMALLEST_PDF = [
  '%PDF-1.4\n1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj',
  '3 0 obj <</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>> endobj',
  '4 0 obj <</Length 47>> stream\nBT /F 12 Tf 9 9 Td (The quick brown fox.) Tj ET\nendstream endobj',
  '5 0 obj <</Type/Font/Subtype/Type1/BaseFont/Helvetica>> endobj\ntrailer <</Root 1 0 R>>',
].join('\n');
const SMALLEST_MAIL = 'Subject: A fox\nMIME-Version: 1.0\nContent-Type: text/plain\n\nThe quick brown fox.';

/** A document as it is, for the OpenAPI description. Each is a text: where a body is a list, clients made for Python fail. */
export const DOCUMENT_BODY = {
  ...document('text/html', 'A page; its charset by header, mark or meta element.', '<p>The quick brown fox.</p>'),
  ...document('text/plain', 'A text.', 'The quick brown fox.'),
  ...document(FILE_TYPES.pdf, 'A PDF file: the text of its pages.', SMALLEST_PDF),
  ...{ ...document(FILE_TYPES.docx, 'A .docx file.'), ...document(FILE_TYPES.odt, 'An .odt file.') },
  ...document(FILE_TYPES.epub, 'An .epub file: the text of its pages.'),
  ...document(FILE_TYPES.rtf, 'An .rtf file.', '{\\rtf1 The quick brown fox.}'),
  ...document(FILE_TYPES.mail, 'A mail, or a page saved as .mhtml: its page or its text.', SMALLEST_MAIL),
  ...document(FEATURES_TYPE, `Features: a JSON list of at most ${FEATURES_MAX} strings.`, '["color:red","size:42"]'),
};

/** Lines of JSON, each as the schema says. */
export const NDJSON_BODY = (line: TSchema) => ({ 'application/x-ndjson': { schema: line } });
