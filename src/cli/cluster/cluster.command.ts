import type { ClusterNeeds, ClusterProgress } from '../../cluster/port.ts';
import type { ClusterAnswers } from '../../cluster/result/cluster-answers.ts';
import type { ResultSummary } from '../../cluster/result/result-folder.ts';
import type { ClusterRequest } from '../../commands/cluster-commands.ts';
import { missingText } from '../../plain-words/system-faults.ts';
import { type CliContext, type Command, type Given, UsageError } from '../command.ts';
import { JSON_OPTION } from '../command-options.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { isDocumentLost } from '../ingest/consequences.ts';
import { fieldsOf, INPUT_OPTIONS, tellPatterns } from '../ingest/input-options.ts';
import { LineFile } from '../ingest/line-file.ts';
import { bytesOf, shareOf, sharesOf } from '../option-values.ts';
import { ProgressLine } from '../progress-line.ts';
import { readable } from '../texts.ts';
import { contentOf, likenessOf, misused, preferenceOf } from './cluster-options.ts';
import { overviewText } from './cluster-overview.ts';
import { ClusterProgressText } from './cluster-progress.ts';
import { clusterTexts, needsText, summaryText } from './cluster-texts.ts';
import { refuseAlone, refuseMaking } from './result-options.ts';
import { writePlot } from './sweep-plot.ts';

/** Pairs below are not told apart, unless told. */
const FLOOR = 0.25;
/** Of a table: from the floor up. */
const SWEPT = [0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1];

export const CLUSTER: Command = {
  name: 'cluster',
  group: 'whole corpora',
  operands: '<input>... | <result>',
  summary: 'find the copies in a corpus, at any threshold',
  about:
    'Reads a corpus once: the files that ingest reads, a data folder, or a backup. The result stays in a folder (--out), which answers later questions at any threshold from the floor up.',
  values: { content: '<what>' },
  options: {
    out: 'the folder to make for the result',
    at: 'print the clusters at one threshold or several: .5,.8',
    by: 'the measure: resemblance or containment (resemblance)',
    content:
      'compare whole pages (page); the main text of each, less what the pages of its host have in common (main); or that where a document has any, else its page (auto)',
    floor: 'ignore pairs that are less alike than this (.25)',
    memory: "use at most this much memory, such as 512M or 2G (half of the machine's)",
    tsv: 'print a line for each URL: threshold, number, documents, URL',
    pairs: 'write pairs at the lowest threshold to this file, with both containments, as NDJSON',
    removals: 'write the documents that may go to this file, each with the one that stays for it, as NDJSON',
    prefer: 'which document stays: oldest, newest, longest, shortest-url or first (oldest)',
    plot: 'draw the clusters by threshold to this file, as SVG',
    sketches: 'keep what "dedupe --against" needs, 3 to 5 bytes per shingle',
    ...INPUT_OPTIONS,
    ...JSON_OPTION,
  },
  operandsMax: Number.POSITIVE_INFINITY,
  examples: [
    'shingled cluster pages.ndjson --out result',
    'shingled cluster result --at .8',
    'shingled cluster result --at .5,.9 --tsv > clusters.tsv',
    'shingled cluster ./data --out result --plot sweep.svg',
    'shingled cluster ./pages --content main --out result',
  ],
  run: async (given, context) => {
    const { commands } = context;
    const [first] = given.operands;
    if (first === undefined) throw new UsageError('cluster needs a corpus to read, or the folder of a result');
    const thresholds = sharesOf(given, 'at');
    preferenceOf(given, 'prefer');
    likenessOf(given);
    contentOf(given);
    shareOf(given, 'floor');
    refuseAlone(given, thresholds);
    const folder = given.text('out');
    if (folder === null) {
      const answers = given.operands.length === 1 ? await commands.clusters(first) : null;
      if (answers === null) throw new UsageError(lacking(first));
      return tell(given, context, answers, thresholds);
    }
    const summary = await make(given, context, folder);
    if (summary === null) return EXIT_CODES.interrupted;
    const code = await tell(given, context, (await commands.clusters(folder))!, thresholds);
    return Object.keys(summary.leftOut).some(isDocumentLost) ? EXIT_CODES.refused : code;
  },
};

/** Without --out, the operand is a result. */
function lacking(operand: string): string {
  const missing = missingText(operand);
  return missing ?? `cluster needs --out with the folder of the result to make: ${operand} is not a result`;
}

/** @returns null where it was interrupted */
async function make(given: Given, { commands, streams }: CliContext, folder: string): Promise<ResultSummary | null> {
  const memoryBytes = bytesOf(given, 'memory');
  const request: ClusterRequest = {
    ...{ inputs: given.operands, fields: fieldsOf(given), folder, by: likenessOf(given) },
    ...{ content: contentOf(given), floor: shareOf(given, 'floor') ?? FLOOR, hasSketches: given.has('sketches') },
    ...(memoryBytes === undefined ? {} : { memoryBytes }),
  };
  const signal = streams.catchInterrupts();
  const sources = await commands.sources(null, streams.input);
  const line = new ProgressLine(streams);
  const text = new ClusterProgressText();
  const progress = (told: ClusterProgress) => line.show(() => text.of(told));
  const needs = (told: ClusterNeeds) => {
    line.clear();
    streams.err(needsText(told));
  };
  try {
    const summary = await commands.cluster(request, { sources, signal, progress, needs });
    line.clear();
    tellPatterns(sources, streams);
    return summary;
  } catch (error) {
    if (!signal.aborted) throw misused(error);
    line.clear();
    streams.err(
      'Interrupted. The same command goes on, where all documents were read already; else it begins again.\n',
    );
    return null;
  } finally {
    line.clear();
    await sources.close();
  }
}

async function tell(
  given: Given,
  context: CliContext,
  answers: ClusterAnswers,
  thresholds: readonly number[],
): Promise<number> {
  const { streams } = context;
  try {
    const { folder, summary } = answers.result;
    if (given.text('out') === null) refuseMaking(given, folder, summary);
    const { by, floor } = summary;
    const swept = SWEPT.filter((threshold) => threshold >= floor);
    const [plot, pairs] = [given.text('plot'), given.text('pairs')];
    if (plot !== null) writePlot(plot, answers.sweep(swept));
    const least = Math.min(...thresholds, thresholds.length === 0 ? floor : 1);
    if (pairs !== null) writeLines(pairs, '--pairs', answers.pairs(least));
    const removals = given.text('removals');
    if (removals !== null) writeLines(removals, '--removals', answers.removals(least, preferenceOf(given, 'prefer')));
    if (thresholds.length === 0) {
      context.show({ ...summary, sweep: answers.sweep(swept) }, () => summaryText(summary, answers.sweep(swept)));
      return EXIT_CODES.done;
    }
    // before anything is printed
    const asked = answers.sweep(thresholds);
    if (streams.isOutputTerminal && !given.json && !given.has('tsv')) {
      const clustersOf = (threshold: number) => answers.clusters(threshold);
      streams.out(readable(overviewText({ by, sweep: asked, clustersOf })));
      return EXIT_CODES.done;
    }
    await streams.flow(clusterTexts(thresholds, (threshold) => answers.clusters(threshold), given.has('tsv')));
    return EXIT_CODES.done;
  } catch (error) {
    throw misused(error);
  } finally {
    answers.close();
  }
}

function writeLines(path: string, option: string, lines: Iterable<object>): void {
  const file = new LineFile(path, option, 0);
  try {
    for (const line of lines) file.add(line);
    file.sync();
  } finally {
    file.close();
  }
}
