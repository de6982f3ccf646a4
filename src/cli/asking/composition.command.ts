import {
  DEFAULT_COMPOSITION_OPTIONS as DEFAULTS,
  PARTS_MAX,
  QUOTED_WORDS_MAX,
} from '../../service/composition/composition-options.ts';
import type { CompositionOptions } from '../../service/composition/composition-shapes.ts';
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
  summary: 'what a document is made of: the fewest documents that explain it',
  about:
    'Asks what documents are made of: files, URLs, or - for standard input. A URL that the index does not know is fetched. Stores nothing.',
  options: {
    ...WHERE,
    quotations: `passages of ${DEFAULTS.minimumWords} words and more, instead of shares`,
    'minimum-share': `of the document that a part adds at the least (${DEFAULTS.minimumShare})`,
    'minimum-words': `of a quotation, at the least (${DEFAULTS.minimumWords})`,
    limit: `so many parts at most (${DEFAULTS.limit})`,
    passages: 'show which passage is whose',
    type: 'Content-Type of the files, where name and bytes do not say',
    fetch: 'URLs: auto, never or always',
    json: 'a line of JSON for each document',
  },
  operandsMax: Number.POSITIVE_INFINITY,
  examples: [
    'shingled composition draft.html --passages',
    'shingled composition essay.txt --quotations --json',
    'pdftotext report.pdf - | shingled composition - --server http://localhost:8080',
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
    limit: numberOf(given, 'limit', { otherwise: DEFAULTS.limit, max: PARTS_MAX }),
    passages: given.has('passages'),
    fetch: choiceOf(given, 'fetch', FETCH_WISHES, DEFAULTS.fetch),
  };
}
