import type { ClusterNeeds, ContentsTold } from '../../cluster/port.ts';
import type { ClusterLine } from '../../cluster/result/cluster-lines.ts';
import type { ResultSummary } from '../../cluster/result/result-folder.ts';
import type { SweepRow } from '../../core/cluster/threshold-sweep.ts';
import { gathered } from '../../sharing/gathered-texts.ts';
import { bytes, count, table } from '../texts.ts';

/* What is told of clusters. */

/** A line on what a run will take. */
export function needsText({ phase, memoryBytesMax, memoryBytes, temporaryBytes, freeBytes }: ClusterNeeds): string {
  const limit = memoryBytesMax === null ? 'without a bound' : `at the most ${bytes(memoryBytesMax)} (--memory)`;
  const memory = memoryBytes === null ? limit : `about ${bytes(memoryBytes)}, ${limit}`;
  const files = temporaryBytes === null ? 'a size not known yet' : `up to ${bytes(temporaryBytes)}`;
  const when = phase === 'documents' ? 'Before documents are read' : 'Documents are read';
  return `${when}: memory ${memory}, temporary files ${files}; ${bytes(freeBytes)} are free there.\n`;
}

/** Clusters of each threshold as lines of JSON, or as a line for each URL. A text has many of them. */
export function clusterTexts(
  thresholds: readonly number[],
  clustersOf: (threshold: number) => Iterable<ClusterLine>,
  isTsv: boolean,
): Iterable<string> {
  return gathered(clusterLines(thresholds, clustersOf, isTsv));
}

function* clusterLines(
  thresholds: readonly number[],
  clustersOf: (threshold: number) => Iterable<ClusterLine>,
  isTsv: boolean,
): Generator<string, void, undefined> {
  if (isTsv) yield 'threshold\tcluster\tdocuments\turl\n';
  for (const threshold of thresholds) {
    let number = 0;
    for (const cluster of clustersOf(threshold)) {
      yield isTsv ? tsvOf(cluster, ++number) : `${JSON.stringify(cluster)}\n`;
    }
  }
}

const tsvOf = ({ threshold, documents, urls }: ClusterLine, number: number) =>
  urls.map((url) => `${threshold}\t${number}\t${documents}\t${url}\n`).join('');

/** By which contents documents were compared, a row a figure; none where that was by pages. */
export function contentsRows(contents: ContentsTold | undefined): [string, string][] {
  if (contents === undefined) return [];
  const { by, templates, tooLittle, notRead, estimated } = contents;
  const whole = by === 'auto' ? 'compared by whole pages' : 'not compared';
  const some = (what: string, number: number): [string, string][] => (number === 0 ? [] : [[what, count(number)]]);
  return [
    ['compared by', `content (${by})`],
    ['hosts with a template', count(templates)],
    ...some(`contents too short, ${whole}`, tooLittle),
    ...some(`contents without a known main text, ${whole}`, notRead),
    ...some('contents of an estimated size', estimated),
  ];
}

export function summaryText(
  { counts, contents, leftOut, leftOutPairs, by, floor, recall }: ResultSummary,
  sweep: readonly SweepRow[],
): string {
  const { records, documents, texts, nodes, candidates, edges } = counts;
  const rows: [string, string][] = [
    ['records', count(records)],
    ['documents', count(documents)],
    ['different contents', count(texts)],
    ['different sets of shingles', count(nodes)],
    ...contentsRows(contents),
    ['pairs compared', count(candidates)],
    [`pairs of ${by} ${floor} or more`, count(edges)],
    ...(leftOutPairs === undefined
      ? []
      : [['sets of shingles of which not all pairs were compared', count(leftOutPairs.nodes)] as [string, string]]),
    ...Object.entries(leftOut).map(([why, number]): [string, string] => [`left out: ${why}`, count(number)]),
  ];
  const recallOf = (threshold: number) => recall.find((row) => row.threshold === threshold)?.atLeast;
  // down: 100 % would promise too much
  const percent = (share: number | undefined) =>
    share === undefined ? '' : `${(Math.floor(1e4 * share) / 100).toFixed(2)} %`;
  const swept = [
    [by, 'clusters', 'documents', 'largest', 'identical', 'pairs found'],
    ...sweep.map((row) => [
      ...[row.threshold.toString(), count(row.clusters), count(row.documents), count(row.largest)],
      ...[count(row.identical), percent(recallOf(row.threshold))],
    ]),
  ];
  return [...table(rows), '', ...table(swept)].map((line) => `${line}\n`).join('');
}
