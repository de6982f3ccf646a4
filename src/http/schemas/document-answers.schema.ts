import Type from 'typebox';
import * as common from './common.schema.ts';
import { closed, orNull } from './common.schema.ts';
import { MATCH_EXAMPLE, Match } from './matches.schema.ts';

/* What the calls that read and write documents answer. */

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

const WRITE_STATUSES = ['created', 'updated', 'unchanged', 'back', 'history', 'gone', 'deleted'] as const;

export const PUT_STATUSES = [...WRITE_STATUSES, 'skipped'] as const;

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
    Type.Boolean({
      description: 'False where something may be missing from `similar`, or may stand against what was written.',
      examples: [true],
    }),
  ),
};

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
    ...Neighbours,
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

const nextPage = orNull(common.Cursor, { description: 'Where the next page begins; null where this is the last.' });

export const DocumentAnswer = closed(
  {
    url: common.Url('The normalised URL.'),
    spelling: Type.String({ description: 'The URL as it was first given.', examples: ['HTTPS://A.example/x'] }),
    state: common.KnownState,
    httpStatus: common.HttpStatus,
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

export const VersionsAnswer = closed(
  {
    url: common.Url('The normalised URL.'),
    versions: Type.Array(common.Version, { description: 'Newest first.' }),
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
