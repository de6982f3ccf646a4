import { createSketcher, type Sketcher } from '../../../src/core/sketch/sketch.ts';
import { deriveIdentity } from '../../../src/identity/index-key.ts';
import { createWasmSketcher } from '../../../src/kernel/wasm-sketcher.ts';
import { cpuUsSince, type Measured, measure, runFor } from '../measure.ts';
import { type TextsName, textsOf } from './kernel-texts.ts';
import { naiveSketch, naiveTokens } from './naive-sketch.ts';

/* What the rows on texts do, each in its own process. */

export const SHINGLE_SIZE = 7;
/** As records are stored: one shingle in four. */
const RECORD_MODULUS = 4;
const LARGE_BYTES = 5_000_000;
const MEMORY_BYTES = 64 * 2 ** 20;

export type KernelName = 'TypeScript' | 'WASM';

export function sketcherOf(kernel: KernelName): Sketcher {
  const { fingerprint } = deriveIdentity(new Uint8Array(32).fill(1), SHINGLE_SIZE);
  return kernel === 'WASM' ? createWasmSketcher(fingerprint) : createSketcher(fingerprint);
}

/** Bytes of a document to its sketch: exact number of shingles, nested sample. */
export function sketchWith(kernel: KernelName): (document: Uint8Array) => number {
  const sketcher = sketcherOf(kernel);
  return (document) => sketcher.sketch(document, RECORD_MODULUS).shingleCount;
}

export function measureKernel(kernel: KernelName, texts: TextsName): Measured {
  const documents = textsOf(texts);
  const sketch = sketchWith(kernel);
  return measure(documents, (index) => sketch(documents[index]!));
}

/** Strings are what it gets: that they had to be made of bytes is not counted. */
export function measureNaive(texts: TextsName): Measured {
  const documents = textsOf(texts);
  const strings = documents.map((document) => document.toString());
  return measure(documents, (index) => naiveSketch(strings[index]!, SHINGLE_SIZE));
}

export function measureRegex(texts: TextsName): Measured {
  const documents = textsOf(texts);
  const strings = documents.map((document) => document.toString());
  return measure(documents, (index) => naiveTokens(strings[index]!).length);
}

/** Copies 64 MiB in pieces, from one half of memory to the other. */
export function measureCopy(pieceBytes: number): Measured {
  const from = Buffer.alloc(MEMORY_BYTES, 1);
  const to = Buffer.alloc(MEMORY_BYTES);
  const pieces = Array.from({ length: MEMORY_BYTES / pieceBytes }, (_, i) =>
    from.subarray(i * pieceBytes, (i + 1) * pieceBytes),
  );
  return measure(pieces, (index) => pieces[index]!.copy(to, index * pieceBytes));
}

export interface MeasuredLarge extends Measured {
  /** Most memory that was resident, above what was before. */
  readonly peakMb: number;
}

/** The first document of 5 MB in a process that has sketched many of 5 KB. */
export function measureLarge(kernel: KernelName): MeasuredLarge {
  const sketch = sketchWith(kernel);
  const small = textsOf('english 5 KB');
  const text = Buffer.concat(Array.from({ length: 3 }, () => small).flat()).subarray(0, LARGE_BYTES);
  // no copy of the first third, so that most of its shingles are new
  for (let i = 0; i < text.length; i += 97) text[i] = 0x61 + ((i / 97) % 26);
  runFor(400, small, (index) => sketch(small[index]!));
  const memoryBefore = process.memoryUsage.rss();
  const started = performance.now();
  const before = process.cpuUsage();
  const shingleCount = sketch(text);
  const cpuUs = cpuUsSince(before);
  const wallMs = performance.now() - started;
  if (shingleCount < LARGE_BYTES / 20) throw new Error(`the large document has ${shingleCount} shingles only`);
  const peakMb = Math.max(0, process.resourceUsage().maxRSS * 1024 - memoryBefore) / 1e6;
  return { bytes: text.length, documents: 1, cpuUs, wallMs, peakMb };
}
