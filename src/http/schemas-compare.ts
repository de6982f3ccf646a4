import Type, { type Static } from 'typebox';
import { SERVICE_LIMITS as LIMITS } from '../service/limits.ts';
import * as common from './schemas-common.ts';
import { closed, orNull, threshold } from './schemas-common.ts';

/* Schemas of /compare and /collapse. */

export const COMPARE_THRESHOLDS = { resemblance: 0.5, aInB: 0.8, bInA: 0.8 } as const;
export const COLLAPSE_THRESHOLDS = { resemblance: 0.8, queryInMatch: 0.9, matchInQuery: 0.9 } as const;

const FOX = 'The quick brown fox jumps over the lazy dog.';

export const CompareRequest = closed(
  {
    a: common.DocumentReference,
    b: common.DocumentReference,
    thresholds: Type.Optional(
      closed(
        {
          resemblance: threshold('Share of all shingles of both that both have.', COMPARE_THRESHOLDS.resemblance),
          aInB: threshold("Share of a's shingles that b has.", COMPARE_THRESHOLDS.aInB),
          bInA: threshold("Share of b's shingles that a has.", COMPARE_THRESHOLDS.bInA),
        },
        { description: 'What each share is decided against.' },
      ),
    ),
    passages: Type.Optional(Type.Boolean({ description: 'Whether to show the shared passages.', examples: [true] })),
    deadlineMs: Type.Optional(common.DeadlineMs),
  },
  {
    title: 'CompareRequest',
    examples: [{ a: { text: FOX }, b: { html: `<p>${FOX}</p>` }, passages: true }],
  },
);

const WhyNot = closed(
  {
    step: Type.Enum(['bytes', 'text', 'tokens', 'shingles', 'threshold'], {
      description: 'The first step at which they part.',
      examples: ['bytes'],
    }),
    detail: Type.String({ description: 'How, in words.', examples: ['The bytes differ, the words are the same.'] }),
  },
  { title: 'WhyNot', description: 'Why two documents are not the same.' },
);

const described = (url: string | null) => ({
  from: 'body',
  url,
  tokens: 9,
  shingles: 3,
  short: true,
  fingerprintId: '2.9f3c',
});

export const CompareAnswer = closed(
  {
    a: common.QueryDescription,
    b: common.QueryDescription,
    equivalence: common.Equivalence,
    resemblance: common.AnyShare('Share of all shingles of both that both have; exact where both bodies were given.'),
    aInB: common.AnyShare("Share of a's shingles that b has."),
    bInA: common.AnyShare("Share of b's shingles that a has."),
    passages: Type.Optional(Type.Array(common.Passage, { description: "Shared passages, in a's words." })),
    whyNot: orNull(WhyNot, { description: 'Null where they are identical.' }),
    elapsedMs: common.ElapsedMs,
  },
  {
    title: 'CompareAnswer',
    examples: [
      {
        a: described(null),
        b: described(null),
        equivalence: 'lexical',
        resemblance: { exact: 1, decision: 'yes' },
        aInB: { exact: 1, decision: 'yes' },
        bInA: { exact: 1, decision: 'yes' },
        whyNot: { step: 'bytes', detail: 'The bytes differ.' },
        elapsedMs: 0.4,
      },
    ],
  },
);

export const CollapseRequest = closed(
  {
    results: Type.Array(common.DocumentReference, {
      description: `The results in their order, at most ${LIMITS.collapseResultsMax} (COLLAPSE_RESULTS_MAX).`,
    }),
    thresholds: Type.Optional(
      closed(
        {
          resemblance: threshold('Resemblance to the representative.', COLLAPSE_THRESHOLDS.resemblance),
          queryInMatch: threshold('Share of the result that its representative has.', COLLAPSE_THRESHOLDS.queryInMatch),
          matchInQuery: threshold('Share of the representative that the result has.', COLLAPSE_THRESHOLDS.matchInQuery),
        },
        { description: 'A result that reaches any of these joins the group.' },
      ),
    ),
    fetch: Type.Optional(
      Type.Boolean({ description: 'Fetch URLs that are not known; needs the scope `fetch`.', examples: [false] }),
    ),
    deadlineMs: Type.Optional(common.DeadlineMs),
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

const position = (description: string) => Type.Integer({ minimum: 0, description, examples: [0] });

const Member = closed(
  {
    result: position('Position in the request.'),
    equivalence: common.Equivalence,
    resemblance: common.AnyShare('Resemblance to the representative.'),
    resultInRepresentative: common.AnyShare('Share of the result that its representative has.'),
    representativeInResult: common.AnyShare('Share of the representative that the result has.'),
  },
  { title: 'CollapsedResult' },
);

export const CollapseAnswer = closed(
  {
    groups: Type.Array(
      closed({
        representative: position('Position of the first result of the group.'),
        members: Type.Array(Member, { description: 'The others, in their order.' }),
      }),
      { description: 'Each result is in exactly one group.' },
    ),
    unknown: Type.Array(
      closed({
        result: position('Position in the request.'),
        reason: Type.Enum(['not-indexed', 'empty-document', 'fetch-failed', 'deadline', 'unusable'], {
          description: 'Why it could not be compared.',
          examples: ['not-indexed'],
        }),
      }),
      { description: 'Results that could not be compared; each is a group of its own.' },
    ),
    complete: Type.Boolean({ description: 'False where the deadline cut the work short.', examples: [true] }),
    elapsedMs: common.ElapsedMs,
  },
  {
    title: 'CollapseAnswer',
    examples: [
      {
        groups: [
          {
            representative: 0,
            members: [
              {
                result: 1,
                equivalence: 'identical',
                resemblance: { exact: 1, decision: 'yes' },
                resultInRepresentative: { exact: 1, decision: 'yes' },
                representativeInResult: { exact: 1, decision: 'yes' },
              },
            ],
          },
        ],
        unknown: [],
        complete: true,
        elapsedMs: 4,
      },
    ],
  },
);

export type CompareRequestJson = Static<typeof CompareRequest>;
export type CollapseRequestJson = Static<typeof CollapseRequest>;
