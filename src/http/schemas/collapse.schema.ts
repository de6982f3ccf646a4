import Type, { type Static } from 'typebox';
import { SERVICE_LIMITS as LIMITS } from '../../service/limits.ts';
import * as common from './common.schema.ts';
import { answer, Count, closed, Flag, orNull, Text } from './common.schema.ts';
import { Equivalence, EstimatedShare, ExactShare, LimitReached } from './matches.schema.ts';

/* What /collapse is asked, and what it answers. */

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

/** The caller's own, given back. */
const own = {
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

const Position = Count('Position in the request.', 0);
const share = (description: string) => Type.Union([EstimatedShare, ExactShare, Type.Null()], { description });

const collapsed = {
  result: Position,
  ...own,
  from: orNull(Type.Enum(['body', 'index', 'fetch', 'snippet']), {
    description:
      'By what it was compared: a document, or title and `snippet` alone; null where nothing is known of it.',
    examples: ['index'],
  }),
  shingles: orNull(Type.Integer({ minimum: 0 }), {
    description: 'Distinct shingles of that document; null where there is none.',
    examples: [790],
  }),
  short: orNull(Type.Boolean(), {
    description: 'Fewer than `minimumShingles`: never joined because it is contained.',
    examples: [false],
  }),
};

const CollapsedResult = closed(collapsed, { title: 'CollapsedResult' });

const Member = closed(
  {
    ...collapsed,
    by: Type.Enum(
      [
        ...(['same-url', 'equal', 'resemblance', 'resultInRepresentative', 'representativeInResult'] as const),
        ...(['title-and-snippet', 'title', 'snippet'] as const),
      ],
      {
        description:
          'Why it is here, the first that holds: its URL is the one of another in the group, the words or shingles are equal, the threshold that it reaches, or what is shown of it.',
        examples: ['resemblance'],
      },
    ),
    urlDiffersBy: orNull(
      Type.Array(Type.Enum(['amp-cache', 'platform', 'scheme', 'www', 'slash', 'tracking', 'encoding'])),
      {
        description:
          'Of `same-url`: in what its URL differs from that of the first result that is the same page; empty where the index takes both for one.',
        examples: [['scheme', 'www']],
      },
    ),
    equivalence: orNull(Equivalence, { description: 'As in /compare; null where the two cannot be compared.' }),
    resemblance: share('Resemblance to the representative; exact where both are known whole.'),
    resultInRepresentative: share('Share of the result that its representative has.'),
    representativeInResult: share('Share of the representative that the result has.'),
  },
  { title: 'CollapsedMember' },
);

const group = {
  representative: CollapsedResult,
  members: Type.Array(Member, { description: 'The others, in their order.' }),
};

const Group = closed(
  {
    ...group,
    moreOfHost: Type.Array(closed(group, { title: 'CollapsedGroup' }), {
      description: 'Groups of the same host beyond `perHost`, in their order.',
    }),
  },
  { title: 'ShownGroup' },
);

const FOUND = { from: 'body', shingles: 6, short: true };

export const CollapseAnswer = answer(
  {
    groups: Type.Array(Group, { description: 'What to show, in the order of their first results.' }),
    shownBefore: Type.Array(Group, {
      description:
        'What belongs to results that were shown before: each result is in one group of this or of `groups`.',
    }),
    undecided: Type.Array(closed({ result: Position, representative: Position }), {
      description: 'Results that stay apart by the estimate while its interval reaches a threshold.',
    }),
    unknown: Type.Array(
      closed({
        result: Position,
        reason: Type.Enum(
          [
            ...(['unknown-url', 'empty-document', 'short-snippet', 'fetch-failed', 'deadline'] as const),
            ...(['unreadable', 'invalid-url', 'unusable'] as const),
          ],
          { description: 'Why nothing is known of it.', examples: ['unknown-url'] },
        ),
      }),
      { description: 'Results that were compared by their URL alone; each is in a group all the same.' },
    ),
    taken: Count('Results before this position are answered; send those from it on for the next page.', 37),
    complete: Flag('False where `limits` names what was left out.', true),
    limits: Type.Array(LimitReached, { description: 'Limits that bit.' }),
    elapsedMs: common.ElapsedMs,
  },
  { title: 'CollapseAnswer' },
  {
    groups: [
      {
        representative: { result: 0, ...FOUND },
        members: [
          {
            ...{ result: 1, ...FOUND, by: 'equal', urlDiffersBy: null, equivalence: 'identical' },
            resemblance: { exact: 1, decision: 'yes' },
            resultInRepresentative: { exact: 1, decision: null },
            representativeInResult: { exact: 1, decision: null },
          },
        ],
        moreOfHost: [],
      },
    ],
    taken: 2,
    elapsedMs: 4,
  },
);
