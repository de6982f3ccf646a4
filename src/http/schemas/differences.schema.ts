import Type from 'typebox';
import { SERVICE_LIMITS as LIMITS } from '../../service/limits.ts';
import { Count, closed, Flag, orNull, Text } from './common.schema.ts';

/* Schemas of what POST /compare tells of two texts. */

const MEBIBYTE = 2 ** 20;

const Span = closed(
  {
    kind: Type.Enum(['common', 'moved', 'repeated', 'only', 'unread'], {
      description:
        '`common`: words of both texts, in the order of both; `moved`: of both, in another order; `repeated`: of both, while the place in the other text is paired with another one, or none; `only`: in no shingle of the other text; `unread`: not compared, or not told.',
      examples: ['common'],
    }),
    from: Count('Where it begins, in UTF-16 code units of the text.', 0),
    to: Count('Where it ends: the next one begins there.', 18),
    partner: orNull(Count('Position among the spans of the other text of the one with the same words.', 0), {
      description:
        'Position among the spans of the other text of the one with the same words; null where there is none, or it is not told.',
    }),
  },
  { title: 'Span', description: 'A part of a text.' },
);

const MainPlace = closed(
  {
    from: Count('Where it begins, in UTF-16 code units of the text.', 0),
    to: Count('Where it ends.', 44),
  },
  { title: 'MainPlace', description: 'A place at which main text stands.' },
);

const SpannedText = closed(
  {
    characters: Count('Length of the whole text as it was extracted, in UTF-16 code units.', 44),
    text: Type.Optional(
      Text('With `texts`: the text as far as it was compared.', 'The quick brown fox jumps over the lazy dog.'),
    ),
    spans: Type.Array(Span, {
      description: `Each character of the text is in one of them, in order; at most ${LIMITS.differencesSpansMax}, and what is unread.`,
    }),
    main: orNull(Type.Array(MainPlace, { description: 'Where its main text stands, in order.' }), {
      description:
        'Where its main text stands, in order: all words that stand in a shingle that counts as main. Null where all of it counts as main, or it is not told: by the deadline, or of very many places.',
      examples: [null],
    }),
  },
  { title: 'SpannedText' },
);

export const Differences = closed(
  {
    complete: Flag(
      `False where \`limits\` names what was left out: the part of a text beyond ${LIMITS.differencesTextBytesMax / MEBIBYTE} MiB, spans, or all that the deadline came before.`,
      true,
    ),
    a: SpannedText,
    b: SpannedText,
  },
  { title: 'Differences', description: 'What two texts have in common and what not.' },
);
