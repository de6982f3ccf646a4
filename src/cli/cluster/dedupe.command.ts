import type { Preference } from '../../cluster/result/removals.ts';
import type { DedupeReport, DedupeRequest } from '../../commands/dedupe/port.ts';
import { ShingledError } from '../../errors.ts';
import { systemFault } from '../../plain-words/system-faults.ts';
import { type CliContext, type Command, type Given, UsageError } from '../command.ts';
import { JSON_OPTION } from '../command-options.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { isDocumentLost } from '../ingest/consequences.ts';
import { fieldsOf, INPUT_OPTIONS, tellPatterns } from '../ingest/input-options.ts';
import { bytesOf, shareOf } from '../option-values.ts';
import { ProgressLine } from '../progress-line.ts';
import { readable } from '../texts.ts';
import { contentOf, likenessOf, misused, preferenceOf } from './cluster-options.ts';
import { ClusterProgressText } from './cluster-progress.ts';
import { needsText } from './cluster-texts.ts';
import { dedupeProgressText, reportText } from './dedupe-texts.ts';

const THRESHOLD = 0.8;
const FIELD = 'field:';

export const DEDUPE: Command = {
  name: 'dedupe',
  group: 'whole corpora',
  operands: '<input>...',
  summary: 'write a corpus without its copies, in its own format',
  about:
    'Writes the records that stay, and a line for each record that goes: which document stays for it, and how alike the two are, which is never less than the threshold. Records without a document stay.',
  options: {
    kept: 'where the records that stay are written: a file; a folder, with a slash at its end, for a file per input; or - for standard output',
    removed: 'write the records that go to this file, as NDJSON',
    threshold: 'copies are at least this alike (.8)',
    keep: 'which document stays: oldest, newest, longest, shortest-url, first, or field:<name> for the greatest value (oldest)',
    by: 'the measure: resemblance, or containment of what goes in what stays (resemblance)',
    content:
      'compare whole pages (page); the main text of each, less what the pages of its host have in common (main); or that where a document has any, else its page (auto)',
    against:
      'another corpus, which stays as it is; documents that are in it go: files, a data folder, a backup, or a result with its sketches',
    'against-only': 'keep copies within the inputs',
    work: 'keep what is found in this folder, so that the same command goes on with it',
    memory: "use at most this much memory, such as 512M or 2G (half of the machine's)",
    floor: 'find pairs down to this, so that --work can be asked again at a lower threshold',
    ...INPUT_OPTIONS,
    ...JSON_OPTION,
  },
  values: { keep: '<which>', content: '<what>' },
  operandsMax: Number.POSITIVE_INFINITY,
  examples: [
    'shingled dedupe pages.ndjson --kept kept.ndjson --removed removed.ndjson',
    'shingled dedupe *.warc.gz --keep newest --kept kept/ --removed gone.ndjson',
    'shingled dedupe new.csv --against ./data --kept kept.csv --removed gone.ndjson',
    'shingled dedupe a.csv --keep field:score --kept - --removed gone.nd > kept.csv',
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
      tellPatterns(sources, streams);
      tell(given, context, report);
      const refused = Object.keys(report.notJudged).some(isDocumentLost);
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
  if (given.operands.length === 0) throw new UsageError('dedupe needs something to read: files or folders');
  if (kept === null || removed === null) {
    throw new UsageError(
      'dedupe needs --kept and --removed: the places of the records that stay and of the list of those that go',
    );
  }
  if (removed === '-') throw new UsageError('--removed needs a file: only --kept can go to standard output');
  const path = given.text('against');
  if (path === null && given.has('against-only')) throw new UsageError('--against-only needs --against');
  const [threshold, floor] = [shareOf(given, 'threshold') ?? THRESHOLD, shareOf(given, 'floor')];
  const memoryBytes = bytesOf(given, 'memory');
  if (floor !== null && floor > threshold) throw new UsageError('--floor must not be above --threshold');
  return {
    ...{
      inputs: given.operands,
      fields: fieldsOf(given),
      threshold,
      floor,
      by: likenessOf(given),
      content: contentOf(given),
      keep: keepOf(given),
    },
    ...{ kept, removed, work: given.text('work') },
    ...(memoryBytes === undefined ? {} : { memoryBytes }),
    against: path === null ? null : { path, isAlone: given.has('against-only') },
  };
}

function keepOf(given: Given): Preference | { readonly field: string } {
  const text = given.text('keep');
  if (text?.startsWith(FIELD) !== true) return preferenceOf(given, 'keep', 'field:<name>');
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
    throw new ShingledError('output-unwritable', `Standard output takes no more: ${systemFault(cause)}.`, { cause });
  }
}
