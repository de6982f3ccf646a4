import Type, { type Static } from 'typebox';
import * as common from './common.schema.ts';
import { answer, Count, closed, Flag, orNull, Text } from './common.schema.ts';
import { Differences } from './differences.schema.ts';
import { Explanation } from './explanation.schema.ts';
import { COMPARED_CONTENTS, ContentWish } from './figures/content.schema.ts';
import { AnyShare } from './figures/shares.schema.ts';
import { Equivalence, LimitReached, Passage, QueryDescription } from './matches.schema.ts';

/* Schemas of /compare. */

export const COMPARE_THRESHOLDS = { resemblance: 0.5, aInB: 0.8, bInA: 0.8 } as const;

const THRESHOLDS = {
  resemblance: 'Share of all shingles of both that both have.',
  aInB: "Share of a's shingles that b has.",
  bInA: "Share of b's shingles that a has.",
};

const FOX = 'The quick brown fox jumps over the lazy dog.';

export const CompareRequest = closed(
  {
    a: common.DocumentReference,
    b: common.DocumentReference,
    thresholds: common.thresholds(THRESHOLDS, COMPARE_THRESHOLDS, 'What each share is decided against.'),
    passages: Type.Optional(Flag('Whether to show the shared passages.', true)),
    differences: Type.Optional(
      Flag('Whether to tell what of the two texts is common and what not, as spans of each.', true),
    ),
    texts: Type.Optional(Flag('With `differences`: whether to give back the texts that the spans are of.', true)),
    explain: Type.Optional(
      Flag('Whether to tell each step from bytes to thresholds, and whether a query by a finds b.', true),
    ),
    content: Type.Optional(ContentWish),
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
    detail: Text('How, in words.', 'The bytes differ, the words are the same.'),
    shingles: closed(
      {
        inBoth: Count('Shingles that both have.', 12),
        onlyInA: Count('Shingles that only a has.', 42),
        onlyInB: Count('Shingles that only b has.', 0),
        exact: Flag('False where these are estimates.', true),
      },
      { description: 'Distinct shingles, counted.' },
    ),
    examples: Type.Array(
      closed({ a: Text('Words of a.', 'the age of wisdom'), b: Text('Words of b.', 'the age of iron') }),
      { description: 'The first three places at which they part, where both are given by `text` or `html`.' },
    ),
  },
  { title: 'WhyNot', description: 'Why two documents are not the same.' },
);

const same = { exact: 1, decision: 'yes' };
const described = common.exampleOf(QueryDescription, { url: null, tokens: 9, shingles: 3, short: true });

export const CompareAnswer = answer(
  {
    a: QueryDescription,
    b: QueryDescription,
    equivalence: Equivalence,
    resemblance: AnyShare('Share of all shingles of both that both have; exact where both bodies were given.'),
    aInB: AnyShare(THRESHOLDS.aInB),
    bInA: AnyShare(THRESHOLDS.bInA),
    ...COMPARED_CONTENTS,
    passages: Type.Optional(Type.Array(Passage, { description: "Shared passages, in a's words and order." })),
    differences: Type.Optional(
      orNull(Differences, {
        description:
          'What is common to both texts and what not; null where one is known from the index only, which keeps no text: send it, or let it be fetched (`fetch: "always"`).',
      }),
    ),
    whyNot: orNull(WhyNot, { description: 'Null where they are identical.' }),
    explanation: Type.Optional(Explanation),
    limits: Type.Array(LimitReached, {
      description:
        'What kept passages or differences from being told: `passages-need-text` where a is known from the index only, `passages-text` where its text is cut; the same of differences, of which there are `differences-spans` at the most.',
    }),
    elapsedMs: common.ElapsedMs,
  },
  { title: 'CompareAnswer' },
  {
    ...{ a: described, b: described, equivalence: 'lexical', resemblance: same, aInB: same, bInA: same },
    whyNot: {
      step: 'bytes',
      detail: 'The bytes differ.',
      shingles: { inBoth: 3, onlyInA: 0, onlyInB: 0, exact: true },
      examples: [],
    },
    elapsedMs: 0.4,
  },
);

export type CompareRequestJson = Static<typeof CompareRequest>;
