import { runToEnd } from '../../../src/core/memory/steps.ts';
import { createUniformSort } from '../../../src/core/memory/uniform-sort.ts';
import { FINGERPRINT_BITS, modulusFor, RECORD_SHINGLES_LEAST } from '../../../src/core/sketch/modulus.ts';
import type { NewContent, PutPlan } from '../../../src/store/port.ts';

/*
 * Ready sketches, each made from its index alone, of a collection as the Web is: four documents in ten belong to a family of
 * near-copies (of about 4, 20 or 500), and one shingle in fifty is common: drawn from a pool of 2^20 by Zipf's law, so that
 * the lists of some are longer than any other by orders of magnitude.
 *
 *   family    which one, and how alike its members are: r in 0.5..1, so that a member keeps each shingle of the base with
 *             q = sqrt(2r / (1 + r))
 *   document  its own shingles where it departs from the base
 *
 * Of a document of n shingles only those are made that a record keeps (core/sketch/modulus.ts). Cost: 3 to 20 µs a document.
 */

const COMMON_SHARE = 0.02;
const COMMON_KINDS = 2 ** 20;
/** Documents between the first and the last of a family, and the share of all that belong to families of this kind. */
const FAMILIES = [
  { apart: 12, share: 0.36 },
  { apart: 1000, share: 0.02 },
  { apart: 100_000, share: 0.005 },
] as const;
const RECORD_MODULUS_MAX = 4;
const HEX = Array.from({ length: 0x1_0000 }, (_, i) => i.toString(16).padStart(4, '0'));
const sort = createUniformSort();
const OBSERVED_AT = 1_700_000_000_000;

/** Documents of one size. Another seed is another collection. */
export class Sketches {
  readonly shingles: number;
  private readonly seed: number;

  constructor(shingles: number, seed = 1) {
    this.shingles = shingles;
    this.seed = seed;
  }

  /** The first sight of a document at a URL of its own. */
  plan(index: number): PutPlan {
    return planOf(index, this.content(index));
  }

  content(index: number): NewContent {
    const { family, alike } = this.familyOf(index);
    return this.member(family, index, Math.sqrt((2 * alike) / (1 + alike)));
  }

  /** A document that is not in the collection and shares with document `index` each shingle with chance 0.95. */
  nearCopy(index: number): NewContent {
    return edited(this.content(index), 0.05, mix(index, 77));
  }

  /** Member `index` of a family whose members are alike to about r = 0.92, of a collection of its own. */
  familyMember(index: number): NewContent {
    return this.member(mix(this.seed, 991), 2 ** 30 + index, 0.98);
  }

  private familyOf(index: number): { family: number; alike: number } {
    let u = mix(mix(index, this.seed), 11) / 2 ** 32;
    for (const [kind, { apart, share }] of FAMILIES.entries()) {
      if (u < share) {
        const family = mix(Math.floor(index / apart), mix(kind, this.seed));
        return { family, alike: 0.5 + mix(family, 12) / 2 ** 33 };
      }
      u -= share;
    }
    return { family: mix(index, mix(13, this.seed)), alike: 1 };
  }

  private member(family: number, index: number, keeps: number): NewContent {
    const modulus = modulusFor(this.shingles, RECORD_MODULUS_MAX, RECORD_SHINGLES_LEAST);
    const values = new Float64Array(Math.round(this.shingles / modulus));
    const own = mix(index, mix(14, this.seed));
    const keepsBelow = keeps * 2 ** 32;
    for (let i = 0; i < values.length; i++) {
      const from = keeps === 1 || mix(own, i) < keepsBelow ? family : own;
      values[i] = shingle(from, i, modulus);
    }
    return contentOf(mix(index, this.seed), this.shingles, modulus, values);
  }
}

export function planOf(index: number, content: NewContent): PutPlan {
  const url = `https://host${mix(index % 50_000, 5).toString(36)}.example/d${mix(index, 6).toString(36)}/page-${index}.html`;
  return {
    kind: 'put',
    url,
    spelling: url,
    observedAt: OBSERVED_AT,
    receivedAt: OBSERVED_AT,
    bytesDigest: content.id,
    content,
    httpStatus: 200,
    finalUrl: null,
    title: `Page ${index} of the bench`,
    language: 'en',
    meta: null,
  };
}

function edited({ sample, shingleCount }: NewContent, share: number, seed: number): NewContent {
  const values = sample.fingerprints.map((value, i) =>
    mix(seed, i) < share * 2 ** 32 ? shingle(seed, i, sample.modulus) : value,
  );
  return contentOf(seed, shingleCount, sample.modulus, values);
}

function contentOf(name: number, shingleCount: number, modulus: number, values: Float64Array): NewContent {
  const fingerprints = new Float64Array(values.length);
  runToEnd(sort(values, fingerprints, FINGERPRINT_BITS));
  let count = 0;
  for (let i = 0; i < fingerprints.length; i++) {
    if (count === 0 || fingerprints[i] !== fingerprints[count - 1]) fingerprints[count++] = fingerprints[i]!;
  }
  return {
    id: digest(name, 1),
    shingleDigest: digest(name, 2),
    tokenCount: shingleCount + 6,
    shingleCount,
    main: null,
    createdAt: OBSERVED_AT,
    sample: { modulus, fingerprints: count === fingerprints.length ? fingerprints : fingerprints.slice(0, count) },
  };
}

/** Shingle `i` of a text: a fingerprint below 2^40 that is a multiple of `modulus`. */
function shingle(text: number, i: number, modulus: number): number {
  const high = mix(text, i);
  const low = Math.imul(high ^ text, 0x9e37_79b1) >>> 0;
  if (low >= COMMON_SHARE * 2 ** 32) return high * 256 + (low & 255 & -modulus);
  const rank = Math.floor(COMMON_KINDS ** (high / 2 ** 32));
  return mix(rank, 21) * 256 + (mix(rank, 22) & 255 & -modulus);
}

function digest(name: number, kind: number): string {
  let hex = '';
  for (let i = 0; i < 4; i++) {
    const word = mix(name, 4 * kind + i);
    hex += HEX[word >>> 16]! + HEX[word & 0xffff]!;
  }
  return hex;
}

/** Mixes two numbers into 32 bits. */
function mix(a: number, b: number): number {
  let hash = Math.imul(a ^ 0x9e37_79b9, 0x85eb_ca6b) ^ Math.imul(b ^ 0x7f4a_7c15, 0xc2b2_ae35);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
