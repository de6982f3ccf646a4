import type { FillAccess } from '../../client/port.ts';
import { ShingledError } from '../../errors.ts';
import type { IngestSources, InputFields, OpenedInput } from '../../ingest/sources.ts';
import { whereOf, withOpened } from '../asking/with-index.ts';
import type { Where } from '../cli-commands.ts';
import { type CliContext, type Command, type Given, UsageError } from '../command.ts';
import { JSON_OPTION, WHERE } from '../command-options.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { clockText, ProgressLine } from '../progress-line.ts';
import { shareOf } from '../share.ts';
import { count, readable, table } from '../texts.ts';
import { type BegunState, begunNotes, begunState, keptOf } from './first-load/begun-load.ts';
import { goingOnText, keptText, NOTHING_KEPT, phasesWith, phaseTexts } from './first-load/first-load-texts.ts';
import { Room } from './first-load/room.ts';
import { Load } from './ingest-run.ts';
import { fieldsOf, INPUT_OPTIONS } from './input-options.ts';
import { LineFile } from './line-file.ts';
import type { LoadParts, LoadView } from './load-parts.ts';
import { type LoadState, StateFile } from './state-file.ts';
import { emptyTally, type IngestSummary, sum, summaryOf, summaryRows, type Tally, undone } from './tally.ts';
import { Teller } from './teller.ts';

/** Nearest documents that are named of each new one. */
const REPORTED = 5;

export const INGEST: Command = {
  name: 'ingest',
  group: 'way in and out',
  operands: '<input>...',
  summary: 'read files, archives, folders and lists of URLs into it',
  about:
    'Reads records and writes their documents. Inputs are files, folders, globs, addresses of sitemaps and feeds, and - for standard input. The same command again goes on where it was interrupted (--state), or finds all as it is: it never does harm.',
  options: {
    ...WHERE,
    ...INPUT_OPTIONS,
    'meta-field': 'of records: one that becomes meta; again for more',
    'unless-similar': 'skip what resembles a live document of another URL so much',
    'report-similar': 'NDJSON of new documents and what they resemble',
    errors: 'NDJSON of records that were refused, and why',
    state: 'keeps how far it came, until all is done',
    'dry-run': 'only read, and say what would be refused',
    ...JSON_OPTION,
  },
  operandsMax: Number.POSITIVE_INFINITY,
  examples: [
    'shingled ingest pages.ndjson --state load.state --errors refused.ndjson',
    'shingled ingest crawl/*.warc.gz --server http://localhost:8080 --key-file key',
    'shingled ingest docs --url-prefix https://a.example/docs/ --include *.html',
    'shingled ingest dump.csv --url-field link --text-field body --unless-similar .9',
    'shingled ingest https://a.example/sitemap.xml',
  ],
  run: async (given, context) => {
    if (given.operands.length === 0) throw new UsageError('ingest needs something to read: files, folders, - or URLs');
    const unless = shareOf(given, 'unless-similar');
    const isTrial = given.has('dry-run');
    const unfit = (['state', 'report-similar', 'unless-similar', 'server'] as const).find((name) => given.text(name));
    if (isTrial && unfit !== undefined) {
      throw new UsageError(`--${unfit} does not go with --dry-run, which asks no index`);
    }
    // before anything is looked for
    whereOf(given);
    const { commands, streams } = context;
    const until = streams.catchInterrupts();
    const sources = await commands.sources(given.dataDir, streams.input);
    try {
      const inputs = await sources.find(given.operands).catch(refuse);
      const wished = { unless, until, sources, inputs, fields: fieldsOf(given) };
      if (isTrial) return await ingest(given, context, null, { ...wished, state: null, before: null });
      return await ingestInto(given, context, wished);
    } finally {
      await sources.close();
    }
  },
};

interface Wished {
  readonly unless: number | null;
  readonly until: AbortSignal;
  readonly sources: IngestSources;
  readonly inputs: Awaited<ReturnType<IngestSources['find']>>;
  readonly fields: InputFields;
}

function ingestInto(given: Given, context: CliContext, wished: Wished): Promise<number> {
  const { unless, until, inputs, fields } = wished;
  const state = given.text('state') === null ? null : new StateFile(given.text('state')!, { inputs, fields });
  const from = { ...wished, state, before: state?.read() ?? null };
  // what asks for neighbours, or goes on, wants an index that is there
  const isPlain = unless === null && given.text('report-similar') === null && from.before === null;
  const { commands } = context;
  const open = (where: Omit<Where, 'mustExist'>) =>
    isPlain ? commands.fill({ ...where, mustExist: false }, until) : commands.open({ ...where, mustExist: false });
  return withOpened<FillAccess, number>(given, open, (index) => {
    const begun = begunState(index, { inputs, fields, errors: given.text('errors') });
    if (begun !== null) context.streams.err(goingOnText(begun.tally.read));
    return ingest(given, context, index, { ...from, before: begun ?? from.before });
  });
}

interface From extends Wished {
  readonly state: StateFile | null;
  readonly before: (LoadState & Partial<Pick<BegunState, 'isAtEnd'>>) | null;
}

async function ingest(
  given: Given,
  context: CliContext,
  index: FillAccess | null,
  { unless, until, sources, inputs, fields, state, before }: From,
): Promise<number> {
  const { streams } = context;
  const tally = before?.tally ?? emptyTally();
  const fileOf = (name: 'errors' | 'report-similar', keptBytes: number) =>
    given.text(name) === null ? null : new LineFile(given.text(name)!, `--${name}`, keptBytes);
  const errors = fileOf('errors', before?.errorsBytes ?? 0);
  const similar = fileOf('report-similar', before?.similarBytes ?? 0);
  const teller = new Teller(tally, { errors, similar });
  const line = new ProgressLine(streams);
  const progress = progressOf(tally, index);
  const room = new Room(() => index?.firstLoad);
  const warn = (text: string | null) => text !== null && streams.err(readable(text));
  warn(before === null ? room.before(inputs) : null);
  const startedAt = performance.now();
  const load = new Load({
    ...{ index, teller, until, openList: sources.openList },
    inputs: opened(() => sources.openInputs(before?.isAtEnd === true ? [] : inputs, fields, before?.position ?? null)),
    note: begunNotes({ inputs, fields, errors: given.text('errors') }),
    from: before?.position ?? null,
    wish: wishOf(unless, similar !== null),
    keep: (sure) => state?.write(sure),
    onTick: (at) => {
      line.show(() => progress(at));
      warn(room.while(() => at.bytesLeft));
    },
  } satisfies LoadParts);
  let isDone = false;
  try {
    isDone = await load.run();
  } catch (error) {
    if (error !== until.reason || !until.aborted) throw withAdvice(error, teller.tally.read, index, state !== null);
  } finally {
    line.clear();
    teller.close();
  }
  if (isDone) state?.remove();
  const end = isDone ? ('done' as const) : ('interrupted' as const);
  const elapsedMs = performance.now() - startedAt;
  const { firstLoad } = index ?? {};
  const isUndone = firstLoad?.isKept === false;
  const kept = isUndone ? keptOf(firstLoad) : null;
  const phases = firstLoad === undefined ? load.phases : phasesWith(load.phases, firstLoad);
  const run = { end, isDryRun: index === null, elapsedMs, phases, before: tally };
  const summary = summaryOf(kept?.tally ?? (isUndone ? undone(teller.tally) : teller.tally), run);
  context.show(summary, () => summaryText(summary, teller.firsts, errors === null));
  if (isDone) return sum(summary.refused) > 0 ? EXIT_CODES.refused : EXIT_CODES.done;
  streams.err(`Interrupted after ${count(teller.tally.read)} records. ${howToGoOn(index, state !== null)}\n`);
  return EXIT_CODES.interrupted;
}

/** What is wrong with what was asked for is wrong with the command line. */
function refuse(error: unknown): never {
  throw error instanceof ShingledError && error.code === 'invalid-request' ? new UsageError(error.message) : error;
}

function opened(open: () => AsyncIterable<OpenedInput>): AsyncIterable<OpenedInput> {
  try {
    return open();
  } catch (error) {
    return refuse(error);
  }
}

const wishOf = (unless: number | null, isReported: boolean): LoadParts['wish'] => ({
  similar: isReported ? REPORTED : 0,
  unless: unless === null ? null : { resemblance: unless, queryInMatch: null, matchInQuery: null },
});

function howToGoOn(index: FillAccess | null, hasState: boolean): string {
  const { firstLoad } = index ?? {};
  if (firstLoad?.isKept === false) {
    const kept = keptOf(firstLoad);
    return kept === null ? NOTHING_KEPT : keptText(kept.tally.read);
  }
  return hasState
    ? 'To go on, run the same command again.'
    : 'Run the same command again: what is there already comes to "unchanged". With --state it would go on from here.';
}

function withAdvice(error: unknown, read: number, index: FillAccess | null, hasState: boolean): unknown {
  if (!(error instanceof ShingledError)) return error;
  const { code, message, field, limit } = error;
  const done = index?.firstLoad?.isKept === false ? '' : ', which are done';
  const advice = `It ended after ${count(read)} records${done}. ${howToGoOn(index, hasState)}`;
  return new ShingledError(code, `${message}\n${advice}`, { field, limit, cause: error });
}

/** How far a load is, in a line: what it has read, how fast, for how long still. */
function progressOf(before: Tally, index: FillAccess | null): (load: LoadView) => string {
  const startedAt = performance.now();
  // when it was first known, which takes a folder a while
  let first: { readonly left: number; readonly atMs: number } | null = null;
  return ({ tally, bytesLeft }) => {
    const elapsedMs = performance.now() - startedAt;
    const [read, bytes] = [tally.read - before.read, tally.bytes - before.bytes];
    if (bytesLeft !== null) first ??= { left: bytesLeft, atMs: elapsedMs };
    const done = first === null || bytesLeft === null ? 0 : first.left - bytesLeft;
    const seconds = done > 0 ? ((elapsedMs - first!.atMs) / 1000) * (bytesLeft! / done) : null;
    const phases = index?.firstLoad === undefined ? [] : phaseTexts(index.firstLoad);
    const rate = `${count(Math.round((read / elapsedMs) * 1000))}/s, ${(bytes / elapsedMs / 1000).toFixed(1)} MB/s`;
    const eta = seconds === null ? [] : [`ETA ${clockText(seconds)}`];
    return [
      `${count(tally.read)} documents`,
      `${count(Math.round(tally.bytes / 1e6))} MB`,
      // once all is read, that is what there is to be told, and a line has no room for both
      ...(phases.length > 0 ? phases : [rate, ...eta]),
      `${count(sum(tally.refused))} refused`,
    ].join('  ');
  };
}

/** @param firsts of what was refused or passed over, one of each reason */
function summaryText(summary: IngestSummary, firsts: ReadonlyMap<string, string>, isMore: boolean): string {
  const what = summary.isDryRun ? 'Nothing was written.\n' : '';
  const rows = `${what}${table(summaryRows(summary)).join('\n')}\n`;
  if (firsts.size === 0) return rows;
  const more = isMore ? ' (--errors <file> names all)' : '';
  const each = [...firsts].map(([reason, first]) => `  ${reason}\n    ${first}\n`);
  return `${rows}\nThe first of each reason${more}\n${each.join('')}`;
}
