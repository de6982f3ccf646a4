import type { Preference } from '../../cluster/result/removals.ts';
import type { DedupeReport, DedupeRequest } from '../../commands/dedupe/port.ts';
import { ShingledError } from '../../errors.ts';
import { type CliContext, type Command, type Given, UsageError } from '../command.ts';
import { JSON_OPTION } from '../command-options.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { fieldsOf, INPUT_OPTIONS } from '../ingest/input-options.ts';
import { ProgressLine } from '../progress-line.ts';
import { bytesOf, shareOf } from '../share.ts';
import { readable } from '../texts.ts';
import { likenessOf, misused, preferenceOf } from './cluster-options.ts';
import { ClusterProgressText } from './cluster-progress.ts';
import { needsText } from './cluster-texts.ts';
import { dedupeProgressText, reportText } from './dedupe-texts.ts';

const THRESHOLD = 0.8;
const FIELD = 'field:';

export const DEDUPE: Command = {
  name: 'dedupe',
  group: 'whole corpora',
  operands: '<input>...',
  summary: 'a corpus without its copies, in the format in which it came',
  about:
    'Writes the records that stay, and a line for each one that goes: which document stays for it, and how alike the two are, never less than the threshold. Records without a document stay.',
  options: {
    kept: 'what stays: a file; a folder, by a slash at its end, with a file for each input; or - for standard output',
    removed: 'NDJSON of what goes',
    threshold: 'how alike copies are at the least (.8)',
    keep: 'which stays: oldest, newest, longest, shortest-url, first, or field:<name> for the greatest value (oldest)',
    by: 'what copies are told by: resemblance, or containment of what goes in what stays',
    against:
      'another corpus that stays as it is: files, a data folder, a backup, or a result with its sketches; what is in it goes',
    'against-only': 'copies within the inputs stay',
    work: 'the folder of what is found, which is kept; the same command goes on with it',
    memory: "what the process may take, as 512M or 2G (half of the machine's)",
    floor: 'pairs below are not told apart: for asking --work again at a lower threshold',
    ...INPUT_OPTIONS,
    ...JSON_OPTION,
  },
  values: { keep: '<which>' },
  operandsMax: Number.POSITIVE_INFINITY,
  examples: [
    'shingled dedupe pages.ndjson --kept kept.ndjson --removed removed.ndjson',
    'shingled dedupe *.warc.gz --keep newest --kept kept/ --removed gone.ndjson',
    'shingled dedupe new.parquet --against ./data --kept kept.parquet --removed gone.ndjson',
    'shingled dedupe a.csv --keep field:score --kept - --removed gone.ndjson > kept.csv',
  ],
  run: async (given, context) => {
    const { streams } = context;
    const request = requestOf(given);
    const signal = streams.catchInterrupts();
    const line = new ProgressLine(streams);
    const text = new ClusterProgressText();
    const sources = await context.commands.sources(null, streams.input);
    try {
      const report = await context.commands.dedupe(request, {
        ...{ sources, signal, stdout: (bytes) => taken(streams.outBytes(bytes)) },
        progress: (told) => line.show(() => dedupeProgressText(told, text)),
        needs: (told) => {
          line.clear();
          streams.err(needsText(told));
        },
      });
      line.clear();
      tell(given, context, report);
      const refused = Object.keys(report.notJudged).some((why) => why !== 'no-document');
      return refused || report.lost > 0 ? EXIT_CODES.refused : EXIT_CODES.done;
    } catch (error) {
      line.clear();
      if (!signal.aborted) throw misused(error);
      streams.err(
        'Interrupted. The same command goes on, where all documents were read already; else it begins anew.\n',
      );
      return EXIT_CODES.interrupted;
    } finally {
      await sources.close();
    }
  },
};

function requestOf(given: Given): DedupeRequest {
  const [kept, removed] = [given.text('kept'), given.text('removed')];
  if (given.operands.length === 0) throw new UsageError('dedupe needs a corpus: files or folders');
  if (kept === null || removed === null) {
    throw new UsageError('dedupe needs --kept and --removed: where what stays is to be written, and what goes');
  }
  if (removed === '-') throw new UsageError('--removed is a file: standard output takes --kept alone');
  const path = given.text('against');
  if (path === null && given.has('against-only')) throw new UsageError('--against-only needs --against');
  const [threshold, floor] = [shareOf(given, 'threshold') ?? THRESHOLD, shareOf(given, 'floor')];
  const memoryBytes = bytesOf(given, 'memory');
  if (floor !== null && floor > threshold) throw new UsageError('--floor is no more than --threshold');
  return {
    ...{
      inputs: given.operands,
      fields: fieldsOf(given),
      threshold,
      floor,
      by: likenessOf(given),
      keep: keepOf(given),
    },
    ...{ kept, removed, work: given.text('work') },
    ...(memoryBytes === undefined ? {} : { memoryBytes }),
    against: path === null ? null : { path, isAlone: given.has('against-only') },
  };
}

function keepOf(given: Given): Preference | { readonly field: string } {
  const text = given.text('keep');
  if (text?.startsWith(FIELD) !== true) return preferenceOf(given, 'keep', ' or field:<name>');
  const field = text.slice(FIELD.length);
  if (field === '' || field === '*') throw new UsageError('--keep field:<name> needs the name of one field');
  return { field };
}

/** Where the corpus goes to standard output, what it came to goes to standard error. */
function tell(given: Given, { streams, show }: CliContext, report: DedupeReport): void {
  if (given.text('kept') !== '-') show(report, reportText);
  else streams.err(given.json ? `${JSON.stringify(report)}\n` : readable(reportText(report)));
}

async function taken(writing: Promise<void>): Promise<void> {
  try {
    await writing;
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw new ShingledError('output-unwritable', `Standard output took no more: ${why}.`, { cause });
  }
}
