import { createCopier } from '../core/memory/copies.ts';
import { bitsOf, isPart, type KeptRanges } from '../core/sketch/main-marks.ts';
import { modulusFor, RECORD_SHINGLES_LEAST } from '../core/sketch/modulus.ts';
import { type CanonicalTextSink, createSketcher, type Sketch, type Sketcher } from '../core/sketch/sketch.ts';
import type { FingerprintParameters } from '../core/sketch/stages.ts';
import { createInstance } from './instance.ts';
import { cutBeside, lastCut } from './pieces.ts';

/*
 * The sketcher of core/sketch/sketch.ts in WebAssembly: the same values in every field, several times as fast.
 *
 *   text ─ pieces of 16 KB, cut before separators ─┬─ kernel: tokens, windows, distinct ─┬─ canonical text, piece by piece
 *                                                  └─ … until the last ──────────────────┴─ count, sum, sample
 *
 * A text that has no separator in 16 KB, which nobody writes, goes to another sketcher as a whole: that in TypeScript, where
 * nothing else is said. So does one for which the kernel finds no memory. Memory of the kernel never shrinks: after a huge
 * document the instance is let go.
 */

/** Memory that an instance may keep from one document to the next. */
const KEPT_BYTES = 0x80_0000;
/** Documents from this size on get no more slots at the beginning than most of them need. */
const LARGE_BYTES = 0x4_0000;

/**
 * @param beyond sketches what the kernel cannot
 * @throws RangeError where the parameters are not as FingerprintParameters says
 * @throws Error where the runtime has no WebAssembly, no SIMD or no memory
 */
export function createWasmSketcher(
  parameters: FingerprintParameters,
  beyond: Sketcher = createSketcher(parameters),
): Sketcher {
  let kernel: Kernel | null = createKernel(parameters);

  function sketch(
    text: Uint8Array,
    modulusMax: number,
    canonicalText?: CanonicalTextSink,
    wholeMax = 0,
    kept: KeptRanges | null = null,
  ): Sketch {
    kernel ??= createAgain(parameters);
    let sentBytes = 0;
    const counted =
      canonicalText &&
      ((part: Uint8Array) => {
        sentBytes += part.length;
        canonicalText(part);
      });
    const made =
      kernel?.sketch(text, modulusMax, counted, wholeMax, kept) ??
      beyond.sketch(text, modulusMax, canonicalText && withoutFirst(sentBytes, canonicalText), wholeMax, kept);
    if (kernel !== null && kernel.bytes() > KEPT_BYTES) kernel = null;
    return made;
  }

  return { parameters, sketch, sequence: beyond.sequence, sequenceSteps: beyond.sequenceSteps };
}

type Kernel = ReturnType<typeof createKernel>;

/** A kernel instead of one that grew too large, or null where there is no memory for it. */
function createAgain(parameters: FingerprintParameters): Kernel | null {
  try {
    return createKernel(parameters);
  } catch {
    return null;
  }
}

function createKernel(parameters: FingerprintParameters) {
  const { memory, pieceBytes, input, text: output, result, heap, ...kernel } = createInstance(parameters);
  const copy = createCopier();
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

  /** Sends a piece through the kernel; false where there is no memory for it. */
  function addPiece(piece: Uint8Array, isMain: boolean, canonicalText?: CanonicalTextSink): boolean {
    bytes.set(piece, input);
    const added = kernel.addPiece(piece.length, canonicalText !== undefined, isMain);
    refreshViews();
    if (added === 0) return false;
    canonicalText?.(bytes.subarray(output, output + words[result / 4 + 6]!));
    return true;
  }

  /** Bytes start..end-1 of a text, which may be cut there. */
  function addPieces(
    text: Uint8Array,
    start: number,
    end: number,
    isMain: boolean,
    canonicalText?: CanonicalTextSink,
  ): boolean {
    for (let from = start; from < end; ) {
      const to = end - from <= pieceBytes ? end : lastCut(text, from, from + pieceBytes);
      if (to < 0 || !addPiece(text.subarray(from, to), isMain, canonicalText)) return false;
      from = to;
    }
    return true;
  }

  /** A text of which parts are main: it is cut where they begin and end. False also where it may not be cut there. */
  function addParts(text: Uint8Array, kept: KeptRanges, canonicalText?: CanonicalTextSink): boolean {
    let done = 0;
    for (let i = 0; i < kept.length; i += 2) {
      // at the separator before it, behind which a mark may stand
      const from = cutBeside(text, Math.max(done, kept[i]! - 1), done);
      const to = from < 0 ? -1 : cutBeside(text, kept[i + 1]!, from);
      if (to < 0) return false;
      if (!addPieces(text, done, from, false, canonicalText)) return false;
      if (!addPieces(text, from, to, true, canonicalText)) return false;
      done = to;
    }
    return addPieces(text, done, text.length, false, canonicalText);
  }

  /** As the sketcher; null where the kernel cannot make it. */
  function sketch(
    text: Uint8Array,
    modulusMax: number,
    canonicalText?: CanonicalTextSink,
    wholeMax = 0,
    kept: KeptRanges | null = null,
  ): Sketch | null {
    const begun = kernel.begin(slotsFor(text.length), kept === null ? 0 : 1);
    refreshViews();
    if (begun === 0) return null;
    const added =
      kept === null ? addPieces(text, 0, text.length, false, canonicalText) : addParts(text, kept, canonicalText);
    if (!added || kernel.finish() === 0) return null;
    refreshViews();
    const at = result / 4;
    const shingleCount = words[at + 5]!;
    const modulus = modulusFor(shingleCount, modulusMax, RECORD_SHINGLES_LEAST);
    const mainCount = words[at + 8]!;
    const isMarked = kept !== null && isPart(mainCount, shingleCount);
    const marked = isMarked ? markedMultiples(modulus, shingleCount) : null;
    if (isMarked && marked === null) return null;
    const mainSum = words.slice(at + 9, at + 13);
    // the list and what is to be read of the result are no more once the sample is taken
    const list = words[at + 7]! / 4;
    const whole = shingleCount <= wholeMax ? words.slice(list, list + 2 * shingleCount) : null;
    const sampled = kernel.sample(modulus);
    const fingerprints = copy(doubles, heap / 8, heap / 8 + sampled);
    return {
      tokenCount: words[at + 4]!,
      shingleCount,
      sample: { modulus, fingerprints },
      shingleSum: words.slice(at, at + 4),
      whole,
      main: marked && { shingleCount: mainCount, shingleSum: mainSum, bits: bitsOf(fingerprints, marked) },
    };
  }

  /** What is stored of the main fingerprints that are 0 mod m; null where there is no memory for it. */
  function markedMultiples(modulus: number, shingleCount: number): Float64Array | null {
    const count = kernel.markedMultiples(modulus);
    refreshViews();
    if (count < 0) return null;
    const from = words[result / 4 + 7]! / 8 + shingleCount;
    return doubles.slice(from, from + count);
  }

  return { sketch, bytes: () => bytes.length };
}

/** A power of two: a text has a token in six bytes, and slots are best when few are taken. */
function slotsFor(bytes: number): number {
  const least = bytes >> (bytes < LARGE_BYTES ? 1 : 2);
  return 1 << Math.max(4, 32 - Math.clz32(least));
}

/** A sink for canonical text whose first bytes have gone out already. */
function withoutFirst(bytes: number, sink: CanonicalTextSink): CanonicalTextSink {
  let left = bytes;
  return (part) => {
    if (part.length > left) sink(part.subarray(left));
    left = Math.max(0, left - part.length);
  };
}
