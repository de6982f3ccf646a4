/*
 * What the fingerprints are worth: `node bench/kernel-quality.ts [--pairs 20000] [--shingles 5000000] [--json]`.
 *
 *   resemblance   estimated from the fingerprints that are 0 mod 32, against the exact one, over pairs of texts with every share
 *                 of words in common; the error that fair draws would make, sqrt(r (1 - r) / n), is the limit. Draws
 *                 without putting back do a little better: sqrt(1 - 1/32) = .984 of it
 *   collisions    distinct shingles of the code and prose under node_modules, counted as sequences of words, against the
 *                 number of distinct fingerprints of 64 bits, and of their low 40 bits, of which n²/2^41 must agree
 */
import { readdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { coarsen } from '../src/core/modulus.ts';
import type { Sample } from '../src/core/sketch.ts';
import { canonicalTokens } from '../src/core/tokens.ts';
import { deriveIdentity } from '../src/identity/index-key.ts';
import { createWasmSketcher } from '../src/kernel/wasm-sketcher.ts';
import { printRows, type Row } from './support/table.ts';
import { edited, randomFrom, textOf } from './support/texts.ts';

const SHINGLE_SIZE = 7;
const MODULUS = 32;
const TEXT_BYTES = 20_000;
/** Pairs under one key. */
const PAIRS_PER_KEY = 1000;

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '20000' },
    shingles: { type: 'string', default: '5000000' },
    json: { type: 'boolean' },
  },
});
const encoder = new TextEncoder();
const pairCount = Number(values.pairs);
printRows(`Quality of fingerprints, w = ${SHINGLE_SIZE}, WASM kernel`, [...resemblanceRows(), ...collisionRows()]);

function sketcherOfKey(key: number) {
  const secret = new Uint8Array(32);
  new DataView(secret.buffer).setUint32(0, key);
  return createWasmSketcher(deriveIdentity(secret, SHINGLE_SIZE).fingerprint);
}

function resemblanceRows(): Row[] {
  const random = randomFrom(1997);
  let squares = 0;
  let limit = 0;
  let bias = 0;
  let sketcher = sketcherOfKey(0);
  for (let pair = 0; pair < pairCount; pair++) {
    if (pair % PAIRS_PER_KEY === 0) sketcher = sketcherOfKey(pair);
    const text = textOf(pair, TEXT_BYTES);
    // from a few words changed to nearly all
    const other = edited(text, pair + 1, 0.3 * random() ** 2);
    const [a, b] = [text, other].map((one) => sketcher.sketch(encoder.encode(one), 1).sample);
    const exact = compared(a!, b!);
    const sampled = compared(coarsen(a!, MODULUS), coarsen(b!, MODULUS));
    if (sampled.union === 0) continue;
    const r = exact.shared / exact.union;
    const error = sampled.shared / sampled.union - r;
    squares += error * error;
    bias += error;
    limit += (r * (1 - r)) / sampled.union;
  }
  return [
    {
      row: 'RMSE of r / binomial limit',
      value: Math.sqrt(squares / limit),
      unit: '',
      target: '>= 0.95',
      note: `${pairCount} pairs`,
    },
    { row: '… and at most', value: Math.sqrt(squares / limit), unit: '', target: '<= 1.04' },
    { row: 'RMSE of r', value: Math.sqrt(squares / pairCount), unit: '' },
    { row: 'mean error of r', value: bias / pairCount, unit: '' },
  ];
}

/** Sizes of the intersection and the union of two ascending lists. */
function compared({ fingerprints: a }: Sample, { fingerprints: b }: Sample): { shared: number; union: number } {
  let shared = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const order = a[i]! - b[j]!;
    if (order === 0) shared++;
    if (order <= 0) i++;
    if (order >= 0) j++;
  }
  return { shared, union: a.length + b.length - shared };
}

function collisionRows(): Row[] {
  const wanted = Number(values.shingles);
  const distinct = new Set<string>();
  const words = new Map<string, number>();
  const files: Buffer[] = [];
  const sketcher = sketcherOfKey(1);
  for (const path of packageFiles()) {
    if (distinct.size >= wanted) break;
    // so that no shingle goes over from one file to the next
    const text = readFileSync(path);
    const tokens = canonicalTokens(text);
    if (tokens.length < SHINGLE_SIZE) continue;
    files.push(text, Buffer.from('\n'));
    addShingles(tokens, words, distinct);
  }
  // shingles over the end of a file are in the one long text only
  const whole = sketcher.sketch(Buffer.concat(files), 1);
  const all = canonicalTokens(Buffer.concat(files));
  addShingles(all, words, distinct);
  return [
    { row: 'distinct shingles', value: distinct.size, unit: '', target: `>= ${wanted}` },
    { row: 'collisions of 64 bits', value: distinct.size - whole.shingleCount, unit: '', target: '<= 0' },
    {
      row: 'collisions of 40 bits',
      value: whole.shingleCount - whole.sample.fingerprints.length,
      unit: '',
      note: `expected ${(distinct.size ** 2 / 2 ** 41).toFixed(1)}`,
    },
  ];
}

/** Adds every window as a string of two code units for each word's number. */
function addShingles(tokens: readonly string[], words: Map<string, number>, distinct: Set<string>): void {
  const units = tokens.map((token) => {
    const number = words.get(token) ?? words.size;
    words.set(token, number);
    return String.fromCharCode(number & 0xffff, number >>> 16);
  });
  for (let i = 0; i + SHINGLE_SIZE <= units.length; i++) distinct.add(units.slice(i, i + SHINGLE_SIZE).join(''));
}

function packageFiles(): string[] {
  return readdirSync(new URL('../node_modules/', import.meta.url), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(md|txt|[cm]?[jt]s|json)$/.test(entry.name))
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .sort();
}
