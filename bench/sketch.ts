/*
 * How fast a text becomes a sketch, on one core: `node bench/sketch.ts`, `--json` for the same rows as JSON.
 *
 * Documents of 5 KB are cut from the licence and readme files under node_modules, which every clone has. Beside them
 * the same sketch made the obvious way (lower case, a regular expression, join, FNV-1a, a Set), in turns, so that whatever
 * else the machine does meets both. Figures are CPU time; middle of ROUNDS rounds, with the slowest and the fastest.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createSketcher } from '../src/core/sketch.ts';
import { deriveIdentity } from '../src/identity/index-key.ts';
import { naiveSketch } from './support/naive-sketch.ts';
import { printRows, type Row } from './support/table.ts';
import { randomFrom } from './support/texts.ts';

const ROUNDS = 9;
const DOCUMENT_BYTES = 5000;
const SHINGLE_SIZE = 7;
const SEED = 1997;
/** Bytes that the kernel and the naive way take in one round. */
const KERNEL_BYTES = 20e6;
const NAIVE_BYTES = 2e6;

const { fingerprint } = deriveIdentity(new Uint8Array(32).fill(1), SHINGLE_SIZE);
const sketcher = createSketcher(fingerprint);
const english = slices(packageTexts(new URL('../node_modules/', import.meta.url).pathname));
const strings = english.map((document) => document.toString('latin1'));

const record = (document: Uint8Array) => sketcher.sketch(document, 4).shingleCount;
const query = (document: Uint8Array) => sketcher.sketch(document, 1).shingleCount;
const order = (document: Uint8Array) => sketcher.sequence(document).fingerprints.length;

const contenders = {
  naive: contender(strings, (text) => naiveSketch(text, SHINGLE_SIZE), NAIVE_BYTES),
  record: contender(english, record, KERNEL_BYTES),
  query: contender(english, query, KERNEL_BYTES),
  sequence: contender(english, order, KERNEL_BYTES / 4),
  cyrillic: contender(slices(words(0x430, 32, 6)), record, KERNEL_BYTES / 4),
  han: contender(slices(words(0x4e00, 3000, 12)), record, KERNEL_BYTES / 4),
  accents: contender(slices(words(0xe0, 30, 5).normalize('NFD')), record, KERNEL_BYTES / 8),
  large: contender([Buffer.concat(english.slice(0, 200))], record, KERNEL_BYTES),
};
for (let round = 0; round <= ROUNDS; round++) for (const one of Object.values(contenders)) one.run(round > 0);

const perDocument = (DOCUMENT_BYTES / contenders.record.rate()).toFixed(1);
const ratio = contenders.record.rate() / contenders.naive.rate();
printRows(
  `Text to sketch, ${english.length} documents of ${DOCUMENT_BYTES} bytes, w = ${SHINGLE_SIZE}, ${ROUNDS} rounds`,
  [
    contenders.naive.row('naive: regex, join, FNV-1a, Set', {}),
    contenders.record.row('record sample (1/4)', { target: '>= 100', note: `${perDocument} µs a document` }),
    { row: '… / naive', value: ratio, unit: 'times', target: '>= 6' },
    contenders.query.row('query in hand (all fingerprints)', {}),
    contenders.sequence.row('sequence with offsets', {}),
    contenders.large.row('one document of 1 MB', {}),
    contenders.cyrillic.row('Cyrillic', {}),
    contenders.han.row('Han, pairs', {}),
    contenders.accents.row('Latin with half its letters accented, NFD', {}),
  ],
);

/** Sketches documents in rounds and keeps the rates, in MB (1e6 bytes) a second of CPU time. */
function contender<T extends { readonly length: number }>(
  documents: readonly T[],
  job: (document: T) => number,
  bytes: number,
) {
  const rates: number[] = [];
  const middle = () => rates.toSorted((a, b) => a - b)[rates.length >> 1]!;
  let at = 0;
  return {
    rate: middle,
    run(counts: boolean): void {
      const before = process.cpuUsage();
      let done = 0;
      let found = 0;
      while (done < bytes) {
        const document = documents[at++ % documents.length]!;
        found += job(document);
        done += document.length;
      }
      const { user, system } = process.cpuUsage(before);
      if (found === 0) throw new Error('nothing was sketched');
      if (counts) rates.push(done / (user + system));
    },
    row: (row: string, more: Partial<Row>): Row => ({
      row,
      value: middle(),
      unit: 'MB/s',
      minimum: Math.min(...rates),
      maximum: Math.max(...rates),
      ...more,
    }),
  };
}

/** Every licence and readme of the installed packages, one after another, its characters beyond ASCII left out. */
function packageTexts(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /^(licen[cs]e|readme)\b[^/]*$/i.test(entry.name))
    .map((entry) => readFileSync(`${entry.parentPath}/${entry.name}`, 'latin1').replace(/[^\n -~]/g, ''))
    .join('\n');
}

/** Seeded words of letters from a range of code points: 2 to `longest` letters. */
function words(first: number, count: number, longest: number): string {
  const random = randomFrom(SEED);
  const below = (limit: number) => Math.floor(random() * limit);
  const word = () =>
    String.fromCodePoint(
      ...Array.from({ length: 2 + below(longest - 1) }, () =>
        random() < 0.5 && first === 0xe0 ? 0x61 + below(26) : first + below(count),
      ),
    );
  return Array.from({ length: 100_000 }, word).join(' ');
}

function slices(text: string): Buffer[] {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.floor(bytes.length / DOCUMENT_BYTES) }, (_, i) =>
    bytes.subarray(i * DOCUMENT_BYTES, (i + 1) * DOCUMENT_BYTES),
  );
}
