import Type from 'typebox';
import { Id, Rank } from './collapse.schema.ts';
import * as common from './common.schema.ts';
import { closed, orNull } from './common.schema.ts';
import { LimitReached } from './matches.schema.ts';

/* What /collapse answers. */

const position = (description: string) => Type.Integer({ minimum: 0, description, examples: [0] });
const share = (description: string) =>
  Type.Union([common.EstimatedShare, common.ExactShare, Type.Null()], { description });

const collapsed = {
  result: position('Position in the request.'),
  id: Type.Optional(Id),
  rank: Type.Optional(Rank),
  from: orNull(Type.Enum(['body', 'index', 'fetch', 'snippet']), {
    description: 'By what it was compared; null where nothing is known of it.',
    examples: ['index'],
  }),
  shingles: orNull(Type.Integer({ minimum: 0 }), { description: 'Distinct shingles of that.', examples: [790] }),
  short: orNull(Type.Boolean(), {
    description: 'Fewer than `minimumShingles`: never joined because it is contained.',
    examples: [false],
  }),
};

const CollapsedResult = closed(collapsed, { title: 'CollapsedResult' });

const Member = closed(
  {
    ...collapsed,
    by: Type.Enum(['same-url', 'equal', 'resemblance', 'resultInRepresentative', 'representativeInResult'], {
      description:
        'Why it is here, the first that holds: its URL is the one of another in the group, the words or shingles are equal, or the threshold that it reaches.',
      examples: ['resemblance'],
    }),
    equivalence: orNull(common.Equivalence, { description: 'As in /compare; null where the two cannot be compared.' }),
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

export const CollapseAnswer = closed(
  {
    groups: Type.Array(Group, { description: 'What to show, in the order of their first results.' }),
    shownBefore: Type.Array(Group, {
      description:
        'What belongs to results that were shown before: each result is in one group of this or of `groups`.',
    }),
    undecided: Type.Array(
      closed({
        result: position('Position in the request.'),
        representative: position('Position in the request.'),
      }),
      { description: 'Results that stay apart by the estimate while its interval reaches a threshold.' },
    ),
    unknown: Type.Array(
      closed({
        result: position('Position in the request.'),
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
    taken: Type.Integer({
      minimum: 0,
      description: 'Results before this position are answered; send those from it on for the next page.',
      examples: [37],
    }),
    complete: Type.Boolean({ description: 'False where `limits` names what was left out.', examples: [true] }),
    limits: Type.Array(LimitReached, { description: 'Limits that bit.' }),
    elapsedMs: common.ElapsedMs,
  },
  {
    title: 'CollapseAnswer',
    examples: [
      {
        groups: [
          {
            representative: { result: 0, from: 'body', shingles: 6, short: true },
            members: [
              {
                result: 1,
                from: 'body',
                shingles: 6,
                short: true,
                by: 'equal',
                equivalence: 'identical',
                resemblance: { exact: 1, decision: 'yes' },
                resultInRepresentative: { exact: 1, decision: null },
                representativeInResult: { exact: 1, decision: null },
              },
            ],
            moreOfHost: [],
          },
        ],
        shownBefore: [],
        undecided: [],
        unknown: [],
        taken: 2,
        complete: true,
        limits: [],
        elapsedMs: 4,
      },
    ],
  },
);
