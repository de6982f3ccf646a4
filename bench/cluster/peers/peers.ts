/*
 * Clusters of the same texts by `shingled cluster` and by other tools, each in processes of its own: time, CPU time of all of its
 * processes, memory of all of them, and what was found against the exact truth.
 *
 *     python3 -m venv peers && peers/bin/pip install rensa==0.5.0 "datatrove[processing,io]==0.10.1" tokenizers spacy text-dedup==0.4.0
 *     npm run bench:cluster-peers -- --python peers/bin/python [--documents 1000000] [--only rensa] [--json]
 *     npm run bench:cluster-peers -- --python peers/bin/python --input pages.ndjson
 *
 *   recall, precision   of pairs in one cluster at .8, single link; shingles of 5 words, as the three have them
 *   wrongly removed     of documents that go when one of each cluster stays, those below .8 to the one that stays
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { printRows, type Row } from '../../support/table.ts';
import { givenTexts, givenTruth } from './given-texts.ts';
import { numberOf, type PeerTexts, peerText, peerTruth, THRESHOLD, WORDS, writePeerTexts } from './peer-texts.ts';
import { ProcessTree } from './process-tree.ts';

const { values } = parseArgs({
  options: {
    python: { type: 'string', default: '' },
    documents: { type: 'string', default: '1000000' },
    input: { type: 'string' },
    only: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
  },
});
const given = values.input === undefined ? undefined : givenTexts(values.input);
const count = given?.length ?? Number(values.documents);

/** What a tool found: for each text some text of its cluster, and for each that goes the one that stays. */
interface Found {
  readonly roots: Uint32Array;
  readonly kept: ReadonlyMap<number, number>;
}

interface Peer {
  readonly name: string;
  readonly command: readonly string[];
  found(): Found;
}

const folder = mkdtempSync(join(tmpdir(), 'shingled-peers-'));
try {
  const files = await writePeerTexts(folder, count, (number) => given?.[number] ?? peerText(number));
  const truth = given === undefined ? peerTruth(count) : givenTruth(given);
  const rows: Row[] = [];
  for (const peer of peersOf(files)) {
    if (!peer.name.includes(values.only)) continue;
    const row = { ...(await measured(peer, truth)), row: peer.name };
    rows.push(row);
    console.error(`${row.row}: ${row.value.toFixed(1)} s; ${row.note}`);
  }
  printRows(
    `Clusters of ${count.toLocaleString('en-US')} texts of ${given === undefined ? '870 bytes' : values.input}`,
    rows,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function peersOf(files: readonly string[]): Peer[] {
  const [result, removals] = [join(folder, 'result'), join(folder, 'removals.ndjson')];
  const main = join(import.meta.dirname, '..', '..', '..', 'src', 'main.ts');
  const cluster = [process.execPath, main, 'cluster', ...files, '--out', result, '--at', String(THRESHOLD), '--tsv'];
  const own: Peer = {
    name: 'shingled',
    command: ['sh', '-c', `"$@" > ${join(folder, 'shingled.tsv')}`, 'sh', ...cluster, '--removals', removals],
    found: () => ({ roots: ownClusters(join(folder, 'shingled.tsv')), kept: ownRemovals(removals) }),
  };
  if (values.python === '') return [own];
  const others = ['rensa', 'text-dedup', 'datatrove'].map((name) => ({
    name,
    command: [values.python, join(import.meta.dirname, `${name.replace('-', '_')}_clusters.py`), folder],
    found: () => firstOfEach(rowsOf(join(folder, `${name}.tsv`))),
  }));
  return [own, ...others];
}

async function measured(peer: Peer, truth: PeerTexts): Promise<Omit<Row, 'row'>> {
  const began = performance.now();
  const env = { ...process.env, SHINGLE_SIZE: String(WORDS), LOG_LEVEL: 'error' };
  const child = spawn(peer.command[0]!, peer.command.slice(1), {
    env,
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  const tree = new ProcessTree(child.pid!);
  const [code] = (await once(child, 'exit')) as [number | null];
  const elapsedMs = performance.now() - began;
  tree.end();
  if (code !== 0) throw new Error(`${peer.name} ended with ${code}: ${peer.command.join(' ')}`);
  const found = peer.found();
  const { recall, precision } = pairsFound(found.roots, truth.roots);
  let wrong = 0;
  for (const [removed, kept] of found.kept) wrong += Number(truth.resemblance(removed, kept) < THRESHOLD);
  const notes = [
    `${tree.cpuSeconds.toFixed(1)} s of CPU`,
    `${tree.memoryMiB.toFixed(0)} MiB`,
    `recall ${recall.toFixed(4)}, precision ${precision.toFixed(4)}`,
    `${wrong} of ${found.kept.size} wrongly removed`,
  ];
  return { value: elapsedMs / 1000, unit: 's', note: notes.join('; ') };
}

function rowsOf(path: string): Uint32Array {
  const roots = new Uint32Array(count);
  for (const line of readFileSync(path, 'utf8').trimEnd().split('\n')) {
    const [number, root] = line.split('\t');
    roots[Number(number)] = Number(root);
  }
  return roots;
}

/** These tools keep the first one of each cluster. */
function firstOfEach(roots: Uint32Array): Found {
  const kept = new Map<number, number>();
  roots.forEach((root, number) => {
    if (root !== number) kept.set(number, root);
  });
  return { roots, kept };
}

function ownClusters(path: string): Uint32Array {
  const roots = Uint32Array.from({ length: count }, (_, i) => i);
  const first = new Map<string, number>();
  for (const line of readFileSync(path, 'utf8').trimEnd().split('\n').slice(1)) {
    const [, cluster, , url] = line.split('\t');
    const number = numberOf(url!);
    if (!first.has(cluster!)) first.set(cluster!, number);
    roots[number] = first.get(cluster!)!;
  }
  return roots;
}

function ownRemovals(path: string): Map<number, number> {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  return new Map(
    lines.map((line) => {
      const { url, keptUrl } = JSON.parse(line) as { url: string; keptUrl: string };
      return [numberOf(url), numberOf(keptUrl)];
    }),
  );
}

/** Of pairs of one cluster of the truth those that are found, and of those that are found, those of the truth. */
function pairsFound(found: Uint32Array, truth: Uint32Array): { recall: number; precision: number } {
  const pairs = (keys: Iterable<number>) => {
    const sizes = new Map<number, number>();
    for (const key of keys) sizes.set(key, (sizes.get(key) ?? 0) + 1);
    let sum = 0;
    for (const size of sizes.values()) sum += (size * (size - 1)) / 2;
    return sum;
  };
  const both = pairs(Array.from(truth, (root, i) => root * count + found[i]!));
  return { recall: both / pairs(truth), precision: both / pairs(found) };
}
