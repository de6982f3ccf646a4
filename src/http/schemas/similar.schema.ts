import Type, { type Static } from 'typebox';
import { SERVICE_LIMITS as LIMITS, DEFAULT_THRESHOLDS as STANDARD } from '../../service/limits.ts';
import * as common from './common.schema.ts';
import { closed, orNull, Share, threshold } from './common.schema.ts';

/* Schemas of the calls that look for similar documents. */

const DESCRIPTIONS = {
  resemblance: 'Least share of all shingles of both that both have.',
  queryInMatch: "Least share of the query's shingles that the match has.",
  matchInQuery: "Least share of the match's shingles that the query has.",
  sourcesPerMatch: `Sources listed for one match, 10 where not given; at most ${LIMITS.sourcesPerMatchMax}.`,
  passages: 'Whether to show the shared passages; needs the text of the query.',
  exclude: `at most ${LIMITS.excludeMax}`,
};

const SORT = Type.Enum(['resemblance', 'queryInMatch', 'matchInQuery'], {
  description: 'Largest of these first; `resemblance` where not given, then the largest containment.',
  examples: ['resemblance'],
});
const GROUP_BY = Type.Enum(['host'], {
  description:
    'Each host once, at the best match that has it: of a match one source a host is listed that no match before has, and `sourceCount` counts those.',
  examples: ['host'],
});
const State = Type.Enum(['live', 'gone', 'past']);
const INCLUDE = { description: 'States of sources that count; live and gone where not given.', examples: [['live']] };
const ONLY = {
  hosts: `Only sources of these hosts count, their subdomains not among them; 1 to ${LIMITS.excludeMax}.`,
  urlPrefix: 'Only sources count whose normalised URL begins with this, which is normalised too.',
  meta: 'Only sources count whose `meta` has all of these keys with these values.',
};
const UrlPrefix = Type.String({
  ...common.SOURCE_URL,
  ...{ minLength: 1, description: ONLY.urlPrefix, examples: ['https://a.example/docs/'] },
});
const SeenAfter = common.Time('Only sources count that were seen later than this with the content that matches.');
const Undecided = Type.Enum(['exclude', 'include'], {
  description: 'Whether matches whose interval reaches a threshold that their estimate misses are shown too.',
  examples: ['include'],
});

const Thresholds = closed(
  {
    resemblance: threshold(DESCRIPTIONS.resemblance, STANDARD.resemblance),
    queryInMatch: threshold(DESCRIPTIONS.queryInMatch, STANDARD.queryInMatch),
    matchInQuery: threshold(DESCRIPTIONS.matchInQuery, STANDARD.matchInQuery),
  },
  { description: 'What counts as a match: whoever reaches any of these by its estimate.' },
);

const limit = common.PageLimit('Matches, 10 where not given,', 10);
const sourcesPerMatch = Type.Integer({ minimum: 1, description: DESCRIPTIONS.sourcesPerMatch, examples: [3] });

export const SimilarRequest = closed(
  {
    document: common.DocumentReference,
    thresholds: Type.Optional(Thresholds),
    limit: Type.Optional(limit),
    cursor: Type.Optional(orNull(common.Cursor)),
    sort: Type.Optional(SORT),
    sourcesPerMatch: Type.Optional(sourcesPerMatch),
    groupBy: Type.Optional(orNull(GROUP_BY)),
    include: Type.Optional(Type.Array(State, { minItems: 1, maxItems: 3, ...INCLUDE })),
    exclude: Type.Optional(
      closed(
        {
          hosts: Type.Optional(
            Type.Array(Type.String(), { description: `Hosts; ${DESCRIPTIONS.exclude}.`, examples: [['a.example']] }),
          ),
          urls: Type.Optional(
            Type.Array(Type.String(), { description: `URLs; ${DESCRIPTIONS.exclude}.`, examples: [[]] }),
          ),
        },
        { description: 'Sources that do not count.' },
      ),
    ),
    hosts: Type.Optional(orNull(Type.Array(Type.String(), { description: ONLY.hosts, examples: [['b.example']] }))),
    urlPrefix: Type.Optional(orNull(UrlPrefix)),
    meta: Type.Optional(orNull(common.MetaObject, { description: ONLY.meta })),
    seenAfter: Type.Optional(orNull(SeenAfter)),
    passages: Type.Optional(Type.Boolean({ description: DESCRIPTIONS.passages, examples: [true] })),
    undecided: Type.Optional(Undecided),
    fetch: Type.Optional(common.Fetch),
    deadlineMs: Type.Optional(common.DeadlineMs),
  },
  {
    title: 'SimilarRequest',
    examples: [
      {
        document: { url: 'https://a.example/x', html: '<p>The quick brown fox jumps over the lazy dog.</p>' },
        thresholds: { resemblance: 0.5, queryInMatch: 0.8, matchInQuery: null },
        limit: 10,
        sourcesPerMatch: 3,
        include: ['live', 'gone'],
        exclude: { hosts: ['a.example'], urls: [] },
        passages: true,
        deadlineMs: 1000,
      },
    ],
  },
);

/** A threshold in the query string: what is not given has its default. */
export const thresholdInQuery = (description: string, standard: number | null) =>
  Type.Optional(
    Type.Union([Share(), Type.Literal('off')], {
      description: `${description} \`off\` = not looked for; ${standard ?? 'off'} where not given.`,
      examples: [standard ?? 0.8],
    }),
  );

const list = (item: ReturnType<typeof Type.String> | typeof State, description: string, example: string[]) =>
  Type.Optional(Type.Array(item, { description, examples: [example] }));

/** Options in the query string: the same as in JSON, lists comma-separated. */
const optionFields = {
  resemblance: thresholdInQuery(DESCRIPTIONS.resemblance, STANDARD.resemblance),
  queryInMatch: thresholdInQuery(DESCRIPTIONS.queryInMatch, STANDARD.queryInMatch),
  matchInQuery: thresholdInQuery(DESCRIPTIONS.matchInQuery, STANDARD.matchInQuery),
  limit: Type.Optional(limit),
  cursor: Type.Optional(common.Cursor),
  sort: Type.Optional(SORT),
  sourcesPerMatch: Type.Optional(sourcesPerMatch),
  groupBy: Type.Optional(GROUP_BY),
  include: Type.Optional(Type.Array(State, { minItems: 1, maxItems: 3, ...INCLUDE })),
  excludeHosts: list(Type.String(), `Hosts that do not count; ${DESCRIPTIONS.exclude}.`, ['a.example']),
  excludeUrls: list(
    Type.String(common.SOURCE_URL),
    `URLs that do not count; ${DESCRIPTIONS.exclude}; with commas in them by JSON.`,
    ['https://b.example/y'],
  ),
  hosts: list(Type.String(), ONLY.hosts, ['b.example']),
  urlPrefix: Type.Optional(UrlPrefix),
  meta: Type.Optional(
    Type.String({ description: `${ONLY.meta} A JSON object as text.`, examples: ['{"crawl":"spring"}'] }),
  ),
  seenAfter: Type.Optional(SeenAfter),
  passages: Type.Optional(Type.Boolean({ description: DESCRIPTIONS.passages, examples: [true] })),
  undecided: Type.Optional(Undecided),
  deadlineMs: Type.Optional(common.DeadlineMs),
};

export const SimilarQuery = closed({
  url: common.Url('URL of the document.'),
  at: Type.Optional(common.At),
  fetch: Type.Optional(common.Fetch),
  ...optionFields,
});

export const SimilarBodyQuery = closed({
  url: Type.Optional(common.Url('URL the body belongs to: it is not among its own matches.')),
  select: Type.Optional(common.Selector('Only what matches counts', 'article')),
  remove: Type.Optional(common.Selector('Nothing that matches counts', 'nav, footer')),
  ...optionFields,
});

export type SimilarRequestJson = Static<typeof SimilarRequest>;
export type SimilarQueryValues = Static<typeof SimilarQuery>;
export type SimilarBodyQueryValues = Static<typeof SimilarBodyQuery>;
