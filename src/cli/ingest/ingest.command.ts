import type { FillAccess } from '../../client/port.ts';
import { ShingledError } from '../../errors.ts';
import type { IngestSources, InputFields, OpenedInput } from '../../ingest/sources.ts';
import { whereOf, withOpened } from '../asking/with-index.ts';
import type { Where } from '../cli-commands.ts';
import { type CliContext, type Command, type Given, UsageError } from '../command.ts';
import { JSON_OPTION, WHERE } from '../command-options.ts';
import { shareOf } from '../option-values.ts';
import { ProgressLine } from '../progress-line.ts';
import { readable } from '../texts.ts';
import { type BegunState, begunNotes, begunState } from './first-load/begun-load.ts';
import { goingOnText } from './first-load/first-load-texts.ts';
import { Room } from './first-load/room.ts';
import { FolderListing } from './folders/folder-listing.ts';
import { Load } from './ingest-run.ts';
import { fieldsOf, INPUT_OPTIONS, tellPatterns } from './input-options.ts';
import { type LineBound, LineFile } from './line-file.ts';
import { progressOf, tellEnd, withAdvice } from './load-messages.ts';
import type { LoadParts } from './load-parts.ts';
import { type LoadState, type LoadSubject, StateFile } from './state-file.ts';
import { emptyTally } from './tally.ts';
import { Teller } from './teller.ts';

/** Nearest documents that are named of each new one. */
const REPORTED = 5;
/** The file of refusals holds over a million of them by then. A packed file of 300 KB can have 70 million broken lines. */
const ERRORS_BYTES_MAX = 256 * 2 ** 20;

export const INGEST: Command = {
  name: 'ingest',
  group: 'way in and out',
  operands: '<input>...',
  summary: 'add documents from files, archives, folders and lists of URLs',
  about:
    'Reads records and writes their documents to the index. Inputs are files, folders, patterns, the addresses of sitemaps and feeds, and - for standard input. It is safe to run the same command again: it goes on where it was interrupted (--state), or finds that nothing has changed.',
  options: {
    ...WHERE,
    ...INPUT_OPTIONS,
    'meta-field': 'of records: a field that becomes meta; may be repeated',
    'unless-similar': 'skip a document that resembles a live one of another URL this much or more',
    'report-similar': 'write the new documents that resemble others to this file, as NDJSON',
    errors: 'write the records that were refused or passed over to this file, as NDJSON',
    state: 'keep the progress in this file until all is done, and beside it what is in folders',
    mirror: 'mark as gone what has vanished from the folders since the last run with the same --state',
    'dry-run': 'only read, and report what would be refused',
    ...JSON_OPTION,
  },
  operandsMax: Number.POSITIVE_INFINITY,
  examples: [
    'shingled ingest pages.ndjson --state load.state --errors refused.ndjson',
    'shingled ingest crawl/*.warc.gz --server http://localhost:8080 --key-file key',
    'shingled ingest docs --url-prefix https://a.example/docs/ --include *.html',
    'shingled ingest docs --url-prefix https://a.example/ --state step --mirror',
    'shingled ingest dump.csv --url-field link --text-field body',
    'shingled ingest https://a.example/sitemap.xml',
  ],
  run: async (given, context) => {
    if (given.operands.length === 0)
      throw new UsageError('ingest needs something to read: files, folders, URLs, or - for standard input');
    const unless = shareOf(given, 'unless-similar');
    const isTrial = given.has('dry-run');
    const beside = ['state', 'mirror', 'report-similar', 'unless-similar', 'server'] as const;
    const unfit = beside.find((name) => given.text(name) !== null || given.has(name));
    if (isTrial && unfit !== undefined) {
      throw new UsageError(`--${unfit} does not go with --dry-run, which uses no index`);
    }
    if (given.has('mirror') && given.text('state') === null) {
      throw new UsageError('--mirror needs --state <file>, which keeps what was in the folder');
    }
    // before anything is looked for
    whereOf(given);
    const fields = fieldsOf(given);
    const { commands, streams } = context;
    const until = streams.catchInterrupts();
    const sources = await commands.sources(given.dataDir, streams.input);
    try {
      const written = ['errors', 'report-similar', 'state'] as const;
      const files = written.map((name) => given.text(name)).filter((file) => file !== null);
      const inputs = await sources.find(given.operands, files).catch(refuse);
      if (given.has('mirror') && !inputs.some(({ kind }) => kind === 'folder')) {
        throw new UsageError(
          '--mirror needs a folder among the inputs: only of a folder is it known what has vanished',
        );
      }
      const wished = { unless, until, sources, inputs, fields };
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
    const begun = begunState(index, begunSubject(given, { inputs, fields }));
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
  const fileOf = (name: 'errors' | 'report-similar', keptBytes: number, bound: LineBound | null = null) =>
    given.text(name) === null ? null : new LineFile(given.text(name)!, `--${name}`, keptBytes, bound);
  const bound = { bytesMax: ERRORS_BYTES_MAX, leftOut: before?.errorsLeftOut ?? 0 };
  const errors = fileOf('errors', before?.errorsBytes ?? 0, bound);
  const similar = fileOf('report-similar', before?.similarBytes ?? 0);
  const listing = listingOf(given, { inputs, fields }, before);
  const doubt = index === null ? null : ((await listing?.check(index)) ?? null);
  if (doubt !== null) streams.err(readable(`${doubt}\n`));
  const teller = new Teller(tally, { errors, similar, listing });
  const line = new ProgressLine(streams);
  const progress = progressOf(tally, index);
  const room = new Room(() => index?.firstLoad);
  const warn = (text: string | null) => text !== null && streams.err(readable(text));
  warn(before === null ? room.before(inputs) : null);
  const startedAt = performance.now();
  const load = new Load({
    ...{ index, teller, until, openList: sources.openList },
    inputs: opened(() => {
      const found = sources.openInputs(
        before?.isAtEnd === true ? [] : inputs,
        fields,
        before?.position ?? null,
        listing?.isAsBefore,
      );
      return listing?.follow(found, given.has('mirror')) ?? found;
    }),
    note: begunNotes(begunSubject(given, { inputs, fields })),
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
    if (!isDone) listing?.close();
  }
  if (isDone) {
    tellPatterns(sources, streams);
    if (listing === null) state?.remove();
    else listing.finish(() => state?.remove());
  }
  const hidden = isDone && given.has('mirror') ? (listing?.hidden ?? null) : null;
  const elapsedMs = performance.now() - startedAt;
  return tellEnd(context, index, {
    ...{ load, teller, before: tally, inputs, fields, hidden, elapsedMs, isDone },
    ...{ hasState: state !== null, areAllNamed: errors !== null },
  });
}

const begunSubject = (given: Given, subject: LoadSubject) => ({
  ...subject,
  errors: given.text('errors'),
  state: given.text('state'),
});

/** What is known of the folders among the inputs; null without a state, or a folder. */
function listingOf(given: Given, subject: LoadSubject, before: LoadState | null): FolderListing | null {
  const path = given.text('state');
  if (path === null || !subject.inputs.some(({ kind }) => kind === 'folder')) return null;
  return new FolderListing(path, subject, before?.listingBytes ?? 0);
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
