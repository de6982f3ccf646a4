/*
 * The same texts known to this service and to what one would build in its place: FastAPI with rensa or with datasketch, and
 * Lucene's MinHash. Speed, memory and what is found against the exact truth, in one run.
 *
 *     python3 -m venv peers && peers/bin/pip install rensa==0.5.0 datasketch==1.6.5 fastapi "uvicorn[standard]"
 *     npm run bench:peers -- --python peers/bin/python [--lucene FOLDER-OF-JARS] [--documents 1000000] [--seconds 10]
 *                            [--rounds 3] [--only rensa] [--json]
 *
 * FOLDER-OF-JARS has lucene-core and lucene-analysis-common (9.12), to be run by Java 17. One service runs at a time; the load
 * comes from this process, which shares the cores with it. The rounds of the kinds of load take turns.
 *
 *   recall, precision   of texts that resemble the query by .5 or more, shingles of 10 words (framed-texts.ts)
 *
 * Except for Lucene, the others keep nothing on disk. None of them tells containment, or how sure it is.
 */
import { once } from 'node:events';
import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { RawClient } from '../support/raw-client.ts';
import { memoryBytes } from '../support/service-process.ts';
import { printRows, quantile, type Row, spreadOf } from '../support/table.ts';
import { framedText, truthOf } from './framed-texts.ts';
import { lucenePeer, type Peer, pythonPeer, type Running, shingled } from './running.ts';

const { values } = parseArgs({
  options: {
    python: { type: 'string', default: '' },
    lucene: { type: 'string', default: '' },
    documents: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
  },
});
const count = Number(values.documents);
const seconds = Number(values.seconds);
/** Texts that are asked for again and again. */
const QUERIES = 20_000;
/** Of them, those whose answers are looked at. */
const CHECKED = 2000;

const folder = mkdtempSync(join(tmpdir(), 'shingled-peers-'));
try {
  const texts = join(folder, 'texts.txt');
  await writeTexts(texts);
  const asked = Math.min(QUERIES, count);
  const queries = Array.from({ length: asked }, (_, i) => Math.floor((i * count) / asked));
  const rows: Row[] = [];
  for (const peer of peers().filter(({ name }) => name.includes(values.only))) {
    const some = await measured(peer, texts, queries);
    rows.push(...some);
    for (const { row, value, unit, note } of some) console.error(`${row}: ${value.toFixed(4)} ${unit} ${note ?? ''}`);
  }
  printRows(`${count.toLocaleString('en-US')} texts of 130 words with common frames`, rows);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function peers(): Peer[] {
  const others = (['rensa', 'datasketch'] as const).map((library) => pythonPeer(values.python, library));
  const index = join(folder, 'lucene');
  mkdirSync(index);
  return [
    shingled,
    ...(values.python === '' ? [] : others),
    ...(values.lucene === '' ? [] : [lucenePeer(values.lucene, index)]),
  ];
}

async function writeTexts(path: string): Promise<void> {
  const file = createWriteStream(path);
  for (let number = 0; number < count; number++) {
    if (!file.write(`${framedText(number)}\n`)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
}

async function measured({ name, start }: Peer, texts: string, queries: readonly number[]): Promise<Row[]> {
  const began = performance.now();
  const running = await start(texts, count);
  const loadS = (performance.now() - began) / 1000;
  try {
    const byText = queries.map((number) => running.byText(framedText(number)));
    const byNumber = queries.map((number) => running.byNumber(number));
    await load(running, byText, 8);
    const loads = [
      ['POST, 8 clients', byText, 8],
      ['POST, 1 client', byText, 1],
      ['GET, 8 clients', byNumber, 8],
    ] as const;
    const measures = loads.map(() => [] as Load[]);
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const [i, [, requests, clients]] of loads.entries())
        measures[i]!.push(await load(running, requests, clients));
    }
    const { recall, precision } = await accuracy(running, queries.slice(0, CHECKED));
    return [
      ...loads.map(([what], i) => loadRow(`${name}: ${what}`, measures[i]!)),
      { row: `${name}: recall at .5`, value: recall, unit: '', note: `${CHECKED} queries` },
      { row: `${name}: precision`, value: precision, unit: '' },
      { row: `${name}: memory`, value: memoryBytes(running.pid, 'VmRSS') / 2 ** 20, unit: 'MiB' },
      { row: `${name}: until all were known`, value: loadS, unit: 's' },
    ];
  } finally {
    await running.stop();
  }
}

interface Load {
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
}

function loadRow(row: string, measures: readonly Load[]): Row {
  const of = (figure: keyof Load) => spreadOf(measures.map((one) => one[figure])).value;
  const note = `p50 ${of('p50').toFixed(2)} ms, p99 ${of('p99').toFixed(1)} ms`;
  return { row, ...spreadOf(measures.map(({ rate }) => rate)), unit: '/s', note };
}

async function load({ port }: Running, requests: readonly Buffer[], clients: number): Promise<Load> {
  const took: number[] = [];
  let next = 0;
  let isOver = false;
  const ask = async () => {
    const client = new RawClient(port);
    while (!isOver) {
      const { status, ms, body } = await client.ask(requests[next++ % requests.length]!);
      if (status !== 200) throw new Error(`an answer has the status ${status}: ${body.slice(0, 300)}`);
      took.push(ms);
    }
    client.close();
  };
  const from = performance.now();
  const asking = Array.from({ length: clients }, ask);
  await Promise.race([sleep(seconds * 1000), ...asking]);
  const elapsedS = (performance.now() - from) / 1000;
  const rate = took.length / elapsedS;
  isOver = true;
  await Promise.all(asking);
  return { rate, p50: quantile(took, 0.5), p99: quantile(took, 0.99) };
}

/** Of all texts that are to be found, and of all that are. */
async function accuracy(running: Running, queries: readonly number[]): Promise<{ recall: number; precision: number }> {
  const client = new RawClient(running.port);
  let [wanted, told, right] = [0, 0, 0];
  for (const number of queries) {
    const { body } = await client.ask(running.byText(framedText(number)));
    const found = running.found(body);
    const truth = truthOf(number, count);
    wanted += truth.size;
    told += found.size;
    for (const one of found) right += Number(truth.has(one));
  }
  client.close();
  return { recall: right / wanted, precision: right / told };
}
