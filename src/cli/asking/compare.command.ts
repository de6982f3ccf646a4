import type { IndexAccess } from '../../client/port.ts';
import { ERRORS, ShingledError } from '../../errors.ts';
import type { CompareAnswer, FetchWish } from '../../service/api.ts';
import { type CliContext, type Command, type Given, UsageError } from '../command.ts';
import { JSON_OPTION, WHERE } from '../command-options.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { choiceOf } from '../option-values.ts';
import { differencesText } from './difference-texts.ts';
import { explanationText } from './explanation-text.ts';
import { documentNamed, FETCH_WISHES } from './named-documents.ts';
import { questionLines } from './question-lines.ts';
import { comparisonText } from './share-texts.ts';
import { refuseBeside, withIndex } from './with-index.ts';

/** With a list, each of its lines says these. */
const BY_QUESTION = ['passages', 'explain', 'differences', 'type', 'fetch'] as const;

/** What each share is decided against, as over HTTP. */
const THRESHOLDS = { resemblance: 0.5, aInB: 0.8, bInA: 0.8 };

export const COMPARE: Command = {
  name: 'compare',
  group: 'way in and out',
  operands: '<a> <b>',
  summary: 'compare two documents with each other',
  about:
    'Compares two documents: files, URLs, or - for standard input. The result is exact if both are files, and an estimate otherwise. Nothing is stored.',
  options: {
    ...WHERE,
    passages: 'show the passages that are shared',
    explain: 'show each step from bytes to thresholds, and whether a query with a finds b',
    differences: 'show what the texts have in common and what not, in order',
    type: 'the Content-Type of the files, if names and bytes do not tell',
    fetch: 'whether to fetch URLs: auto, never or always (auto)',
    list: 'read pairs from this file, as lines of JSON for POST /compare',
    ...JSON_OPTION,
  },
  operandsMax: 2,
  examples: [
    'shingled compare draft.html final.html --passages',
    'shingled compare draft.html final.html --differences',
    'shingled compare draft.html https://a.example/x --explain',
    'shingled compare https://a.example/x copy.txt --json',
    'shingled compare --list pairs.ndjson > answers.ndjson',
  ],
  run: async (given, context) => {
    const list = given.text('list');
    const [a, b] = given.operands;
    if (list !== null ? a !== undefined : b === undefined) {
      throw new UsageError('compare needs either two documents (files, URLs, or -) or --list with a file of pairs');
    }
    const fetch = choiceOf(given, 'fetch', FETCH_WISHES, 'auto');
    if (list !== null) refuseBeside(given, 'list', BY_QUESTION);
    return withIndex(given, context, (index) =>
      list === null ? compareTwo(given, fetch, context, index) : compareAll(list, context, index),
    );
  },
};

async function compareTwo(given: Given, fetch: FetchWish, context: CliContext, index: IndexAccess): Promise<number> {
  const [a, b] = given.operands as [string, string];
  const type = given.text('type');
  const answer = await index.compare({
    a: await documentNamed(a, type, context.streams),
    b: await documentNamed(b, type, context.streams),
    ...{ thresholds: THRESHOLDS, passages: given.has('passages'), fetch, deadlineMs: null },
    ...(given.has('explain') ? { explain: true } : {}),
    ...(given.has('differences') ? { differences: true, texts: true } : {}),
  });
  context.show(answer, (shown) => `${comparisonText(a, b, shown)}${explanationText(shown)}${differencesText(shown)}`);
  return EXIT_CODES.done;
}

/** One after the other: a pair is compared in milliseconds. */
async function compareAll(list: string, { streams }: CliContext, index: IndexAccess): Promise<number> {
  let failed = 0;
  async function* texts(): AsyncGenerator<string> {
    let line = 0;
    for await (const question of questionLines(list, streams)) {
      line++;
      if (question.trim() === '') continue;
      const answer = await answerTo(question, index);
      if ('code' in answer) failed++;
      yield `${JSON.stringify({ line, ...answer })}\n`;
    }
  }
  await streams.flow(texts());
  return failed === 0 ? EXIT_CODES.done : EXIT_CODES.refused;
}

type PairAnswer =
  | { readonly status: 200; readonly answer: CompareAnswer }
  | { readonly status: number; readonly code: string; readonly detail: string };

/** They end the list. */
const NO_FAULT_OF_PAIRS: ReadonlySet<string> = new Set([
  'service-unreachable',
  'unauthorized',
  'forbidden',
  'internal',
]);

async function answerTo(question: string, index: IndexAccess): Promise<PairAnswer> {
  try {
    return { status: 200, answer: await index.compareAsked(parsed(question)) };
  } catch (error) {
    if (!(error instanceof ShingledError) || NO_FAULT_OF_PAIRS.has(error.code)) throw error;
    return { status: error.status, code: error.code, detail: error.message };
  }
}

function parsed(question: string): unknown {
  try {
    return JSON.parse(question);
  } catch (cause) {
    throw new ShingledError('invalid-json', `${ERRORS['invalid-json'].title}.`, { cause });
  }
}
