import Type from 'typebox';
import { Count, closed, orNull } from '../common.schema.ts';
import { EstimatedShare } from './shares.schema.ts';

/* What is told of contents beside what is told of pages. */

export const ContentWish = Type.Enum(['page', 'main', 'auto'], {
  description:
    'By which figures thresholds go, and the order: `page` (where not given); `main`: those of the main text, less what the pages of its host have in common; `auto`: these where both documents have such a content, else the page.',
  examples: ['auto'],
});

const Template = closed(
  {
    pages: Count('Pages of its host that it is made of.', 40),
    shingles: Count('Shingles that they have in common, estimated.', 512),
  },
  { title: 'Template', description: 'What pages of its host have in common, which was taken off.' },
);

const ToldContent = closed(
  {
    main: Type.Enum(['read', 'whole', 'not-read'], {
      description: 'Whether its main text is told from the rest of it, or all of it counts.',
      examples: ['read'],
    }),
    template: orNull(Template),
  },
  { title: 'ToldContent', description: 'What the content of a document was told from.' },
);

export const ContentShares = closed(
  {
    ...{ resemblance: EstimatedShare, queryInMatch: EstimatedShare, matchInQuery: EstimatedShare },
    shingles: Count('Distinct shingles of the content of the match, an estimate where a template was taken off.', 262),
    query: ToldContent,
    match: ToldContent,
  },
  {
    title: 'ContentShares',
    description:
      'The same figures of what both documents say by themselves: their main text, less what the pages of their host have in common.',
  },
);

/** The figures of contents, beside those of pages. */
export const CONTENT_FIGURES = {
  content: orNull(ContentShares),
  contentUnknown: Type.Optional(
    Type.Enum(['not-read', 'too-little', 'whole', 'deadline'], {
      description:
        'Present where `content` is null: `not-read`: one was indexed before main texts were read; `too-little`: fewer than 20 shingles of one are left; `whole`: all of both is their content, so that the figures of the pages are its; `deadline`: there was no time for it.',
      examples: ['whole'],
    }),
  ),
  by: Type.Optional(
    Type.Enum(['page', 'content'], {
      description:
        'Present where `content` is `main` or `auto`: by which figures it meets a threshold, and is ordered.',
      examples: ['content'],
    }),
  ),
};

export const NoContent = Type.Enum(['not-read', 'too-little'], {
  description: 'Present where `content` is `main` and nothing is a match, since the query has no content: why.',
  examples: ['too-little'],
});
