import type { KeptRanges } from '../../../src/core/sketch/main-marks.ts';
import { createSketcher, type Sketcher } from '../../../src/core/sketch/sketch.ts';
import { deriveIdentity } from '../../../src/identity/index-key.ts';
import { createWasmSketcher } from '../../../src/kernel/wasm-sketcher.ts';

/** Both kernels under the same parameters. */
export interface KernelPair {
  readonly typescript: Sketcher;
  readonly wasm: Sketcher;
}

/** Kernels with shingles of so many tokens, under a key that the number `key` stands for. */
export function kernelPair(shingleSize: number, key = shingleSize): KernelPair {
  const { fingerprint } = deriveIdentity(new Uint8Array(32).fill(key), shingleSize);
  return { typescript: createSketcher(fingerprint), wasm: createWasmSketcher(fingerprint) };
}

/** So long a text is sketched by the kernel without handing out its canonical text as well: of two pieces. */
const TWICE_BYTES_MAX = 20_000;

/** The fields in which the two kernels' sketches of a text differ: none, one hopes. */
export function differences(
  { typescript, wasm }: KernelPair,
  text: Uint8Array,
  modulusMax: number,
  kept: KeptRanges | null = null,
): string[] {
  const expected = fieldsOf(typescript, text, modulusMax, true, kept);
  const ways = text.length > TWICE_BYTES_MAX ? [true] : [true, false];
  return ways.flatMap((isTold) => {
    const actual = fieldsOf(wasm, text, modulusMax, isTold, kept);
    return Object.keys(actual).filter((name) => !equal(expected[name]!, actual[name]!));
  });
}

type Values = ArrayLike<number>;

/** More than any page has; the lists of whole books take longer to compare than to make. */
const WHOLE_MAX = 50_000;

/** @param isTold whether the canonical text is asked for as well */
function fieldsOf(
  sketcher: Sketcher,
  text: Uint8Array,
  modulusMax: number,
  isTold: boolean,
  kept: KeptRanges | null,
): Record<string, Values> {
  const parts: Uint8Array[] = [];
  const take = isTold ? (part: Uint8Array) => void parts.push(part.slice()) : undefined;
  const sketch = sketcher.sketch(text, modulusMax, take, WHOLE_MAX, kept);
  const { tokenCount, shingleCount, sample, shingleSum, whole, main } = sketch;
  return {
    tokenCount: [tokenCount],
    shingleCount: [shingleCount],
    modulus: [sample.modulus],
    fingerprints: sample.fingerprints,
    shingleSum,
    whole: whole ?? [],
    mainShingleCount: main === null ? [] : [main.shingleCount],
    mainSum: main?.shingleSum ?? [],
    mainBits: main?.bits ?? [],
    ...(isTold ? { canonicalText: Buffer.concat(parts) } : {}),
  };
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView) => Buffer.from(buffer, byteOffset, byteLength);

function equal(a: Values, b: Values): boolean {
  if (a.length !== b.length) return false;
  if (ArrayBuffer.isView(a) && ArrayBuffer.isView(b)) return bytesOf(a).equals(bytesOf(b));
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
