import Type, { type Static } from 'typebox';
import * as common from './common.schema.ts';
import { closed, orNull, threshold } from './common.schema.ts';
import { LimitReached } from './matches.schema.ts';

/* Schemas of /compare. */

export const COMPARE_THRESHOLDS = { resemblance: 0.5, aInB: 0.8, bInA: 0.8 } as const;

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
    fetch: Type.Optional(common.Fetch),
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
    shingles: closed(
      {
        inBoth: common.Count('Shingles that both have.', 12),
        onlyInA: common.Count('Shingles that only a has.', 42),
        onlyInB: common.Count('Shingles that only b has.', 0),
        exact: Type.Boolean({ description: 'False where these are estimates.', examples: [true] }),
      },
      { description: 'Distinct shingles, counted.' },
    ),
    examples: Type.Array(
      closed({
        a: Type.String({ description: 'Words of a.', examples: ['the age of wisdom'] }),
        b: Type.String({ description: 'Words of b.', examples: ['the age of iron'] }),
      }),
      { description: 'The first three places at which they part, where both are given by `text` or `html`.' },
    ),
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
    passages: Type.Optional(Type.Array(common.Passage, { description: "Shared passages, in a's words and order." })),
    whyNot: orNull(WhyNot, { description: 'Null where they are identical.' }),
    limits: Type.Array(LimitReached, {
      description:
        'What kept passages from being shown: `passages-need-text` where a is known from the index only, `passages-text` where its text is cut.',
    }),
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
        whyNot: {
          step: 'bytes',
          detail: 'The bytes differ.',
          shingles: { inBoth: 3, onlyInA: 0, onlyInB: 0, exact: true },
          examples: [],
        },
        limits: [],
        elapsedMs: 0.4,
      },
    ],
  },
);

export type CompareRequestJson = Static<typeof CompareRequest>;
