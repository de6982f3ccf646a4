import Type from 'typebox';
import { ERRORS, type ErrorCode } from '../../errors.ts';
import { Count, closed, Flag, orNull, Text } from './common.schema.ts';
import { Neighbours, PUT_STATUSES } from './documents.schema.ts';
import { SIMILAR_EXAMPLE, SimilarAnswer } from './similar.schema.ts';

/* Schemas of the lines that answer NDJSON requests: one a line of the request, in order, then a summary. */

export const line = Type.Integer({ minimum: 1, description: 'Line of the request, from 1.', examples: [1] });
const failedStatus = Type.Integer({ minimum: 400, maximum: 599, description: 'HTTP status.', examples: [422] });
const failure = {
  code: Type.Enum(Object.keys(ERRORS) as ErrorCode[], {
    description: 'What to switch on.',
    examples: ['empty-document'],
  }),
  detail: Text('What happened.', 'The document has no words.'),
  field: Type.Optional(Text('The field at fault.', 'text')),
  limit: Type.Optional(
    closed({ name: Type.String(), value: Type.Number() }, { description: 'The limit that was met.' }),
  ),
};

export const Summary = closed(
  {
    summary: closed(
      {
        lines: Count('Lines that were answered.', 2),
        ok: Count('Of them done.', 1),
        failed: Count('Of them failed.', 1),
        complete: Flag('False where the request had more lines than were read: see the last failed line.', true),
        durable: Type.Optional(
          Type.Boolean({
            description:
              'Only where durability=relaxed was asked for: whether all that was done is on disk now. Until then it may be lost by a power cut; false: send it all again.',
            examples: [true],
          }),
        ),
      },
      { description: 'How it all went.' },
    ),
  },
  { title: 'Summary', description: 'The last line of every NDJSON answer.' },
);

const BulkDone = closed(
  {
    line,
    status: Type.Integer({ minimum: 200, maximum: 299, description: 'HTTP status.', examples: [201] }),
    url: Text('The normalised URL.', 'https://a.example/x'),
    result: Type.Enum(PUT_STATUSES, { description: 'What became of it.', examples: ['created'] }),
    contentKept: Type.Optional(
      Type.Literal(false, {
        description: 'Only with an older version whose content is not kept: it is listed, and no more.',
      }),
    ),
    newContent: Type.Optional(
      Flag('Only with describe=true, of a put: whether the index did not hold this content before.', true),
    ),
    short: Type.Optional(Flag('Only with describe=true, of a put: fewer than 20 shingles.', false)),
    ...Neighbours,
  },
  { title: 'BulkDone', description: 'A line that is done, and durable unless durability=relaxed was asked for.' },
);

/** A line without a result, of those that have a URL. */
export const failedLine = (title: string, description: string) =>
  closed(
    {
      line,
      status: failedStatus,
      url: orNull(Type.String(), {
        description: 'The URL as it was sent, where it was read; its first 200 characters.',
      }),
      ...failure,
    },
    { title, description },
  );

const BulkFailed = failedLine('BulkFailed', 'A line that was refused or failed; the others go on.');

const SimilarDone = closed(
  { line, status: Type.Literal(200), answer: SimilarAnswer },
  { title: 'SimilarDone', description: 'The answer to a line.' },
);

const SimilarFailed = closed(
  { line, status: failedStatus, ...failure },
  { title: 'SimilarFailed', description: 'A line that was refused or failed; the others go on.' },
);

export const BulkLineAnswer = Type.Union([BulkDone, BulkFailed]);
export const SimilarLineAnswer = Type.Union([SimilarDone, SimilarFailed]);

export const BulkAnswerLine = Type.Union([BulkDone, BulkFailed, Summary], {
  title: 'BulkAnswerLine',
  examples: [{ line: 1, status: 201, url: 'https://a.example/x', result: 'created' }],
});

export const SimilarAnswerLine = Type.Union([SimilarDone, SimilarFailed, Summary], {
  title: 'SimilarAnswerLine',
  examples: [{ line: 1, status: 200, answer: SIMILAR_EXAMPLE }],
});
