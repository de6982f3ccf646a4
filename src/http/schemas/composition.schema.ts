import Type, { type Static } from 'typebox';
import {
  DEFAULT_COMPOSITION_OPTIONS as DEFAULTS,
  PARTS_MAX,
  QUOTED_WORDS_MAX,
  QUOTED_WORDS_MIN,
} from '../../service/composition/composition-options.ts';
import { SERVICE_LIMITS as LIMITS } from '../../service/limits.ts';
import * as common from './common.schema.ts';
import { answer, Count, closed, exampleOf, Flag, orNull, Share } from './common.schema.ts';
import { CompositionContent, PART_CONTENTS, TEXT_CONTENTS } from './figures/content.schema.ts';
import { PartShare } from './figures/shares.schema.ts';
import { LimitReached, Match, Passage, QueryDescription, SOURCES_EXAMPLE } from './matches.schema.ts';
import { SimilarBodyQuery, SimilarRequest } from './similar.schema.ts';

/* Schemas of /composition. */

const own = {
  find: Type.Optional(
    Type.Enum(['sources', 'quotations'], {
      description:
        '`sources` (where not given): what explains a share of the text; `quotations`: what passages of some words are from, in a text of any length.',
      examples: ['sources'],
    }),
  ),
  minimumShare: Type.Optional(
    Share({
      description: `Of sources: the least share of the text's shingles that a part adds to those before it, by its estimate, above 0; ${DEFAULTS.minimumShare} where not given. What is to be named for certain has twice as much.`,
      examples: [DEFAULTS.minimumShare],
    }),
  ),
  minimumWords: Type.Optional(
    Count(
      `Of quotations: words in one place, at the least; ${DEFAULTS.minimumWords} where not given, ${QUOTED_WORDS_MIN} to ${QUOTED_WORDS_MAX}.`,
      DEFAULTS.minimumWords,
      1,
    ),
  ),
  content: Type.Optional(CompositionContent),
  limit: Type.Optional(Count(`Parts, ${DEFAULTS.limit} where not given; at most ${PARTS_MAX}.`, DEFAULTS.limit, 1)),
  sourcesPerPart: Type.Optional(
    Count(
      `Sources listed for one part, ${DEFAULTS.sourcesPerPart} where not given; at most ${LIMITS.sourcesPerMatchMax}.`,
      DEFAULTS.sourcesPerPart,
      1,
    ),
  ),
  passages: Type.Optional(Flag('Whether to show whose each passage is, as where not given; needs the text.', true)),
};

const { document, include, exclude, hosts, urlPrefix, meta, seenAfter, fetch, deadlineMs } = SimilarRequest.properties;

export const CompositionRequest = closed(
  { document, ...own, include, exclude, hosts, urlPrefix, meta, seenAfter, fetch, deadlineMs },
  {
    title: 'CompositionRequest',
    examples: [
      {
        document: { text: 'The quick brown fox jumps over the lazy dog.' },
        ...{ find: 'sources', minimumShare: DEFAULTS.minimumShare, limit: 20, exclude: { hosts: ['a.example'] } },
      },
    ],
  },
);

const ofQuery = SimilarBodyQuery.properties;

export const CompositionBodyQuery = closed({
  url: Type.Optional(common.Url('URL the body belongs to: it is no source of it.')),
  ...common.SELECTORS,
  ...own,
  include: ofQuery.include,
  excludeHosts: ofQuery.excludeHosts,
  excludeUrls: ofQuery.excludeUrls,
  hosts: ofQuery.hosts,
  urlPrefix: ofQuery.urlPrefix,
  meta: ofQuery.meta,
  seenAfter: ofQuery.seenAfter,
  deadlineMs: ofQuery.deadlineMs,
});

const Part = closed(
  {
    share: PartShare(
      "So much of the text's shingles it has, whatever other parts have; with `quotations` only those in its quotations count.",
      [0.41, 0.379523, 0.441477],
    ),
    unique: PartShare('So much of them it has and no part before it.', [0.41, 0.379523, 0.441477]),
    shingles: Count('Distinct shingles of the part, exactly.', 640),
    ...PART_CONTENTS,
    title: Match.properties.title,
    meta: orNull(common.MetaObject),
    sources: Type.Array(Match.properties.sources.items, { description: 'URLs at which this content was seen.' }),
    sourceCount: Count('Sources of the part in all, exactly, unless there are `moreSources`.', 3),
    moreSources: Match.properties.moreSources,
  },
  { title: 'CompositionPart', description: 'A content of the index that explains some of the text.' },
);

const PartPassage = closed(
  {
    part: Count('Its best source, the one with the longest run of words there: its place in `parts`, from 0.', 0),
    alsoIn: Type.Array(Type.Integer({ minimum: 0 }), {
      description: 'Which other parts have all of it, too.',
      examples: [[2]],
    }),
    ...Passage.properties,
  },
  { title: 'CompositionPassage', description: 'A run of words of the text, and whose it is.' },
);

const Chance = (description: string, example: number | null) => orNull(Share(), { description, examples: [example] });

export const CompositionAnswer = answer(
  {
    query: QueryDescription,
    ...TEXT_CONTENTS,
    parts: Type.Array(Part, {
      description: 'What explains most first, then what adds most to those before it.',
    }),
    more: Flag('Whether `limit` left out a part that would have been the next.', false),
    unexplained: PartShare(
      "So much of the text's shingles no part has: with all `unique` it sums to 1, but for rounding.",
      [0.59, 0.558523, 0.620477],
    ),
    passages: Type.Optional(
      Type.Array(PartPassage, {
        description:
          'In the order of the text, none overlaps another. Left out where they are not wanted, or the text is not at hand: of a URL that the index knows, which keeps no text.',
      }),
    ),
    recall: closed(
      {
        share: Chance(
          'Of sources: the chance that a content was looked at which has `minimumShare` of the text that no other part has.',
          0.998,
        ),
        words: Chance(
          'Of quotations: the chance that a content of any length was looked at which has `minimumWords` words of the text in a row.',
          null,
        ),
      },
      { description: 'The chance that what was asked for was looked at, or a lower bound of it; else null.' },
    ),
    complete: Flag('False where a limit may have cost a part.', true),
    limits: Type.Array(LimitReached, { description: 'Every limit that bit.' }),
    elapsedMs: common.ElapsedMs,
  },
  { title: 'CompositionAnswer' },
  { parts: [exampleOf(Part, { meta: null, sources: SOURCES_EXAMPLE })], recall: { share: 0.998, words: null } },
);

export type CompositionRequestJson = Static<typeof CompositionRequest>;
export type CompositionBodyQueryValues = Static<typeof CompositionBodyQuery>;
