import { DistinctFingerprints } from './distinct.ts';
import { type FeatureSet, LENGTH_BYTES } from './feature-set.ts';
import { createPermutationKey, permute } from './permutation.ts';
import { createField, fingerprintBytes } from './rabin.ts';
import { createSampler } from './sample.ts';
import { ofDistinct, type Sketch } from './sketch.ts';
import type { FingerprintParameters } from './stages.ts';

/*
 * From a set of strings to its sketch: each string is what a window of words is in a text.
 *
 *   canonical bytes ─ rabin ─ permutation ─ permutation ─ distinct ─ sample ─ Sketch
 *   (feature-set.ts)  └──── a value for each string ───┘
 *
 * The value of a string is the Rabin fingerprint (rabin.ts) of its length and its bytes, permuted twice as every shingle is,
 * under constants of its own. So a feature is no shingle and no word, whatever it spells. One agrees with a shingle by chance
 * alone, as two different shingles do. A sketch of features has no tokens. That tells it apart, for every sketch of a text has
 * some.
 *
 * Source: Broder 1997, §3: resemblance and containment are those of sets, of shingles there.
 * Cost: 0.07 us a string of 16 bytes (bench/compare/features.ts).
 */

/** As {@link Sketcher} takes a text. */
export type FeatureSketcher = (features: FeatureSet, modulusMax: number, wholeMax?: number) => Sketch;

/** Strings whose values are made at a time. */
const BLOCK = 1024;

/**
 * Holds scratch memory, so it serves one call at a time.
 *
 * @param mixing 16 secret Uint32 from which the two permutations take their constants
 */
export function createFeatureSketcher(
  polynomial: FingerprintParameters['polynomial'],
  mixing: readonly number[],
): FeatureSketcher {
  if (mixing.length !== 16) throw new RangeError('mixing must be 16 numbers');
  const field = createField(polynomial);
  const keys = [createPermutationKey(mixing.slice(0, 8)), createPermutationKey(mixing.slice(8))];
  const [low, high] = [new Int32Array(BLOCK), new Int32Array(BLOCK)];
  const distinct = new DistinctFingerprints();
  const sample = createSampler();

  function addBlock(count: number): void {
    for (const key of keys) permute(key, low, high, 0, count);
    distinct.add(low, high, 0, count);
  }

  return ({ bytes }, modulusMax, wholeMax = 0) => {
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    let inBlock = 0;
    try {
      for (let from = 0; from < bytes.length; ) {
        const to = from + LENGTH_BYTES + view.getUint32(from, true);
        fingerprintBytes(field, view, from, to, low, high, inBlock++);
        if (inBlock === BLOCK) {
          addBlock(inBlock);
          inBlock = 0;
        }
        from = to;
      }
      addBlock(inBlock);
      return { tokenCount: 0, ...ofDistinct(distinct, sample, modulusMax, wholeMax), main: null };
    } finally {
      distinct.clear();
    }
  };
}
