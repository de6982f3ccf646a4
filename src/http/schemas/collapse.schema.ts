import Type, { type Static } from 'typebox';
import { SERVICE_LIMITS as LIMITS } from '../../service/limits.ts';
import * as common from './common.schema.ts';
import { closed, orNull, threshold } from './common.schema.ts';

/* What /collapse is asked. */

/** What is asked for where the caller does not say. */
export const COLLAPSE_DEFAULTS = {
  thresholds: { resemblance: 0.8, resultInRepresentative: 0.9, representativeInResult: 0.9 },
  minimumShingles: 20,
  urls: 'loose',
  prefer: 'first',
  fetch: 'never',
  deadlineMs: 200,
} as const;

const DEFAULTS = COLLAPSE_DEFAULTS;
const FOX = 'The quick brown fox jumps over the lazy dog and runs away.';

const id = {
  description: "The caller's own name for the result, given back. At most 1,000 characters.",
  examples: ['hit-7'],
};
const rank = { description: "The caller's own rank or score of the result, given back.", examples: [1] };
export const Id = Type.Union([Type.String(), Type.Number()], id);
export const Rank = Type.Number(rank);

const Result = closed(
  {
    url: Type.Optional({
      ...common.Url('URL of the result. Where it is empty or cannot be used, that result alone is unknown.'),
      minLength: 0,
    }),
    text: Type.Optional(Type.String({ description: 'Its whole plain text.', examples: [FOX] })),
    html: Type.Optional(Type.String({ description: 'Its whole HTML.', examples: [`<p>${FOX}</p>`] })),
    snippet: Type.Optional(
      Type.String({
        description:
          'What a search page shows of it, plain or with marks such as <em>: compared only where nothing better is known, only with other snippets, and only by resemblance. At most 10,000 bytes.',
        examples: ['The <em>quick</em> brown fox jumps over …'],
      }),
    ),
    select: Type.Optional(common.Selector('Only what matches counts', 'article')),
    remove: Type.Optional(common.Selector('Nothing that matches counts', 'nav, footer')),
    shown: Type.Optional(
      Type.Boolean({
        description: 'It was shown on an earlier page: it takes part and represents, and is not answered again.',
        examples: [false],
      }),
    ),
    observedAt: Type.Optional(
      common.Time('When it was seen, for `prefer: oldest`; else when the index first saw its URL.'),
    ),
    id: Type.Optional(Id),
    rank: Type.Optional(Rank),
  },
  { title: 'CollapseResult', description: 'A result: at least a `url`, a `text`, an `html` or a `snippet`.' },
);

const { thresholds: standard } = DEFAULTS;

export const CollapseRequest = closed(
  {
    results: Type.Array(Result, {
      description: `The results in their order, at most ${LIMITS.collapseResultsMax}.`,
    }),
    thresholds: Type.Optional(
      closed(
        {
          resemblance: threshold('Resemblance to the representative.', standard.resemblance),
          resultInRepresentative: threshold(
            'Share of the result that its representative has.',
            standard.resultInRepresentative,
          ),
          representativeInResult: threshold(
            'Share of the representative that the result has.',
            standard.representativeInResult,
          ),
        },
        { description: 'A result that reaches any of these joins the group. Equal words join whatever they say.' },
      ),
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
        description: `By which rule URLs are one page: \`${DEFAULTS.urls}\` where not given. \`loose\`: http or https, www., a slash at the end and tracking parameters make no difference.`,
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
    fetch: Type.Optional(
      Type.Enum(['never', 'auto'], {
        description: `\`auto\`: URLs that are not known are fetched; needs the scope \`fetch\`. \`${DEFAULTS.fetch}\` where not given.`,
        examples: [DEFAULTS.fetch],
      }),
    ),
    deadlineMs: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: `Bodies and pages that were not read after so many ms are left out; what the index knows is always answered. ${DEFAULTS.deadlineMs} where not given, at most ${LIMITS.deadlineMsMax}.`,
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
