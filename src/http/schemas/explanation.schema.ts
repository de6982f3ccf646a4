import Type from 'typebox';
import { Count, closed, Flag, orNull, Text } from './common.schema.ts';

/* Schemas of the explanation of POST /compare. */

const READING_STEPS = ['bytes', 'decoding', 'text', 'tokens', 'shingles', 'sampling'] as const;
const QUERY_STEPS = ['look-up', 'lists', 'threshold'] as const;

const StepFigures = closed(
  {
    bytes: Type.Optional(Count('Bytes as they came.', 44)),
    mediaType: Type.Optional(Text('As what it was read.', 'text/plain')),
    charset: Type.Optional(Text('In which character set.', 'utf-8')),
    characters: Type.Optional(Count('UTF-16 code units of its text.', 44)),
    tokens: Type.Optional(Count('Words of its text.', 9)),
    shingles: Type.Optional(Count('Its distinct shingles.', 2)),
    modulus: Type.Optional(Count('One in so many of its shingles is taken at this step.', 1, 1)),
    sampled: Type.Optional(Count('Shingles by which it was compared.', 2)),
    lookedUp: Type.Optional(Count('Shingles that a query by it looks up.', 2)),
    posted: Type.Optional(Count('Shingles by which an index finds it.', 2)),
    indexed: Type.Optional(Flag('Whether its content is in the index.', true)),
  },
  { title: 'StepFigures', description: 'What is known of one document at this step.' },
);

const ExplanationStep = closed(
  {
    step: Type.Enum([...READING_STEPS, ...QUERY_STEPS], { description: 'Which step.', examples: ['bytes'] }),
    same: orNull(Flag('Whether the step goes well.', true), {
      description:
        'As far as `sampling`: whether both are the same here. From `look-up` on: whether a query by a gets past this step to b. Null where that is not known.',
    }),
    a: StepFigures,
    b: StepFigures,
    detail: Text('What there is to say, in words.', 'Both have the same 44 bytes.'),
    examples: Type.Optional(
      Type.Array(closed({ a: Text('Of a.', 'the age of wisdom'), b: Text('Of b.', 'the age of iron') }), {
        description: 'The first places at which they part, three at the most.',
      }),
    ),
  },
  { title: 'ExplanationStep' },
);

const QueryOutcome = closed(
  {
    found: Flag('Whether b is a match.', true),
    rank: orNull(Count('Its place among the matches.', 1, 1), {
      description: 'Its place among the matches; null where it is none.',
    }),
    matches: Count('How many matches there are, a itself with them where the index has it.', 3),
    complete: Flag('False where a limit may have left out a match.', true),
    detail: Text('The same in words.', 'b is match 1 of 3.'),
  },
  { title: 'QueryOutcome', description: 'What a query by a finds.' },
);

export const Explanation = closed(
  {
    steps: Type.Array(ExplanationStep, { description: 'All nine, from bytes to threshold.' }),
    partAt: orNull(Type.Enum([...READING_STEPS], { examples: ['bytes'] }), {
      description: 'The first step at which they are not the same; null where there is none.',
    }),
    lostAt: orNull(Type.Enum([...QUERY_STEPS], { examples: ['look-up'] }), {
      description:
        'The step at which a query by a, at the `thresholds` of this request, loses b; null where it finds it.',
    }),
    asked: orNull(QueryOutcome, {
      description: 'POST /similar by a with the `thresholds` of this request; null where it has none.',
    }),
    byDefault: QueryOutcome,
  },
  { title: 'Explanation', description: 'Where two documents part, step by step, and whether a query by a finds b.' },
);
