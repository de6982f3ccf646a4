import {
  DEFAULT_COMPOSITION_OPTIONS as DEFAULTS,
  PARTS_MAX,
  QUOTED_WORDS_MAX,
} from '../../service/composition/composition-options.ts';
import type { CompositionOptions } from '../../service/composition/composition-shapes.ts';
import { CONTENT_WISHES } from '../../service/options.ts';
import { type Command, type Given, UsageError } from '../command.ts';
import { WHERE } from '../command-options.ts';
import { choiceOf, numberOf, shareOf } from '../option-values.ts';
import { compositionText } from './composition-text.ts';
import { documentNamed, FETCH_WISHES } from './named-documents.ts';
import { askEach, withIndex } from './with-index.ts';

export const COMPOSITION: Command = {
  name: 'composition',
  group: 'way in and out',
  operands: '<file or URL>...',
  summary: 'show what a document is made of: the fewest documents that explain it',
  about:
    'Shows what documents are made of: files, URLs, or - for standard input. A URL that the index does not know is fetched. Nothing is stored.',
  options: {
    ...WHERE,
    quotations: `find passages of ${DEFAULTS.minimumWords} words or more, instead of sources`,
    'minimum-share': `a part explains at least this share of the document (${DEFAULTS.minimumShare})`,
    'minimum-words': `a quotation has at least this many words (${DEFAULTS.minimumWords})`,
    content:
      'explain the page, its main text less the frame of its site (main), or main where there is one (auto): page, main or auto (page)',
    limit: `show at most this many parts (${DEFAULTS.limit})`,
    passages: 'show which part each passage comes from',
    type: 'the Content-Type of the files, if names and bytes do not tell',
    fetch: 'whether to fetch URLs: auto, never or always (auto)',
    json: 'print a line of JSON for each document',
  },
  operandsMax: Number.POSITIVE_INFINITY,
  examples: [
    'shingled composition draft.html --passages',
    'shingled composition essay.txt --quotations --json',
    'pdftotext report.pdf - | shingled composition -',
  ],
  run: async (given, context) => {
    if (given.operands.length === 0)
      throw new UsageError('composition needs a document: a file, a URL, or - for standard input');
    const options = optionsOf(given);
    return withIndex(given, context, (index) =>
      askEach(given, context, 'document', async (name) => {
        const reference = await documentNamed(name, given.text('type'), context.streams);
        const answer = await index.composition(reference, options);
        context.show({ document: name, ...answer }, (shown) => compositionText(name, shown));
      }),
    );
  },
};

function optionsOf(given: Given): CompositionOptions {
  const isQuoted = given.has('quotations');
  const other = isQuoted ? 'minimum-share' : 'minimum-words';
  if (given.text(other) !== null)
    throw new UsageError(
      isQuoted ? '--minimum-share does not go with --quotations' : '--minimum-words needs --quotations',
    );
  return {
    ...DEFAULTS,
    find: isQuoted ? 'quotations' : 'sources',
    minimumShare: shareOf(given, 'minimum-share') ?? DEFAULTS.minimumShare,
    minimumWords: numberOf(given, 'minimum-words', { otherwise: DEFAULTS.minimumWords, max: QUOTED_WORDS_MAX }),
    content: choiceOf(given, 'content', CONTENT_WISHES, DEFAULTS.content),
    limit: numberOf(given, 'limit', { otherwise: DEFAULTS.limit, max: PARTS_MAX }),
    passages: given.has('passages'),
    fetch: choiceOf(given, 'fetch', FETCH_WISHES, DEFAULTS.fetch),
  };
}
