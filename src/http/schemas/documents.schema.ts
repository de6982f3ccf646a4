import Type, { type Static } from 'typebox';
import { SERVICE_LIMITS as LIMITS } from '../../service/limits.ts';
import * as common from './common.schema.ts';
import { closed, orNull, threshold } from './common.schema.ts';
import { thresholdInQuery } from './similar.schema.ts';

/* What the calls that read and write documents take. */

const ObservedAt = common.Time(
  'When the document was seen, RFC 3339; where not given now, after all that is known. Older than known: history.',
);
const Gone = Type.Union([Type.Literal(404), Type.Literal(410)], {
  description: 'The URL is gone: this status was seen. Without a body.',
  examples: [410],
});
const Similar = Type.Integer({
  minimum: 0,
  description: `Nearest other documents to name in the answer; at most ${LIMITS.putSimilarMax}.`,
  examples: [5],
});
const Unless = Type.Enum(['similar'], {
  description:
    'Nothing is written where a live document of another URL meets one of the thresholds, of which one must be given: then `skipped`, with what stands against it in `similar`. Needs the scope `read` too.',
  examples: ['similar'],
});
const UNLESS = {
  resemblance: 'With `unless`: so much of all shingles of both is in both.',
  queryInMatch: 'With `unless`: so much of this document is in the other one.',
  matchInQuery: 'With `unless`: so much of the other one is in this document.',
};
const unlessFields = {
  unless: Type.Optional(Unless),
  thresholds: Type.Optional(
    closed(
      {
        resemblance: threshold(UNLESS.resemblance, null),
        queryInMatch: threshold(UNLESS.queryInMatch, null),
        matchInQuery: threshold(UNLESS.matchInQuery, null),
      },
      { description: 'What `unless` counts as similar: whatever reaches any of these by its estimate. Above 0.' },
    ),
  ),
};
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
  unless: Type.Optional(Unless),
  resemblance: thresholdInQuery(UNLESS.resemblance, null),
  queryInMatch: thresholdInQuery(UNLESS.queryInMatch, null),
  matchInQuery: thresholdInQuery(UNLESS.matchInQuery, null),
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
    ...unlessFields,
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
    similar: Type.Optional(Similar),
    ...unlessFields,
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
export type UnlessJson = { readonly [name in 'unless' | 'thresholds']?: BulkLineJson[name] | undefined };
export const UrlQuery = closed({ url });

export const PageQuery = closed({
  url,
  limit: Type.Optional(common.PageLimit('Entries, 100 where not given,', 100)),
  cursor: Type.Optional(common.Cursor),
});

export type PageQueryValues = Static<typeof PageQuery>;
