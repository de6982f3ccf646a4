/*
 * Clusters of a corpus against its exact truth: all pairs of all documents by all of their shingles.
 *
 *     npm run bench:cluster-accuracy -- FOLDER [--at .5,.8] [--json]
 *
 * FOLDER has pages, docs.tsv, and in truth the pairs that share something, with how much (truth/pairs.tsv: a, b, shared, n of a, n
 * of b) and of each document which one has its text (truth/docs.tsv). Pairs of documents that are in one cluster are counted:
 * recall is how many of the true ones were found, precision how many of those found are true. The truth is of shingles of 10
 * words.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { clusterInputs, openClusters } from '../../src/commands/cluster-commands.ts';
import { createIngestSources } from '../../src/commands/ingest-sources.ts';
import { readConfig } from '../../src/config.ts';
import { printRows, type Row } from '../support/table.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { at: { type: 'string', default: '.5,.8' }, json: { type: 'boolean', default: false } },
});
const [corpus] = positionals;
if (corpus === undefined) throw new Error('It needs the folder of a corpus with its truth.');
const thresholds = values.at.split(',').map(Number);

const rowsOf = (file: string) =>
  readFileSync(join(corpus, 'truth', file), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t'));
const documents = rowsOf('docs.tsv').map(([, url, , , representative]) => ({
  url: url!,
  representative: Number(representative),
}));
const pairs = rowsOf('pairs.tsv').map(([a, b, shared, nA, nB]) => {
  const [one, other] = [Number(nA), Number(nB)];
  return { a: Number(a), b: Number(b), resemblance: Number(shared) / (one + other - Number(shared)) };
});

/** Of each document the least one that it hangs together with. */
function trueClusters(threshold: number): Map<string, number> {
  const parents = documents.map(({ representative }) => representative);
  const find = (at: number): number => (parents[at] === at ? at : find(parents[at]!));
  for (const { a, b, resemblance } of pairs) {
    const [one, other] = [find(a), find(b)];
    if (resemblance >= threshold && one !== other) parents[Math.max(one, other)] = Math.min(one, other);
  }
  return new Map(documents.map(({ url }, i) => [pathOf(url), find(i)]));
}

/** What is the same in the truth and in the clusters. */
const pathOf = (url: string) => new URL(url).pathname;
const pairsOf = (sizes: Iterable<number>) => [...sizes].reduce((sum, size) => sum + (size * (size - 1)) / 2, 0);
const sizesOf = (labels: Iterable<unknown>) => {
  const sizes = new Map<unknown, number>();
  for (const label of labels) sizes.set(label, (sizes.get(label) ?? 0) + 1);
  return sizes.values();
};

const folder = mkdtempSync(join(tmpdir(), 'shingled-clusters-'));
const { config } = readConfig({ DATA_DIR: join(folder, 'none'), SHINGLE_SIZE: '10' });
const sources = createIngestSources(config, (async function* () {})());
const fields = {
  ...{ url: null, text: null, html: null, date: null, meta: [], urlPrefix: 'https://corpus.example/', format: null },
  ...{ include: [], exclude: [], gitignore: false },
};
const out = join(folder, 'result');
const request = {
  inputs: [join(corpus, 'pages')],
  fields,
  folder: out,
  by: 'resemblance' as const,
  floor: 0.25,
  hasSketches: false,
};
const signal = new AbortController().signal;
await clusterInputs(config, process.pid, request, { sources, signal, progress: () => undefined });
await sources.close();
const answers = openClusters(out)!;
const rows: Row[] = [];
for (const threshold of thresholds) {
  const truth = trueClusters(threshold);
  const expected = pairsOf(sizesOf(truth.values()));
  let found = 0;
  let right = 0;
  for (const { urls } of answers.clusters(threshold)) {
    found += pairsOf([urls.length]);
    right += pairsOf(sizesOf(urls.map((url) => truth.get(pathOf(url)))));
  }
  rows.push(
    {
      row: `at ${threshold}: recall of pairs in one cluster`,
      value: right / expected,
      unit: '',
      target: '>= 0.995',
      note: `of ${expected}`,
    },
    { row: `at ${threshold}: precision`, value: right / found, unit: '', target: '>= 0.995', note: `of ${found}` },
  );
}
answers.close();
rmSync(folder, { recursive: true, force: true });
printRows('clusters against exact truth', rows);
