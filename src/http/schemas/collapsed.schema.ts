import Type from 'typebox';
import { own } from './collapse.schema.ts';
import * as common from './common.schema.ts';
import { answer, Count, closed, Flag, orNull } from './common.schema.ts';
import { COLLAPSED_CONTENTS } from './figures/content.schema.ts';
import { EstimatedShare, ExactShare } from './figures/shares.schema.ts';
import { Equivalence, LimitReached } from './matches.schema.ts';

/* What /collapse answers. */

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
    ...COLLAPSED_CONTENTS,
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
