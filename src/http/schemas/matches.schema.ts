import Type from 'typebox';
import { Count, closed, exampleOf, Flag, Kind, MetaObject, orNull, Share, Text, Time, Url } from './common.schema.ts';

import { MATCHED_CONTENTS } from './figures/content.schema.ts';
import { EstimatedShare, PartShare } from './figures/shares.schema.ts';

/* What answers say of documents, and of how much they share. */

export const Equivalence = Type.Enum(['identical', 'lexical', 'shingle', 'none'], {
  description:
    'The strongest that holds: `identical` bytes; `lexical`: the same words in the same order; `shingle`: the same set of shingles.',
  examples: ['none'],
});

export const Passage = closed(
  {
    from: Count(
      'Where it begins in the text of the query (of `/compare`, of a), in UTF-16 code units, as `differences` count: in what was sent as `text`, without a byte order mark; of any other document in the text that is read of it, which `/compare` gives back with `texts`.',
      12,
    ),
    to: Count('Where it ends: the code units before its end.', 31),
    tokens: Count('Words of the passage, as the index counts them.', 4),
    exact: Flag('False where a gap that sampling leaves was bridged.', true),
    text: Text(
      "The query's own words from `from` to `to`; of a long passage the first and the last ones, with ` … ` between.",
      'the quick brown fox',
    ),
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
    identical: Flag('Whether its bytes are the very bytes asked with.', false),
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

/** What every answer says of a version. */
export const VERSION = {
  observedAt: Time('When it was first seen.'),
  state: KnownState,
  httpStatus: HttpStatus,
  content: orNull(Type.String(), {
    description:
      "The content's id, or `forgotten` once nothing holds it any more; null where the URL was gone before it was first seen.",
    examples: ['0f343b0931126a20f133d67c2b018a3b'],
  }),
};

const Version = closed(VERSION, { title: 'Version', description: 'What a URL showed from one time on.' });

export const QueryDescription = closed(
  {
    from: Type.Enum(['body', 'index', 'fetch'], { description: 'Where the document came from.', examples: ['body'] }),
    url: orNull(Type.String(), {
      description: 'Its normalised URL, where it has one.',
      examples: ['https://a.example/x'],
    }),
    kind: Kind,
    tokens: Count('Words, as the index counts them; of features 0.', 812),
    shingles: Count('Distinct shingles, exactly.', 790),
    short: Flag('Fewer than 20 shingles: resemblance says little about it.', false),
    fingerprintId: Text('Version and key of the fingerprints; only equal ones compare.', '3.9f3c'),
    version: Type.Optional(Version),
  },
  { title: 'Query', description: 'The document asked about.' },
);

export const SharedTogether = closed(
  {
    documents: Count('The fewest of `nearest` that it takes: each adds a fiftieth of the query or more.', 2),
    share: PartShare(
      'So much of the shingles of the query these have; what several have counts once.',
      [0.53, 0.53, 0.53],
    ),
  },
  { title: 'SharedTogether', description: 'Present with `nearest`: how much of the query it has together.' },
);

/** Of a count that ends at a limit. */
const MoreSources = Type.Optional(
  Flag(
    'Present if a filter (`hosts`, `excludeHosts`, `urlPrefix`, `meta`, `seenAfter`) or `groupBy` did not see all sources. `sourceCount` then counts those that passed it: the first 1,000, or as many as were read.',
    true,
  ),
);

export const Match = closed(
  {
    equivalence: Equivalence,
    resemblance: EstimatedShare,
    queryInMatch: EstimatedShare,
    matchInQuery: EstimatedShare,
    shingles: Count('Distinct shingles of the match, exactly.', 801),
    ...MATCHED_CONTENTS,
    title: orNull(Type.String(), { description: 'Title of its first source.', examples: ['A page'] }),
    meta: orNull(MetaObject),
    sources: Type.Array(Source, { description: 'URLs at which this content was seen.' }),
    sourceCount: Count('Sources of the match in all, exactly, unless there are `moreSources`.', 12),
    moreSources: MoreSources,
    passages: Type.Optional(
      Type.Array(Passage, {
        description:
          "In the order of the query's text. Left out where they were not asked for, or the text is not at hand: of a URL that the index knows, which keeps no text.",
      }),
    ),
  },
  { title: 'Match', description: 'A content of the index that meets a threshold, with the URLs that show it.' },
);

export const SOURCES_EXAMPLE = [exampleOf(Source, { lastSeen: '2026-11-20T00:00:00.000Z' })];

export const MATCH_EXAMPLE = exampleOf(Match, {
  queryInMatch: { estimate: 0.960759, low: 0.946835, high: 0.973418, decision: 'yes' },
  matchInQuery: { estimate: 0.947566, low: 0.933832, high: 0.96005, decision: null },
  meta: null,
  sources: SOURCES_EXAMPLE,
});

export const SizeRecall = closed(
  {
    shinglesLeast: Count('Shingles that they have at the least.', 20, 1),
    recall: Share({ description: 'The chance that one of them was looked at, at the least.', examples: [0.736917] }),
  },
  { title: 'SizeRecall', description: 'The recall of documents that have at least so many shingles.' },
);

export const LimitReached = closed(
  {
    code: Type.Enum(
      [
        ...(['candidates', 'look-ups', 'capped-lists', 'deadline', 'template', 'unreadable'] as const),
        ...([
          'members',
          'contents',
          'sources',
          'source-counts',
          'answer-bytes',
          'passages',
          'passages-need-text',
          'passages-text',
        ] as const),
        ...(['differences-need-text', 'differences-text', 'differences-spans'] as const),
      ],
      { description: 'Which limit.', examples: ['candidates'] },
    ),
    affected: Count('How many were left out or cut.', 12),
    of: Count('Of how many.', 268),
    raise: Type.Optional(
      closed(
        {
          setting: Text('The setting of the service that bit.', 'CANDIDATES_MAX'),
          to: Count('Its least value at which nothing of this question is left out.', 268),
        },
        { title: 'RaisedSetting', description: 'Present where a setting, raised, leaves nothing out.' },
      ),
    ),
    thoroughReads: Type.Optional(
      Count(
        'Present for `candidates` where `thorough` was not asked for: how many of the documents that may be matches it reads at the most, those among them that were read here.',
        268,
      ),
    ),
  },
  { title: 'LimitReached', description: 'A limit that bit, and how much.' },
);
