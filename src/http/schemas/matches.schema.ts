import Type from 'typebox';
import * as common from './common.schema.ts';
import { closed, orNull } from './common.schema.ts';

/* Schemas of answers about similar documents. */

export const Match = closed(
  {
    equivalence: common.Equivalence,
    resemblance: common.EstimatedShare,
    queryInMatch: common.EstimatedShare,
    matchInQuery: common.EstimatedShare,
    shingles: common.Count('Distinct shingles of the match, exactly.', 801),
    title: orNull(Type.String(), { description: 'Title of its first source.', examples: ['A page'] }),
    meta: orNull(common.MetaObject),
    sources: Type.Array(common.Source, { description: 'URLs at which this content was seen.' }),
    sourceCount: common.Count('Sources of the match in all, counted to 1,000.', 12),
    passages: Type.Optional(
      Type.Array(common.Passage, {
        description: "Present where asked for and the query's text is at hand; in the order of that text.",
      }),
    ),
  },
  { title: 'Match', description: 'A content of the index that meets a threshold, with the URLs that show it.' },
);

const Chance = orNull(common.Share(), {
  description: 'The chance that a document exactly at the threshold was looked at; null where not looked for.',
  examples: [0.999],
});

export const LimitReached = closed(
  {
    code: Type.Enum(
      [
        ...(['candidates', 'look-ups', 'capped-lists', 'deadline', 'unreadable'] as const),
        ...(['sources', 'passages-need-text', 'passages-text'] as const),
      ],
      { description: 'Which limit.', examples: ['candidates'] },
    ),
    affected: common.Count('How many were left out or cut.', 12),
    of: common.Count('Of how many.', 268),
  },
  { title: 'LimitReached', description: 'A limit that bit, and how much.' },
);

const share = (estimate: number, low: number, high: number, decision: 'yes' | null) => ({
  estimate,
  low,
  high,
  decision,
});

export const MATCH_EXAMPLE = {
  equivalence: 'none',
  resemblance: share(0.91226, 0.887307, 0.935524, 'yes'),
  queryInMatch: share(0.960759, 0.946835, 0.973418, 'yes'),
  matchInQuery: share(0.947566, 0.933832, 0.96005, null),
  shingles: 801,
  title: 'A page',
  meta: null,
  sources: [
    {
      url: 'https://b.example/y',
      state: 'live',
      identical: false,
      firstSeen: '2026-01-02T03:04:05.000Z',
      lastSeen: '2026-11-20T00:00:00.000Z',
    },
  ],
  sourceCount: 12,
};

export const SIMILAR_EXAMPLE = {
  query: {
    from: 'body',
    url: 'https://a.example/x',
    tokens: 812,
    shingles: 790,
    short: false,
    fingerprintId: '2.9f3c',
  },
  matches: [MATCH_EXAMPLE],
  cursor: null,
  recall: { resemblance: 0.999999, queryInMatch: 0.998, matchInQuery: null },
  complete: true,
  limits: [],
  elapsedMs: 1.4,
};

export const SimilarAnswer = closed(
  {
    query: common.QueryDescription,
    matches: Type.Array(Match, { description: 'Best first; the query itself is not among them.' }),
    cursor: orNull(common.Cursor, { description: 'Where the next page begins; null where this is the last.' }),
    recall: closed(
      { resemblance: Chance, queryInMatch: Chance, matchInQuery: Chance },
      {
        description:
          'For each threshold the chance that a document exactly at it was looked at, or a lower bound of it.',
      },
    ),
    complete: Type.Boolean({ description: 'False where a limit may have cost a match.', examples: [true] }),
    limits: Type.Array(LimitReached, { description: 'Every limit that bit.' }),
    elapsedMs: common.ElapsedMs,
  },
  { title: 'SimilarAnswer', examples: [SIMILAR_EXAMPLE] },
);
