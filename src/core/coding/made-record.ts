import { copyBytes, createRoom } from '../memory/copies.ts';
import { keptSample, postedOf } from '../query/record-sample.ts';
import type { Sample } from '../sketch/modulus.ts';
import { encodeSample } from './sample-codec.ts';

/*
 * What an index writes of a document's sample, made by whichever thread has the sample in hand: the one that writes has
 * nothing left to do but to copy it.
 */

export interface MadeRecord {
  /** What a record keeps of the sample (query/record-sample.ts), as bytes (sample-codec.ts). */
  readonly encoded: Uint8Array;
  /** The fingerprints that get postings: distinct, in no order. */
  readonly posted: Float64Array;
}

const room = createRoom();

/**
 * @param sample m(n; recordModulusMax, 256) of a document of n = `shingleCount` shingles
 * @returns what is its own, though it may be part of larger buffers
 */
export function makeRecord(sample: Sample, shingleCount: number, indexModulusMax: number): MadeRecord {
  const kept = keptSample(sample, shingleCount, indexModulusMax);
  const encoded = copyBytes(encodeSample(kept), room);
  return { encoded, posted: postedOf(kept, shingleCount, indexModulusMax, room) };
}
