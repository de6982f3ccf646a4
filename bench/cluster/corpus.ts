/*
 * Clustering of a corpus of ready sketches: the phases of clusterCorpus by the clock and by CPU time of all threads, memory, files.
 *
 *     npm run bench:cluster [-- --documents 1000000 --shingles 32 --threads 2 --memory 3600] [--json]
 *     npm run bench:cluster-large                           30 million documents: 25 GB of disk, a quarter of an hour to make them
 *
 * --common-shingles are of many documents (50000): the fewer, the more pairs share one. With 3,500,000 some 650 million pairs of 30
 * million documents do, with 50,000 more than twice as many.
 *
 * Memory is as bin/shingled sets it. The corpus is made up like that which Broder 1997, §5, counts
 * (test/support/cluster/made-corpus.ts), by a process of its own, and lies in a file; the time that reading it takes is taken off.
 * `documents` is what follows once a sketch is there: equal texts
 * found, records and postings written. --memory is in MiB, and is held or refused. --sketches FILE: made there where it is not, and
 * left there, so that the next run has them.
 */
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { clusterCorpus } from '../../src/cluster/cluster-corpus.ts';
import { SKETCHED_FILES } from '../../src/cluster/corpus/sketched-state.ts';
import type { ClusterNeeds, Corpus, CorpusContent } from '../../src/cluster/port.ts';
import { ClusterAnswers } from '../../src/cluster/result/cluster-answers.ts';
import { wholeSample } from '../../src/core/sketch/narrow.ts';
import { madeCorpus } from '../../test/support/cluster/made-corpus.ts';
import { cpuUsSince } from '../support/measure.ts';
import { printRows, type Row } from '../support/table.ts';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '1000000' },
    shingles: { type: 'string', default: '32' },
    threads: { type: 'string', default: '2' },
    'common-shingles': { type: 'string', default: '50000' },
    memory: { type: 'string' },
    sketches: { type: 'string' },
    make: { type: 'string' },
    within: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const [documents, shingles, threads] = [Number(values.documents), Number(values.shingles), Number(values.threads)];
const commonShingles = Number(values['common-shingles']);
/** Of a sketch in the file: how many fingerprints, four words of its digest, the fingerprints. */
const SKETCH_DOUBLES = 5 + shingles;
const BATCH = 1000;
/** As bin/shingled has them. */
const NODE_FLAGS = ['--max-semi-space-size=32', '--no-parallel-scavenge'];
const MEMORY_SETTINGS = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '1048576',
  MALLOC_TRIM_THRESHOLD_: '16777216',
};

function makeSketches(path: string): void {
  const file = openSync(path, 'w');
  for (const batch of madeCorpus({ documents, seed: 1, shingles, batch: BATCH, commonShingles })) {
    const doubles = new Float64Array(batch.length * SKETCH_DOUBLES);
    for (const [i, { sample, lexicalDigest }] of batch.entries()) {
      const at = i * SKETCH_DOUBLES;
      doubles[at] = sample.values.length;
      for (let word = 0; word < 4; word++)
        doubles[at + 1 + word] = Number(`0x${lexicalDigest.slice(8 * word, 8 * word + 8)}`);
      doubles.set(sample.values, at + 5);
    }
    const bytes = new Uint8Array(doubles.buffer);
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
  }
  closeSync(file);
}

/** As they were made, some at a time. */
function* readSketches(path: string): Generator<CorpusContent[], void, undefined> {
  const file = openSync(path, 'r');
  // what is taken in is taken at once, so the next batch has the same memory
  const memory = new Float64Array(BATCH * SKETCH_DOUBLES);
  const digestBytes = Buffer.alloc(16);
  for (let from = 0; from < documents; from += BATCH) {
    const doubles = memory.subarray(0, Math.min(BATCH, documents - from) * SKETCH_DOUBLES);
    readSync(file, doubles);
    const batch: CorpusContent[] = [];
    for (let at = 0; at < doubles.length; at += SKETCH_DOUBLES) {
      for (let word = 0; word < 4; word++) digestBytes.writeUInt32BE(doubles[at + 1 + word]!, 4 * word);
      // in one piece, as a digest comes
      const digest = digestBytes.toString('hex');
      const count = doubles[at]!;
      const sample = wholeSample({ modulus: 1, fingerprints: doubles.subarray(at + 5, at + 5 + count) });
      batch.push({ sample, shingleCount: count, lexicalDigest: digest, shingleDigest: digest });
    }
    yield batch;
  }
  closeSync(file);
}

/** @param left files of these names are not counted */
const bytesIn = (path: string, left: readonly string[]): number =>
  readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !left.includes(entry.name))
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);

/** What Linux counted at the most since this was asked before; elsewhere nothing. */
function peakBytes(): number {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))!;
    writeFileSync('/proc/self/clear_refs', '5');
    return 1024 * Number(kilobytes);
  } catch {
    return Number.NaN;
  }
}

async function measure(folder: string, sketches: string): Promise<Row[]> {
  const making = { ms: 0, cpuUs: 0 };
  const corpus: Corpus = {
    ...{ names: ['made up'], fingerprint: '', inputBytes: statSync(sketches).size, readingBytes: 0 },
    readInto: async (sink) => {
      const made = readSketches(sketches);
      let record = 0;
      for (;;) {
        const [from, cpu] = [performance.now(), process.threadCpuUsage()];
        const next = made.next();
        making.ms += performance.now() - from;
        const { user, system } = process.threadCpuUsage(cpu);
        making.cpuUs += user + system;
        if (next.done === true) return { records: record, leftOut: {} };
        for (const content of sink.contents(next.value)) {
          sink.document({ content, url: `https://a.example/${record}`, date: null, record });
          record++;
        }
        await sink.room();
      }
    },
  };
  const result = join(folder, 'result');
  const cpuOf = new Map<string, number>();
  const peakOf = new Map<string, number>();
  let temporaryBytes = 0;
  let filesBytes = 0;
  let [phase, cpu] = ['', process.cpuUsage()];
  const enter = (next: string) => {
    cpuOf.set(phase, (cpuOf.get(phase) ?? 0) + cpuUsSince(cpu));
    peakOf.set(phase, Math.max(peakOf.get(phase) ?? 0, peakBytes()));
    [phase, cpu] = [next, process.cpuUsage()];
  };
  const needs: ClusterNeeds[] = [];
  const before = process.cpuUsage();
  const began = performance.now();
  const summary = await clusterCorpus(corpus, {
    ...{ folder: result, by: 'resemblance', floor: 0.25, threads, now: Date.now },
    ...(values.memory === undefined ? {} : { memoryBytes: Number(values.memory) * 2 ** 20 }),
    needs: (told) => void needs.push(told),
    progress: (told) => {
      if (told.done > 0) return;
      enter(told.phase);
      if (told.phase === 'documents') return;
      filesBytes = Math.max(filesBytes, bytesIn(result, []));
      temporaryBytes = Math.max(temporaryBytes, bytesIn(result, SKETCHED_FILES));
    },
  });
  enter('');
  const elapsedMs = performance.now() - began - making.ms;
  const cpuUs = cpuUsSince(before) - making.cpuUs;
  const { counts, phasesMs, resources } = summary;
  const seconds = (ms: number) => ms / 1000;
  const [, told] = needs;
  const mebibytes = (bytes: number) => Math.round(bytes / 2 ** 20);
  const rows: Row[] = [
    {
      ...{ row: `${documents} documents of ${shingles} shingles, to a result`, value: seconds(elapsedMs), unit: 's' },
      note: `${(cpuUs / documents).toFixed(1)} us of CPU a document; reading them took ${seconds(making.ms).toFixed(1)} s`,
    },
    ...Object.entries(phasesMs).map(([name, ms]) => ({
      ...{ row: `… ${name}`, value: seconds(name === 'documents' ? ms - making.ms : ms), unit: 's' },
      note: `${((cpuOf.get(name)! - (name === 'documents' ? making.cpuUs : 0)) / 1e6).toFixed(1)} s of CPU; ${mebibytes(peakOf.get(name)!)} MiB`,
    })),
    {
      ...{ row: 'memory of the process, at the most', value: mebibytes(Math.max(...peakOf.values())), unit: 'MiB' },
      note: `told: up to ${mebibytes(told!.memoryBytes!)}; ${resources.ranges} ranges of rows`,
    },
    {
      ...{ row: 'files until there is a result, at the most', value: filesBytes / 2 ** 20, unit: 'MiB' },
      note: `told: up to ${mebibytes(told!.temporaryBytes!)}; ${mebibytes(temporaryBytes)} of them go again`,
    },
    { row: 'pairs that share a posting', value: counts.pairs, unit: '' },
    { row: 'pairs compared by their records', value: counts.candidates, unit: '' },
    { row: 'pairs of .25 or more', value: counts.edges, unit: '' },
    { row: 'steps of counting a document', value: counts.increments / documents, unit: '' },
  ];
  peakBytes();
  const [opening, openingCpu] = [performance.now(), process.cpuUsage()];
  const answers = ClusterAnswers.open(result);
  const cuts = Iterator.from(answers.clusters(0.8)).reduce((count) => count + 1, 0);
  rows.push({
    ...{ row: 'opened, and cut at .8', value: seconds(performance.now() - opening), unit: 's' },
    note: `${cuts} clusters; ${(cpuUsSince(openingCpu) / 1e6).toFixed(1)} s of CPU; ${mebibytes(peakBytes())} MiB`,
  });
  answers.close();
  return rows;
}

/** This script once more, in a process of its own. */
const again = (flags: readonly string[], own: readonly string[]) =>
  execFileSync(process.execPath, [...flags, fileURLToPath(import.meta.url), ...process.argv.slice(2), ...own], {
    stdio: 'inherit',
    env: { ...process.env, ...MEMORY_SETTINGS },
  });

function measureAlone(): void {
  const folder = mkdtempSync(join(tmpdir(), 'shingled-cluster-'));
  try {
    const sketches = values.sketches ?? join(folder, 'sketches');
    if (!existsSync(sketches)) again([], ['--make', sketches]);
    again(NODE_FLAGS, ['--sketches', sketches, '--within', folder]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (values.make !== undefined) makeSketches(values.make);
else if (values.within === undefined) measureAlone();
else printRows('clustering of a corpus', await measure(values.within, values.sketches!));
