import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import type { DocumentAnswer } from '../../service/api.ts';
import { SERVICE_LIMITS as LIMITS } from '../../service/limits.ts';

/*
 * What requests and answers are made of, each said once: the same schema validates, gives the TypeScript type and is
 * printed in the OpenAPI document. A schema with a title becomes a component there.
 *
 * Bounds stand in the descriptions, those that are settings with their names and defaults; the service holds them.
 */

/** An object without any other field. */
export const closed = <P extends TProperties>(properties: P, options: Annotations = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

export interface Annotations {
  readonly title?: string;
  readonly description?: string;
  readonly examples?: unknown[];
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

/** A count: a whole number from 0. */
export const Count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] });

export const ElapsedMs = Type.Number({ minimum: 0, description: 'Time taken here, in ms.', examples: [1.4] });

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

export const PageLimit = (what: string, example: number) =>
  Type.Integer({
    minimum: 1,
    description: `${what} on one page; at most ${LIMITS.limitMax}.`,
    examples: [example],
  });

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

const Decision = orNull(Type.Enum(['yes', 'no', 'undecided']), {
  description:
    'Whether the share reaches its threshold: `yes` and `no` hold with 97.5 % confidence, else `undecided`; null where no threshold was asked for.',
  examples: ['yes'],
});

export const EstimatedShare = closed(
  {
    estimate: Share({ description: 'The most likely share, to 6 significant digits.', examples: [0.91226] }),
    low: Share({ description: 'Lower end of its 95 % interval, rounded down.', examples: [0.887307] }),
    high: Share({ description: 'Upper end of its 95 % interval, rounded up.', examples: [0.935524] }),
    decision: Decision,
  },
  { title: 'EstimatedShare', description: 'A share estimated from samples, with its 95 % interval.' },
);

export const ExactShare = closed(
  {
    exact: Share({
      description:
        'The share itself, to 6 significant digits: all shingles of both were compared, and the chance that any two were taken for one is below 10^-6.',
      examples: [0.9],
    }),
    decision: Decision,
  },
  { title: 'ExactShare', description: 'A share computed from both whole documents.' },
);

export const AnyShare = (description: string) => Type.Union([EstimatedShare, ExactShare], { description });

export const Equivalence = Type.Enum(['identical', 'lexical', 'shingle', 'none'], {
  description:
    'The strongest that holds: `identical` bytes; `lexical`: the same words in the same order; `shingle`: the same set of shingles.',
  examples: ['none'],
});

export const Passage = closed(
  {
    tokens: Count('Words of the passage, as the index counts them.', 52),
    exact: Type.Boolean({ description: 'False where a gap that sampling leaves was bridged.', examples: [true] }),
    text: Type.String({ description: "The query's own words.", examples: ['the quick brown fox'] }),
    link: orNull(Type.String(), {
      description:
        "A link to the passage in the match's first source (`#:~:text=`); null where no words on one line are certain to be found there.",
      examples: ['https://b.example/y#:~:text=the%20quick,brown%20fox'],
    }),
  },
  { title: 'Passage', description: 'A run of words that both documents have.' },
);

export const Source = closed(
  {
    url: Url('The normalised URL.', 'https://b.example/y'),
    state: Type.Enum(['live', 'gone', 'past'], {
      description: '`gone`: 404 or 410 was seen or told; `past`: the URL shows something else by now.',
      examples: ['live'],
    }),
    identical: Type.Boolean({ description: 'Whether its bytes are the very bytes asked with.', examples: [false] }),
    firstSeen: Time('First observation with this content.'),
    lastSeen: Time('Latest observation with this content.'),
  },
  { title: 'Source', description: 'A URL at which a content was seen.' },
);

export const KnownState = Type.Enum(['live', 'gone'], { description: '`gone`: 404 or 410.', examples: ['live'] });
export const HttpStatus = orNull(Type.Integer(), {
  description: 'The HTTP status that was seen, where one was.',
  examples: [200],
});

export const Version = closed(
  {
    observedAt: Time('When it was seen.'),
    state: KnownState,
    httpStatus: HttpStatus,
    content: orNull(Type.String(), {
      description:
        "The content's id, or `forgotten` once nothing holds it any more; null where the URL was gone before it was first seen.",
      examples: ['0f343b0931126a20f133d67c2b018a3b'],
    }),
  },
  { title: 'Version', description: 'What a URL showed at one time.' },
);

export const QueryDescription = closed(
  {
    from: Type.Enum(['body', 'index', 'fetch'], { description: 'Where the document came from.', examples: ['body'] }),
    url: orNull(Type.String(), {
      description: 'Its normalised URL, where it has one.',
      examples: ['https://a.example/x'],
    }),
    tokens: Count('Words, as the index counts them.', 812),
    shingles: Count('Distinct shingles, exactly.', 790),
    short: Type.Boolean({
      description: 'Fewer than 20 shingles: resemblance says little about it.',
      examples: [false],
    }),
    fingerprintId: Type.String({
      description: 'Version and key of the fingerprints; only equal ones compare.',
      examples: ['2.9f3c'],
    }),
    version: Type.Optional(Version),
  },
  { title: 'Query', description: 'The document asked about.' },
);

/** Which version of a URL: a time, or a content's id. */
export const At = Type.String({
  'x-spaces': false,
  description: 'A version of the URL: a time (RFC 3339), or the id of a content that it had.',
  examples: ['2026-01-02T03:04:05Z'],
});

/** A document as a caller names it in JSON. */
const referenceFields = {
  url: Type.Optional(Url('URL of the document; without a body, what is known of it or can be fetched.')),
  text: Type.Optional(Type.String({ description: 'Its plain text.', examples: ['The quick brown fox jumps.'] })),
  html: Type.Optional(Type.String({ description: 'Its HTML.', examples: ['<p>The quick brown fox jumps.</p>'] })),
  select: Type.Optional(Selector('Only what matches counts', 'article')),
  remove: Type.Optional(Selector('Nothing that matches counts', 'nav, footer')),
  at: Type.Optional(At),
};

export function Selector(what: string, example: string) {
  return Type.String({ minLength: 1, description: `${what}: a CSS selector, for HTML only.`, examples: [example] });
}

export const DocumentReference = closed(referenceFields, {
  title: 'Document',
  description:
    'A document: by `text` or `html` (not both), by `url`, of which `at` names a past version, or by both a body and the URL it belongs to.',
});

export type DocumentReferenceJson = Static<typeof DocumentReference>;

/** Thresholds in JSON: a missing one has its default, null = not looked for. */
export const threshold = (description: string, standard: number | null) =>
  Type.Optional(
    orNull(Share(), {
      description: `${description} null = not looked for; ${standard ?? 'null'} where not given.`,
      examples: [standard ?? 0.8],
    }),
  );
