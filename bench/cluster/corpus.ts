/*
 * Clustering of a corpus of ready sketches: the phases of clusterCorpus by the clock, CPU time of all threads, memory, files.
 *
 *     npm run bench:cluster [-- --documents 1000000 --shingles 32 --threads 2] [--json]
 *
 * The corpus is made up like that which Broder 1997, §5, counts (test/support/cluster/made-corpus.ts); the time that this takes
 * is taken off. `documents` is what follows once a sketch is there: equal texts found, records and postings written.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { clusterCorpus } from '../../src/cluster/cluster-corpus.ts';
import type { Corpus } from '../../src/cluster/port.ts';
import { ClusterAnswers } from '../../src/cluster/result/cluster-answers.ts';
import { madeCorpus } from '../../test/support/cluster/made-corpus.ts';
import { cpuUsSince } from '../support/measure.ts';
import { printRows, type Row } from '../support/table.ts';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '1000000' },
    shingles: { type: 'string', default: '32' },
    threads: { type: 'string', default: '2' },
    json: { type: 'boolean', default: false },
  },
});
const [documents, shingles, threads] = [Number(values.documents), Number(values.shingles), Number(values.threads)];
const folder = mkdtempSync(join(tmpdir(), 'shingled-cluster-'));
let makingMs = 0;
let makingCpuUs = 0;
let temporaryBytes = 0;
let memoryBytes = 0;
const look = setInterval(() => {
  memoryBytes = Math.max(memoryBytes, process.memoryUsage().rss);
}, 100);

const bytesIn = (path: string): number =>
  readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);

const corpus: Corpus = {
  ...{ names: ['made up'], fingerprint: '', inputBytes: null, readingBytes: 0 },
  readInto: async (sink) => {
    const made = madeCorpus({ documents, seed: 1, shingles });
    let record = 0;
    for (;;) {
      const [from, cpu] = [performance.now(), process.threadCpuUsage()];
      const next = made.next();
      makingMs += performance.now() - from;
      const { user, system } = process.threadCpuUsage(cpu);
      makingCpuUs += user + system;
      if (next.done === true) return { records: record, leftOut: {} };
      for (const content of next.value) {
        sink.document({ content: sink.content(content), url: `https://a.example/${record}`, date: null, record });
        record++;
      }
      await sink.room();
    }
  },
};

const result = join(folder, 'result');
const before = process.cpuUsage();
const began = performance.now();
const progress = ({ phase }: { phase: string }) => {
  if (phase !== 'documents') temporaryBytes = Math.max(temporaryBytes, bytesIn(result));
};
const summary = await clusterCorpus(corpus, {
  folder: result,
  by: 'resemblance',
  floor: 0.25,
  threads,
  now: Date.now,
  progress,
});
const elapsedMs = performance.now() - began - makingMs;
const cpuUs = cpuUsSince(before) - makingCpuUs;
clearInterval(look);
const { counts, phasesMs } = summary;
const seconds = (ms: number) => ms / 1000;
const rows: Row[] = [
  {
    ...{ row: `${documents} documents of ${shingles} shingles, to a result`, value: seconds(elapsedMs), unit: 's' },
    note: `${(cpuUs / documents).toFixed(1)} us of CPU a document; making them up took ${seconds(makingMs).toFixed(1)} s`,
  },
  ...Object.entries(phasesMs).map(([phase, ms]) => ({
    ...{ row: `… ${phase}`, value: seconds(phase === 'documents' ? ms - makingMs : ms), unit: 's' },
  })),
  { row: 'memory of the process, at the most', value: memoryBytes / 2 ** 20, unit: 'MiB' },
  { row: 'files beside the result, at the most', value: temporaryBytes / 2 ** 20, unit: 'MiB' },
  { row: 'pairs that share a posting', value: counts.pairs, unit: '' },
  { row: 'pairs compared by their records', value: counts.candidates, unit: '' },
  { row: 'pairs of .25 or more', value: counts.edges, unit: '' },
  { row: 'steps of counting a document', value: counts.increments / documents, unit: '' },
];
const opening = performance.now();
const answers = ClusterAnswers.open(result);
const cuts = [...answers.clusters(0.8)].length;
rows.push({
  row: 'opened, and cut at .8',
  value: seconds(performance.now() - opening),
  unit: 's',
  note: `${cuts} clusters`,
});
answers.close();
printRows('clustering of a corpus', rows);
rmSync(folder, { recursive: true, force: true });
