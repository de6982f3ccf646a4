import { SERVICE_LIMITS } from '../../service/limits.ts';
import type { MovedCandidate, MovedLineAnswer, MovedRequest } from '../../service/moved/moved-api.ts';
import { DEFAULT_MOVED_OPTIONS } from '../../service/moved/moved-options.ts';
import { CONTENT_WISHES } from '../../service/options.ts';
import { questionLines } from '../asking/question-lines.ts';
import { askEach, withIndex } from '../asking/with-index.ts';
import { type CliContext, type Command, type Given, UsageError } from '../command.ts';
import { WHERE } from '../command-options.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { choiceOf, numberOf } from '../option-values.ts';
import { count, readable } from '../texts.ts';
import { movedText } from './moved-text.ts';
import { MAP_FORMATS, type MapFormat, mapLines, type Redirect } from './redirect-map.ts';

/** The surest first. */
const SURENESSES = ['certain', 'likely', 'possible'] as const satisfies readonly MovedCandidate['sure'][];
type Sureness = (typeof SURENESSES)[number];

export const MOVED: Command = {
  name: 'moved',
  group: 'way in and out',
  operands: '<URL>...',
  summary: 'find where the documents of dead URLs are now; write redirect maps',
  about:
    'Looks in the index for the present place of the document of an old URL. With --links it writes a redirect map: the surest candidate for each old URL, if it is sure enough.',
  options: {
    ...WHERE,
    links: 'write a redirect map of the old URLs in this file, one per line (- for standard input)',
    format: 'the format of the map: csv, nginx, apache or htaccess (csv)',
    sure: 'the least sure candidates in the map: certain, likely or possible (likely)',
    always: 'look for copies of live URLs, too',
    content:
      'compare pages, their main texts less the frames of their sites (main), or main where there is one (auto): page, main or auto (page)',
    limit: `show at most this many candidates (${DEFAULT_MOVED_OPTIONS.limit})`,
    json: 'print a line of JSON for each URL instead of a map',
  },
  operandsMax: Number.POSITIVE_INFINITY,
  examples: [
    'shingled moved https://a.example/old',
    'shingled moved --links dead.txt > moved.csv',
    'shingled moved --links dead.txt --format nginx --sure certain > moved.map',
    'shingled moved --links dead.txt --json --server http://localhost:8080',
  ],
  run: async (given, context) => {
    const options = optionsOf(given);
    const links = given.text('links');
    if ((links === null) === (given.operands.length === 0)) {
      throw new UsageError('moved needs either old URLs or --links with a file of them');
    }
    const format = choiceOf(given, 'format', MAP_FORMATS, 'csv');
    const least = choiceOf(given, 'sure', SURENESSES, 'likely');
    const mapOnly = (['format', 'sure'] as const).find((name) => given.text(name) !== null);
    if (mapOnly !== undefined && (links === null || given.json)) {
      throw new UsageError(`--${mapOnly} is for a redirect map: it needs --links, and does not go with --json`);
    }
    const shownOnly = (['limit', 'always'] as const).find((name) => given.text(name) !== null);
    if (shownOnly !== undefined && links !== null && !given.json) {
      throw new UsageError(
        `--${shownOnly} is for candidates that are shown, and a redirect map has the surest: give --json`,
      );
    }
    return withIndex(given, context, (index) => {
      if (links === null) {
        return askEach(given, context, 'url', async (url) =>
          context.show(await index.moved({ url, ...options }), movedText),
        );
      }
      const answers = index.movedLines(requestsOf(links, context, options));
      return given.json ? showAll(context, answers) : writeMap(context, answers, format, least);
    });
  },
};

type Options = Omit<MovedRequest, 'url'>;

function optionsOf(given: Given): Options {
  const limit = numberOf(given, 'limit', { otherwise: DEFAULT_MOVED_OPTIONS.limit, max: SERVICE_LIMITS.limitMax });
  const content = choiceOf(given, 'content', CONTENT_WISHES, DEFAULT_MOVED_OPTIONS.content);
  return { ...DEFAULT_MOVED_OPTIONS, limit, always: given.has('always'), content };
}

/** Lines of a file, but blank ones and comments. */
async function* requestsOf(links: string, { streams }: CliContext, options: Options): AsyncGenerator<MovedRequest> {
  for await (const line of questionLines(links, streams)) {
    const url = line.trim();
    if (url !== '' && !url.startsWith('#')) yield { url, ...options };
  }
}

async function showAll({ streams }: CliContext, answers: AsyncIterable<MovedLineAnswer>): Promise<number> {
  let failed = 0;
  async function* texts(): AsyncGenerator<string> {
    for await (const answer of answers) {
      if (!('answer' in answer)) failed++;
      yield `${JSON.stringify(answer)}\n`;
    }
  }
  await streams.flow(texts());
  return failed === 0 ? EXIT_CODES.done : EXIT_CODES.refused;
}

async function writeMap(
  { streams }: CliContext,
  answers: AsyncIterable<MovedLineAnswer>,
  format: MapFormat,
  least: Sureness,
): Promise<number> {
  const tally = { asked: 0, sure: 0, unsure: 0, alive: 0, unknown: 0, failed: 0 };
  const left: Redirect[] = [];
  await streams.flow(mapLines(redirectsOf(answers, least, tally, streams), format, left));
  const { asked, sure, unsure, alive, unknown, failed } = tally;
  const told = [
    `${count(sure - left.length)} in the map`,
    `${count(unsure)} with less sure candidates`,
    `${count(asked - sure - unsure - alive - unknown - failed)} without any`,
    `${count(alive)} alive`,
    `${count(unknown)} not in the index`,
    ...(left.length === 0 ? [] : [`${count(left.length)} that ${format} cannot say, or that would lead in a circle`]),
    ...(failed === 0 ? [] : [`${count(failed)} refused`]),
  ];
  streams.err(`${count(asked)} old URLs: ${told.join(', ')}.\n`);
  return failed === 0 ? EXIT_CODES.done : EXIT_CODES.refused;
}

/** @param tally counts what became of the URLs: those that are in no group have no candidates */
async function* redirectsOf(
  answers: AsyncIterable<MovedLineAnswer>,
  least: Sureness,
  tally: Record<'asked' | 'sure' | 'unsure' | 'alive' | 'unknown' | 'failed', number>,
  streams: CliContext['streams'],
): AsyncGenerator<Redirect, void, undefined> {
  for await (const line of answers) {
    tally.asked++;
    if (!('answer' in line)) {
      if (line.code === 'unknown-url') tally.unknown++;
      else {
        tally.failed++;
        streams.err(readable(`${line.url ?? `line ${line.line}`}: ${line.detail}\n`));
      }
      continue;
    }
    const { url, state, candidates } = line.answer;
    const best = candidates[0];
    if (state === 'live') tally.alive++;
    else if (best !== undefined && SURENESSES.indexOf(best.sure) <= SURENESSES.indexOf(least)) {
      tally.sure++;
      yield { from: url, to: best.url, how: best.how, sure: best.sure };
    } else if (best !== undefined) tally.unsure++;
  }
}
