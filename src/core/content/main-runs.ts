import { fingerprintIndexSteps, STEP_VALUES } from '../compare/fingerprint-index.ts';
import { isMarked } from '../sketch/main-marks.ts';
import { FINGERPRINT_BITS } from '../sketch/modulus.ts';
import type { ShingleSequence } from '../sketch/sketch.ts';
import type { MarkedDocument } from './own-content.ts';

/*
 * Where the main text of a document stands, by the shingles that count as main:
 *
 *   tokens           menu news home | it was the best of times | about us
 *   main shingles                     [-------------]
 *                                        [------------]
 *   run                               3 ....................8
 */

/** Tokens `from` .. `to` - 1. */
export interface MainRun {
  readonly from: number;
  readonly to: number;
}

/**
 * The runs of tokens that stand in a main shingle, in order. Null where all of the document is main, or not all of its
 * shingles are at hand. In steps of some ms.
 */
export function* mainRunSteps(
  { shingleSize, fingerprints }: Pick<ShingleSequence, 'shingleSize' | 'fingerprints'>,
  { sample, main }: Pick<MarkedDocument, 'sample' | 'main'>,
): Generator<undefined, readonly MainRun[] | null> {
  if (main === null || sample.modulus > 1) return null;
  const marked = sample.values.filter((_, i) => isMarked(main, i));
  yield;
  const index = yield* fingerprintIndexSteps({ modulus: 1, bits: sample.bits, values: marked });
  const runs: { from: number; to: number }[] = [];
  for (let at = 0; at < fingerprints.length; at += STEP_VALUES) {
    yield;
    const part = fingerprints.subarray(at, at + STEP_VALUES);
    const isMain = index.found(part, part.length, FINGERPRINT_BITS);
    for (let i = 0; i < part.length; i++) {
      if (isMain[i] === 0) continue;
      const last = runs.at(-1);
      if (last !== undefined && at + i <= last.to) last.to = at + i + shingleSize;
      else runs.push({ from: at + i, to: at + i + shingleSize });
    }
  }
  return runs;
}
