import { readdirSync, readFileSync } from 'node:fs';
import type { Sample } from '../../../src/core/sketch/modulus.ts';
import { coarsen } from '../../../src/core/sketch/modulus.ts';
import type { Sketcher } from '../../../src/core/sketch/sketch.ts';
import { deriveIdentity } from '../../../src/identity/index-key.ts';
import { createWasmSketcher } from '../../../src/kernel/wasm-sketcher.ts';
import { canonicalTokens } from '../../../test/support/core/canonical-text.ts';
import { edited, randomFrom, textOf } from '../texts.ts';
import { SHINGLE_SIZE } from './text-jobs.ts';

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
/** Of the table of distinct shingles, and words in all: enough for three times what is asked for. */
const SLOTS = 2 ** 25;
const SEQUENCE_MAX = 2 ** 26;

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
  const words = new Map<string, number>();
  const windows = new DistinctWindows();
  const files: Buffer[] = [];
  for (const path of packageFiles()) {
    if (windows.count >= shinglesLeast) break;
    const text = readFileSync(path);
    files.push(text, Buffer.from('\n'));
    for (const token of canonicalTokens(text)) {
      const number = words.get(token) ?? words.size;
      words.set(token, number);
      windows.add(number);
    }
  }
  const { tokenCount, shingleCount, sample } = sketcherOfKey(1).sketch(Buffer.concat(files), 1);
  if (tokenCount !== windows.length) throw new Error('the one long text has other tokens than its files');
  return {
    shingles: windows.count,
    at64Bits: windows.count - shingleCount,
    at40Bits: shingleCount - sample.fingerprints.length,
  };
}

/** Counts the distinct windows of a sequence of numbers, exactly: a hash says only where to look for an equal one. */
class DistinctWindows {
  count = 0;
  length = 0;
  readonly #sequence = new Int32Array(SEQUENCE_MAX);
  /** Where a window ends, 0 = none. */
  readonly #slots = new Int32Array(SLOTS);

  add(number: number): void {
    if (this.length === SEQUENCE_MAX) throw new Error('too many words');
    this.#sequence[this.length++] = number;
    if (this.length < SHINGLE_SIZE) return;
    const end = this.length;
    let slot = this.#hash(end);
    while (this.#slots[slot] !== 0) {
      if (this.#areEqual(this.#slots[slot]!, end)) return;
      slot = (slot + 1) % SLOTS;
    }
    this.#slots[slot] = end;
    this.count++;
  }

  #hash(end: number): number {
    let hash = 0;
    for (let i = end - SHINGLE_SIZE; i < end; i++) {
      hash = Math.imul(hash ^ this.#sequence[i]!, 0x9e37_79b1);
      hash ^= hash >>> 15;
    }
    return (hash >>> 0) % SLOTS;
  }

  #areEqual(a: number, b: number): boolean {
    for (let i = 1; i <= SHINGLE_SIZE; i++) if (this.#sequence[a - i] !== this.#sequence[b - i]) return false;
    return true;
  }
}

function packageFiles(): string[] {
  return readdirSync(new URL('../../../node_modules/', import.meta.url), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(md|txt|[cm]?[jt]s|json)$/.test(entry.name))
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .sort();
}
