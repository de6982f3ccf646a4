import type { CanonicalTextSink } from '../core/sketch/sketch.ts';
import { GuessNeeded } from '../extract/charset/guess.ts';
import { BeyondKernel } from '../kernel/choose.ts';

/*
 * Documents that the event loop begins to read and then leaves to a worker, since they take long for their size:
 *
 *   a charset that must be guessed        the models for that take their time (extract/charset/guess.ts)
 *   what the kernel leaves to TypeScript  up to a µs a byte: no separator in 16 KB (kernel/wasm-sketcher.ts)
 *   a text that grows, such as U+FDFA,    256 KB of it are 3 MB of words
 *   which stands for 18 letters
 */

/** What the kernel leaves to TypeScript is sketched here up to this size: some 8 ms at the worst. */
export const LEFT_HERE_BYTES_MAX = 8 * 1024;
/** A text in any script grows to at most 7/3 of its size, unless a character stands for several. */
const GROWTH_MAX = 2.5;
/** A text may always grow to this size, which takes about 1 ms. */
const GROWN_BYTES_LEAST = 64 * 1024;

/** A text that stands for a much longer one. */
class GrowsTooLong extends Error {}

/** Whether an error says that a worker is to process the document. */
export const isForWorker = (error: unknown): boolean =>
  error instanceof GuessNeeded || error instanceof BeyondKernel || error instanceof GrowsTooLong;

/** @returns a sink that throws, for {@link isForWorker}, once the canonical text of a document of `textBytes` is too long */
export function boundGrowth(textBytes: number, sink: CanonicalTextSink): CanonicalTextSink {
  let left = Math.max(GROWN_BYTES_LEAST, GROWTH_MAX * textBytes);
  return (part) => {
    left -= part.length;
    if (left < 0) throw new GrowsTooLong();
    sink(part);
  };
}
