import Type, { type Static } from 'typebox';
import { SERVICE_LIMITS as LIMITS, DEFAULT_THRESHOLDS as STANDARD } from '../../service/limits.ts';
import * as common from './common.schema.ts';
import { answer, Count, closed, exampleOf, Flag, orNull } from './common.schema.ts';
import { ContentWish, NoContent } from './figures/content.schema.ts';
import { EstimatedShare } from './figures/shares.schema.ts';
import { LimitReached, MATCH_EXAMPLE, Match, QueryDescription, SharedTogether, SizeRecall } from './matches.schema.ts';

/* Schemas of the calls that look for similar documents. */

const THRESHOLDS = {
  resemblance: 'Least share of all shingles of both that both have.',
  queryInMatch: "Least share of the query's shingles that the match has.",
  matchInQuery: "Least share of the match's shingles that the query has.",
};
const AT_MOST = `at most ${LIMITS.excludeMax}`;
const ONLY = {
  hosts: `Only sources of these hosts count, their subdomains not among them; 1 to ${LIMITS.excludeMax}.`,
  urlPrefix: 'Only sources count whose normalised URL begins with this, which is normalised too.',
  meta: 'Only sources count whose `meta` has all of these keys with these values.',
};
const GroupBy = Type.Enum(['host'], {
  description:
    'Each host once, at the best match that has it: of a match one source a host is listed that no match before has, and `sourceCount` counts those.',
  examples: ['host'],
});
const UrlPrefix = Type.String({
  ...common.SOURCE_URL,
  ...{ minLength: 1, description: ONLY.urlPrefix, examples: ['https://a.example/docs/'] },
});
const SeenAfter = common.Time('Only sources count that were seen later than this with the content that matches.');

/* Options that are the same in JSON and in the query string. */
const content = Type.Optional(ContentWish);
const limit = Type.Optional(common.PageLimit('Matches, 10 where not given,', 10));
const sort = Type.Optional(
  Type.Enum(['resemblance', 'queryInMatch', 'matchInQuery'], {
    description: 'Largest of these first; `resemblance` where not given, then the largest containment.',
    examples: ['resemblance'],
  }),
);
const sourcesPerMatch = Type.Optional(
  Count(
    `Sources listed for one match, 10 where not given; at most ${LIMITS.sourcesPerMatchMax}, with \`thorough\` ${LIMITS.copiesMax}.`,
    3,
    1,
  ),
);
const include = Type.Optional(
  Type.Array(Type.Enum(['live', 'gone', 'past']), {
    ...{ minItems: 1, maxItems: 3, description: 'States of sources that count; live and gone where not given.' },
    examples: [['live']],
  }),
);
const passages = Type.Optional(Flag('Whether to show the shared passages; needs the text of the query.', true));
const undecided = Type.Optional(
  Type.Enum(['exclude', 'include'], {
    description: 'Whether matches whose interval reaches a threshold that their estimate misses are shown too.',
    examples: ['include'],
  }),
);
const thorough = Type.Optional(
  Flag(
    'Every copy that the index can tell, page by page, also of a family of thousands; the last page says which hosts have them. It takes longer, and more of the places for requests.',
    true,
  ),
);
const deadlineMs = Type.Optional(common.DeadlineMs);

const list = (item: ReturnType<typeof Type.String>, description: string, example: string[]) =>
  Type.Optional(Type.Array(item, { description, examples: [example] }));

export const SimilarRequest = closed(
  {
    document: common.DocumentReference,
    thresholds: common.thresholds(
      THRESHOLDS,
      STANDARD,
      'What counts as a match: whoever reaches any of these by its estimate.',
    ),
    limit,
    cursor: Type.Optional(orNull(common.Cursor)),
    sort,
    sourcesPerMatch,
    groupBy: Type.Optional(orNull(GroupBy)),
    include,
    exclude: Type.Optional(
      closed(
        {
          hosts: list(Type.String(), `Hosts; ${AT_MOST}.`, ['a.example']),
          urls: list(Type.String(), `URLs; ${AT_MOST}.`, []),
        },
        { description: 'Sources that do not count.' },
      ),
    ),
    hosts: Type.Optional(orNull(Type.Array(Type.String(), { description: ONLY.hosts, examples: [['b.example']] }))),
    urlPrefix: Type.Optional(orNull(UrlPrefix)),
    meta: Type.Optional(orNull(common.MetaObject, { description: ONLY.meta })),
    seenAfter: Type.Optional(orNull(SeenAfter)),
    passages,
    undecided,
    thorough,
    content,
    fetch: Type.Optional(common.Fetch),
    deadlineMs,
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

/** Options in the query string: the same as in JSON, lists comma-separated. */
const optionFields = {
  ...common.thresholdsInQuery(THRESHOLDS, STANDARD),
  limit,
  cursor: Type.Optional(common.Cursor),
  sort,
  sourcesPerMatch,
  groupBy: Type.Optional(GroupBy),
  include,
  excludeHosts: list(Type.String(), `Hosts that do not count; ${AT_MOST}.`, ['a.example']),
  excludeUrls: list(
    Type.String(common.SOURCE_URL),
    `URLs that do not count; ${AT_MOST}; with commas in them by JSON.`,
    ['https://b.example/y'],
  ),
  hosts: list(Type.String(), ONLY.hosts, ['b.example']),
  urlPrefix: Type.Optional(UrlPrefix),
  meta: Type.Optional(common.Text(`${ONLY.meta} A JSON object as text.`, '{"crawl":"spring"}')),
  seenAfter: Type.Optional(SeenAfter),
  passages,
  undecided,
  thorough,
  content,
  deadlineMs,
};

export const SimilarQuery = closed({
  url: common.Url('URL of the document.'),
  at: Type.Optional(common.At),
  fetch: Type.Optional(common.Fetch),
  ...optionFields,
});

export const SimilarBodyQuery = closed({
  url: Type.Optional(common.Url('URL the body belongs to: it is not among its own matches.')),
  ...common.SELECTORS,
  ...optionFields,
});

export type SimilarRequestJson = Static<typeof SimilarRequest>;
export type SimilarQueryValues = Static<typeof SimilarQuery>;
export type SimilarBodyQueryValues = Static<typeof SimilarBodyQuery>;

const Chance = orNull(common.Share(), {
  description:
    'The chance that a document exactly at the threshold was looked at, whatever its size; null where not looked for.',
  examples: [0.999],
});

export const Recall = closed(
  {
    ...{ resemblance: Chance, queryInMatch: Chance, matchInQuery: Chance },
    matchInQueryBySize: Type.Optional(
      Type.Array(SizeRecall, {
        description:
          'Present where `matchInQuery` is looked for. The shorter a match, the fewer shingles it can be met by: `matchInQuery` is the recall of the shortest possible match, one shingle, and this that of longer ones.',
      }),
    ),
  },
  {
    description:
      'For each threshold the chance that a document exactly at it was looked at, or a lower bound of it. Whether its estimate then reaches the threshold is not part of that: about every second does.',
  },
);

const HostCopies = closed(
  {
    host: orNull(Type.String(), { description: 'null: names, which have none.', examples: ['b.example'] }),
    matches: Count('Matches of which it has a source.', 2),
    sourceCount: Count('Its sources of these matches.', 3),
    resemblance: EstimatedShare,
    queryInMatch: EstimatedShare,
    firstSeen: common.Time('First observation of any of these sources with the content that matches.'),
    lastSeen: common.Time('Latest observation of any of them with it.'),
  },
  {
    title: 'HostCopies',
    description: 'What one host has of the matches; its shares are those of the first of them.',
  },
);

export const SimilarAnswer = answer(
  {
    query: QueryDescription,
    matches: Type.Array(Match, { description: 'Best first; the query itself is not among them.' }),
    cursor: common.NextPage,
    recall: Recall,
    complete: Flag('False where a limit may have cost a match.', true),
    limits: Type.Array(LimitReached, { description: 'Every limit that bit.' }),
    contentUnknown: Type.Optional(NoContent),
    nearest: Type.Optional(
      Type.Array(Match, {
        description:
          'Present where nothing reaches a threshold, though something comes near: the documents that have most of the query, a tenth of it or more, those with the largest `queryInMatch` first; at most 10. No threshold is met by any of them: `decision` is `no` or `undecided`.',
      }),
    ),
    nearestTogether: Type.Optional(SharedTogether),
    estimatedCopies: Type.Optional(
      Count(
        'Present with `thorough` where lists or candidates were cut: how many contents there are, about, that meet a threshold, those that were found among them.',
        12_400,
      ),
    ),
    matchCount: Type.Optional(Count('Present on the last page of `thorough`: matches of all pages.', 2)),
    hosts: Type.Optional(
      Type.Array(HostCopies, {
        description:
          'Present on the last page of `thorough`: which hosts have the matches of all pages, the best first.',
      }),
    ),
    elapsedMs: common.ElapsedMs,
  },
  { title: 'SimilarAnswer' },
  {
    matches: [MATCH_EXAMPLE],
    cursor: null,
    recall: { resemblance: 0.999999, queryInMatch: 0.998, matchInQuery: null },
  },
);

export const SIMILAR_EXAMPLE = exampleOf(SimilarAnswer);
