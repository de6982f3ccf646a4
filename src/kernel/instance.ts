import { createPermutationKey, permute } from '../core/sketch/permutation.ts';
import { createField, multiplesOf } from '../core/sketch/rabin.ts';
import type { FingerprintParameters } from '../core/sketch/stages.ts';
import { createCanonicalizer, GROWTH_MAX } from '../core/text/canonicalize.ts';
import { nextCut } from './pieces.ts';
import { unicodeImage } from './unicode-image.ts';
import { WASM_BINARY } from './wasm-binary.generated.ts';

/*
 * One instance of the WebAssembly kernel: its memory with all tables written, and what TypeScript does instead of it.
 * Making the first one takes about 15 ms, the next ones 0.2 ms.
 */

/** What assembly/sketch.as.ts exports and the sketcher calls: see there. Booleans come as 0 and 1. */
interface KernelFunctions {
  readonly prepare: (shingleSize: number, secondBits: number) => void;
  readonly begin: (slots: number, marked: number) => number;
  readonly canonicalize: (length: number) => number;
  readonly goOn: (read: number, written: number) => number;
  readonly addPiece: (withText: number, isMain: number) => number;
  readonly finish: () => number;
  readonly sample: (modulus: number) => number;
  readonly markedMultiples: (modulus: number) => number;
}

/** Of assembly/layout.as.ts: what the host writes once, and what it uses for every document. */
type Table = 'PARAMETERS' | 'FIELD' | 'FIRST' | 'SECOND' | 'TWO_BYTES' | 'JOINING';
type UnicodeTable = 'UNICODE_BLOCKS' | 'UNICODE_INFOS' | 'UNICODE_INFOS_BYTES' | 'SPELLINGS' | 'SPELLINGS_BYTES';
type Region = 'PIECE' | 'INPUT' | 'CANON' | 'TEXT' | 'RESULT' | 'STRETCH' | 'HEAP';

interface KernelExports extends KernelFunctions, Readonly<Record<Table | UnicodeTable | Region, { value: number }>> {
  /** Its buffer is another one after every growth. */
  readonly memory: { readonly buffer: ArrayBuffer };
}

/** The little of WebAssembly that is needed. Node's types leave it to those of browsers, and a runtime may come without it. */
interface WebAssemblyInterface {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: object };
}

/** Bytes that TypeScript puts into canonical form at the least once the kernel had to ask. */
const STRETCH_LEAST = 256;
/** Bytes that all stretches of a piece add beside what characters become: a space before and behind each. */
const STRETCHES_ADD = 0x200;

/** A table of multiples for so many bits takes 8 KB, which stay in the fastest cache. */
const ONE_TABLE_BITS = 10;

let compiled: object | null = null;

/**
 * The kernel's functions, and its memory with the addresses in bytes that a sketcher uses.
 *
 * @throws Error where the runtime has no WebAssembly, no SIMD or no memory
 */
export function createInstance(parameters: FingerprintParameters) {
  const { WebAssembly } = globalThis as unknown as { readonly WebAssembly?: WebAssemblyInterface };
  if (WebAssembly === undefined) throw new Error('this runtime has no WebAssembly');
  compiled ??= new WebAssembly.Module(Uint8Array.from(atob(WASM_BINARY), (character) => character.charCodeAt(0)));
  const kernel = new WebAssembly.Instance(compiled).exports as KernelExports;
  writeUnicode(kernel);
  writeParameters(kernel, parameters);
  kernel.prepare(parameters.shingleSize, secondBitsOf(parameters.shingleSize));
  const { memory, begin, finish, sample, markedMultiples, PIECE, INPUT, TEXT, RESULT, HEAP } = kernel;
  return {
    ...{ memory, begin, addPiece: pieceAdder(kernel), finish, sample, markedMultiples },
    ...{ pieceBytes: PIECE.value, input: INPUT.value, text: TEXT.value, result: RESULT.value, heap: HEAP.value },
  };
}

/** Sends pieces through the kernel, and writes the stretches at which it stops. */
function pieceAdder(kernel: KernelExports) {
  const canonicalize = createCanonicalizer();
  const [stretchAt, inputAt, canonAt] = [kernel.STRETCH.value, kernel.INPUT.value, kernel.CANON.value];

  /** As `goOn`; -1 where the piece becomes too wide for its place. */
  function writeStretch(): number {
    const memory = new Uint8Array(kernel.memory.buffer);
    const stretch = new Uint32Array(kernel.memory.buffer, stretchAt, 3);
    const [from, end, to] = [stretch[0]!, stretch[1]!, stretch[2]!];
    const stop = nextCut(memory, Math.min(from + STRETCH_LEAST, end), end);
    const canonical = canonicalize(memory.subarray(from, stop), null);
    if (to + canonical.length > canonAt + GROWTH_MAX * (stop - inputAt) + STRETCHES_ADD) return -1;
    memory.set(canonical.bytes.subarray(0, canonical.length), to);
    return kernel.goOn(stop - from, canonical.length);
  }

  /** Takes the next `length` bytes, which stand at INPUT. 0 where there is no memory, or no room for what they become. */
  return (length: number, withText: boolean, isMain: boolean) => {
    let done = kernel.canonicalize(length);
    while (done === 0) done = writeStretch();
    return done < 0 ? 0 : kernel.addPiece(withText ? 1 : 0, isMain ? 1 : 0);
  };
}

function writeUnicode(kernel: KernelExports): void {
  const { blockOf, infos, twoBytes, joining, spellings } = unicodeImage();
  const { buffer } = kernel.memory;
  if (infos.byteLength > kernel.UNICODE_INFOS_BYTES.value || spellings.length > kernel.SPELLINGS_BYTES.value)
    throw new Error('the kernel has too little room for Unicode');
  new Uint16Array(buffer, kernel.UNICODE_BLOCKS.value, blockOf.length).set(blockOf);
  new Int32Array(buffer, kernel.UNICODE_INFOS.value, infos.length).set(infos);
  new Uint32Array(buffer, kernel.TWO_BYTES.value, twoBytes.length).set(twoBytes);
  new Uint8Array(buffer, kernel.JOINING.value, joining.length).set(joining);
  new Uint8Array(buffer, kernel.SPELLINGS.value, spellings.length).set(spellings);
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
