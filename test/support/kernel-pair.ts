import { createSketcher, type Sketch, type Sketcher } from '../../src/core/sketch.ts';
import { deriveIdentity } from '../../src/identity/index-key.ts';
import { type BatchSketcher, createWasmSketcher } from '../../src/kernel/wasm-sketcher.ts';

/** Both kernels under the same parameters. */
export interface KernelPair {
  readonly typescript: Sketcher;
  readonly wasm: BatchSketcher;
}

/** Kernels with shingles of so many tokens, under a key that the number `key` stands for. */
export function kernelPair(shingleSize: number, key = shingleSize): KernelPair {
  const { fingerprint } = deriveIdentity(new Uint8Array(32).fill(key), shingleSize);
  return { typescript: createSketcher(fingerprint), wasm: createWasmSketcher(fingerprint) };
}

/** The fields in which the two kernels' sketches of a text differ: none, one hopes. */
export function differences({ typescript, wasm }: KernelPair, text: Uint8Array, modulusMax: number): string[] {
  const expected = fieldsOf(typescript.sketch(text, modulusMax));
  const actual = fieldsOf(wasm.sketch(text, modulusMax));
  return Object.keys(expected).filter((name) => !equal(expected[name]!, actual[name]!));
}

type Values = ArrayLike<number>;

function fieldsOf({ tokenCount, shingleCount, sample, shingleSum, canonicalText }: Sketch): Record<string, Values> {
  return {
    tokenCount: [tokenCount],
    shingleCount: [shingleCount],
    modulus: [sample.modulus],
    fingerprints: sample.fingerprints,
    shingleSum,
    canonicalText,
  };
}

function equal(a: Values, b: Values): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
