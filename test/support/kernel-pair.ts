import { createSketcher, type Sketcher } from '../../src/core/sketch.ts';
import { deriveIdentity } from '../../src/identity/index-key.ts';
import { createWasmSketcher } from '../../src/kernel/wasm-sketcher.ts';

import { canonicalTextBy } from './canonical-text.ts';

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

/** The fields in which the two kernels' sketches of a text differ: none, one hopes. */
export function differences({ typescript, wasm }: KernelPair, text: Uint8Array, modulusMax: number): string[] {
  const expected = fieldsOf(typescript, text, modulusMax);
  const actual = fieldsOf(wasm, text, modulusMax);
  return Object.keys(expected).filter((name) => !equal(expected[name]!, actual[name]!));
}

type Values = ArrayLike<number>;

/** More than any page has; the lists of whole books take longer to compare than to make. */
const WHOLE_MAX = 50_000;

function fieldsOf(sketcher: Sketcher, text: Uint8Array, modulusMax: number): Record<string, Values> {
  const { tokenCount, shingleCount, sample, shingleSum, whole } = sketcher.sketch(
    text,
    modulusMax,
    undefined,
    WHOLE_MAX,
  );
  return {
    tokenCount: [tokenCount],
    shingleCount: [shingleCount],
    modulus: [sample.modulus],
    fingerprints: sample.fingerprints,
    shingleSum,
    whole: whole ?? [],
    canonicalText: canonicalTextBy(sketcher, text),
  };
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView) => Buffer.from(buffer, byteOffset, byteLength);

function equal(a: Values, b: Values): boolean {
  if (a.length !== b.length) return false;
  if (ArrayBuffer.isView(a) && ArrayBuffer.isView(b)) return bytesOf(a).equals(bytesOf(b));
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
