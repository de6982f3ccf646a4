import type { CorpusContent } from '../../../src/cluster/port.ts';
import { wholeSample } from '../../../src/core/sketch/narrow.ts';

/*
 * Corpora of ready sketches, like those that Broder 1997, §5, counts: of 30 documents some 18 are alone, 5 are in clusters of
 * identical ones (2.5 in the mean), 7 in clusters of similar ones, of which a few are large.
 */

const ALONE = 17.7 / 30;
const IDENTICAL = 5.3 / 30;
/** That are of many documents: of so many as falls with the power of -3/4 of their place. */
const COMMON_SHINGLES = 50_000;
/** Fingerprints below 2^40. */
const SPREAD = 2 ** 40;

export interface MadeOptions {
  readonly documents: number;
  readonly seed: number;
  /** Shingles of a document. */
  readonly shingles: number;
  readonly batch?: number;
  /** {@link COMMON_SHINGLES} where it is left out. */
  readonly commonShingles?: number;
}

/** Whole numbers below 2^32 that look random, of three others. */
function mix(a: number, b: number, c: number): number {
  let h = Math.imul(a ^ 0x9e37_79b9, 0x85eb_ca6b);
  h = Math.imul((h ^ (h >>> 15)) + b, 0xcc9e_2d51);
  h = Math.imul((h ^ (h >>> 13)) + c, 0x1b87_3593);
  h ^= h >>> 16;
  h = Math.imul(h, 0xc2b2_ae35);
  return (h ^ (h >>> 15)) >>> 0;
}

const share = (a: number, b: number, c: number) => (mix(a, b, c) + 0.5) / 2 ** 32;

/** Sizes of clusters, one behind the other, and of which kind. */
function* clusters({ documents, seed }: MadeOptions): Generator<{ size: number; isIdentical: boolean }> {
  let made = 0;
  for (let i = 0; made < documents; i++) {
    const part = made / documents;
    const isIdentical = part >= ALONE && part < ALONE + IDENTICAL;
    let size = 1;
    if (isIdentical) size = 2 + Math.floor(-Math.log(share(seed, i, 1)) * 0.9);
    else if (part >= ALONE) size = Math.floor(2 * share(seed, i, 2) ** (-1 / 1.83));
    size = Math.min(size, documents - made, Math.max(10, documents / 50));
    made += size;
    yield { size, isIdentical };
  }
}

/** Documents whose places are scattered: those of one cluster do not come one after the other. */
export function* madeCorpus(options: MadeOptions): Generator<CorpusContent[], void, undefined> {
  const { documents, seed, batch = 1000 } = options;
  const [clusterOf, memberOf] = [new Uint32Array(documents), new Uint32Array(documents)];
  const identical: boolean[] = [];
  let at = 0;
  for (const { size, isIdentical } of clusters(options)) {
    for (let member = 0; member < size; member++) {
      clusterOf[at] = identical.length;
      memberOf[at++] = isIdentical ? 0 : member;
    }
    identical.push(isIdentical);
  }
  const order = shuffled(documents, seed);
  for (let from = 0; from < documents; from += batch) {
    const made: CorpusContent[] = [];
    for (let i = from; i < Math.min(documents, from + batch); i++) {
      const slot = order[i]!;
      made.push(contentOf(clusterOf[slot]!, memberOf[slot]!, options));
    }
    yield made;
  }
}

function contentOf(cluster: number, member: number, options: MadeOptions): CorpusContent {
  const { seed, shingles, commonShingles = COMMON_SHINGLES } = options;
  const fingerprints = new Float64Array(shingles);
  // members of a cluster differ from its first one by 0 to 60 % of their shingles
  const changed = member === 0 ? 0 : share(seed + 3, cluster, member) * 0.6;
  for (let j = 0; j < shingles; j++) {
    const isOwn = member > 0 && share(mix(seed, cluster, member), j, 5) < changed;
    const owner = isOwn ? mix(cluster, member, 6) : cluster;
    // one in fifty is of many documents
    const isCommon = !isOwn && share(seed + 7, cluster, j) < 0.02;
    const [key, salt] = isCommon
      ? [Math.floor(share(owner, j, 8) ** 4 * commonShingles), 9]
      : [owner, 10 + (isOwn ? 1 : 0)];
    fingerprints[j] =
      (mix(key, isCommon ? 0 : j, salt + seed) * 256 + (mix(key, j * Number(!isCommon), salt + 100) & 255)) % SPREAD;
  }
  const sorted = Float64Array.from(new Set(fingerprints.sort()));
  const digest = digestOf(sorted);
  const sample = wholeSample({ modulus: 1, fingerprints: sorted });
  return { sample, shingleCount: sorted.length, lexicalDigest: digest, shingleDigest: digest };
}

function digestOf(fingerprints: Float64Array): string {
  const words = [1, 2, 3, 4];
  for (const fingerprint of fingerprints) {
    const [low, high] = [fingerprint >>> 0, Math.floor(fingerprint / 2 ** 32)];
    for (let i = 0; i < 4; i++) words[i] = mix(words[i]!, low + i, high);
  }
  return words.map((word) => word.toString(16).padStart(8, '0')).join('');
}

function shuffled(size: number, seed: number): Uint32Array {
  const order = Uint32Array.from({ length: size }, (_, i) => i);
  for (let i = size - 1; i > 0; i--) {
    const j = Math.floor(share(seed, i, 11) * (i + 1));
    const here = order[i]!;
    order[i] = order[j]!;
    order[j] = here;
  }
  return order;
}
