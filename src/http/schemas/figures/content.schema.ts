import Type from 'typebox';
import { Count, closed, orNull } from '../common.schema.ts';
import { EstimatedShare, PartShare } from './shares.schema.ts';

/* What is told of contents beside what is told of pages. */

const contentWish = (which: string) =>
  Type.Enum(['page', 'main', 'auto'], {
    description: `${which}: \`page\` (where not given); \`main\`: those of the main text, less what the pages of its host have in common; \`auto\`: these where both documents have such a content, else the page.`,
    examples: ['auto'],
  });

export const ContentWish = contentWish('By which figures thresholds go, and the order');
export const MovedContent = contentWish('By which figures a page says the same as the old URL, or nearly');
export const ClusterContent = contentWish('By which figures pairs are alike');
export const CompositionContent = contentWish('What of the document is explained, and by what of others');
export const UnlessContent = contentWish('With `unless`: by which figures thresholds go');

const PART_SHARE = PartShare('Of the shingles of its content.', [0.41, 0.379523, 0.441477]);
const SAY = 'what both documents say by themselves: their main text, less what the pages of their host have in common.';
const ESTIMATED = 'an estimate where a template was taken off.';

const Template = closed(
  {
    pages: Count('Pages of its host that it is made of.', 40),
    shingles: Count('Shingles that they have in common, estimated.', 512),
  },
  { title: 'Template', description: 'What pages of its host have in common, which was taken off.' },
);

const TOLD = {
  main: Type.Enum(['read', 'whole', 'not-read'], {
    description: 'Whether its main text is told from the rest of it, or all of it counts.',
    examples: ['read'],
  }),
  template: orNull(Template),
};

const ToldContent = closed(TOLD, {
  title: 'ToldContent',
  description: 'What the content of a document was told from.',
});

const OwnContent = closed(
  { ...TOLD, shingles: Count(`Its distinct shingles, ${ESTIMATED}`, 262) },
  { title: 'OwnContent', description: 'What the content of a document was told from, and how much it is.' },
);

const ContentShares = closed(
  {
    ...{ resemblance: EstimatedShare, queryInMatch: EstimatedShare, matchInQuery: EstimatedShare },
    shingles: Count(`Distinct shingles of the content of the match, ${ESTIMATED}`, 262),
    ...{ query: ToldContent, match: ToldContent },
  },
  { title: 'ContentShares', description: `The same figures of ${SAY}` },
);

const ComparedContents = closed(
  { ...{ resemblance: EstimatedShare, aInB: EstimatedShare, bInA: EstimatedShare }, a: OwnContent, b: OwnContent },
  { title: 'ComparedContents', description: `The same figures of ${SAY}` },
);

const BESIDE = {
  contentUnknown: Type.Optional(
    Type.Enum(['not-read', 'too-little', 'whole', 'deadline'], {
      description:
        'Present where `content` is null: `not-read`: one was indexed before main texts were read; `too-little`: fewer than 20 shingles of one are left; `whole`: all of both is their content, so that the figures of the pages are its; `deadline`: there was no time for it.',
      examples: ['whole'],
    }),
  ),
  decidedBy: Type.Optional(
    orNull(Type.Enum(['page', 'content']), {
      description:
        'Present where `content` is `main` or `auto`: by which figures thresholds go; null where one has no content.',
      examples: ['content'],
    }),
  ),
};

/** The figures of contents, beside those of pages: of a query and a match. */
export const MATCHED_CONTENTS = { content: orNull(ContentShares), ...BESIDE };

const CollapsedContents = closed(
  {
    ...{ resemblance: EstimatedShare, resultInRepresentative: EstimatedShare, representativeInResult: EstimatedShare },
    ...{ representative: ToldContent, result: ToldContent },
  },
  { title: 'CollapsedContents', description: `The same figures of ${SAY}` },
);

/** The same of a result and its representative, where contents were asked for. */
export const COLLAPSED_CONTENTS = {
  content: Type.Optional(
    orNull(CollapsedContents, {
      description: 'Present where `content` is `main` or `auto` and two documents are compared.',
    }),
  ),
  ...BESIDE,
};

const PartContent = closed(
  { ...{ share: PART_SHARE, unique: PART_SHARE }, ...TOLD, shingles: OwnContent.properties.shingles },
  { title: 'PartContent', description: 'How much a part has of what the document says by itself.' },
);

const TextContent = closed(
  { ...TOLD, shingles: OwnContent.properties.shingles, unexplained: PART_SHARE },
  { title: 'TextContent', description: 'What the document says by itself, and how much of that no part has.' },
);

/** The fields of a part of a document. */
export const PART_CONTENTS = { content: orNull(PartContent), contentUnknown: BESIDE.contentUnknown };

/** The fields of a document that is made of parts. */
export const TEXT_CONTENTS = { content: orNull(TextContent), ...BESIDE };

const PairContents = closed(
  { likeness: EstimatedShare },
  { title: 'PairContents', description: `How alike the two are in ${SAY}` },
);

/** The fields of a pair of a cluster. */
export const PAIR_CONTENTS = { content: orNull(PairContents), ...BESIDE };

/** The fields of a member of a cluster. */
export const MEMBER_CONTENTS = {
  content: orNull(OwnContent),
  contentUnknown: Type.Optional(
    Type.Enum(['not-read', 'too-little', 'deadline'], {
      description: 'Present where `content` is null: why.',
      examples: ['too-little'],
    }),
  ),
};

/** The same of two documents side by side. */
export const COMPARED_CONTENTS = { content: orNull(ComparedContents), ...BESIDE };

export const NoContent = Type.Enum(['not-read', 'too-little'], {
  description: 'Present where `content` is `main` and nothing is found, since what is asked about has no content: why.',
  examples: ['too-little'],
});
