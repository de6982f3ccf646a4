import { createPermutationKey, permute } from '../core/sketch/permutation.ts';
import { createField, multiplesOf } from '../core/sketch/rabin.ts';
import type { FingerprintParameters } from '../core/sketch/sketch.ts';
import { createCanonicalizer } from '../core/text/canonicalize.ts';
import { nextCut } from './pieces.ts';
import { unicodeImage } from './unicode-image.ts';
import { WASM_BINARY } from './wasm-binary.generated.ts';
import { compile, instantiate, type WasmGlobal, type WasmMemory, type WasmModule } from './web-assembly.ts';

/*
 * One instance of the WebAssembly kernel: its memory with all tables written, and what TypeScript does instead of it.
 * Making the first one takes about 15 ms, the next ones 0.2 ms.
 */

/** What assembly/sketch.as.ts exports and the sketcher calls: see there. Booleans come as 0 and 1. */
interface KernelFunctions {
  readonly prepare: (shingleSize: number, secondBits: number) => void;
  readonly begin: (slots: number) => number;
  readonly canonicalize: (length: number) => number;
  readonly goOn: (read: number, written: number) => number;
  readonly addPiece: (withText: number) => number;
  readonly finish: () => number;
  readonly sample: (modulus: number) => number;
}

type Region =
  | 'PIECE'
  | 'PARAMETERS'
  | 'FIELD'
  | 'FIRST'
  | 'SECOND'
  | 'UNICODE_BLOCKS'
  | 'UNICODE_INFOS'
  | 'UNICODE_INFOS_BYTES'
  | 'TWO_BYTES'
  | 'JOINING'
  | 'INPUT'
  | 'TEXT'
  | 'RESULT'
  | 'STRETCH'
  | 'HEAP';

type KernelExports = KernelFunctions & { readonly memory: WasmMemory } & Readonly<Record<Region, WasmGlobal>>;

/** The kernel's functions, and its memory with the addresses that a sketcher uses. */
export interface KernelInstance extends Pick<KernelFunctions, 'begin' | 'finish' | 'sample'> {
  /** Takes the next `length` bytes, which stand at `input`. 0 where there is no memory. */
  readonly addPiece: (length: number, withText: boolean) => number;
  readonly memory: WasmMemory;
  /** Bytes in a piece of text, at the most. */
  readonly pieceBytes: number;
  /** Addresses, in bytes. */
  readonly input: number;
  readonly text: number;
  readonly result: number;
  readonly heap: number;
}

/** Bytes that TypeScript puts into canonical form at the least once the kernel had to ask. */
const STRETCH_LEAST = 256;

/** A table of multiples for so many bits takes 8 KB, which stay in the fastest cache. */
const ONE_TABLE_BITS = 10;

let compiled: WasmModule | null = null;

/**
 * @throws Error where the runtime has no WebAssembly, no SIMD or no memory
 */
export function createInstance(parameters: FingerprintParameters): KernelInstance {
  compiled ??= compile(Uint8Array.from(atob(WASM_BINARY), (character) => character.charCodeAt(0)));
  const kernel = instantiate(compiled) as KernelExports;
  writeUnicode(kernel);
  writeParameters(kernel, parameters);
  kernel.prepare(parameters.shingleSize, secondBitsOf(parameters.shingleSize));
  const { memory, begin, finish, sample, PIECE, INPUT, TEXT, RESULT, HEAP } = kernel;
  return {
    ...{ memory, begin, addPiece: pieceAdder(kernel), finish, sample },
    ...{ pieceBytes: PIECE.value, input: INPUT.value, text: TEXT.value, result: RESULT.value, heap: HEAP.value },
  };
}

/** Sends pieces through the kernel, and writes the stretches at which it stops. */
function pieceAdder(kernel: KernelExports): KernelInstance['addPiece'] {
  const canonicalize = createCanonicalizer();
  const stretchAt = kernel.STRETCH.value;

  function writeStretch(): number {
    const memory = new Uint8Array(kernel.memory.buffer);
    const stretch = new Uint32Array(kernel.memory.buffer, stretchAt, 3);
    const [from, end, to] = [stretch[0]!, stretch[1]!, stretch[2]!];
    const stop = nextCut(memory, Math.min(from + STRETCH_LEAST, end), end);
    const canonical = canonicalize(memory.subarray(from, stop), null);
    memory.set(canonical.bytes.subarray(0, canonical.length), to);
    return kernel.goOn(stop - from, canonical.length);
  }

  return (length, withText) => {
    for (let done = kernel.canonicalize(length); done === 0; ) done = writeStretch();
    return kernel.addPiece(withText ? 1 : 0);
  };
}

function writeUnicode(kernel: KernelExports): void {
  const { blockOf, infos, twoBytes, joining } = unicodeImage();
  const { buffer } = kernel.memory;
  if (infos.byteLength > kernel.UNICODE_INFOS_BYTES.value)
    throw new Error('the kernel has too little room for Unicode');
  new Uint16Array(buffer, kernel.UNICODE_BLOCKS.value, blockOf.length).set(blockOf);
  new Int32Array(buffer, kernel.UNICODE_INFOS.value, infos.length).set(infos);
  new Uint32Array(buffer, kernel.TWO_BYTES.value, twoBytes.length).set(twoBytes);
  new Uint8Array(buffer, kernel.JOINING.value, joining.length).set(joining);
}

/** Tables of core, whose pairs of low and high halves are the little-endian 64-bit words of the kernel. */
function writeParameters(kernel: KernelExports, { shingleSize, polynomial, mixing }: FingerprintParameters): void {
  const field = createField(polynomial);
  const secondBits = secondBitsOf(shingleSize);
  const tokenKey = createPermutationKey(mixing.slice(0, 8));
  const shingleKey = createPermutationKey(mixing.slice(8));
  const [low, high] = [new Int32Array(1), new Int32Array(1)];
  permute(tokenKey, low, high, 0, 1);
  const write = (address: number, values: ArrayLike<number>) =>
    new Int32Array(kernel.memory.buffer, address, values.length).set(values);
  write(kernel.PARAMETERS.value, [field.low, field.high, low[0]!, high[0]!, ...tokenKey, ...shingleKey]);
  write(kernel.FIELD.value, field.shiftedBytes);
  write(kernel.FIRST.value, multiplesOf(field, 64 + secondBits, shingleSize - secondBits));
  write(kernel.SECOND.value, multiplesOf(field, 64, secondBits));
}

/** Of the w bits by which a token leaves a window, those that have a table of their own: none where one table is small. */
function secondBitsOf(shingleSize: number): number {
  return shingleSize > ONE_TABLE_BITS ? shingleSize >> 1 : 0;
}
