import Type, { type Static } from 'typebox';
import { SERVICE_LIMITS as LIMITS } from '../../service/limits.ts';
import * as common from './common.schema.ts';
import { answer, BODIES, Count, closed, Flag, orNull, SELECTORS, Text } from './common.schema.ts';
import { UnlessContent } from './figures/content.schema.ts';
import { HttpStatus, KnownState, MATCH_EXAMPLE, Match, SOURCES_EXAMPLE, Source } from './matches.schema.ts';

/* What the calls that read and write documents take and answer. */

const url = common.Url('URL of the document, or any absolute URI that names it.');
const fetch = Type.Optional(Flag('Fetch the URL instead of sending a body; needs the scope `fetch`.', true));
const goneStatus = (options: { description: string; examples?: number[] }) =>
  Type.Optional(Type.Union([Type.Literal(404), Type.Literal(410)], options));
const status = goneStatus({
  description: 'The URL is gone: this status was seen. Without a body.',
  examples: [410],
});
const observedAt = Type.Optional(
  common.Time(
    'When the document was seen, RFC 3339; where not given now, after all that is known. Older than known: history.',
  ),
);
const similar = Type.Optional(
  Count(`Nearest other documents to name in the answer; at most ${LIMITS.putSimilarMax}.`, 5),
);
const unless = Type.Optional(
  Type.Enum(['similar'], {
    description:
      'Nothing is written where a live document of another URL meets one of the thresholds, of which one must be given: then `skipped`, with what stands against it in `similar`. Needs the scope `read` too.',
    examples: ['similar'],
  }),
);
const UNLESS = {
  resemblance: 'With `unless`: so much of all shingles of both is in both.',
  queryInMatch: 'With `unless`: so much of this document is in the other one.',
  matchInQuery: 'With `unless`: so much of the other one is in this document.',
};
const content = Type.Optional(UnlessContent);
/** None has a default: what is skipped is lost. */
export const NO_THRESHOLDS = { resemblance: null, queryInMatch: null, matchInQuery: null };
const written = {
  observedAt,
  meta: Type.Optional(orNull(common.MetaObject)),
  similar,
  unless,
  content,
  thresholds: common.thresholds(
    UNLESS,
    NO_THRESHOLDS,
    'What `unless` counts as similar: whatever reaches any of these by its estimate. Above 0.',
  ),
};

export const PutQuery = closed({
  url,
  fetch,
  status,
  observedAt,
  meta: Type.Optional(Text('`meta` as JSON text.', '{"crawl":"spring"}')),
  similar,
  unless,
  content,
  ...common.thresholdsInQuery(UNLESS, NO_THRESHOLDS),
  ...SELECTORS,
});

export const PutBody = closed(
  { ...BODIES, fetch, status, ...written, ...SELECTORS },
  {
    title: 'PutDocument',
    description:
      'One of `text`, `html`, `features`, `bytes`, `fetch` and `status`; an option stands here or in the query string, not in both.',
    examples: [{ html: '<p>The quick brown fox jumps over the lazy dog.</p>', meta: { crawl: 'spring' }, similar: 5 }],
  },
);

export type PutQueryValues = Static<typeof PutQuery>;
export type PutBodyJson = Static<typeof PutBody>;

/** Every field of a bulk line; which ones go together depends on `op`. */
export const BulkLine = closed(
  {
    op: Type.Enum(['put', 'same', 'gone', 'delete'], { description: 'What to do.', examples: ['put'] }),
    url,
    text: Type.Optional(Type.String({ description: 'put: its plain text.' })),
    html: Type.Optional(Type.String({ description: 'put: its HTML.' })),
    features: Type.Optional(common.Features('put: it as a set of strings instead of a text.')),
    bytes: Type.Optional(
      Type.String({
        contentEncoding: 'base64',
        description: 'put: it as it is, in base64, such as a PDF file or an office document.',
      }),
    ),
    contentType: Type.Optional(Type.String({ description: 'put, with `bytes`: their Content-Type.' })),
    select: Type.Optional(common.Selector('put: only what matches counts', 'article')),
    remove: Type.Optional(common.Selector('put: nothing that matches counts', 'nav, footer')),
    ...written,
    as: Type.Optional(common.Url('same: the URL that says the same, or `url` itself.')),
    asAt: Type.Optional(common.Time('same: when that one said it; where not given, at `observedAt`.')),
    status: Type.Optional(
      Type.Integer({
        minimum: 200,
        maximum: 410,
        description: 'The HTTP status that was seen: 404 or 410 of gone, 410 where not given; 2xx of put and same.',
        examples: [200],
      }),
    ),
    finalUrl: Type.Optional(common.Url('put: where redirects led.')),
  },
  {
    title: 'BulkLine',
    description: 'put: one of `text`, `html`, `features` and `bytes`; same: `as`; gone: none; delete: only `url`.',
    examples: [{ op: 'put', url: 'https://a.example/x', text: 'The quick brown fox jumps.' }],
  },
);

export type BulkLineJson = Static<typeof BulkLine>;
export type UnlessJson = { readonly [name in 'unless' | 'thresholds' | 'content']?: BulkLineJson[name] | undefined };
export const UrlQuery = closed({ url });

export const PageQuery = closed({
  url,
  limit: Type.Optional(common.PageLimit('Entries, 100 where not given,', 100)),
  cursor: Type.Optional(common.Cursor),
});

export type PageQueryValues = Static<typeof PageQuery>;

const ContentDescription = closed(
  {
    id: Text(
      'Keyed digest of the words and of which of them are main, or of the features: equal for documents of this index that have the same.',
      '0f343b0931126a20f133d67c2b018a3b',
    ),
    kind: common.Kind,
    tokens: Count('Words, as the index counts them; of features 0.', 812),
    shingles: Count('Distinct shingles, exactly.', 790),
    short: Flag('Fewer than 20 shingles.', false),
    main: Type.Enum(['read', 'whole', 'not-read'], {
      description:
        '`read`: its main text was told from menus, headers and the like. `whole`: all of it counts as main, as in a plain text. `not-read`: it comes from an index of before, and was not put since.',
      examples: ['read'],
    }),
    mainShingles: orNull(
      Count('Distinct shingles that lie wholly in the main text, exactly; null for `not-read`.', 655),
    ),
    createdAt: common.Time('When the index first held it.'),
  },
  {
    title: 'Content',
    description: 'What a document says: all URLs with the same words, of which the same are main, share it.',
  },
);

export const PUT_STATUSES = [
  'created',
  'updated',
  'unchanged',
  'back',
  'history',
  'gone',
  'deleted',
  'skipped',
] as const;

const Status = Type.Enum(PUT_STATUSES, {
  description:
    '`created`: a new URL; `updated`: its content changed; `unchanged`: the same again; `back`: the same again, after it was gone; `history`: older than what is known; `skipped`: nothing was written, since something similar is there.',
  examples: ['created'],
});

/** What is told of a put beside what became of it. */
export const Neighbours = {
  similar: Type.Optional(
    Type.Array(Match, {
      description: 'The nearest other documents, where asked for; of what was skipped those that stand against it.',
    }),
  ),
  similarComplete: Type.Optional(
    Flag('False where something may be missing from `similar`, or may stand against what was written.', true),
  ),
};

export const PutAnswer = answer(
  {
    url: common.Url('The normalised URL.'),
    status: Status,
    newContent: orNull(Type.Boolean(), {
      description: 'Whether the index did not hold this content before; null without the scope `read`.',
      examples: [true],
    }),
    contentKept: Type.Boolean({
      description:
        'Whether the URL is found by this content from now on. False for an older version whose content is not kept (RETENTION_*): it is listed, and no more.',
      examples: [true],
    }),
    observedAt: common.Time('When the document was seen.'),
    content: orNull(ContentDescription, {
      description: 'Its content; null where nothing is held any more, and without the scope `read`.',
    }),
    ...Neighbours,
    elapsedMs: common.ElapsedMs,
  },
  { title: 'PutAnswer' },
  { similar: [MATCH_EXAMPLE], similarComplete: true, elapsedMs: 3.2 },
);

export const DocumentAnswer = answer(
  {
    url: common.Url('The normalised URL.'),
    spelling: Text('The URL as it was first given.', 'HTTPS://A.example/x'),
    state: KnownState,
    httpStatus: HttpStatus,
    finalUrl: orNull(Type.String(), { description: 'Where redirects ended.', examples: ['https://a.example/x'] }),
    title: orNull(Type.String(), { description: 'Its title.', examples: ['A page'] }),
    language: orNull(Type.String(), { description: 'Its language as declared.', examples: ['en'] }),
    meta: orNull(common.MetaObject),
    firstSeen: common.Time('First observation.'),
    lastSeen: common.Time('Latest observation.'),
    observedAt: common.Time('Observation of what is held now.'),
    content: ContentDescription,
    sources: Type.Array(Source, { description: 'URLs with the same content, this one included.' }),
    sourceCount: Count('Such URLs in all, exactly.', 1),
    cursor: common.NextPage,
  },
  { title: 'DocumentAnswer' },
  { httpStatus: null, finalUrl: null, sources: SOURCES_EXAMPLE, cursor: null },
);
