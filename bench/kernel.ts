/*
 * How fast a text becomes a sketch, kernel by kernel, on one core: `node bench/kernel.ts [--rounds 5] [--json]`.
 *
 * Every figure comes from processes of its own, one for each contender, kind of text and round, in turns, so that whatever
 * else the machine does meets all of them. MB/s are 1e6 bytes a second of CPU time, all threads of the process counted;
 * the note gives wall time. The naive way is what an afternoon's code does: lower case, a regular expression, join, a
 * 32-bit hash of each window, a Set. It knows no pairs of unspaced letters, which makes its tokens of Han long and few.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createSketcher, type Sketcher } from '../src/core/sketch.ts';
import { deriveIdentity } from '../src/identity/index-key.ts';
import { createWasmSketcher } from '../src/kernel/wasm-sketcher.ts';
import { shareBeyondAscii, TEXTS, type TextsName, textsOf } from './support/kernel-texts.ts';
import { naiveSketch } from './support/naive-sketch.ts';
import { printRows, type Row } from './support/table.ts';

const SHINGLE_SIZE = 7;
/** CPU time. */
const WARM_UP_MS = 400;
const MEASURED_MS = 600;
const CLOCK_BYTES = 250_000;
const LARGE_BYTES = 5_000_000;
const CONTENDERS = ['naive', 'TypeScript', 'WASM'] as const;
const LARGE_CONTENDERS = ['TypeScript', 'WASM'] as const;
type Contender = (typeof CONTENDERS)[number];

interface Measured {
  readonly bytes: number;
  readonly documents: number;
  readonly cpuUs: number;
  readonly wallMs: number;
}

interface MeasuredLarge {
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly peakMb: number;
}

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    json: { type: 'boolean' },
    contender: { type: 'string' },
    texts: { type: 'string' },
  },
});
const { fingerprint } = deriveIdentity(new Uint8Array(32).fill(1), SHINGLE_SIZE);
const targets: Readonly<Record<string, string>> = {
  'TypeScript, english 5 KB': '>= 10',
  'WASM, english 5 KB': '>= 22',
  'WASM, intl': '>= 16',
  'WASM, non-Latin': '>= 8',
};

if (values.contender === undefined) compareAll();
else if (values.texts === 'large') console.log(JSON.stringify(measureLarge(sketcherOf(values.contender as Contender))));
else console.log(JSON.stringify(measure(values.contender as Contender, values.texts as TextsName)));

function compareAll(): void {
  const rounds = Number(values.rounds);
  const found = new Map<string, Measured[]>();
  const large = new Map<string, MeasuredLarge[]>();
  for (let round = 0; round < rounds; round++) {
    for (const texts of TEXTS)
      for (const contender of CONTENDERS)
        push(found, `${contender}, ${texts}`, inOwnProcess<Measured>(contender, texts));
    for (const contender of LARGE_CONTENDERS)
      push(large, `${contender}, one document of 5 MB`, inOwnProcess<MeasuredLarge>(contender, 'large'));
  }
  const rows: Row[] = [];
  for (const texts of TEXTS) {
    for (const contender of CONTENDERS) {
      const name = `${contender}, ${texts}`;
      const measured = found.get(name)!;
      rows.push(
        spread(
          name,
          'MB/s',
          measured.map((one) => one.bytes / one.cpuUs),
          { note: speedNote(measured) },
        ),
      );
      if (contender === 'naive') continue;
      const naive = found.get(`naive, ${texts}`)!;
      const ratios = measured.map((one, i) => (one.bytes / one.cpuUs) * (naive[i]!.cpuUs / naive[i]!.bytes));
      rows.push(spread('  … / naive', 'times', ratios, targets[name] === undefined ? {} : { target: targets[name] }));
    }
  }
  for (const [name, measured] of large) {
    const limits = name.startsWith('WASM') ? ['<= 60', '<= 32'] : [];
    const wall = quantileOf(measured.map((one) => one.wallMs)).toFixed(0);
    rows.push(
      spread(
        name,
        'ms',
        measured.map((one) => one.cpuMs),
        { ...target(limits[0]), note: `${wall} ms of wall time` },
      ),
    );
    rows.push(
      spread(
        '  … memory above the text',
        'MB',
        measured.map((one) => one.peakMb),
        target(limits[1]),
      ),
    );
  }
  const beyond = TEXTS.map((name) => `${name} ${(100 * shareBeyondAscii(textsOf(name))).toFixed(0)} %`).join(', ');
  printRows(`Text to sketch, w = ${SHINGLE_SIZE}, ${rounds} rounds; bytes beyond ASCII: ${beyond}`, rows);
}

function target(words: string | undefined): Partial<Row> {
  return words === undefined ? {} : { target: words };
}

function push<T>(map: Map<string, T[]>, name: string, value: T): void {
  map.set(name, [...(map.get(name) ?? []), value]);
}

function quantileOf(sorted: readonly number[]): number {
  return sorted.toSorted((a, b) => a - b)[sorted.length >> 1]!;
}

function spread(row: string, unit: string, found: readonly number[], more: Partial<Row>): Row {
  return { row, value: quantileOf(found), unit, minimum: Math.min(...found), maximum: Math.max(...found), ...more };
}

function speedNote(measured: readonly Measured[]): string {
  const perSecond = quantileOf(measured.map((one) => (one.documents / one.cpuUs) * 1e6));
  const wall = quantileOf(measured.map((one) => one.bytes / one.wallMs / 1000));
  return `${Math.round(perSecond).toLocaleString('en-US')} documents/s; ${wall.toFixed(0)} MB/s of wall time`;
}

function inOwnProcess<T>(contender: Contender, texts: string): T {
  const script = fileURLToPath(import.meta.url);
  const { stdout, stderr, status } = spawnSync(process.execPath, [script, '--contender', contender, '--texts', texts], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${contender}, ${texts}: ${stderr}`);
  return JSON.parse(stdout) as T;
}

function sketcherOf(contender: Contender): Sketcher {
  return contender === 'WASM' ? createWasmSketcher(fingerprint) : createSketcher(fingerprint);
}

/** Sketches documents for a while and returns what was done in what time, after as much of warm-up. */
function measure(contender: Contender, texts: TextsName): Measured {
  const documents = textsOf(texts);
  const job = jobOf(contender, documents);
  runFor(WARM_UP_MS, documents, job);
  return runFor(MEASURED_MS, documents, job);
}

/** Sketches document number i and those after it, at least one; returns how many were done. */
function jobOf(contender: Contender, documents: readonly Buffer[]): (i: number) => number {
  if (contender === 'naive') {
    const strings = documents.map((document) => document.toString('utf8'));
    return (i) => Math.min(1, 1 + naiveSketch(strings[i]!, SHINGLE_SIZE));
  }
  const sketcher = sketcherOf(contender);
  return (i) => Math.min(1, 1 + sketcher.sketch(documents[i]!, 4).shingleCount);
}

/** Sketches documents for so much CPU time: on a busy machine wall time would end before anything is compiled. */
function runFor(cpuMs: number, documents: readonly Buffer[], job: (i: number) => number): Measured {
  const started = performance.now();
  const before = process.cpuUsage();
  let bytes = 0;
  let count = 0;
  let at = 0;
  for (;;) {
    // the clock is read once in 250 KB, for reading it takes as long as 500 bytes
    for (const stop = bytes + CLOCK_BYTES; bytes < stop; ) {
      const done = job(at);
      for (let document = at; document < at + done; document++) bytes += documents[document]!.length;
      count += done;
      at = (at + done) % documents.length;
    }
    const { user, system } = process.cpuUsage(before);
    if (user + system < 1000 * cpuMs) continue;
    return { bytes, documents: count, cpuUs: user + system, wallMs: performance.now() - started };
  }
}

/** The first large document of a process that has sketched many small ones. */
function measureLarge(sketcher: Sketcher): MeasuredLarge {
  const small = textsOf('english 5 KB');
  const text = Buffer.concat(Array.from({ length: 3 }, () => small).flat()).subarray(0, LARGE_BYTES);
  for (const [i] of text.entries()) if (i % 997 === 0) text[i] = 0x61 + ((i / 997) % 26);
  runFor(WARM_UP_MS, small, (i) => Math.min(1, 1 + sketcher.sketch(small[i]!, 4).shingleCount));
  const memoryBefore = process.memoryUsage.rss();
  const started = performance.now();
  const before = process.cpuUsage();
  const { shingleCount } = sketcher.sketch(text, 4);
  const { user, system } = process.cpuUsage(before);
  const wallMs = performance.now() - started;
  if (shingleCount < LARGE_BYTES / 50) throw new Error('the large document repeats itself');
  const peakMb = Math.max(0, process.resourceUsage().maxRSS * 1024 - memoryBefore) / 1e6;
  return { cpuMs: (user + system) / 1000, wallMs, peakMb };
}
