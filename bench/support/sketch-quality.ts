import { readdirSync, readFileSync } from 'node:fs';
import { coarsen } from '../../src/core/modulus.ts';
import type { Sample, Sketcher } from '../../src/core/sketch.ts';
import { canonicalTokens } from '../../src/core/tokens.ts';
import { deriveIdentity } from '../../src/identity/index-key.ts';
import { createWasmSketcher } from '../../src/kernel/wasm-sketcher.ts';
import { SHINGLE_SIZE } from './text-jobs.ts';
import { edited, randomFrom, textOf } from './texts.ts';

/*
 * What the fingerprints are worth.
 *
 *   resemblance   estimated from the fingerprints that are 0 mod 32, against the exact one, over pairs of texts with every
 *                 share of words in common; the error that fair draws would make, sqrt(r (1 - r) / n), is the limit. Draws
 *                 without putting back do a little better: sqrt(1 - 1/32) = .984 of it
 *   collisions    distinct shingles of the code and prose under node_modules, counted as sequences of words, against the
 *                 number of distinct fingerprints of 64 bits, and of their low 40 bits, of which n²/2^41 must agree
 */

const MODULUS = 32;
const TEXT_BYTES = 20_000;
/** Pairs under one key. */
const PAIRS_PER_KEY = 1000;

/** Sums over pairs, so that those of several processes can be added. */
export interface Errors {
  readonly pairs: number;
  readonly squares: number;
  /** Squares that the binomial limit expects. */
  readonly squaresExpected: number;
}

export interface Collisions {
  readonly shingles: number;
  readonly at64Bits: number;
  readonly at40Bits: number;
}

function sketcherOfKey(key: number): Sketcher {
  const secret = new Uint8Array(32);
  new DataView(secret.buffer).setUint32(0, key);
  return createWasmSketcher(deriveIdentity(secret, SHINGLE_SIZE).fingerprint);
}

/** Errors of r over pairs number `from` and those after it. */
export function resemblanceErrors(from: number, pairs: number): Errors {
  const encoder = new TextEncoder();
  const random = randomFrom(1997 + from);
  let squares = 0;
  let squaresExpected = 0;
  let sketcher = sketcherOfKey(from);
  for (let pair = from; pair < from + pairs; pair++) {
    if (pair % PAIRS_PER_KEY === 0) sketcher = sketcherOfKey(pair);
    const text = textOf(pair, TEXT_BYTES);
    // from a few words changed to nearly all
    const other = edited(text, pair + 1, 0.3 * random() ** 2);
    const a = sketcher.sketch(encoder.encode(text), 1).sample;
    const b = sketcher.sketch(encoder.encode(other), 1).sample;
    const exact = compared(a, b);
    const sampled = compared(coarsen(a, MODULUS), coarsen(b, MODULUS));
    if (sampled.union === 0) throw new Error(`pair ${pair} has nothing in its samples`);
    const r = exact.shared / exact.union;
    squares += (sampled.shared / sampled.union - r) ** 2;
    squaresExpected += (r * (1 - r)) / sampled.union;
  }
  return { pairs, squares, squaresExpected };
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

/** Collisions among at least so many distinct shingles. */
export function countCollisions(shinglesLeast: number): Collisions {
  const distinct = new Set<string>();
  const words = new Map<string, number>();
  const files: Buffer[] = [];
  for (const path of packageFiles()) {
    if (distinct.size >= shinglesLeast) break;
    const text = readFileSync(path);
    const tokens = canonicalTokens(text);
    if (tokens.length < SHINGLE_SIZE) continue;
    files.push(text, Buffer.from('\n'));
    addShingles(tokens, words, distinct);
  }
  // one long text has shingles over the ends of files too
  const whole = Buffer.concat(files);
  addShingles(canonicalTokens(whole), words, distinct);
  const { shingleCount, sample } = sketcherOfKey(1).sketch(whole, 1);
  return {
    shingles: distinct.size,
    at64Bits: distinct.size - shingleCount,
    at40Bits: shingleCount - sample.fingerprints.length,
  };
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
  return readdirSync(new URL('../../node_modules/', import.meta.url), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(md|txt|[cm]?[jt]s|json)$/.test(entry.name))
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .sort();
}
