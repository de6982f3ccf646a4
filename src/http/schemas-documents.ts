import Type, { type Static } from 'typebox';
import { SERVICE_LIMITS as LIMITS } from '../service/limits.ts';
import * as common from './schemas-common.ts';
import { closed, orNull } from './schemas-common.ts';
import { MATCH_EXAMPLE, Match } from './schemas-matches.ts';

/* Schemas of the calls that read and write documents. */

const ObservedAt = common.Time(
  'When the document was seen, RFC 3339; where not given now, after all that is known. Older than known: history.',
);
const Gone = Type.Union([Type.Literal(404), Type.Literal(410)], {
  description: 'The URL is gone: this status was seen. Without a body.',
  examples: [410],
});
const Similar = Type.Integer({
  minimum: 0,
  description: `Nearest other documents to name in the answer; at most ${LIMITS.putSimilarMax} (PUT_SIMILAR_MAX).`,
  examples: [5],
});
const Fetch = Type.Boolean({
  description: 'Fetch the URL instead of sending a body; needs the scope `fetch`.',
  examples: [true],
});

const url = common.Url('URL of the document, or any absolute URI that names it.');

export const PutQuery = closed({
  url,
  fetch: Type.Optional(Fetch),
  status: Type.Optional(Gone),
  observedAt: Type.Optional(ObservedAt),
  meta: Type.Optional(Type.String({ description: '`meta` as JSON text.', examples: ['{"crawl":"spring"}'] })),
  similar: Type.Optional(Similar),
  select: Type.Optional(common.Selector('Only what matches counts', 'article')),
  remove: Type.Optional(common.Selector('Nothing that matches counts', 'nav, footer')),
});

export const PutBody = closed(
  {
    text: Type.Optional(Type.String({ description: 'Its plain text.', examples: ['The quick brown fox jumps.'] })),
    html: Type.Optional(Type.String({ description: 'Its HTML.', examples: ['<p>The quick brown fox jumps.</p>'] })),
    fetch: Type.Optional(Fetch),
    status: Type.Optional(Gone),
    observedAt: Type.Optional(ObservedAt),
    meta: Type.Optional(orNull(common.MetaObject)),
    similar: Type.Optional(Similar),
    select: Type.Optional(common.Selector('Only what matches counts', 'article')),
    remove: Type.Optional(common.Selector('Nothing that matches counts', 'nav, footer')),
  },
  {
    title: 'PutDocument',
    description:
      'One of `text`, `html`, `fetch` and `status`; an option stands here or in the query string, not in both.',
    examples: [{ html: '<p>The quick brown fox jumps over the lazy dog.</p>', meta: { crawl: 'spring' }, similar: 5 }],
  },
);

export type PutQueryValues = Static<typeof PutQuery>;
export type PutBodyJson = Static<typeof PutBody>;

/** Every field of a bulk line; which ones go together depends on `op`. */
export const BulkLine = closed(
  {
    op: Type.Enum(['put', 'gone', 'delete'], { description: 'What to do.', examples: ['put'] }),
    url,
    text: Type.Optional(Type.String({ description: 'put: its plain text.' })),
    html: Type.Optional(Type.String({ description: 'put: its HTML.' })),
    select: Type.Optional(common.Selector('put: only what matches counts', 'article')),
    remove: Type.Optional(common.Selector('put: nothing that matches counts', 'nav, footer')),
    observedAt: Type.Optional(ObservedAt),
    meta: Type.Optional(orNull(common.MetaObject)),
    status: Type.Optional(
      Type.Union([Type.Literal(404), Type.Literal(410)], {
        description: 'gone: the status that was seen; 410 where not given.',
      }),
    ),
  },
  {
    title: 'BulkLine',
    description: 'put: `text` or `html`, not both; gone: neither; delete: only `url`.',
    examples: [{ op: 'put', url: 'https://a.example/x', text: 'The quick brown fox jumps.' }],
  },
);

export type BulkLineJson = Static<typeof BulkLine>;

const ContentDescription = closed(
  {
    id: Type.String({
      description: 'Keyed digest of the words: equal for documents of this index with the same words.',
      examples: ['0f343b0931126a20f133d67c2b018a3b'],
    }),
    tokens: common.Count('Words, as the index counts them.', 812),
    shingles: common.Count('Distinct shingles, exactly.', 790),
    short: Type.Boolean({ description: 'Fewer than 20 shingles.', examples: [false] }),
    createdAt: common.Time('When the index first held it.'),
  },
  { title: 'Content', description: 'What a document says: all URLs with the same words share it.' },
);

const CONTENT_EXAMPLE = {
  id: '0f343b0931126a20f133d67c2b018a3b',
  tokens: 812,
  shingles: 790,
  short: false,
  createdAt: '2026-01-02T03:04:05.000Z',
};

export const WRITE_STATUSES = [
  'created',
  'updated',
  'unchanged',
  'back',
  'history',
  'gone',
  'deleted',
  'unknown',
  'stale',
] as const;

const Status = Type.Enum(WRITE_STATUSES, {
  description:
    '`created`: a new URL; `updated`: its content changed; `unchanged`: the same again; `back`: the same again, after it was gone; `history`: older than what is known.',
  examples: ['created'],
});

export const PutAnswer = closed(
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
    similar: Type.Optional(Type.Array(Match, { description: 'The nearest other documents, where asked for.' })),
    similarComplete: Type.Optional(
      Type.Boolean({ description: 'False where something may be missing from `similar`.', examples: [true] }),
    ),
    elapsedMs: common.ElapsedMs,
  },
  {
    title: 'PutAnswer',
    examples: [
      {
        url: 'https://a.example/x',
        status: 'created',
        newContent: true,
        contentKept: true,
        observedAt: '2026-01-02T03:04:05.000Z',
        content: CONTENT_EXAMPLE,
        similar: [MATCH_EXAMPLE],
        similarComplete: true,
        elapsedMs: 3.2,
      },
    ],
  },
);

export const UrlQuery = closed({ url });

export const PageQuery = closed({
  url,
  limit: Type.Optional(common.PageLimit('Entries, 100 where not given,', 100)),
  cursor: Type.Optional(common.Cursor),
});

const nextPage = orNull(common.Cursor, { description: 'Where the next page begins; null where this is the last.' });
const KnownState = Type.Enum(['live', 'gone'], { description: '`gone`: 404 or 410.', examples: ['live'] });
const HttpStatus = orNull(Type.Integer(), {
  description: 'The HTTP status that was seen, where one was.',
  examples: [200],
});

export const DocumentAnswer = closed(
  {
    url: common.Url('The normalised URL.'),
    spelling: Type.String({ description: 'The URL as it was first given.', examples: ['HTTPS://A.example/x'] }),
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
    sources: Type.Array(common.Source, { description: 'URLs with the same content, this one included.' }),
    sourceCount: common.Count('Such URLs in all, counted to 1,000.', 1),
    cursor: nextPage,
  },
  {
    title: 'DocumentAnswer',
    examples: [
      {
        url: 'https://a.example/x',
        spelling: 'HTTPS://A.example/x',
        state: 'live',
        httpStatus: null,
        finalUrl: null,
        title: 'A page',
        language: 'en',
        meta: { crawl: 'spring' },
        firstSeen: '2026-01-02T03:04:05.000Z',
        lastSeen: '2026-01-02T03:04:05.000Z',
        observedAt: '2026-01-02T03:04:05.000Z',
        content: CONTENT_EXAMPLE,
        sources: MATCH_EXAMPLE.sources,
        sourceCount: 1,
        cursor: null,
      },
    ],
  },
);

const Version = closed(
  {
    observedAt: common.Time('When it was seen.'),
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

export const VersionsAnswer = closed(
  {
    url: common.Url('The normalised URL.'),
    versions: Type.Array(Version, { description: 'Newest first.' }),
    cursor: nextPage,
  },
  {
    title: 'VersionsAnswer',
    examples: [
      {
        url: 'https://a.example/x',
        versions: [
          { observedAt: '2026-01-02T03:04:05.000Z', state: 'live', httpStatus: null, content: CONTENT_EXAMPLE.id },
        ],
        cursor: null,
      },
    ],
  },
);

export type PageQueryValues = Static<typeof PageQuery>;
