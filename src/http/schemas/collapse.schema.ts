import Type, { type Static } from 'typebox';
import { SERVICE_LIMITS as LIMITS } from '../../service/limits.ts';
import * as common from './common.schema.ts';
import { closed, Flag, orNull, Text } from './common.schema.ts';
import { ContentWish } from './figures/content.schema.ts';

/* What /collapse is asked. */

/** What is asked for where the caller does not say. */
export const COLLAPSE_DEFAULTS = {
  thresholds: { resemblance: 0.8, resultInRepresentative: 0.9, representativeInResult: 0.9 },
  minimumShingles: 20,
  content: 'page',
  urls: 'loose',
  prefer: 'first',
  fetch: 'never',
  deadlineMs: 200,
} as const;

const DEFAULTS = COLLAPSE_DEFAULTS;
const FOX = 'The quick brown fox jumps over the lazy dog and runs away.';

/** The caller's own, given back. */
export const own = {
  id: Type.Optional(
    Type.Union([Type.String(), Type.Number()], {
      description: "The caller's own name for the result, given back. At most 1,000 characters.",
      examples: ['hit-7'],
    }),
  ),
  rank: Type.Optional(
    Type.Number({ description: "The caller's own rank or score of the result, given back.", examples: [1] }),
  ),
};

const Result = closed(
  {
    url: Type.Optional(
      orNull({
        ...common.Url('URL of the result. If it is null, empty or cannot be used, the result is compared without it.'),
        minLength: 0,
      }),
    ),
    text: Type.Optional(Text('Its whole plain text.', FOX)),
    html: Type.Optional(Text('Its whole HTML.', `<p>${FOX}</p>`)),
    features: Type.Optional(common.Features('It as a set of strings instead of a text.')),
    title: Type.Optional(
      orNull(Text('Title.', 'The <em>quick</em> brown fox - Fables'), {
        description:
          'Its title on a search page, plain or with marks such as <em>. At most 2,000 bytes. Titles that differ in a number or a name keep two results apart.',
      }),
    ),
    snippet: Type.Optional(
      orNull(Text('Snippet.', 'The <em>quick</em> brown fox jumps over …'), {
        description:
          'What a search page shows of its text, plain or with marks such as <em>. At most 10,000 bytes. Title and snippet are compared with those of other results if no document of one of the two is known.',
      }),
    ),
    ...common.SELECTORS,
    shown: Type.Optional(
      Flag('It was shown on an earlier page: it takes part and represents, and is not answered again.', false),
    ),
    observedAt: Type.Optional(
      common.Time('When it was seen, for `prefer: oldest`; else when the index first saw its URL.'),
    ),
    ...own,
  },
  {
    title: 'CollapseResult',
    description: 'A result: at least a `url`, a `text`, an `html`, `features`, a `title` or a `snippet`.',
  },
);

export const CollapseRequest = closed(
  {
    results: Type.Array(Result, {
      description: `The results in their order, at most ${LIMITS.collapseResultsMax}.`,
    }),
    thresholds: common.thresholds(
      {
        resemblance: 'Resemblance to the representative.',
        resultInRepresentative: 'Share of the result that its representative has.',
        representativeInResult: 'Share of the representative that the result has.',
      },
      DEFAULTS.thresholds,
      'A result whose document reaches any of these joins the group. Equal words join whatever they say; titles and snippets have rules of their own.',
    ),
    minimumShingles: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 10_000,
        description: `Shingles that the contained one of two has at the least where a containment joins them: ${DEFAULTS.minimumShingles} where not given.`,
        examples: [DEFAULTS.minimumShingles],
      }),
    ),
    urls: Type.Optional(
      Type.Enum(['loose', 'exact'], {
        description: `By which rule URLs are one page: \`${DEFAULTS.urls}\` where not given. \`loose\`: http or https, www., a slash at the end, tracking parameters and what large platforms have for one page (mobile hosts, short links) make no difference.`,
        examples: [DEFAULTS.urls],
      }),
    ),
    prefer: Type.Optional(
      Type.Union(
        [
          Type.Enum(['first', 'longest', 'oldest', 'shortest-url']),
          Type.Array(Type.String({ minLength: 1, examples: ['docs.example'] }), { minItems: 1, maxItems: 100 }),
        ],
        {
          description: `Which result represents a group: \`${DEFAULTS.prefer}\` where not given. A list: one of the first of these hosts that the group has.`,
          examples: [DEFAULTS.prefer],
        },
      ),
    ),
    perHost: Type.Optional(
      orNull(Type.Integer({ minimum: 1 }), {
        description: 'Groups of one host, at most; further ones stand behind, in `moreOfHost`. null = any number.',
        examples: [2],
      }),
    ),
    want: Type.Optional(
      orNull(Type.Integer({ minimum: 1 }), {
        description: 'Groups that are wanted; `taken` says how many results they took. null = all.',
        examples: [10],
      }),
    ),
    content: Type.Optional(ContentWish),
    fetch: Type.Optional(
      Type.Enum(['never', 'auto'], {
        description: `\`auto\`: URLs that are not known are fetched; needs the scope \`fetch\`. \`${DEFAULTS.fetch}\` where not given.`,
        examples: [DEFAULTS.fetch],
      }),
    ),
    deadlineMs: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: `Bodies and pages that were not read after so many ms are left out; what the index knows of their URLs stands in for them, and is always answered. ${DEFAULTS.deadlineMs} where not given, at most ${LIMITS.deadlineMsMax}.`,
        examples: [DEFAULTS.deadlineMs],
      }),
    ),
  },
  {
    title: 'CollapseRequest',
    examples: [
      {
        results: [
          { url: 'https://a.example/x', text: FOX },
          { url: 'https://b.example/y', text: FOX },
        ],
      },
    ],
  },
);

export type CollapseRequestJson = Static<typeof CollapseRequest>;
export type ResultJson = Static<typeof Result>;
