import type { IndexAccess } from '../../client/port.ts';
import type { MatchOptions, SimilarAnswer } from '../../service/api.ts';
import { DEFAULT_MATCH_OPTIONS, SERVICE_LIMITS } from '../../service/limits.ts';
import { CONTENT_WISHES } from '../../service/options.ts';
import { everyPage } from '../../service/similar/every-page.ts';
import { type CliContext, type Command, type Given, UsageError } from '../command.ts';
import { WHERE } from '../command-options.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { choiceOf, numberOf, shareOf } from '../option-values.ts';
import { documentNamed, FETCH_WISHES } from './named-documents.ts';
import { questionLines } from './question-lines.ts';
import { matchesText } from './share-texts.ts';
import { askEach, refuseBeside, withIndex } from './with-index.ts';

/** With a list, each of its lines says these. */
const BY_QUESTION = [
  ...([
    'resemblance',
    'query-in-match',
    'match-in-query',
    'content',
    'limit',
    'thorough',
    'passages',
    'type',
    'fetch',
  ] as const),
] as const;

const { thresholds: STANDARD } = DEFAULT_MATCH_OPTIONS;

export const SIMILAR: Command = {
  name: 'similar',
  group: 'way in and out',
  operands: '<file or URL>...',
  summary: 'find the documents that say the same, contain it, or are contained in it',
  about:
    'Asks with documents: files, URLs, or - for standard input. A URL that the index does not know is fetched. Nothing is stored.',
  options: {
    ...WHERE,
    resemblance: `a match has at least this share of both in common (${STANDARD.resemblance})`,
    'query-in-match': `or it contains at least this share of the document (${STANDARD.queryInMatch})`,
    'match-in-query': 'or at least this share of it is in the document (off)',
    content:
      'thresholds go by the page, its main text less the frame of its site (main), or main where there is one (auto): page, main or auto (page)',
    limit: 'show at most this many matches (10; with --thorough all)',
    thorough: 'find every copy, even thousands, and count them by host',
    passages: 'show the passages that are shared',
    type: 'the Content-Type of the files, if names and bytes do not tell',
    fetch: 'whether to fetch URLs: auto, never or always (auto)',
    list: 'read questions from this file, as lines of JSON for POST /similar',
    json: 'print a line of JSON for each document',
  },
  operandsMax: Number.POSITIVE_INFINITY,
  examples: [
    'shingled similar draft.html',
    'shingled similar https://a.example/x --resemblance .9 --json',
    'pdftotext report.pdf - | shingled similar - --passages',
    'shingled similar https://a.example/licence --thorough',
    'shingled similar --list questions.ndjson > answers.ndjson',
  ],
  run: async (given, context) => {
    const options = optionsOf(given);
    const list = given.text('list');
    if ((list === null) === (given.operands.length === 0)) {
      throw new UsageError('similar needs either documents (files, URLs, or -) or --list with a file of questions');
    }
    if (list !== null) refuseBeside(given, 'list', BY_QUESTION);
    return withIndex(given, context, (index) =>
      list === null
        ? askEach(given, context, 'document', (name) => ask(name, given, context, index, options))
        : askAll(list, context, index),
    );
  },
};

function optionsOf(given: Given): MatchOptions {
  const asked = {
    resemblance: shareOf(given, 'resemblance'),
    queryInMatch: shareOf(given, 'query-in-match'),
    matchInQuery: shareOf(given, 'match-in-query'),
  };
  // who asks for one share alone wants no others
  const isAsked = Object.values(asked).some((share) => share !== null);
  return {
    ...DEFAULT_MATCH_OPTIONS,
    thresholds: isAsked ? asked : STANDARD,
    content: choiceOf(given, 'content', CONTENT_WISHES, DEFAULT_MATCH_OPTIONS.content),
    limit: numberOf(given, 'limit', { otherwise: DEFAULT_MATCH_OPTIONS.limit, max: SERVICE_LIMITS.limitMax }),
    passages: given.has('passages'),
    ...(given.has('thorough') ? { thorough: true, sourcesPerMatch: SERVICE_LIMITS.copiesMax } : {}),
    fetch: choiceOf(given, 'fetch', FETCH_WISHES, DEFAULT_MATCH_OPTIONS.fetch),
  };
}

async function ask(name: string, given: Given, context: CliContext, index: IndexAccess, options: MatchOptions) {
  const reference = await documentNamed(name, given.text('type'), context.streams);
  const most = given.text('limit') === null ? Number.POSITIVE_INFINITY : options.limit;
  const answer = options.thorough
    ? await everyPage((page) => index.similar(reference, page), options, most)
    : await index.similar(reference, options);
  context.show({ document: name, ...answer }, (shown: SimilarAnswer) => matchesText(name, shown));
}

async function askAll(list: string, { streams }: CliContext, index: IndexAccess): Promise<number> {
  let failed = 0;
  async function* texts(): AsyncGenerator<string> {
    for await (const line of index.similarLines(questionLines(list, streams))) {
      if (!/^\{"line":\d+,"status":200,/.test(line)) failed++;
      yield `${line}\n`;
    }
  }
  await streams.flow(texts());
  return failed === 0 ? EXIT_CODES.done : EXIT_CODES.refused;
}
