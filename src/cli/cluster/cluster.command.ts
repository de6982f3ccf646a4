import type { ClusterNeeds, ClusterProgress } from '../../cluster/port.ts';
import type { ClusterAnswers } from '../../cluster/result/cluster-answers.ts';
import type { ResultSummary } from '../../cluster/result/result-folder.ts';
import type { ClusterRequest } from '../../commands/cluster-commands.ts';
import { type CliContext, type Command, type Given, UsageError } from '../command.ts';
import { JSON_OPTION } from '../command-options.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { fieldsOf, INPUT_OPTIONS } from '../ingest/input-options.ts';
import { LineFile } from '../ingest/line-file.ts';
import { ProgressLine } from '../progress-line.ts';
import { bytesOf, shareOf } from '../share.ts';
import { readable } from '../texts.ts';
import { likenessOf, misused, preferenceOf } from './cluster-options.ts';
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
  summary: 'which documents of a corpus are copies of one another, at any threshold',
  about:
    'Reads a corpus once: whatever ingest reads from files, or a data folder, or a backup. What it finds stays in a folder (--out), which answers later, at any threshold from the floor up.',
  options: {
    out: 'the folder of the result, to be made',
    at: 'prints the clusters at a threshold, or at many: .5,.8',
    by: 'what joins documents: resemblance, or containment',
    floor: 'pairs below are not told apart (.25)',
    memory: "what the process may take, as 512M or 2G (half of the machine's)",
    tsv: 'clusters as a line for each URL: threshold, number, documents, URL',
    pairs: 'NDJSON of pairs at the lowest threshold, with both containments',
    removals: 'NDJSON of documents that may go, each with the one that stays for it',
    prefer: 'which stays: oldest, newest, longest, shortest-url or first (oldest)',
    plot: 'draws the clusters by threshold, as SVG',
    sketches: 'keeps what "dedupe --against" needs of the result, 3 to 5 bytes a shingle',
    ...INPUT_OPTIONS,
    ...JSON_OPTION,
  },
  operandsMax: Number.POSITIVE_INFINITY,
  examples: [
    'shingled cluster pages.ndjson --out result',
    'shingled cluster result --at .8',
    'shingled cluster result --at .5,.9 --tsv > clusters.tsv',
    'shingled cluster ./data --out result --plot sweep.svg',
  ],
  run: async (given, context) => {
    const { commands } = context;
    const [first] = given.operands;
    if (first === undefined) throw new UsageError('cluster needs a corpus, or the folder of a result');
    const thresholds = thresholdsOf(given);
    preferenceOf(given, 'prefer');
    likenessOf(given);
    shareOf(given, 'floor');
    refuseAlone(given, thresholds);
    const folder = given.text('out');
    if (folder === null) {
      const answers = given.operands.length === 1 ? await commands.clusters(first) : null;
      if (answers === null) throw new UsageError(`--out names the folder for what is found: ${first} is no result`);
      return tell(given, context, answers, thresholds);
    }
    const summary = await make(given, context, folder);
    if (summary === null) return EXIT_CODES.interrupted;
    const code = await tell(given, context, (await commands.clusters(folder))!, thresholds);
    return Object.keys(summary.leftOut).length > 0 ? EXIT_CODES.refused : code;
  },
};

/** @returns null where it was interrupted */
async function make(given: Given, { commands, streams }: CliContext, folder: string): Promise<ResultSummary | null> {
  const memoryBytes = bytesOf(given, 'memory');
  const request: ClusterRequest = {
    ...{ inputs: given.operands, fields: fieldsOf(given), folder, by: likenessOf(given) },
    ...{ floor: shareOf(given, 'floor') ?? FLOOR, hasSketches: given.has('sketches') },
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
    return await commands.cluster(request, { sources, signal, progress, needs });
  } catch (error) {
    if (!signal.aborted) throw misused(error);
    line.clear();
    streams.err('Interrupted. The same command goes on, where all documents were read already; else it begins anew.\n');
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

function thresholdsOf(given: Given): number[] {
  const text = given.text('at');
  if (text === null) return [];
  return text.split(',').map((one) => {
    const threshold = /^\d*\.?\d+$/.test(one.trim()) ? Number(one) : Number.NaN;
    if (threshold > 0 && threshold <= 1) return threshold;
    throw new UsageError(`--at is a share above 0 and up to 1, or several, such as .5,.8: "${one}" is none`);
  });
}
