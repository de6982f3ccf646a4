import { modulusFor, RECORD_SHINGLES_LEAST } from '../core/modulus.ts';
import { createSketcher, type FingerprintParameters, type Sketch, type Sketcher } from '../core/sketch.ts';
import { createInstance, type KernelExports } from './instance.ts';
import { lastCut } from './pieces.ts';

/*
 * The sketcher of core/sketch.ts in WebAssembly: the same values in every field, several times as fast.
 *
 *   text ─ pieces of 16 KB, cut before separators ─┬─ kernel: tokens, windows, distinct ─┬─ canonical text, piece by piece
 *                                                  └─ … until the last ──────────────────┴─ count, sum, sample
 *
 * A text that has no separator in 16 KB, which nobody writes, goes to TypeScript as a whole, and so does one for which the
 * kernel finds no memory. Memory of the kernel never shrinks: after a huge document the instance is let go.
 */

/** Memory that an instance may keep from one document to the next. */
const KEPT_BYTES = 0x80_0000;
/** Documents from this size on get no more slots at the beginning than most of them need. */
const LARGE_BYTES = 0x4_0000;

/**
 * @throws RangeError where the parameters are not as FingerprintParameters says
 * @throws Error where the runtime has no WebAssembly, no SIMD or no memory
 */
export function createWasmSketcher(parameters: FingerprintParameters): Sketcher {
  const typescript = createSketcher(parameters);
  let kernel: KernelExports | null = createInstance(parameters);
  let memory = viewsOf(kernel);

  function sketch(text: Uint8Array, modulusMax: number): Sketch {
    kernel ??= createInstance(parameters);
    const made = sketchWith(kernel, text, modulusMax);
    if (kernel.memory.buffer.byteLength > KEPT_BYTES) kernel = null;
    return made ?? typescript.sketch(text, modulusMax);
  }

  /** The sketch, or null where the kernel cannot make it. */
  function sketchWith(exports: KernelExports, text: Uint8Array, modulusMax: number): Sketch | null {
    if (exports.begin(slotsFor(text.length)) === 0) return null;
    const canonicalText = addPieces(exports, text);
    if (canonicalText === null || exports.finish() === 0) return null;
    const shingleCount = exports.shingles();
    const modulus = modulusFor(shingleCount, modulusMax, RECORD_SHINGLES_LEAST);
    const kept = exports.sample(modulus);
    if (memory.bytes.buffer !== exports.memory.buffer) memory = viewsOf(exports);
    const { doubles, words } = memory;
    const first = exports.HEAP.value / 8;
    const sum = exports.SUM.value / 4;
    return {
      tokenCount: exports.tokens(),
      shingleCount,
      sample: { modulus, fingerprints: doubles.slice(first, first + kept) },
      shingleSum: words.slice(sum, sum + 4),
      canonicalText,
    };
  }

  /** Sends a text through the kernel and returns its canonical text, or null. */
  function addPieces(exports: KernelExports, text: Uint8Array): Uint8Array | null {
    const most = exports.PIECE.value;
    const pieces: Uint8Array[] = [];
    for (let from = 0; from < text.length; ) {
      const to = text.length - from <= most ? text.length : lastCut(text, from, from + most);
      if (to < 0) return null;
      if (memory.bytes.buffer !== exports.memory.buffer) memory = viewsOf(exports);
      memory.bytes.set(from === 0 && to === text.length ? text : text.subarray(from, to), exports.INPUT.value);
      if (exports.addPiece(to - from) === 0) return null;
      if (memory.bytes.buffer !== exports.memory.buffer) memory = viewsOf(exports);
      const start = exports.TEXT.value;
      pieces.push(memory.bytes.slice(start, start + exports.pieceTextBytes()));
      from = to;
    }
    return pieces.length === 1 ? pieces[0]! : concatenate(pieces);
  }

  return { parameters, sketch, sequence: typescript.sequence };
}

/** A power of two: a text has a token in six bytes, and slots are best when few are taken. */
function slotsFor(bytes: number): number {
  return 2 ** Math.max(4, Math.ceil(Math.log2(bytes / (bytes < LARGE_BYTES ? 2 : 4))));
}

function viewsOf({ memory: { buffer } }: KernelExports) {
  return { bytes: new Uint8Array(buffer), words: new Uint32Array(buffer), doubles: new Float64Array(buffer) };
}

function concatenate(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
