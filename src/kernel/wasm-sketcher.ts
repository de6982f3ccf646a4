import { modulusFor, RECORD_SHINGLES_LEAST } from '../core/modulus.ts';
import { createSketcher, type FingerprintParameters, type Sketch, type Sketcher } from '../core/sketch.ts';
import { type Copies, owned, sharedCopies } from './copies.ts';
import { createInstance } from './instance.ts';
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

/** A sketcher that can also take many texts in one call. */
export interface BatchSketcher extends Sketcher {
  /**
   * The sketches of many texts, in their order: what `sketch` makes of each; short texts a fifth faster. The arrays of
   * sketches that come together are views of shared buffers: for those who use them up at once, not to be kept or
   * transferred one by one.
   */
  sketchAll(texts: readonly Uint8Array[], modulusMax: number): Sketch[];
}

/**
 * @throws RangeError where the parameters are not as FingerprintParameters says
 * @throws Error where the runtime has no WebAssembly, no SIMD or no memory
 */
export function createWasmSketcher(parameters: FingerprintParameters): BatchSketcher {
  const typescript = createSketcher(parameters);
  let kernel: Kernel | null = createKernel(parameters);

  function sketch(text: Uint8Array, modulusMax: number, copies: Copies): Sketch {
    kernel ??= createAgain(parameters);
    const made = kernel?.sketch(text, modulusMax, copies) ?? typescript.sketch(text, modulusMax);
    if (kernel !== null && kernel.bytes() > KEPT_BYTES) kernel = null;
    return made;
  }

  return {
    parameters,
    sketch: (text, modulusMax) => sketch(text, modulusMax, owned),
    sketchAll(texts, modulusMax) {
      const copies = sharedCopies();
      return texts.map((text) => sketch(text, modulusMax, copies));
    },
    sequence: typescript.sequence,
  };
}

interface Kernel {
  /** The sketch of a text, or null where the kernel cannot make it. */
  readonly sketch: (text: Uint8Array, modulusMax: number, copies: Copies) => Sketch | null;
  /** Size of its memory. */
  readonly bytes: () => number;
}

/** A kernel in place of one that grew too large, or null where there is no memory for it. */
function createAgain(parameters: FingerprintParameters): Kernel | null {
  try {
    return createKernel(parameters);
  } catch {
    return null;
  }
}

function createKernel(parameters: FingerprintParameters): Kernel {
  const { memory, pieceBytes, input, text: output, result, heap, ...kernel } = createInstance(parameters);
  let bytes = new Uint8Array(memory.buffer);
  let words = new Uint32Array(memory.buffer);
  let doubles = new Float64Array(memory.buffer);

  /** Memory that grew is another buffer, and the views of the old one are empty. */
  function refreshViews(): void {
    if (bytes.length > 0) return;
    bytes = new Uint8Array(memory.buffer);
    words = new Uint32Array(memory.buffer);
    doubles = new Float64Array(memory.buffer);
  }

  /** Sends a piece through the kernel and returns its tokens, or null. */
  function addPiece(piece: Uint8Array, copies: Copies): Uint8Array | null {
    bytes.set(piece, input);
    const added = kernel.addPiece(piece.length);
    refreshViews();
    return added === 0 ? null : copies.bytes(bytes, output, output + words[result / 4 + 6]!);
  }

  function addPieces(text: Uint8Array, copies: Copies): Uint8Array | null {
    if (text.length <= pieceBytes) return addPiece(text, copies);
    const pieces: Uint8Array[] = [];
    for (let from = 0; from < text.length; ) {
      const to = text.length - from <= pieceBytes ? text.length : lastCut(text, from, from + pieceBytes);
      const tokens = to < 0 ? null : addPiece(text.subarray(from, to), owned);
      if (tokens === null) return null;
      pieces.push(tokens);
      from = to;
    }
    return concatenate(pieces);
  }

  function sketch(text: Uint8Array, modulusMax: number, copies: Copies): Sketch | null {
    const begun = kernel.begin(slotsFor(text.length));
    refreshViews();
    const canonicalText = begun === 0 ? null : addPieces(text, copies);
    if (canonicalText === null || kernel.finish() === 0) return null;
    refreshViews();
    const at = result / 4;
    const shingleCount = words[at + 5]!;
    const modulus = modulusFor(shingleCount, modulusMax, RECORD_SHINGLES_LEAST);
    const kept = kernel.sample(modulus);
    return {
      tokenCount: words[at + 4]!,
      shingleCount,
      sample: { modulus, fingerprints: copies.doubles(doubles, heap / 8, heap / 8 + kept) },
      shingleSum: words.slice(at, at + 4),
      canonicalText,
    };
  }

  return { sketch, bytes: () => bytes.length };
}

/** A power of two: a text has a token in six bytes, and slots are best when few are taken. */
function slotsFor(bytes: number): number {
  const least = bytes >> (bytes < LARGE_BYTES ? 1 : 2);
  return 1 << Math.max(4, 32 - Math.clz32(least));
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
