import { copyBytes, createRoom } from '../memory/copies.ts';
import { keptSample, postedOf } from '../query/record-sample.ts';
import { keptBits } from '../sketch/main-marks.ts';
import type { Sketch } from '../sketch/sketch.ts';
import { encodeSample } from './sample-codec.ts';

/*
 * What an index writes of a document's sample, made by whichever thread has the sample in hand: the one that writes has
 * nothing left to do but to copy it.
 */

export interface MadeRecord {
  /**
   * What a record keeps of the sample (query/record-sample.ts), as bytes (sample-codec.ts). Behind it, where a part of the
   * document is its main text, a bit for each value.
   */
  readonly encoded: Uint8Array;
  /** The fingerprints that get postings: distinct, in no order. */
  readonly posted: Float64Array;
}

const room = createRoom();

/**
 * @param sketch of a document of n = `shingleCount` shingles, with its sample at m(n; recordModulusMax, 512)
 * @returns what is its own, though it may be part of larger buffers
 */
export function makeRecord(
  { sample, shingleCount, main }: Pick<Sketch, 'sample' | 'shingleCount'> & { readonly main: Marked | null },
  indexModulusMax: number,
): MadeRecord {
  const kept = keptSample(sample, shingleCount, indexModulusMax);
  const bytes = encodeSample(kept);
  const encoded = copyBytes(main === null ? bytes : joined(bytes, keptBits(sample, main.bits, kept)), room);
  return { encoded, posted: postedOf(kept, shingleCount, indexModulusMax, room) };
}

type Marked = Pick<NonNullable<Sketch['main']>, 'bits'>;

function joined(sample: Uint8Array, bits: Uint8Array): Uint8Array {
  const both = new Uint8Array(sample.length + bits.length);
  both.set(sample);
  both.set(bits, sample.length);
  return both;
}
